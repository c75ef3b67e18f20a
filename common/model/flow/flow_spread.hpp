// Deals flows out to workers so that each has about the same number of packets to send, or to receive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/model/flow/flow_spec.hpp"

namespace groma {

/// Packets a second while the flow is ON, from the mean gap; for gaps that have no mean, or one of 0, a thousand.
[[nodiscard]] double expected_rate(const FlowSpec& spec);

/// The fastest flow first, each to the worker that has least so far.
/// Returns: for each worker the places of its flows, rising; as many workers as asked for, but none without a flow.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> spread_flows(std::span<const double> rates, std::size_t workers);

/// The same for workers that have other flows already, of so many packets a second each.
/// Returns: for each of these workers the places of its flows, rising; none for one that has enough to do.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> spread_flows(std::span<const double> rates,
                                                                   std::vector<double> load);

/// What is expected of one worker before there is a second one.
inline constexpr double kRateOfWorker = 100'000;  ///< packets a second
inline constexpr std::size_t kFlowsOfWorker = 20'000;

/// How many workers to send flows of these rates with when nobody says: one, until their load is more than one can be
/// expected to carry; then as many as the load asks for, but a core is left to the log thread. At least one.
[[nodiscard]] std::size_t default_workers(std::span<const double> rates, std::size_t cores);

}  // namespace groma
