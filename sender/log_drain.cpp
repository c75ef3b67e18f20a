#include "sender/log_drain.hpp"

#include <algorithm>
#include <exception>
#include <span>

namespace groma {

namespace {

constexpr std::size_t kPiece = 4096;

}  // namespace

LogDrain::LogDrain(const std::vector<FlowId>& flows, LogWriter* log) : log_(log), flows_(flows.size()), piece_(kPiece) {
    for (std::size_t place = 0; place < flows.size(); ++place) {
        flows_[place].id = flows[place];
    }
    touched_.reserve(flows.size());
}

std::size_t LogDrain::drain(SentQueue& queue, std::size_t most) {
    std::size_t taken = 0;
    while (taken < most) {
        const std::size_t count = queue.pop(std::span(piece_).first(std::min(kPiece, most - taken)));
        if (count == 0) {
            break;
        }
        sort_by_flow(std::span(piece_).first(count));
        for (const std::uint32_t place : touched_) {
            hand_over(flows_[place]);
        }
        touched_.clear();
        taken += count;
    }
    return taken;
}

void LogDrain::flush() {
    if (use_log([](LogWriter& log) { log.flush(); })) {
        for (Flow& flow : flows_) {
            flow.unlogged = 0;
        }
    }
}

std::string LogDrain::error() const {
    const std::scoped_lock lock(mutex_);
    return error_;
}

void LogDrain::sort_by_flow(std::span<const QueuedRecord> piece) {
    for (const QueuedRecord& queued : piece) {
        Flow& flow = flows_[queued.flow];
        if (flow.records.empty()) {
            touched_.push_back(queued.flow);
        }
        flow.meter.add(queued.record);
        flow.records.push_back(queued.record);
    }
}

void LogDrain::hand_over(Flow& flow) {
    if (log_ != nullptr) {
        // The writer may hold what it was given; a flush that goes well settles it.
        flow.unlogged += flow.records.size();
        use_log([&flow](LogWriter& log) { log.add(flow.id, flow.records); });
    }
    flow.records.clear();
}

// Returns: whether the log did what was asked of it.
template <typename Use>
bool LogDrain::use_log(Use use) {
    if (log_ == nullptr or log_failed_) {
        return false;
    }
    try {
        use(*log_);
        return true;
    } catch (const std::exception& error) {
        log_failed_ = true;
        const std::scoped_lock lock(mutex_);
        error_ = error.what();
        return false;
    }
}

}  // namespace groma
