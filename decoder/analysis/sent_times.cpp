#include "decoder/analysis/sent_times.hpp"

#include <algorithm>

namespace groma {

void SentTimes::add(std::uint64_t seq, WallTime sent_at) {
    if (entries_.empty() or seq > entries_.back().seq) {
        entries_.push_back({seq, sent_at});
    }
}

std::optional<WallTime> SentTimes::find(std::uint64_t seq) const {
    const auto found = std::lower_bound(entries_.begin(), entries_.end(), seq,
                                        [](const Entry& entry, std::uint64_t wanted) { return entry.seq < wanted; });
    if (found == entries_.end() or found->seq != seq) {
        return std::nullopt;
    }
    return found->sent_at;
}

}  // namespace groma
