#include "sender/engine/log_drain.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <span>

namespace groma {

namespace {

constexpr std::size_t kPiece = 4096;
constexpr std::size_t kTransmitPiece = 1024;

}  // namespace

LogDrain::LogDrain(const std::vector<FlowId>& flows, LogWriter* log)
    : log_(log), flows_(flows.size()), piece_(kPiece), replies_(kPiece) {
    for (std::size_t place = 0; place < flows.size(); ++place) {
        flows_[place].id = flows[place];
    }
    touched_.reserve(flows.size());
}

std::size_t LogDrain::drain(SentQueue& queue, std::size_t most) {
    return drain_in_pieces(queue, piece_, most,
                           [](Flow& flow, const SentRecord& record) { flow.records.push_back(record); });
}

std::size_t LogDrain::drain(ReplyQueue& queue, std::size_t most) {
    return drain_in_pieces(queue, replies_, most,
                           [](Flow& flow, const RoundTripRecord& record) { flow.replies.push_back(record); });
}

template <typename Queued, typename Sort>
std::size_t LogDrain::drain_in_pieces(RecordQueue<Queued>& queue, std::vector<Queued>& piece, std::size_t most,
                                      const Sort& sort) {
    std::size_t taken = 0;
    while (taken < most) {
        const std::size_t count = queue.pop(std::span(piece).first(std::min(kPiece, most - taken)));
        if (count == 0) {
            break;
        }
        std::size_t sorted = 0;
        try {
            for (; sorted < count; ++sorted) {
                Flow& flow = flows_[piece[sorted].flow];
                if (flow.records.empty() and flow.replies.empty()) {
                    touched_.push_back(piece[sorted].flow);
                }
                sort(flow, piece[sorted].record);
            }
        } catch (const std::bad_alloc&) {
            for (const Queued& queued : std::span(piece).first(count).subspan(sorted)) {
                drop(flows_[queued.flow], queued.record);
            }
        }
        for (const std::uint32_t place : touched_) {
            hand_over(flows_[place]);
        }
        touched_.clear();
        taken += count;
    }
    return taken;
}

std::size_t LogDrain::drain(TransmitQueue& queue) {
    std::size_t taken = 0;
    std::array<QueuedTransmit, kTransmitPiece> piece{};
    while (const std::size_t count = queue.pop(piece)) {
        use_log([&](LogWriter& /*log*/) {
            for (const QueuedTransmit& queued : std::span(piece).first(count)) {
                flows_[queued.flow].transmits.push_back(queued.record);
            }
        });
        for (Flow& flow : flows_) {
            if (not flow.transmits.empty()) {
                use_log([&flow](LogWriter& log) { log.add(flow.id, flow.transmits); });
                flow.transmits.clear();
            }
        }
        taken += count;
    }
    return taken;
}

bool LogDrain::drain(SampleQueue& samples) {
    bool any = false;
    use_log([&](LogWriter& log) { any = samples.drain_to(log); });
    return any;
}

void LogDrain::flush() {
    if (use_log([](LogWriter& log) { log.flush(); })) {
        for (Flow& flow : flows_) {
            flow.unlogged = 0;
            flow.unlogged_replies = 0;
        }
    }
}

std::string LogDrain::error() const {
    const std::scoped_lock lock(mutex_);
    return error_;
}

// Treated like records that found the queue full: neither metered nor logged.
void LogDrain::drop(Flow& flow, const SentRecord& /*record*/) noexcept {
    flow.dropped += log_ != nullptr ? 1 : 0;
}

void LogDrain::drop(Flow& flow, const RoundTripRecord& /*record*/) noexcept {
    flow.dropped_replies += log_ != nullptr ? 1 : 0;
}

void LogDrain::hand_over(Flow& flow) {
    try {
        flow.meter.add(flow.records);
    } catch (const std::bad_alloc&) {
        // Not metered, like records that found the queue full.
    }
    hand_over(flow.id, flow.records, flow.unlogged);
    hand_over(flow.id, flow.replies, flow.unlogged_replies);
}

template <typename Record>
void LogDrain::hand_over(FlowId id, std::vector<Record>& records, std::uint64_t& unlogged) {
    if (log_ != nullptr and not records.empty()) {
        // The writer may buffer records; only a successful flush confirms them.
        unlogged += records.size();
        use_log([&](LogWriter& log) { log.add(id, std::span<const Record>(records)); });
    }
    records.clear();
}

void LogDrain::note(const char* error) noexcept {
    const std::scoped_lock lock(mutex_);
    try {
        error_ = error;
    } catch (const std::bad_alloc&) {
        error_ = "out of memory";  // short enough to need none
    }
}

// Returns: whether the log succeeded.
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
        note(error.what());
        return false;
    }
}

}  // namespace groma
