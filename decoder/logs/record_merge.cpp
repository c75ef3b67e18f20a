#include "decoder/logs/record_merge.hpp"

#include <map>
#include <tuple>

namespace groma {

namespace {

WallTime moment(const SentRecord& record) {
    return record.sent_at;
}
WallTime moment(const ReceivedRecord& record) {
    return record.received_at;
}
WallTime moment(const RoundTripRecord& record) {
    return record.returned_at;
}

bool is_of_packets(BlockType type) {
    return type == BlockType::sent or type == BlockType::received or type == BlockType::round_trip;
}

}  // namespace

RecordMerge::RecordMerge(std::vector<IndexedLog*> logs, const std::set<FlowId>& flows) : logs_(std::move(logs)) {
    find_lanes(flows);
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        Lane& lane = lanes_[i];
        if (load(lane)) {
            due_.emplace(time_of(lane), i);
            // Most flows of a long run begin later: their first records are read again when they are due.
            std::visit([](auto& records) { records = {}; }, lane.records);
        }
    }
}

void RecordMerge::find_lanes(const std::set<FlowId>& flows) {
    std::map<std::tuple<std::size_t, FlowId, BlockType>, std::size_t> known;
    for (std::size_t log = 0; log < logs_.size(); ++log) {
        const auto& blocks = logs_[log]->blocks();
        for (std::uint32_t i = 0; i < blocks.size(); ++i) {
            const RecordBlock& block = blocks[i];
            if (not is_of_packets(block.type) or (not flows.empty() and not flows.contains(block.flow))) {
                continue;
            }
            const auto [lane, fresh] = known.emplace(std::tuple(log, block.flow, block.type), lanes_.size());
            if (fresh) {
                lanes_.push_back({.log = log, .blocks = {}, .block = 0, .record = 0, .records = {}});
            }
            lanes_[lane->second].blocks.push_back(i);
        }
    }
}

bool RecordMerge::load(Lane& lane) {
    IndexedLog& log = *logs_[lane.log];
    for (; lane.block < lane.blocks.size(); ++lane.block) {
        const RecordBlock& block = log.blocks()[lane.blocks[lane.block]];
        if (block.type == BlockType::received) {
            lane.records.emplace<std::vector<ReceivedRecord>>();
        } else if (block.type == BlockType::round_trip) {
            lane.records.emplace<std::vector<RoundTripRecord>>();
        }
        if (std::visit([&](auto& records) { return log.read(block, records); }, lane.records)) {
            return true;
        }
        ++unreadable_;
    }
    return false;
}

WallTime RecordMerge::time_of(const Lane& lane) const {
    return std::visit([&](const auto& records) { return moment(records[lane.record]); }, lane.records);
}

std::optional<MergedPacket> RecordMerge::next() {
    while (not due_.empty()) {
        const std::size_t index = due_.top().second;
        due_.pop();
        Lane& lane = lanes_[index];
        const bool empty = std::visit([](const auto& records) { return records.empty(); }, lane.records);
        if (empty and not load(lane)) {
            continue;
        }
        MergedPacket packet{.log = lane.log,
                            .flow = logs_[lane.log]->blocks()[lane.blocks[lane.block]].flow,
                            .at = time_of(lane),
                            .record = {}};
        std::visit([&](const auto& records) { packet.record = records[lane.record]; }, lane.records);
        const std::size_t count = std::visit([](const auto& records) { return records.size(); }, lane.records);
        if (++lane.record == count) {
            lane.record = 0;
            ++lane.block;
            std::visit([](auto& records) { records = {}; }, lane.records);
        }
        if (lane.record > 0 or load(lane)) {
            due_.emplace(time_of(lane), index);
        }
        return packet;
    }
    return std::nullopt;
}

}  // namespace groma
