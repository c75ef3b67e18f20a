#include "common/log/fidelity_json.hpp"

namespace groma {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const std::optional<DistributionFit>& fit) {
    if (not fit) {
        return nullptr;
    }
    return {{"gaps", fit->gaps},
            {"bins", fit->bins},
            {"lambda2", fit->lambda2},
            {"lambda2_error", fit->lambda2_error},
            {"ks", fit->ks},
            {"ks_within", fit->ks_within},
            {"a2", fit->a2}};
}

}  // namespace

Json percentiles_to_json(const LogHistogram& histogram) {
    return {
        {"mean", histogram.mean()},          {"p50", histogram.percentile(0.5)},     {"p90", histogram.percentile(0.9)},
        {"p99", histogram.percentile(0.99)}, {"p99_9", histogram.percentile(0.999)}, {"max", histogram.max()}};
}

void add_gap_figures(Json& object, const Fidelity& fidelity) {
    object["gap_error_ns"] = percentiles_to_json(fidelity.gap_error_ns);
    object["gap_variation"] = fidelity.gap_error_ns.count() > 1 ? Json(fidelity.gap_variation) : Json(nullptr);
    object["gaps_within"] = {{"us_1", fidelity.gaps_within_1us},
                             {"us_10", fidelity.gaps_within_10us},
                             {"us_100", fidelity.gaps_within_100us}};
    object["behind_s"] = to_seconds(fidelity.behind);
    object["batches"] = {{"packets_alone", fidelity.alone},
                         {"packets_in_batches", fidelity.batched},
                         {"largest", fidelity.largest_batch},
                         {"sizes",
                          {{"p50", fidelity.batch_sizes.percentile(0.5)},
                           {"p90", fidelity.batch_sizes.percentile(0.9)},
                           {"p99", fidelity.batch_sizes.percentile(0.99)},
                           {"max", fidelity.batch_sizes.max()}}}};
    object["fit"] = to_json(fidelity.fit);
}

Json to_json(const std::vector<CheckedRequirement>& requirements) {
    Json list = Json::array();
    for (const CheckedRequirement& one : requirements) {
        list.push_back({{"what", row_of(one.required.figure).word},
                        {"limit", one.required.limit},
                        {"worst", one.worst ? Json(*one.worst) : Json(nullptr)},
                        {"flow", one.flow.empty() ? Json(nullptr) : Json(one.flow)},
                        {"met", one.met}});
    }
    return list;
}

}  // namespace groma
