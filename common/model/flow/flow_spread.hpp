// Distributes flows over workers so that each has about the same number of packets to send or receive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/model/flow/flow_spec.hpp"

namespace groma {

/// Packets per second while the flow is ON, from the mean gap; 1000 if the mean does not exist or is 0. A flow that
/// goes as fast as possible has the load of a worker.
[[nodiscard]] double expected_rate(const FlowSpec& spec);

/// Assigns flows, the fastest first, each to the worker with the least load. Returns: for each worker the indices of
/// its flows, ascending; at most `workers`, none without a flow.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> spread_flows(std::span<const double> rates, std::size_t workers);

/// The same for workers that already have a load, in packets per second each. Returns: for each of these workers the
/// indices of its flows, ascending; empty for a worker that has enough load.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> spread_flows(std::span<const double> rates,
                                                                   std::vector<double> load);

/// Load of one worker before there is a second one.
inline constexpr double kRateOfWorker = 100'000;  ///< packets per second
inline constexpr std::size_t kFlowsOfWorker = 20'000;

/// The default number of workers for sending flows of these rates: one, until the load exceeds that of one worker; then
/// as many as the load needs, but one core stays for the log thread. At least one.
[[nodiscard]] std::size_t default_workers(std::span<const double> rates, std::size_t cores);

}  // namespace groma
