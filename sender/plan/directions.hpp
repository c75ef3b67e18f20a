// Flows by who sends them (docs/guide/reverse.md). Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/model/flow/flow_spec.hpp"

namespace groma {

/// Makes of each flow in both directions two: the first stays where it is, forward; the other, in reverse, is called
/// "NAME-reverse", has a number behind all others, and no port of its own. Returns: the errors, a sentence each.
[[nodiscard]] std::vector<std::string> split_both(std::vector<FlowSpec>& flows);

[[nodiscard]] bool has_reverse(const std::vector<FlowSpec>& flows);

/// Takes the flows in reverse out of `flows`.
[[nodiscard]] std::vector<FlowSpec> take_reverse(std::vector<FlowSpec>& flows);

/// How the names of receivers' logs of flows in reverse begin, on log servers.
inline constexpr std::string_view kReceiverInReverse = "receiver-from-";

/// "send.glog" -> "send-reverse.glog"; empty stays empty.
[[nodiscard]] std::string with_mark(const std::string& file, const std::string& mark);

}  // namespace groma
