#include "common/log/host_figures.hpp"

namespace groma {

const FigureTable<ClockHealth>& clock_health_figures() {
    static const FigureTable<ClockHealth> kTable =
        FigureTable<ClockHealth>()
            .add("synchronised", "the kernel says that something disciplines the host's clock",
                 &ClockHealth::synchronised)
            .add("estimated_error_ns", "the kernel's estimate of its error", &ClockHealth::estimated_error)
            .add("maximum_error_ns", "the kernel's bound of its error", &ClockHealth::maximum_error)
            .add("frequency_ppm", "correction of its rate that is in force", &ClockHealth::frequency_ppm);
    return kTable;
}

const FigureTable<CpuUsage>& usage_figures() {
    static const FigureTable<CpuUsage> kTable =
        FigureTable<CpuUsage>()
            .add("cpu_user_s", "CPU time of the program in user mode during the run",
                 [](const CpuUsage& it) { return to_seconds(it.user); })
            .add("cpu_system_s", "CPU time of the program in the kernel during the run",
                 [](const CpuUsage& it) { return to_seconds(it.system); })
            .add("voluntary_switches", "context switches because the program waited", &CpuUsage::voluntary_switches)
            .add("involuntary_switches", "context switches because another program took the core",
                 &CpuUsage::involuntary_switches);
    return kTable;
}

}  // namespace groma
