// Reads any bytes as a log. The first byte chooses how: even, the rest is a complete log; odd, the rest is the payload
// of one block with right checksums, which random damage would hardly ever produce.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/base/errors.hpp"
#include "common/log/log_reader.hpp"
#include "common/wire/byte_reader.hpp"
#include "common/wire/log_block.hpp"
#include "common/wire/record_block.hpp"
#include "common/wire/record_columns.hpp"

namespace {

using namespace groma;  // a program of one file

/// Checks the guarantees of a reader.
class Invariants final : public LogVisitor {
public:
    explicit Invariants(std::size_t size) : size_(size) {}

    void on_sent(FlowId /*flow*/, std::span<const SentRecord> records) override { expect_round_trip(records); }
    void on_received(FlowId /*flow*/, std::span<const ReceivedRecord> records) override { expect_round_trip(records); }
    void on_returned(FlowId /*flow*/, std::span<const RoundTripRecord> records) override { expect_round_trip(records); }
    void on_transmitted(FlowId /*flow*/, std::span<const TransmitRecord> records) override {
        expect_round_trip(records);
    }
    void on_connection(FlowId /*flow*/, std::span<const ConnectionSample> samples) override {
        expect_round_trip(samples);
    }
    void on_gap(const LogGap& gap) override {
        check(gap.offset >= lost_until_, "gaps come in the order of the log");
        check(gap.bytes <= size_ and gap.offset <= size_ - gap.bytes, "a gap lies within the log");
        check(not gap.reason.empty(), "a gap has a reason");
        lost_until_ = gap.offset + gap.bytes;
    }

private:
    template <typename Record>
    void expect_round_trip(std::span<const Record> records) {
        check(not records.empty() and records.size() <= kMostInBlock<Record>, "a block holds 1 to 4096 records");
        std::vector<std::byte> payload;
        RecordColumns columns;
        const std::uint8_t version = columns.pack(records, payload);
        std::vector<Record> again(records.size());
        check(columns.unpack(payload, std::span<Record>(again), version), "what was read can be written");
        check(std::ranges::equal(records, again), "and is the same then");
    }

    std::size_t size_;
    std::uint64_t lost_until_ = 0;
};

/// A log of one block: type (the two highest bits: its payload's version less 1), first sequence number and count from
/// the input, the rest of it as the payload.
std::vector<std::byte> log_around(std::span<const std::byte> input) {
    ByteReader in(input);
    const std::uint8_t kind = in.u8();
    const BlockHeader header{.type = static_cast<std::uint8_t>(kind & 0x3f),
                             .version = static_cast<std::uint8_t>(1 + (kind >> 6)),
                             .first_seq = in.u64(),
                             .count = in.u16()};
    std::vector<std::byte> block(kBlockHeaderSize + in.rest().size());
    std::ranges::copy(in.rest(), block.begin() + kBlockHeaderSize);
    seal_block(header, block);
    const auto start = make_log_header();
    std::vector<std::byte> log(start.begin(), start.end());
    log.insert(log.end(), block.begin(), block.end());
    return log;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto input = std::as_bytes(std::span(data, size));
    if (input.empty()) {
        return 0;
    }
    const bool one_block = std::to_integer<unsigned>(input[0]) % 2 == 1;
    const std::vector<std::byte> log =
        one_block ? log_around(input.subspan(1)) : std::vector<std::byte>(input.begin() + 1, input.end());
    try {
        Invariants visitor(log.size());
        read_log(log, "input", visitor);
    } catch (const ParseError&) {
        // Not a log: a valid outcome.
    }
    return 0;
}
