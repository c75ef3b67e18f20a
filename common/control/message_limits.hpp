// Limits of control messages and the names of their types, for writer and reader.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <variant>

#include "common/control/messages.hpp"

namespace groma {

inline constexpr std::size_t kLongestName = 255;     ///< bytes of any text that is not listed below
inline constexpr std::size_t kLongestPath = 4096;    ///< bytes of the path in Started
inline constexpr std::size_t kLongestReason = 2000;  ///< bytes of a reason that a person reads
inline constexpr std::size_t kMostFacts = 32;        ///< in Welcome
inline constexpr std::size_t kMaxFlowsInResults = 100'000;
/// The results of sessions with more flows have no delays: those of a flow can take 30 KiB at the receiver.
inline constexpr std::size_t kMaxFlowsWithDelays = 1'000;
inline constexpr std::size_t kDeepestMessage = 16;  ///< nested arrays and objects
inline constexpr Nanos kLongestWait = std::chrono::seconds(60);

/// In the order of Message's alternatives.
inline constexpr std::array<std::string_view, std::variant_size_v<Message>> kMessageTypes{
    "hello",        "welcome",     "open_flows", "flows_opened", "probe_request",    "probe_reply", "start",
    "started",      "keep_alive",  "finish",     "results",      "refused",          "call_in",     "ask_reverse",
    "fetch_log",    "log_section", "remove_log", "log_removed",  "progress_request", "progress",    "resume_fetch",
    "fetch_resumed"};

}  // namespace groma
