#include "sender/search/search_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/base/counted.hpp"
#include "common/cli/flow_lines.hpp"
#include "common/json/json_text.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

using Json = nlohmann::ordered_json;

/// "9.6 Mbit/s, 1.2 kpps".
std::string rate_text(double pps, double bits_per_packet) {
    return human_bits(pps * bits_per_packet) + ", " + human_rate(pps);
}

std::string rate_text(const HighestRate& search, double pps) {
    return rate_text(pps, search.bits_per_packet);
}

std::string found_text(const HighestRate& search) {
    const double kept = *search.kept_pps;
    const auto trials = std::ranges::count_if(search.trials, [&](const Trial& trial) {
        return trial.pps == kept and trial.verdict.result == TrialResult::kept;
    });
    return paragraph(fmt::format("Found: {} (nominal; bits of payload), kept in {}.", rate_text(search, kept),
                                 counted(static_cast<std::uint64_t>(trials), "trial"))) +
           paragraph("There: " + search.last_of(kept)->figures);
}

std::string not_found_text(const HighestRate& search) {
    return paragraph(
        fmt::format("Nothing found: no rate down to {} keeps {}. Begin lower (--search-from), or ask for "
                    "less (--require).",
                    rate_text(search, search.asked.lowest_pps), to_string(search.required)));
}

std::string stopped_text(const HighestRate& search) {
    return paragraph("The search ended before a rate was found." +
                     (search.kept_pps ? " Kept so far: " + rate_text(search, *search.kept_pps) + "." : ""));
}

std::string limit_text(const HighestRate& search) {
    const Trial* above = search.last_of(search.missed_pps);
    if (above == nullptr) {
        return search.found() ? paragraph("Above: not tried; it is the highest rate that is tried (--search-to).") : "";
    }
    if (above->verdict.result == TrialResult::not_sendable) {
        return paragraph(
            fmt::format("Above, the limit is what this host or its connection sends, at {}: {}. To allow "
                        "it more: --require rate=5%,lateness-p99=10ms, or so.",
                        rate_text(search, above->pps), above->verdict.why));
    }
    return paragraph(
        fmt::format("Above, the requirements fail at {}: {}.", rate_text(search, above->pps), above->verdict.why));
}

/// Nothing for what is not known.
void add_rate(Json& object, const char* name, const std::optional<double>& pps, double bits_per_packet) {
    object[std::string(name) + "_pps"] = pps ? Json(*pps) : Json(nullptr);
    object[std::string(name) + "_bps"] = pps ? Json(*pps * bits_per_packet) : Json(nullptr);
}

Json trial_json(const HighestRate& search, const Trial& trial) {
    Json object;
    add_rate(object, "asked", trial.pps, search.bits_per_packet);
    object["confirms"] = trial.confirms;
    object["result"] = to_string(trial.verdict.result);
    object["why"] = trial.verdict.why;
    object["run_id"] = trial.run_id;
    object["seed"] = trial.seed;
    object["total"] = trial.figures_of_all;
    return object;
}

}  // namespace

std::string trial_text(const Trial& trial, std::size_t number, double bits_per_packet) {
    return fmt::format("trial {}{}: {}: {}", number, trial.confirms ? ", to confirm" : "",
                       rate_text(trial.pps, bits_per_packet),
                       trial.verdict.result == TrialResult::kept ? "kept" : "missed, " + trial.verdict.why);
}

std::string search_text(const HighestRate& search) {
    return (search.found()    ? found_text(search)
            : search.complete ? not_found_text(search)
                              : stopped_text(search)) +
           limit_text(search) +
           paragraph(fmt::format("{} in {}; required: {}; resolution {} %.", counted(search.trials.size(), "trial"),
                                 human_time(search.took), to_string(search.required),
                                 significant(search.asked.resolution * 100)));
}

std::string search_json(const HighestRate& search) {
    Json object;
    object["schema"] = "groma-send search 1";
    object["program"] = "groma-send " GROMA_VERSION;
    object["found"] = search.found();
    object["complete"] = search.complete;
    object["error"] = search.error.empty() ? Json(nullptr) : Json(search.error);
    add_rate(object, "kept", search.kept_pps, search.bits_per_packet);
    add_rate(object, "missed", search.missed_pps, search.bits_per_packet);
    const Trial* above = search.last_of(search.missed_pps);
    object["missed_result"] = above != nullptr ? Json(to_string(above->verdict.result)) : Json(nullptr);
    object["missed_because"] = above != nullptr ? Json(above->verdict.why) : Json(nullptr);
    object["required"] = to_string(search.required);
    add_rate(object, "lowest", search.asked.lowest_pps, search.bits_per_packet);
    add_rate(object, "highest", search.asked.highest_pps, search.bits_per_packet);
    object["resolution"] = search.asked.resolution;
    object["confirmations"] = search.asked.confirmations;
    object["took_ns"] = search.took.count();
    object["trials"] = Json::array();
    for (const Trial& trial : search.trials) {
        object["trials"].push_back(trial_json(search, trial));
    }
    return json_text(object, 2) + '\n';
}

}  // namespace groma
