#include "sender/search/highest_rate.hpp"

#include <stdexcept>

#include "sender/report/report_json.hpp"
#include "sender/report/report_screen.hpp"
#include "sender/search/rate_search.hpp"

namespace groma {

namespace {

Trial judged(const SendReport& report, double pps, bool confirms) {
    return {.pps = pps,
            .confirms = confirms,
            .verdict = judge_trial(report),
            .run_id = report.run_id,
            .seed = report.seed,
            .figures = result_line(report),
            .figures_of_all = total_json(report)};
}

}  // namespace

const Trial* HighestRate::last_of(std::optional<double> pps) const {
    const Trial* last = nullptr;
    for (const Trial& trial : trials) {
        last = trial.pps == pps ? &trial : last;
    }
    return last;
}

HighestRate search_highest_rate(const SearchArguments& asked, const MakeTrial& make,
                                const std::function<void(const Trial&)>& show) {
    HighestRate result{.asked = asked};
    RateSearch rates(1 + asked.resolution, {asked.lowest_pps, asked.highest_pps, asked.first_pps}, asked.confirmations);
    while (const std::optional<double> pps = rates.next()) {
        try {
            const std::optional<SendReport> report = make(*pps, result.trials.size());
            if (not report) {
                return result;
            }
            result.trials.push_back(judged(*report, *pps, rates.confirms()));
        } catch (const std::runtime_error& error) {
            result.error = "trial " + std::to_string(result.trials.size() + 1) + " decides nothing: " + error.what();
            return result;
        }
        show(result.trials.back());
        rates.tried(result.trials.back().verdict.result == TrialResult::kept);
        result.kept_pps = rates.highest_kept();
        result.missed_pps = rates.lowest_not_kept();
    }
    result.complete = true;
    return result;
}

}  // namespace groma
