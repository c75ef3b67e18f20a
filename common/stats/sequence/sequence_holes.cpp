#include "common/stats/sequence/sequence_holes.hpp"

#include <algorithm>

namespace groma {

void SequenceHoles::add(std::uint64_t first, std::uint64_t count) {
    if (first < end_ or runs_.size() == kMostRuns) {
        complete_ = false;
        return;
    }
    numbers_ += count;
    end_ = first + count;
    runs_.push_back({first, count});
}

std::uint64_t HolesPassed::before(std::uint64_t seq) {
    if (holes_ == nullptr) {
        return 0;
    }
    const auto& runs = holes_->runs();
    while (next_ < runs.size() and runs[next_].first + runs[next_].count <= seq) {
        passed_ += runs[next_++].count;
    }
    const bool within = next_ < runs.size() and runs[next_].first < seq;
    return passed_ + (within ? seq - runs[next_].first : 0);
}

}  // namespace groma
