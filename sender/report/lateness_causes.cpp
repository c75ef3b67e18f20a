#include "sender/report/lateness_causes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/counted.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

double share(Nanos part, Nanos whole) {
    return whole > Nanos(0) ? to_seconds(part) / to_seconds(whole) : 0;
}

std::string percent(double share) {
    return significant(100 * share, 2) + " %";
}

/// The largest time that any flow had a packet due but unsent.
Nanos longest_behind(const SendReport& report) {
    Nanos longest{0};
    for (const FlowReport& flow : report.flows) {
        longest = std::max(longest, flow.outcome.fidelity.behind);
    }
    return longest;
}

void add_usage(const CpuUsage& usage, const SendReport& report, std::vector<std::string>& causes) {
    const auto switches = static_cast<double>(usage.involuntary_switches);
    if (switches >= kManySwitches * std::max(1.0, to_seconds(report.elapsed))) {
        causes.push_back(fmt::format("others took the core from this program {} times (involuntary context switches)",
                                     usage.involuntary_switches));
    }
    const double busy = share(usage.user + usage.system, report.elapsed * std::max(1U, report.pacing.threads));
    const double behind = share(longest_behind(report), report.elapsed);
    if (busy >= kBusy and behind >= kMostlyBehind) {
        causes.push_back(fmt::format(
            "its CPU use was {} of {} that sent, and packets waited for {} of the time: more was asked for than fits",
            percent(busy), report.pacing.threads > 1 ? "the threads" : "the thread", percent(behind)));
    }
}

void add_conditions(const CpuConditions& conditions, Nanos elapsed, std::vector<std::string>& causes) {
    if (conditions.throttled_times > 0 and conditions.throttled > Nanos(0)) {
        causes.push_back(fmt::format("the CPU quota of its control group stopped it {}, for {} in all",
                                     counted(conditions.throttled_times, "time"), human_time(conditions.throttled)));
    }
    if (share(conditions.stolen, elapsed) >= kStolenShare) {
        causes.push_back(
            fmt::format("a hypervisor took {} from this machine's cores (steal)", human_time(conditions.stolen)));
    }
    if (static_cast<double>(conditions.lowest_khz) < kSlowedShare * static_cast<double>(conditions.highest_khz)) {
        causes.push_back(fmt::format("the frequency of the fastest core went from {} to {} MHz",
                                     conditions.lowest_khz / 1000, conditions.highest_khz / 1000));
    }
}

}  // namespace

std::vector<std::string> lateness_causes(const SendReport& report) {
    std::vector<std::string> causes;
    if (report.conditions) {
        add_conditions(*report.conditions, report.elapsed, causes);
    }
    if (report.usage) {
        add_usage(*report.usage, report, causes);
    }
    return causes;
}

}  // namespace groma
