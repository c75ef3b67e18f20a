// The table of all kinds of pictures of a run, by the names of their files.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plots/gnuplot/picture.hpp"
#include "plots/results/stored_results.hpp"

namespace groma {

struct RunKind {
    std::string stem;   ///< "delay-cdf"
    std::string shows;  ///< for --list
    std::string needs;  ///< which logs it comes from, for the message when it is missing; empty: only some runs have it
    bool of_delays;     ///< as good as the agreement of the clocks: the title says so
    std::function<std::optional<Picture>(const RunResults&)> draw;
};

[[nodiscard]] const std::vector<RunKind>& run_kinds();

}  // namespace groma
