// Deals the flows out to the workers so that each has about the same number of packets to send.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/model/flow_spec.hpp"

namespace groma {

/// Packets a second while the flow is ON, from the mean gap; for gaps that have no mean, or one of 0, a thousand.
[[nodiscard]] double expected_rate(const FlowSpec& spec);

/// The fastest flow first, each to the worker that has least so far.
/// Returns: for each worker the places of its flows, rising; as many workers as asked for, but none without a flow.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> spread_flows(std::span<const double> rates, std::size_t workers);

}  // namespace groma
