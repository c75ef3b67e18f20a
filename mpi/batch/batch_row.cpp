#include "mpi/batch/batch_row.hpp"

#include <algorithm>
#include <array>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

constexpr std::array<std::string_view, 5> kStates = {"waiting", "running", "complete", "failed", "interrupted"};

constexpr std::array kFigures{RunFigure{"sent_packets", FigureType::integer, false},
                              RunFigure{"sent_bytes", FigureType::integer, false},
                              RunFigure{"received_packets", FigureType::integer, false},
                              RunFigure{"received_bytes", FigureType::integer, false},
                              RunFigure{"lost", FigureType::integer, false},
                              RunFigure{"duplicates", FigureType::integer, false},
                              RunFigure{"reordered", FigureType::integer, false},
                              RunFigure{"scheduled_pps", FigureType::real, false},
                              RunFigure{"sent_pps", FigureType::real, false},
                              RunFigure{"rate_error", FigureType::real, false},
                              RunFigure{"lateness_p99_ns", FigureType::real, false},
                              RunFigure{"throughput_bps", FigureType::real, true},
                              RunFigure{"delay_mean_ns", FigureType::real, true},
                              RunFigure{"delay_p50_ns", FigureType::real, true},
                              RunFigure{"delay_p99_ns", FigureType::real, true},
                              RunFigure{"delay_max_ns", FigureType::real, true}};

}  // namespace

std::span<const RunFigure> batch_figures() {
    return kFigures;
}

std::optional<double> RunFigures::number(std::string_view name) const {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : number_of(found->second);
}

std::string_view to_string(RunState state) {
    return kStates.at(static_cast<std::size_t>(state));
}

RunState parse_run_state(std::string_view text) {
    const auto* const found = std::ranges::find(kStates, text);
    if (found == kStates.end()) {
        throw UsageError("a run cannot be '" + plain_text(text, 40) + "'");
    }
    return static_cast<RunState>(found - kStates.begin());
}

}  // namespace groma
