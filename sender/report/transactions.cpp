#include "sender/report/transactions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/cli/human.hpp"

namespace groma {

namespace {

bool transacts(const FlowReport& flow) {
    return (flow.spec.in_flight > 0 or flow.spec.response.has_value()) and flow.outcome.round_trip.has_value();
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
    for (const FlowReport& flow : report.flows) {
        const std::uint64_t sent = flow.outcome.fidelity.packets;
        if (not transacts(flow) or sent == 0) {
            continue;
        }
        const RoundTrip& back = *flow.outcome.round_trip;
        const std::uint64_t count = back.returned - std::min(back.returned, back.duplicates);
        all.count += count;
        all.timed_out += back.timed_out;
        all.per_s +=
            flow.outcome.fidelity.sent_pps().value_or(0) * static_cast<double>(count) / static_cast<double>(sent);
    }
    if (all.count == 0 and all.timed_out == 0) {
        return std::nullopt;
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
    std::string text = significant(all->per_s) + " transactions/s";
    if (all->sender_cpu and all->receiver_cpu) {
        text += fmt::format(", each with {} of CPU here and {} at the receiver", human_time(*all->sender_cpu),
                            human_time(*all->receiver_cpu));
    }
    if (all->timed_out > 0) {
        text +=
            fmt::format("; {} request{} given up without a response", all->timed_out, all->timed_out == 1 ? "" : "s");
    }
    return text;
}

}  // namespace groma
