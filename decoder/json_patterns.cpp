#include "decoder/json_patterns.hpp"

namespace groma {

namespace {

Json gilbert_json(const LossPatternCounts& counts) {
    const auto p = counts.gilbert_p();
    const auto r = counts.gilbert_r();
    return {{"p", p ? Json(p->value) : Json(nullptr)},
            {"p_error", p ? or_null(p->error) : Json(nullptr)},
            {"r", r ? Json(r->value) : Json(nullptr)},
            {"r_error", r ? or_null(r->error) : Json(nullptr)}};
}

Json n_reordering_json(const ReorderingCounts& counts) {
    Json json = Json::object();
    for (std::size_t n = 1; n <= ReorderingCounts::kMostN and counts.n_reordered(n) > 0; ++n) {
        json[std::to_string(n)] = counts.n_reordered(n);
    }
    return json;
}

}  // namespace

Json loss_pattern_json(const LossPatternFigures& figures) {
    if (not figures.counts) {
        return {{"unknown_because", figures.unknown_because}};
    }
    const LossPatternCounts& it = *figures.counts;
    return {{"packets", it.packets},
            {"lost", it.lost},
            {"to_the_end", figures.to_the_end},
            {"periods", to_json(spread_of(it.periods))},
            {"distances", to_json(spread_of(it.distances))},
            {"good_followed", it.good_followed},
            {"good_to_bad", it.good_to_bad},
            {"bad_followed", it.bad_followed},
            {"bad_to_good", it.bad_to_good},
            {"gilbert", gilbert_json(it)},
            {"unknown_because", nullptr}};
}

Json reordering_json(const std::optional<ReceivedFigures>& received) {
    if (not received) {
        return nullptr;
    }
    return {{"packets", received->reordered},
            {"ratio", or_null(received->reordered_ratio())},
            {"extents", to_json(spread_of(received->reordering.extents))},
            {"extents_unknown", received->reordering.beyond},
            {"n_reordered", n_reordering_json(received->reordering)}};
}

}  // namespace groma
