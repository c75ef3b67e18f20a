#include "common/metrics/process_metrics.hpp"

#include <array>

#include "common/metrics/exposition.hpp"

namespace groma {

namespace {

constexpr auto kRows = std::to_array<MetricRow<ProcessState>>({
    {{"groma_build", MetricType::info, "", "The program and its release.", {"program", "version"}},
     [](const ProcessState& process, MetricSamples& samples) {
         samples.add(std::uint64_t{1}, {process.program, GROMA_VERSION});
     }},
    {{"groma_start_time_seconds", MetricType::gauge, "seconds", "When the program started, since 1970 UTC."},
     [](const ProcessState& process, MetricSamples& samples) {
         samples.add(to_seconds(process.started.time_since_epoch()));
     }},
    {{"groma_cpu_seconds", MetricType::counter, "seconds", "Processor time of all threads of the program.", {"mode"}},
     [](const ProcessState& process, MetricSamples& samples) {
         samples.add(to_seconds(process.user), {"user"});
         samples.add(to_seconds(process.system), {"system"});
     }},
});

}  // namespace

std::span<const MetricRow<ProcessState>> process_metrics() {
    return kRows;
}

}  // namespace groma
