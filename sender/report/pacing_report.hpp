// How the sender's threads were run, and what the programs of a run have cost, in text and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "common/os/cpu_conditions.hpp"
#include "common/os/usage.hpp"
#include "sender/engine/pacing_facts.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

/// "user", "kernel (fq on eth0)": who lets a flow's packets go when they are due.
[[nodiscard]] std::string departure_in_words(const std::string& queue);

/// Lines for people: threads and cores, departures by the kernel, what could not be had, and the cost of both sides.
[[nodiscard]] std::string pacing_text(const SendReport& report);

[[nodiscard]] nlohmann::ordered_json to_json(const PacingFacts& facts);

}  // namespace groma
