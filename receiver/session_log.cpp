#include "receiver/session_log.hpp"

#include <exception>

namespace groma {

namespace {

constexpr std::size_t kRecordsAtOnce = 4096;
/// The pause after an empty poll; a queue takes much longer to fill.
constexpr Nanos kRest = std::chrono::milliseconds(10);
constexpr Nanos kFlushInterval = std::chrono::seconds(1);

}  // namespace

SessionLog::SessionLog(std::unique_ptr<LogSink> sink, const RunMetadata& metadata, Clock& clock,
                       std::size_t block_records)
    : sink_(std::move(sink)), writer_(*sink_, metadata, block_records), clock_(clock), taken_(kRecordsAtOnce) {
    records_.reserve(kRecordsAtOnce);
    for (const FlowSetup& flow : metadata.flows) {
        written_[flow.spec.id] = 0;
    }
}

ArrivalQueue& SessionLog::add_queue(std::size_t records) {
    return *queues_.emplace_back(std::make_unique<ArrivalQueue>(records));
}

template <typename Action>
bool SessionLog::guarded(Action&& action) noexcept {
    if (not error_.empty()) {
        return false;
    }
    try {
        action();
        return true;
    } catch (const std::exception& error) {
        error_ = error.what();
        return false;
    }
}

void SessionLog::write(std::span<const LoggedArrival> arrivals) {
    while (not arrivals.empty()) {
        const FlowId flow = arrivals.front().flow;
        records_.clear();
        while (records_.size() < arrivals.size() and arrivals[records_.size()].flow == flow) {
            records_.push_back(arrivals[records_.size()].record);
        }
        writer_.add(flow, std::span<const ReceivedRecord>(records_));
        written_[flow] += records_.size();
        arrivals = arrivals.subspan(records_.size());
    }
}

bool SessionLog::drain_once() noexcept {
    bool any = false;
    for (const auto& queue : queues_) {
        const std::size_t count = queue->pop(taken_);
        any = any or count > 0;
        guarded([&] { write(std::span(taken_).first(count)); });
    }
    guarded([&] { any = samples_.drain_to(writer_) or any; });
    return any;
}

void SessionLog::run() noexcept {
    MonoTime next_flush = clock_.now() + kFlushInterval;
    while (true) {
        const bool last = stopping_;  // read before the queues, so that records pushed before stop() are seen
        const bool any = drain_once();
        if (last and not any) {
            return;
        }
        const MonoTime now = clock_.now();
        if (now >= next_flush) {
            guarded([this] { writer_.flush(); });
            next_flush = now + kFlushInterval;
        }
        if (not any and not stopping_) {
            clock_.sleep_until(now + kRest);
        }
    }
}

std::uint64_t SessionLog::records_lost(FlowId flow, std::uint64_t packets) const {
    const auto found = written_.find(flow);
    const std::uint64_t written = found == written_.end() ? 0 : found->second;
    return packets > written ? packets - written : 0;
}

void SessionLog::close(const std::vector<LogEvent>& events, const LogTotals& totals) noexcept {
    guarded([&] {
        for (const LogEvent& event : events) {
            writer_.add(event);
        }
        writer_.close(totals);
    });
}

}  // namespace groma
