#include "decoder/follow/live_tally.hpp"

#include <algorithm>
#include <utility>

#include "common/time/difference.hpp"

namespace groma {

LiveTally::LiveTally(Nanos interval, std::set<FlowId> flows, std::function<void(const LiveRow&)> show)
    : interval_(interval), flows_(std::move(flows)), show_(std::move(show)) {}

void LiveTally::on_metadata(const RunMetadata& metadata) {
    role_ = metadata.role;
    start_ = metadata.started_at;
    for (const auto& flow : metadata.flows) {
        if (flows_.empty() or flows_.contains(flow.spec.id)) {
            own_flows_.insert(flow.spec.id);
        }
    }
}

LiveRow* LiveTally::row(WallTime at) {
    const Nanos since_start = difference(at, start_);
    newest_ = std::max(newest_, since_start);
    const std::int64_t index = std::max(since_start, Nanos{0}) / interval_;
    if (index < next_) {
        return nullptr;
    }
    if (index != latest_) {
        latest_ = index;
        latest_row_ = &rows_[index];
        latest_row_->begin = index * interval_;
    }
    return latest_row_;
}

void LiveTally::on_sent(FlowId flow, std::span<const SentRecord> records) {
    if (not wanted(flow, LogRole::sender)) {
        return;
    }
    for (const SentRecord& record : records) {
        if (LiveRow* const here = row(record.sent_at)) {
            ++here->packets;
            here->bytes += record.size;
            here->times_ns.add(record.lateness.count());
        }
    }
    end_block();
}

void LiveTally::on_received(FlowId id, std::span<const ReceivedRecord> records) {
    if (not wanted(id, LogRole::receiver)) {
        return;
    }
    Flow& flow = received_[id.value];
    missing_ -= flow.missing();
    for (const ReceivedRecord& record : records) {
        if (record.seq != ReceivedRecord::kNoSeq) {
            flow.numbers.add(record.seq);
        }
        LiveRow* const here = row(record.received_at);
        if (here == nullptr) {
            continue;
        }
        ++here->packets;
        here->bytes += record.size;
        const Nanos delay = difference(record.received_at, record.sent_at);
        if (record.sent_at != ReceivedRecord::kNoTime and not is_limited(delay)) {
            flow.least_delay = std::min(flow.least_delay, delay);
            here->times_ns.add((delay - flow.least_delay).count());
            here->delays_ns.add(delay.count());
        }
    }
    missing_ += flow.missing();
    end_block();
}

void LiveTally::on_totals(const LogTotals& /*totals*/) {
    complete_.store(true, std::memory_order_release);
}

void LiveTally::end_block() {
    const Nanos now = std::min(newest_, newest_before_);
    newest_before_ = std::exchange(newest_, Nanos{0});
    show_settled(now);
}

void LiveTally::show_settled(Nanos now) {
    while (not rows_.empty() and
           (now - rows_.begin()->second.begin - interval_ > kSettling or rows_.size() > kMostRows)) {
        show_oldest();
    }
}

void LiveTally::show_oldest() {
    auto oldest = rows_.extract(rows_.begin());
    LiveRow& shown = oldest.mapped();
    next_ = oldest.key() + 1;
    latest_ = -1;
    shown.role = role_;
    shown.missing = missing_;
    show_(shown);
}

void LiveTally::finish() {
    while (not rows_.empty()) {
        show_oldest();
    }
}

}  // namespace groma
