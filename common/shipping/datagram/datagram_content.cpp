#include "common/shipping/datagram/datagram_content.hpp"

#include <algorithm>
#include <concepts>
#include <limits>
#include <utility>

#include "common/shipping/datagram/datagram_format.hpp"
#include "common/wire/big_endian.hpp"

namespace groma {

namespace {

constexpr std::uint8_t kAckFlag = 1;
constexpr std::uint8_t kDataFlag = 2;
constexpr std::uint8_t kLastFlag = 4;
constexpr std::uint8_t kPingFlag = 8;
constexpr std::uint8_t kClosingFlag = 16;
constexpr std::uint8_t kAllFlags = 31;

constexpr std::uint64_t kMostInU32 = std::numeric_limits<std::uint32_t>::max();

class Writer {
public:
    explicit Writer(std::span<std::byte> out) : rest_(out), room_(out.size()) {}

    template <std::unsigned_integral Number>
    void number(Number value) {
        store_big_endian(rest_, value);
        rest_ = rest_.subspan(sizeof value);
    }
    void bytes(std::span<const std::byte> data) {
        std::ranges::copy(data, rest_.begin());
        rest_ = rest_.subspan(data.size());
    }
    [[nodiscard]] std::size_t written() const { return room_ - rest_.size(); }

private:
    std::span<std::byte> rest_;
    std::size_t room_;
};

/// The first read beyond the end fails; that read and all later ones give zero.
class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

    template <std::unsigned_integral Number>
    Number number() {
        if (rest_.size() < sizeof(Number)) {
            failed_ = true;
            return 0;
        }
        const auto value = load_big_endian<Number>(rest_);
        rest_ = rest_.subspan(sizeof(Number));
        return value;
    }
    [[nodiscard]] std::span<const std::byte> take_rest() { return std::exchange(rest_, {}); }
    void fail() { failed_ = true; }
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] bool read_exactly() const { return not failed_ and rest_.empty(); }

private:
    std::span<const std::byte> rest_;
    bool failed_ = false;
};

std::uint32_t clipped(std::uint64_t value) {
    return static_cast<std::uint32_t>(std::min(value, kMostInU32));
}

void write(Writer& out, const AckField& ack) {
    const auto held_back = std::chrono::duration_cast<std::chrono::microseconds>(ack.held_back).count();
    out.number(clipped(static_cast<std::uint64_t>(std::max<std::int64_t>(held_back, 0))));
    out.number(ack.limit);
    // The list ends before a range that is too long or too far away to be encoded; the peer sends the omitted ones
    // again.
    std::size_t count = 0;
    while (count < ack.came.size() and ack.came[count].size() <= kMostInU32 and
           (count == 0 or ack.came[count - 1].begin - ack.came[count].end <= kMostInU32)) {
        ++count;
    }
    out.number(static_cast<std::uint8_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
        if (i == 0) {
            out.number(ack.came[0].end - 1);
        } else {
            out.number(clipped(ack.came[i - 1].begin - ack.came[i].end));
        }
        out.number(clipped(ack.came[i].size()));
    }
}

NumberRange read_range(Reader& in, const NumberRange* above) {
    std::uint64_t end = 0;
    if (above == nullptr) {
        end = in.number<std::uint64_t>() + 1;
    } else {
        const std::uint64_t gap = in.number<std::uint32_t>();
        if (gap == 0 or gap > above->begin) {
            in.fail();
            return {};
        }
        end = above->begin - gap;
    }
    const std::uint64_t size = in.number<std::uint32_t>();
    if (end > kHighestNumber or size == 0 or size > end) {
        in.fail();
        return {};
    }
    return {end - size, end};
}

AckField read_ack(Reader& in) {
    AckField ack;
    ack.held_back = std::chrono::microseconds(in.number<std::uint32_t>());
    ack.limit = in.number<std::uint64_t>();
    const std::size_t count = in.number<std::uint8_t>();
    if (count > kMostAckRanges or ack.limit > kHighestNumber) {
        in.fail();
    }
    for (std::size_t i = 0; i < count and not in.failed(); ++i) {
        ack.came.push_back(read_range(in, i == 0 ? nullptr : &ack.came.back()));
    }
    return ack;
}

}  // namespace

std::size_t serialize(const DatagramContent& content, std::span<std::byte> out) {
    Writer writer(out);
    const bool last = content.data and content.data->last;
    writer.number(static_cast<std::uint8_t>((content.ack ? kAckFlag : 0) | (content.data ? kDataFlag : 0) |
                                            (last ? kLastFlag : 0) | (content.ping ? kPingFlag : 0) |
                                            (content.closing ? kClosingFlag : 0)));
    if (content.ack) {
        write(writer, *content.ack);
    }
    if (content.data) {
        writer.number(content.data->offset);
        writer.bytes(content.data->bytes);
    }
    return writer.written();
}

std::optional<DatagramContent> parse_content(std::span<const std::byte> bytes) {
    Reader in(bytes);
    const auto flags = in.number<std::uint8_t>();
    DatagramContent content{
        .ping = (flags & kPingFlag) != 0, .closing = (flags & kClosingFlag) != 0, .ack = {}, .data = {}};
    if (flags > kAllFlags or ((flags & kLastFlag) != 0 and (flags & kDataFlag) == 0)) {
        in.fail();
    }
    if ((flags & kAckFlag) != 0) {
        content.ack = read_ack(in);
    }
    if ((flags & kDataFlag) != 0) {
        const auto offset = in.number<std::uint64_t>();
        content.data = DataField{offset, in.take_rest(), (flags & kLastFlag) != 0};
        if (offset > kHighestNumber) {
            in.fail();
        }
    }
    if (not in.read_exactly()) {
        return std::nullopt;
    }
    return content;
}

}  // namespace groma
