#include "sender/report/transactions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/counted.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

bool transacts(const FlowReport& flow) {
    return has_transactions(flow.spec) and flow.outcome.round_trip.has_value();
}

/// From the first request to the last. In a closed loop with a duration the last wait for a response counts as well.
TimeSpan asking_time(const FlowReport& flow, Nanos elapsed) {
    TimeSpan span = flow.outcome.fidelity.sent;
    if (flow.spec.in_flight > 0 and flow.spec.stop.duration and not span.empty()) {
        span.last = std::max(span.last, std::min(flow.spec.start_delay + *flow.spec.stop.duration, elapsed));
    }
    return span;
}

Nanos cpu_of_each(const CpuUsage& usage, std::uint64_t count) {
    return (usage.user + usage.system) / static_cast<Nanos::rep>(count);
}

std::optional<CpuUsage> usage_of_receivers(const SendReport& report) {
    CpuUsage sum;
    for (const ReceiverReport& receiver : report.receivers) {
        if (not receiver.usage) {
            return std::nullopt;
        }
        sum.user += receiver.usage->user;
        sum.system += receiver.usage->system;
    }
    return report.receivers.empty() ? std::nullopt : std::optional(sum);
}

}  // namespace

std::optional<Transactions> transactions(const SendReport& report) {
    Transactions all;
    TimeSpan span;
    std::uint64_t requests = 0;
    for (const FlowReport& flow : report.flows) {
        const std::uint64_t sent = flow.outcome.fidelity.packets;
        if (not transacts(flow) or sent == 0) {
            continue;
        }
        const RoundTrip& back = *flow.outcome.round_trip;
        const std::uint64_t count = back.returned - std::min(back.returned, back.duplicates);
        all.count += count;
        span.include(asking_time(flow, report.elapsed));
        requests += sent;
        all.timed_out += back.timed_out;
        all.connections_failed += back.connections_failed;
        all.connect_ns.merge(back.connect_ns);
    }
    if (all.count == 0 and all.timed_out == 0 and all.connections_failed == 0) {
        return std::nullopt;
    }
    if (const auto asked = span.rate(requests)) {
        all.per_s = *asked * static_cast<double>(all.count) / static_cast<double>(requests);
    }
    if (all.count > 0 and std::ranges::all_of(report.flows, transacts)) {
        if (report.usage) {
            all.sender_cpu = cpu_of_each(*report.usage, all.count);
        }
        if (const auto usage = usage_of_receivers(report)) {
            all.receiver_cpu = cpu_of_each(*usage, all.count);
        }
    }
    return all;
}

std::string transactions_text(const SendReport& report) {
    const auto all = transactions(report);
    if (not all) {
        return "";
    }
    std::string text = all->per_s ? significant(*all->per_s) + " transactions/s" : counted(all->count, "transaction");
    if (all->sender_cpu and all->receiver_cpu) {
        text += fmt::format(", each with {} of CPU here and {} at the receiver", human_time(*all->sender_cpu),
                            human_time(*all->receiver_cpu));
    }
    if (all->connect_ns.count() > 0) {
        text += fmt::format("; connecting took p50 {} p99 {}", human_time(Nanos{all->connect_ns.percentile(0.5)}),
                            human_time(Nanos{all->connect_ns.percentile(0.99)}));
    }
    if (all->connections_failed > 0) {
        text += fmt::format("; {} failed", counted(all->connections_failed, "connection"));
    }
    if (all->timed_out > 0) {
        text += fmt::format("; {} given up without a response", counted(all->timed_out, "request"));
    }
    return text;
}

}  // namespace groma
