// The rows of a run while it goes on: what was sent and what has arrived in each interval. Pure: the caller has the
// clock, the engine and the receivers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/control/messages.hpp"
#include "common/figures/interval_row.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/time/instant.hpp"
#include "sender/engine/engine_flow.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

/// Beyond so many flows, rows are of all together only.
inline constexpr std::size_t kMostFlowsInRows = kMaxFlowsPerMessage;

class IntervalRows {
public:
    explicit IntervalRows(const std::vector<FlowSpec>& flows);

    [[nodiscard]] bool each_flow() const { return not flows_.empty(); }

    /// From now on counts what receivers tell. Without it, the time of their first counts is unknown.
    void begin(const std::vector<ProgressReply>& told);
    /// The row from the last one to `at`. `told`: by each receiver; empty: unknown, and part of a later row.
    [[nodiscard]] IntervalRow next(Nanos at, const std::vector<FlowProgress>& sent,
                                   const std::optional<std::vector<ProgressReply>>& told);
    /// The rest: the row from the last one to `at`, when the results had come.
    [[nodiscard]] IntervalRow last(Nanos at, const SendReport& report);

private:
    /// Since the start of the run.
    struct Counts {
        std::uint64_t sent_packets = 0;
        std::uint64_t sent_bytes = 0;
        std::optional<ArrivedSoFar> arrived{};
        std::optional<Nanos> received_over{};  ///< since the last row, as in RowFigures
        std::uint64_t returned = 0;
        std::optional<std::uint64_t> retransmitted{};
        std::optional<Nanos> rtt{};
    };
    struct FlowSoFarHere {
        FlowId id;
        std::string name;
        bool numbered = true;  ///< what is missing can be told
        bool returns = false;
        Counts before{};
    };

    /// All but what arrived.
    static void add_sent(Counts& all, const Counts& flow);
    /// What receivers told, in the order of begin().
    void add_told(const std::vector<ProgressReply>& told, Counts& all, std::vector<Counts>& flows);
    /// Makes the figures, and moves `flow` on to `now`.
    [[nodiscard]] static RowFigures figures(FlowSoFarHere& flow, const Counts& now, Nanos from, Nanos to);
    [[nodiscard]] IntervalRow row(Nanos at, const Counts& all, const std::vector<Counts>& flows);

    FlowSoFarHere all_;
    std::vector<FlowSoFarHere> flows_;  ///< empty: too many
    std::unordered_map<FlowId, std::size_t> places_;
    Nanos at_{0};
    std::vector<Nanos> receivers_at_{};  ///< their times when they last told; empty: unknown
};

}  // namespace groma
