#include "mpi/batch/run_outcome.hpp"

#include <nlohmann/json.hpp>

#include "sender/report/report_json.hpp"
#include "sender/report/verdict.hpp"

namespace groma {

namespace {

using nlohmann::json;

/// Adds the figures of the JSON object `total` that a batch keeps. Ignores anything else.
template <typename Json>
void add_figures(const Json& total, bool are_decoded, RunFigures& figures) {
    for (const auto& [name, type, is_decoded] : batch_figures()) {
        const auto found = total.find(name);
        if (is_decoded != are_decoded or found == total.end() or not found->is_number()) {
            continue;
        }
        figures.values[std::string(name)] = type == FigureType::integer
                                                ? FigureValue(found->template get<std::uint64_t>())
                                                : FigureValue(found->template get<double>());
    }
}

}  // namespace

RunOutcome outcome_of(const JobReport& report) {
    RunOutcome outcome;
    outcome.run_id = report.whole.run_id;
    if (not report.whole.flows.empty()) {
        outcome.figures.verdict = to_string(judge(report.whole).result);
        add_figures(total_json(report.whole), false, outcome.figures);
    }
    for (const std::string& reason : failures(report)) {
        outcome.state = RunState::failed;
        outcome.reason += outcome.reason.empty() ? reason : "; " + reason;
    }
    if (report.interrupted) {
        outcome.state = RunState::interrupted;
        outcome.reason = outcome.reason.empty() ? "the job was told to end" : outcome.reason;
    }
    return outcome;
}

void add_decoded(std::string_view groma_dec_json, RunFigures& figures) {
    const json object = json::parse(groma_dec_json, nullptr, false);
    if (const json::json_pointer total("/runs/0/total"); object.contains(total)) {
        add_figures(object.at(total), true, figures);
    }
}

}  // namespace groma
