// Logs as a capture file: each log an interface, each of its packets a frame at its time, in the order of time
// (docs/guide/wireshark.md). Memory: as RecordMerge.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/base/ids.hpp"
#include "decoder/logs/indexed_log.hpp"

namespace groma {

struct PcapngSummary {
    std::uint64_t packets = 0;
    std::vector<std::string> warnings;  ///< what is wrong with the logs, a sentence each
};

/// `write` takes the bytes of the capture and returns whether more are wanted. Throws: SystemError; what `write`
/// throws.
[[nodiscard]] PcapngSummary export_pcapng(const std::vector<IndexedLog*>& logs, const std::set<FlowId>& flows,
                                          const std::function<bool(std::span<const std::byte>)>& write);

/// `groma-dec pcapng ...`: `arguments` after the command's name. Returns: 0; 1 when a log is damaged or cut short, or
/// standard output was closed. Throws: UsageError, ParseError (not a log), SystemError.
[[nodiscard]] int pcapng_command(std::span<const std::string> arguments);

}  // namespace groma
