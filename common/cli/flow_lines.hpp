// What arrived of flows, a line each, and of all of them in one sentence: the screens of groma-send and groma-dec.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/time/instant.hpp"

namespace groma {

/// A screen has at most so many lines of kLineWidth characters, for up to kMostFlowLines flows.
inline constexpr std::size_t kMostScreenLines = 20;
inline constexpr std::size_t kMostFlowLines = 10;

/// A flow, or all together. Empty: unknown.
struct FlowLine {
    std::string name;
    std::optional<std::uint64_t> sent{};      ///< packets
    std::optional<std::uint64_t> received{};  ///< packets, every copy
    std::optional<double> bps{};              ///< of payload that arrived
    std::optional<double> pps{};
    std::optional<std::uint64_t> lost{};
    std::optional<std::uint64_t> lost_at_least{};  ///< where `lost` is unknown
    /// Replies that did not come back of those that were sent; empty: unknown, or there were none to come.
    std::optional<std::uint64_t> replies_lost{};
    bool round_trip = false;  ///< what p50 and p99 are of; false: one-way delay
    std::optional<Nanos> p50{};
    std::optional<Nanos> p99{};
    std::optional<Nanos> jitter{};
    std::optional<std::uint64_t> retransmitted{};  ///< segments or chunks
};

/// A table of them. Long names are cut.
[[nodiscard]] std::string flow_lines(const std::vector<FlowLine>& lines);

/// "11.65 Mbit/s received, 1.991 kpps, lost 0 of 11948, delay p50 9.3 us p99 29 us".
[[nodiscard]] std::string result_of(const FlowLine& all);

/// "lost 12 of 10000 (0.12 %)", "lost at least 12 of 10000 (0.12 %)". Requires: sent, and lost or lost_at_least.
[[nodiscard]] std::string describe_loss(const FlowLine& line);

/// "; 2 replies were lost on the way back"; empty: none, or unknown.
[[nodiscard]] std::string describe_lost_replies(std::optional<std::uint64_t> lost);

/// Each sentence in lines of its own, as many as fit into `room` lines, and how many more `what` ("warnings") there
/// are.
[[nodiscard]] std::string sentences_that_fit(const std::vector<std::string>& sentences, const char* what,
                                             std::size_t room);

/// A screen of these parts, each ended by '\n', with as many of the sentences as fit.
[[nodiscard]] std::string fitted_screen(const std::string& heading, const std::string& table,
                                        const std::vector<std::string>& sentences, const char* what,
                                        const std::string& conclusion);

/// A paragraph, whose further lines are indented.
[[nodiscard]] std::string paragraph(const std::string& text);

[[nodiscard]] std::size_t lines_in(const std::string& text);

}  // namespace groma
