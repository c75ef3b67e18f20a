#include "decoder/analysis/connection_analyzer.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "common/model/text/human.hpp"
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

/// Two rates that differ should not read the same.
std::string precisely(double bps) {
    return significant(bps / 1e6, 7) + " Mbit/s";
}

/// Throughput of payload, and what it is by.
struct Throughput {
    double bps = 0;
    std::string how;
};

Throughput throughput_of(const ReceivedFigures* received, const std::optional<ConnectionSample>& first,
                         const std::optional<ConnectionSample>& last) {
    if (const auto arrived = received != nullptr ? received->throughput_bps() : std::nullopt) {
        return {*arrived, "arrived"};
    }
    return {first and last ? acknowledged_bps(*first, *last).value_or(0) : 0, "was acknowledged"};
}

/// `estimated`: the bottleneck's rate by the samples, for want of one that is given.
void add_time_ratio(ConnectionFigures& figures, const Throughput& throughput, std::optional<double> given,
                    std::optional<double> estimated) {
    if (throughput.bps <= 0) {
        return;
    }
    if (given and *given < throughput.bps) {
        figures.no_time_ratio_because = fmt::format("the given bottleneck of {} is below the {} that {}",
                                                    precisely(*given), precisely(throughput.bps), throughput.how);
    } else if (given) {
        figures.transfer_time_ratio = *given / throughput.bps;
    } else if (estimated) {
        // The samples may have met the highest rate nowhere; it was not less than the throughput.
        figures.transfer_time_ratio = std::max(*estimated / throughput.bps, 1.0);
    } else if (figures.delivery_rate_max_bps) {
        figures.no_time_ratio_because =
            fmt::format("fewer than {} samples in a row tell the rate of a full path, and no --bottleneck was given",
                        BottleneckRate::kSamples);
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
    if (sample.application_limited.value_or(0) == 0 and sample.in_flight.value_or(1) > 0) {
        keep_smallest(figures_.delivery_rate_min_bps, sample.delivery_rate_bps);
        keep_largest(figures_.delivery_rate_max_bps, sample.delivery_rate_bps);
    }
    keep_largest(figures_.pacing_rate_max_bps, sample.pacing_rate_bps);
    bottleneck_.add(sample);
    add_acknowledged(sample);
    if (figures_.samples.size() == kMostSamples) {
        ++figures_.left_out;
        return;
    }
    figures_.samples.push_back({to_seconds(difference(sample.at, start_)), sample});
}

void ConnectionAnalyzer::add_acknowledged(const ConnectionSample& sample) {
    if (not sample.acknowledged_bytes) {
        return;
    }
    if (not first_acknowledged_ or *sample.acknowledged_bytes <= *first_acknowledged_->acknowledged_bytes) {
        first_acknowledged_ = sample;
    }
    if (not last_acknowledged_ or *sample.acknowledged_bytes > *last_acknowledged_->acknowledged_bytes) {
        last_acknowledged_ = sample;
    }
}

void ConnectionAnalyzer::add_rfc6349(ConnectionFigures& figures, const SentFigures& sent,
                                     const ReceivedFigures* received, std::optional<double> bottleneck_bps) const {
    // The bytes on the wire are the flow's payload and what was sent again of it.
    const auto bytes = static_cast<double>(sent.bytes);
    if (figures.retransmitted_bytes and sent.bytes > 0) {
        figures.efficiency = bytes / (bytes + static_cast<double>(*figures.retransmitted_bytes));
    }
    if (sent.counter("blocked") == 0U) {
        return;  // it never filled its socket: the rest is of flows that send what the path takes
    }
    const auto least = static_cast<double>(figures.min_rtt.value_or(Nanos{figures.rtt_ns.min}).count());
    if (figures.loaded_rtt_mean_ns and least > 0) {
        figures.buffer_delay = std::max(*figures.loaded_rtt_mean_ns - least, 0.0) / least;
    }
    add_time_ratio(figures, throughput_of(received, first_acknowledged_, last_acknowledged_), bottleneck_bps,
                   bottleneck_.bps());
}

ConnectionFigures ConnectionAnalyzer::figures(const SentFigures* sent, const ReceivedFigures* received,
                                              std::optional<double> bottleneck_bps) const {
    ConnectionFigures figures = figures_;
    figures.rtt_ns = spread_of(rtt_);
    figures.cwnd = spread_of(cwnd_);
    if (loaded_rtt_.count() > 0) {
        figures.loaded_rtt_mean_ns = loaded_rtt_.mean();
    }
    take_off(figures.retransmitted, retransmitted_before_);
    take_off(figures.retransmitted_bytes, retransmitted_bytes_before_);
    if (figures.side == LogRole::sender and sent != nullptr) {
        add_rfc6349(figures, *sent, received, bottleneck_bps);
    }
    return figures;
}

}  // namespace groma
