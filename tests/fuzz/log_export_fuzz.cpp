// An untrusted log as a capture and as an interval log of HdrHistogram: every record that a sequential reader finds in
// undamaged blocks is a packet of the capture, which libpcap reads. The first byte chooses: even, the rest is a log;
// odd, blocks of one (sealed_logs.hpp).
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "common/base/errors.hpp"
#include "common/capture/capture_file.hpp"
#include "decoder/files/hdr_log.hpp"
#include "decoder/logs/indexed_log.hpp"
#include "decoder/packets/pcapng_export.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/sealed_logs.hpp"

namespace {

using namespace groma;  // a program of one file

class Counter final : public LogVisitor {
public:
    void on_sent(FlowId /*flow*/, std::span<const SentRecord> found) override { records += found.size(); }
    void on_received(FlowId /*flow*/, std::span<const ReceivedRecord> found) override { records += found.size(); }
    void on_returned(FlowId /*flow*/, std::span<const RoundTripRecord> found) override { records += found.size(); }

    std::uint64_t records = 0;
};

void export_log(const std::string& path, std::uint64_t records) {
    IndexedLog log(path);
    MemoryFile file;
    const PcapngSummary summary = export_pcapng({&log}, {}, [&file](std::span<const std::byte> piece) {
        file.append(piece);
        return true;
    });
    check(summary.packets == records, "every record is a packet");
    std::uint64_t seen = 0;
    read_capture(file.path(), [&seen](const CapturedFrame& frame) {
        check(frame.bytes.size() <= frame.length, "no frame has more bytes than it had on the wire");
        ++seen;
        return true;
    });
    check(seen == records, "and libpcap reads it");
    (void)write_hdr_log({&log}, {}, [](std::string_view line) { check(not line.empty(), "a line"); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const auto input = std::as_bytes(std::span(data, size)).subspan(1);
    const SealedLog log = data[0] % 2 == 0 ? SealedLog(input.begin(), input.end()) : sealed_logs(input)[0];
    const MemoryFile file(log);
    Counter expected;
    try {
        read_log(log, "input", expected);
    } catch (const ParseError&) {
        return 0;
    }
    export_log(file.path(), expected.records);
    return 0;
}
