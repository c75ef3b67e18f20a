// What a run has gathered about its receivers and flows by its end, and the report that is made of it. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/log/run_metadata.hpp"
#include "sender/links/receiver_links.hpp"
#include "sender/plan/receiver_plan.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

/// A receiver from the first message to the last.
struct ReceiverFacts {
    SocketAddress address;      ///< of its control port
    std::vector<FlowId> flows;  ///< in the order in which it was asked for them
    OpenedReceiver opened;
    std::string log_file;  ///< where it keeps its log; empty: nowhere
    std::string lost;      ///< why its session ended while flows were sent; empty: it did not
    FinishOutcome finished;
    std::vector<ClockProbe> probes{};  ///< in the order in which they were taken
};

struct RunFacts {
    RunMetadata metadata;  ///< of the sender's log: flows in the order of the experiment
    Nanos elapsed{0};
    bool interrupted = false;
    std::vector<Requirement> required{};  ///< of every flow
    std::vector<OwnStep> own_steps{};
    PacingFacts pacing{};
    std::optional<CpuUsage> usage{};
    std::optional<CpuConditions> conditions{};
    std::vector<FlowOutcome> outcomes;  ///< in the order of the experiment
    std::vector<ReceiverFacts> receivers;
};

/// Everything but the log's part, which is known only when it is closed.
[[nodiscard]] SendReport make_report(const RunFacts& facts);

/// Whether of any flow fewer replies have come back than its receiver says that it sent.
[[nodiscard]] bool replies_are_out(const RunFacts& facts, const std::vector<FlowProgress>& progress);

/// What each receiver is told at the end: what was sent of its flows.
[[nodiscard]] std::vector<Finish> finishes(const RunFacts& facts, Nanos wait);

/// All clock probes, receiver by receiver.
[[nodiscard]] std::vector<ClockProbe> all_probes(const RunFacts& facts);

}  // namespace groma
