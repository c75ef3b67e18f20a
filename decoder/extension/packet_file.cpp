#include "decoder/extension/packet_file.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "common/base/errors.hpp"
#include "common/os/checked.hpp"
#include "decoder/analysis/clock_relation.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostKept = 8;
constexpr std::uint64_t kLargestSeq = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

bool is_of_packets(BlockType type) {
    return type == BlockType::sent or type == BlockType::received or type == BlockType::round_trip or
           type == BlockType::transmitted;
}

bool overlap(const PacketRange& left, const PacketRange& right) {
    return left.lowest <= right.highest and right.lowest <= left.highest;
}

const RunMetadata& metadata_of(PacketFile& file) {
    if (not file.log().metadata()) {
        throw UsageError("the metadata of " + file.log().name() + " are damaged: delays cannot be corrected with it");
    }
    return *file.log().metadata();
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

/// Sequence numbers of sent packets rise: those of a block lie between its first one and that of the next block.
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

LogShelf::Identity LogShelf::identity_of(const std::string& path) {
    struct stat about {};
    checked("open " + path, ::stat(path.c_str(), &about));
    return {about.st_dev, about.st_ino, about.st_size,
            std::int64_t{about.st_mtim.tv_sec} * 1'000'000'000 + about.st_mtim.tv_nsec};
}

std::shared_ptr<PacketFile> LogShelf::open(const std::string& path) {
    const Identity identity = identity_of(path);
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
        if (entry->path == path and entry->identity == identity) {
            entries_.splice(entries_.begin(), entries_, entry);
            return entry->file;
        }
    }
    auto file = std::make_shared<PacketFile>(path);
    entries_.remove_if([&](const Entry& entry) { return entry.path == path; });
    entries_.push_front({path, identity, file});
    if (entries_.size() > kMostKept) {
        entries_.pop_back();
    }
    return file;
}

ClockState relate(PacketFile& receiver, PacketFile& sender) {
    const RunMetadata& there = metadata_of(receiver);
    const RunMetadata& here = metadata_of(sender);
    const std::string both = receiver.log().name() + " and " + sender.log().name();
    if (there.role != LogRole::receiver or here.role != LogRole::sender) {
        throw UsageError(both + " are not a receiver's and its sender's log: groma_packets('recv.glog', 'send.glog')");
    }
    if (there.run_id != here.run_id) {
        throw UsageError(both + " are of different runs: " + there.run_id + " and " + here.run_id);
    }
    ClockState clock = relate_clocks(here, sender.log().probes(), there);
    if (there.timestamps.find("hardware") != std::string::npos) {
        throw UsageError(
            "arrivals in " + receiver.log().name() +
            " have the clock of the receiver's interface, which cannot be related to the sender's: give the "
            "receiver's log alone for delays that hold the difference of the clocks");
    }
    if (not clock.absolute()) {
        throw UsageError("the clocks of " + both +
                         " cannot be related (no probe): give the receiver's log alone for delays "
                         "that hold the difference of the clocks");
    }
    return clock;
}

}  // namespace groma
