// The search for the highest rate that keeps what is required, with trials that it is given. Pure.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/experiment/requirement.hpp"
#include "common/time/instant.hpp"
#include "sender/options/search_options.hpp"
#include "sender/report/run_report.hpp"
#include "sender/search/trial_verdict.hpp"

namespace groma {

struct Trial {
    double pps = 0;         ///< asked for, of all flows together
    bool confirms = false;  ///< the rate that was found
    TrialVerdict verdict{};
    std::string run_id{};
    std::uint64_t seed = 0;
    std::string figures{};                    ///< in one line
    nlohmann::ordered_json figures_of_all{};  ///< those of the report, of all flows together
};

struct HighestRate {
    SearchArguments asked{};
    std::vector<Requirement> required{};
    double bits_per_packet = 0;  ///< of payload
    std::optional<double> kept_pps{};
    std::optional<double> missed_pps{};  ///< the lowest above it
    bool complete = false;               ///< false: stopped, or there is an error
    std::string error{};                 ///< of the trial that ended the search; empty: none
    std::vector<Trial> trials{};
    Nanos took{0};

    [[nodiscard]] bool found() const { return complete and kept_pps; }
    /// The last trial of a rate; null: none.
    [[nodiscard]] const Trial* last_of(std::optional<double> pps) const;
};

/// Makes a trial at `pps`, the `number`th from 0. Returns: nothing when the user stopped it. May throw: what ends the
/// search.
using MakeTrial = std::function<std::optional<SendReport>(double pps, std::size_t number)>;

/// `show` takes each trial when it is over.
[[nodiscard]] HighestRate search_highest_rate(const SearchArguments& asked, const MakeTrial& make,
                                              const std::function<void(const Trial&)>& show);

}  // namespace groma
