#include "common/log/cpu_counters.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

namespace groma {

namespace {

constexpr std::string_view kUser = "process_user_ns";
constexpr std::string_view kSystem = "process_system_ns";
constexpr std::string_view kVoluntary = "process_voluntary_switches";
constexpr std::string_view kInvoluntary = "process_involuntary_switches";

std::optional<std::uint64_t> counter(const LogTotals& totals, std::string_view name) {
    for (const FlowTotals& flow : totals.flows) {
        const auto found = std::ranges::find(flow.counters, name, [](const auto& each) { return each.first; });
        if (found != flow.counters.end()) {
            return found->second;
        }
    }
    return std::nullopt;
}

std::uint64_t whole_ns(Nanos span) {
    return static_cast<std::uint64_t>(std::max(span, Nanos{0}).count());
}

Nanos span_of(std::uint64_t ns) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() / 4);
    return Nanos{static_cast<std::int64_t>(std::min(ns, kMost))};
}

}  // namespace

void add_cpu_usage(LogTotals& totals, const CpuUsage& usage) {
    if (totals.flows.empty()) {
        return;
    }
    auto& counters = totals.flows.front().counters;
    counters.emplace_back(kUser, whole_ns(usage.user));
    counters.emplace_back(kSystem, whole_ns(usage.system));
    counters.emplace_back(kVoluntary, usage.voluntary_switches);
    counters.emplace_back(kInvoluntary, usage.involuntary_switches);
}

std::optional<CpuUsage> cpu_usage_of(const LogTotals& totals) {
    const auto user = counter(totals, kUser);
    const auto system = counter(totals, kSystem);
    const auto voluntary = counter(totals, kVoluntary);
    const auto involuntary = counter(totals, kInvoluntary);
    if (not user or not system or not voluntary or not involuntary) {
        return std::nullopt;
    }
    return CpuUsage{.user = span_of(*user),
                    .system = span_of(*system),
                    .voluntary_switches = *voluntary,
                    .involuntary_switches = *involuntary};
}

}  // namespace groma
