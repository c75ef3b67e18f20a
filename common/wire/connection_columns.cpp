// The part of RecordColumns for states of connections: a time, and optional fields.
#include <algorithm>
#include <array>

#include "common/base/errors.hpp"
#include "common/wire/byte_writer.hpp"
#include "common/wire/log_block.hpp"
#include "common/wire/optional_column.hpp"
#include "common/wire/record_columns.hpp"

namespace groma {

namespace {

std::uint64_t word_of(Nanos span) noexcept {
    return static_cast<std::uint64_t>(span.count());
}

std::uint64_t word_of(std::uint64_t count) noexcept {
    return count;
}

void assign(std::optional<Nanos>& field, std::uint64_t word) noexcept {
    field = Nanos{static_cast<std::int64_t>(word)};
}

void assign(std::optional<std::uint64_t>& field, std::uint64_t word) noexcept {
    field = word;
}

/// Access to an optional field of a sample.
struct Field {
    bool (*has)(const ConnectionSample&) noexcept;
    std::uint64_t (*get)(const ConnectionSample&) noexcept;
    void (*set)(ConnectionSample&, std::uint64_t) noexcept;
};

template <auto Member>
constexpr Field field() {
    return {[](const ConnectionSample& sample) noexcept { return (sample.*Member).has_value(); },
            [](const ConnectionSample& sample) noexcept { return word_of(*(sample.*Member)); },
            [](ConnectionSample& sample, std::uint64_t word) noexcept { assign(sample.*Member, word); }};
}

/// In the order of their columns, which is on disk: add only at the end.
constexpr std::array kFields{field<&ConnectionSample::rtt>(),
                             field<&ConnectionSample::rtt_variation>(),
                             field<&ConnectionSample::cwnd>(),
                             field<&ConnectionSample::ssthresh>(),
                             field<&ConnectionSample::in_flight>(),
                             field<&ConnectionSample::retransmitted>(),
                             field<&ConnectionSample::retransmitted_bytes>(),
                             field<&ConnectionSample::delivery_rate_bps>(),
                             field<&ConnectionSample::pacing_rate_bps>(),
                             field<&ConnectionSample::segment>(),
                             field<&ConnectionSample::min_rtt>(),
                             field<&ConnectionSample::application_limited>(),
                             field<&ConnectionSample::acknowledged_bytes>()};
static_assert(kFields.size() * kPresenceWidth <= 32, "the presence of all fields is in 32 bits");
constexpr std::size_t kFirstFields = 10;  ///< all that blocks of version 1 have

std::span<const Field> fields_of(std::uint8_t version) {
    return std::span(kFields).first(version == kAcknowledgedVersion ? kFields.size() : kFirstFields);
}

void require_sample_count(std::size_t samples) {
    check(samples > 0 and samples <= kMaxBlockSamples, "a block holds 1 to 1024 samples of a connection");
}

}  // namespace

std::uint8_t RecordColumns::pack(std::span<const ConnectionSample> samples, std::vector<std::byte>& out) {
    require_sample_count(samples.size());
    const bool all = std::ranges::any_of(samples, [](const ConnectionSample& it) {
        return it.min_rtt or it.application_limited or it.acknowledged_bytes;
    });
    const std::uint8_t version = all ? kAcknowledgedVersion : kBlockVersion;
    const std::span<const Field> fields = fields_of(version);
    std::uint32_t presence = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        presence |= static_cast<std::uint32_t>(presence_of(samples, fields[i].has)) << (i * kPresenceWidth);
    }
    ByteWriter(out).u32(presence);
    pack_values(samples, scratch_, out, [](const ConnectionSample& s) { return to_word(s.at); });
    for (const Field& field : fields) {
        pack_bitmap(presence_of(samples, field.has), samples, out, field.has);
        pack_values(samples, scratch_, out, field.get, field.has);
    }
    return version;
}

bool RecordColumns::unpack(std::span<const std::byte> payload, std::span<ConnectionSample> samples,
                           std::uint8_t version) {
    require_sample_count(samples.size());
    ByteReader in(payload);
    std::uint32_t presence = in.u32();
    spread({}, read(in, samples.size()), samples.size(),
           [&](std::size_t i, std::uint64_t time) { samples[i] = ConnectionSample{.at = to_time(time)}; });
    for (const Field& field : fields_of(version)) {
        const Bitmap has = read_bitmap(in, presence & kPresenceBits, samples.size());
        spread(has, read(in, present_count(has, samples.size())), samples.size(),
               [&](std::size_t i, std::uint64_t value) { field.set(samples[i], value); });
        presence >>= kPresenceWidth;
    }
    return version <= kAcknowledgedVersion and presence == 0 and in.finished();
}

}  // namespace groma
