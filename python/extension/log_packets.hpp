// Reads the packets of one run's logs into columns.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "common/log/log_reader.hpp"
#include "common/log/run_metadata.hpp"
#include "python/extension/packet_columns.hpp"

namespace groma {

enum class PacketTable : std::uint8_t { sent, received, returned, transmitted, matched };

struct PacketWish {
    std::vector<std::string> paths;     ///< logs, and folders of logs
    std::optional<PacketTable> kind{};  ///< none: as the logs are: of one side, or of both
    std::optional<std::set<FlowId>> flows{};
    bool allow_damage = false;            ///< whether to read what can be read of damaged logs
    std::uint64_t most_bytes = 0;         ///< that the columns may take
    std::function<void()> look_around{};  ///< called now and then; what it throws ends the reading
};

/// A log that was read.
struct ReadLog {
    std::string name;
    RunMetadata metadata;
    std::optional<LogTotals> totals{};  ///< none: it was cut short
    std::vector<LogGap> gaps{};         ///< at most kMostGaps of them
    std::uint64_t more_gaps = 0;
    static constexpr std::size_t kMostGaps = 1000;
};

struct LogPackets {
    std::variant<SentPackets, ReceivedPackets, ReturnedPackets, TransmittedPackets, MatchedPackets> packets;
    PacketTable kind{};
    std::vector<ReadLog> logs;
    std::vector<std::string> notes;  ///< sentences: what the columns lack
};

/// Throws: SystemError when a file cannot be read; ParseError when it is not a log; UsageError when the logs are not of
/// one run, or not of the sides that the kind needs; RunError when a log is damaged or cut short, unless that is
/// allowed, and when the columns would take more than `most_bytes`; std::bad_alloc; what `look_around` throws.
[[nodiscard]] LogPackets read_packets(PacketWish wish);

}  // namespace groma
