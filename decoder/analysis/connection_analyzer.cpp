#include "decoder/analysis/connection_analyzer.hpp"

#include <algorithm>
#include <limits>

#include "common/time/difference.hpp"

namespace groma {

namespace {

using Count = std::optional<std::uint64_t>;

void keep_largest(Count& largest, const Count& value) {
    if (value) {
        largest = std::max(largest.value_or(0), *value);
    }
}

void keep_smallest(Count& smallest, const Count& value) {
    if (value) {
        smallest = std::min(smallest.value_or(std::numeric_limits<std::uint64_t>::max()), *value);
    }
}

/// Counters begin with the connection, and what was selected may begin later.
void take_off(Count& largest, const Count& before) {
    if (largest and before) {
        *largest -= std::min(*largest, *before);
    }
}

/// RFC 6349, section 4. The bytes on the wire are the flow's payload and what was sent again of it. `loaded`:
/// round-trip times with data in flight. `throughput`: of payload, at the receiver.
void add_rfc6349(ConnectionFigures& figures, const LogHistogram& loaded, const SentFigures& sent,
                 std::optional<double> throughput, std::optional<double> bottleneck) {
    const auto bytes = static_cast<double>(sent.bytes);
    if (figures.retransmitted_bytes and sent.bytes > 0) {
        figures.efficiency = bytes / (bytes + static_cast<double>(*figures.retransmitted_bytes));
    }
    if (sent.counter("blocked") == 0U) {
        return;  // it never filled its socket: the rest is of flows that send what the path takes
    }
    const auto least = static_cast<double>(figures.min_rtt.value_or(Nanos{figures.rtt_ns.min}).count());
    if (loaded.count() > 0 and least > 0) {
        figures.buffer_delay = std::max(loaded.mean() - least, 0.0) / least;
    }
    if (throughput.value_or(0) <= 0) {
        return;
    }
    if (bottleneck) {
        figures.transfer_time_ratio = *bottleneck / *throughput;
    } else if (figures.delivery_rate_max_bps) {
        // No sample may have met the highest rate; it was not less than what arrived.
        figures.transfer_time_ratio = std::max(static_cast<double>(*figures.delivery_rate_max_bps) / *throughput, 1.0);
    }
}

}  // namespace

void ConnectionAnalyzer::add(const ConnectionSample& sample) {
    if (not selection_.takes_time(difference(sample.at, start_))) {
        if (figures_.samples.empty() and figures_.left_out == 0) {
            keep_largest(retransmitted_before_, sample.retransmitted);
            keep_largest(retransmitted_bytes_before_, sample.retransmitted_bytes);
        }
        return;
    }
    if (sample.rtt) {
        rtt_.add(sample.rtt->count());
        if (sample.in_flight.value_or(1) > 0) {
            loaded_rtt_.add(sample.rtt->count());
        }
    }
    if (sample.min_rtt) {
        figures_.min_rtt = std::min(figures_.min_rtt.value_or(Nanos::max()), *sample.min_rtt);
    }
    if (sample.cwnd) {
        constexpr std::uint64_t kLargest = std::uint64_t{1} << 62;
        cwnd_.add(static_cast<std::int64_t>(std::min(*sample.cwnd, kLargest)));
    }
    keep_largest(figures_.retransmitted, sample.retransmitted);
    keep_largest(figures_.retransmitted_bytes, sample.retransmitted_bytes);
    if (sample.application_limited.value_or(0) == 0) {
        keep_smallest(figures_.delivery_rate_min_bps, sample.delivery_rate_bps);
        keep_largest(figures_.delivery_rate_max_bps, sample.delivery_rate_bps);
    }
    keep_largest(figures_.pacing_rate_max_bps, sample.pacing_rate_bps);
    if (sample.acknowledged_bytes) {
        first_acknowledged_ = first_acknowledged_.value_or(sample);
        last_acknowledged_ = sample;
    }
    if (figures_.samples.size() == kMostSamples) {
        ++figures_.left_out;
        return;
    }
    figures_.samples.push_back({to_seconds(difference(sample.at, start_)), sample});
}

std::optional<double> ConnectionAnalyzer::acknowledged_bps() const {
    if (not first_acknowledged_) {
        return std::nullopt;
    }
    const double seconds = to_seconds(difference(last_acknowledged_->at, first_acknowledged_->at));
    const std::uint64_t before = *first_acknowledged_->acknowledged_bytes;
    const std::uint64_t bytes = *last_acknowledged_->acknowledged_bytes;
    return seconds > 0 and bytes > before ? std::optional(8 * static_cast<double>(bytes - before) / seconds)
                                          : std::nullopt;
}

ConnectionFigures ConnectionAnalyzer::figures(const SentFigures* sent, const ReceivedFigures* received,
                                              std::optional<double> bottleneck_bps) const {
    ConnectionFigures figures = figures_;
    figures.rtt_ns = spread_of(rtt_);
    figures.cwnd = spread_of(cwnd_);
    take_off(figures.retransmitted, retransmitted_before_);
    take_off(figures.retransmitted_bytes, retransmitted_bytes_before_);
    if (figures.side == LogRole::sender and sent != nullptr) {
        const auto throughput = received != nullptr ? received->throughput_bps() : std::nullopt;
        add_rfc6349(figures, loaded_rtt_, *sent, throughput ? throughput : acknowledged_bps(), bottleneck_bps);
    }
    return figures;
}

}  // namespace groma
