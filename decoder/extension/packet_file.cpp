#include "decoder/extension/packet_file.hpp"

#include <algorithm>

namespace groma {

namespace {

constexpr std::uint64_t kLargestSeq = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

bool is_of_packets(BlockType type) {
    return type == BlockType::sent or type == BlockType::received or type == BlockType::round_trip or
           type == BlockType::transmitted;
}

bool overlap(const PacketRange& left, const PacketRange& right) {
    return left.lowest <= right.highest and right.lowest <= left.highest;
}

}  // namespace

PacketFile::PacketFile(const std::filesystem::path& file) : log_(file), extents_(log_.blocks().size()) {
    if (log_.metadata()) {
        for (const FlowSetup& setup : log_.metadata()->flows) {
            names_[setup.spec.id] = setup.spec.name;
        }
    }
    const auto& blocks = log_.blocks();
    for (std::uint32_t i = 0; i < blocks.size(); ++i) {
        const RecordBlock& block = blocks[i];
        if (not is_of_packets(block.type)) {
            continue;
        }
        Lane& lane = lanes_[{block.flow, block.type}];
        const bool later = lane.blocks.empty() or block.first_seq > blocks[lane.blocks.back()].first_seq;
        lane.rising = lane.rising and later and block.type == BlockType::sent and block.first_seq <= kLargestSeq;
        lane.blocks.push_back(i);
    }
}

const std::string& PacketFile::name_of(FlowId flow) const {
    static const std::string none;
    const auto found = names_.find(flow);
    return found == names_.end() ? none : found->second;
}

bool PacketFile::can_hold(std::uint32_t block, const PacketQuery& query) const {
    const BlockExtent& extent = extents_[block];
    return not extent.known or (extent.readable and overlap(extent.at, query.at) and
                                (not query.seq.bounded() or overlap(extent.seq, query.seq)));
}

/// Sequence numbers of sent packets rise: a block's lie between its first and that of the next one.
void PacketFile::add_candidates(const Lane& lane, BlockType kind, const PacketQuery& query,
                                std::vector<std::uint32_t>& out) const {
    auto first = lane.blocks.begin();
    auto last = lane.blocks.end();
    if (kind == BlockType::sent and lane.rising and query.seq.bounded()) {
        const auto first_seq = [&](std::uint32_t block) {
            return static_cast<std::int64_t>(log_.blocks()[block].first_seq);
        };
        last = std::ranges::upper_bound(lane.blocks, query.seq.highest, {}, first_seq);
        first = std::ranges::upper_bound(lane.blocks, query.seq.lowest, {}, first_seq);
        first = first == lane.blocks.begin() ? first : std::prev(first);
    }
    for (; first < last; ++first) {
        if (can_hold(*first, query)) {
            out.push_back(*first);
        }
    }
}

std::vector<std::uint32_t> PacketFile::candidates(const PacketQuery& query) const {
    constexpr std::int64_t kMostFlows = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> found;
    if (query.flow.lowest > kMostFlows or query.flow.highest < 0) {
        return found;
    }
    const FlowId from{static_cast<std::uint32_t>(std::max<std::int64_t>(query.flow.lowest, 0))};
    for (auto lane = lanes_.lower_bound({from, BlockType{}}); lane != lanes_.end(); ++lane) {
        const auto& [flow, kind] = lane->first;
        if (flow.value > query.flow.highest) {
            break;
        }
        if (not query.kind or *query.kind == kind) {
            add_candidates(lane->second, kind, query, found);
        }
    }
    if (not query.by_flow) {
        std::ranges::sort(found);
    }
    return found;
}

}  // namespace groma
