// Compares a receiver's figures with the sent ones. A contradiction means that the receiver is faulty or lies, or that
// its answer was altered. Pure.
#pragma once

#include <optional>
#include <string>

#include "sender/report/run_report.hpp"

namespace groma {

/// What the times that a receiver told are compared with.
struct ToldTimes {
    WallTime began{};                    ///< the run, on this host's clock
    std::optional<Nanos> clock_bound{};  ///< as FlowReport::delay_bound; nothing: times are not compared
};

/// Of what a message can say (common/control/messages.cpp refuses the rest).
/// Returns: the first one, as "the receiver's counts contradict what was sent: ..."; empty: none.
[[nodiscard]] std::string contradiction(const FlowReport& flow, const ReceivedFlow& received, const ToldTimes& times);

/// The first of what the receivers told of the flows, one by one and together; empty: none.
[[nodiscard]] std::string first_contradiction(const SendReport& report);

/// Of what all flows together are said to have; empty: it is that of the flows.
[[nodiscard]] std::string contradiction_of_all(const SendReport& report);

}  // namespace groma
