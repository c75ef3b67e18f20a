// The facts about receivers and flows at the end of a run, and the report built from them. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/log/run_metadata.hpp"
#include "sender/links/receiver_links.hpp"
#include "sender/plan/receiver_plan.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

/// Everything about one receiver.
struct ReceiverFacts {
    SocketAddress address;      ///< of its control port
    std::vector<FlowId> flows;  ///< in the order of the requests
    OpenedReceiver opened;
    std::string log_file;  ///< path of its log; empty: none
    std::string lost;      ///< why its session ended during the run; empty: it did not
    FinishOutcome finished;
    std::vector<ClockProbe> probes{};  ///< in order of time
};

struct RunFacts {
    RunMetadata metadata;  ///< the sender's log's; flows in the order of the experiment
    Nanos elapsed{0};
    bool interrupted = false;
    std::string serves{};                 ///< as in SendReport
    std::vector<Requirement> required{};  ///< for every flow
    std::vector<OwnStep> own_steps{};
    PacingFacts pacing{};
    std::optional<CpuUsage> usage{};
    std::optional<CpuConditions> conditions{};
    std::vector<QueueDrops> queue_drops{};
    std::vector<FlowOutcome> outcomes;  ///< in the order of the experiment
    std::vector<ReceiverFacts> receivers;
};

/// The report without the log's part, which is known only after the log is closed.
[[nodiscard]] SendReport make_report(const RunFacts& facts);

/// Whether any flow has fewer replies than its receiver reports as sent.
[[nodiscard]] bool replies_are_out(const RunFacts& facts, const std::vector<FlowProgress>& progress);

/// The final message to each receiver: the sent counts of its flows.
[[nodiscard]] std::vector<Finish> finishes(const RunFacts& facts, Nanos wait);

/// All clock probes, by receiver.
[[nodiscard]] std::vector<ClockProbe> all_probes(const RunFacts& facts);

}  // namespace groma
