// The packets of several logs in the order of time: a merge of each flow's records, block by block. Memory: the current
// block of each flow that is active at the present time, and 4 bytes for each block of the logs.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/ids.hpp"
#include "decoder/logs/indexed_log.hpp"

namespace groma {

/// A packet as one side saw it: it left, it arrived, or it came back.
struct MergedPacket {
    std::size_t log = 0;  ///< index of the log
    FlowId flow{};
    WallTime at{};  ///< on that log's clock
    std::variant<SentRecord, ReceivedRecord, RoundTripRecord> record{};
};

class RecordMerge {
public:
    /// `flows`: only these; empty: all. The logs outlive the merge. Throws: as IndexedLog::read().
    RecordMerge(std::vector<IndexedLog*> logs, const std::set<FlowId>& flows);

    /// Returns: the next packet; empty at the end. Packets are in the order of time if the records of each flow are,
    /// that is, unless a clock was set back. Of equal times the first log's comes first. Throws: as above.
    [[nodiscard]] std::optional<MergedPacket> next();

    /// Omitted blocks: they do not hold the records that they announce.
    [[nodiscard]] std::uint64_t unreadable() const { return unreadable_; }

private:
    using Records = std::variant<std::vector<SentRecord>, std::vector<ReceivedRecord>, std::vector<RoundTripRecord>>;

    /// The records of one kind of one flow in one log.
    struct Lane {
        std::size_t log = 0;
        std::vector<std::uint32_t> blocks;  ///< indices into the log's
        std::size_t block = 0;              ///< the current one
        std::size_t record = 0;             ///< in it
        Records records;                    ///< empty until they are needed
    };
    using Due = std::pair<WallTime, std::size_t>;  ///< and which lane

    void find_lanes(const std::set<FlowId>& flows);
    /// Returns: false when no block of the lane from the current one on can be read.
    bool load(Lane& lane);
    [[nodiscard]] WallTime time_of(const Lane& lane) const;

    std::vector<IndexedLog*> logs_;
    std::vector<Lane> lanes_;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
    std::uint64_t unreadable_ = 0;
};

}  // namespace groma
