#include "decoder/fit/fit_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "common/figures/figure_json.hpp"
#include "common/json/json_text.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "decoder/files/json_parts.hpp"

namespace groma {

namespace {

Json finite_or_null(const std::optional<double>& value) {
    return value and std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json family_json(const FamilyFit& fit, const std::string& text) {
    return {{"family", family_name(fit.distribution)},
            {"text", text},
            {"parameters", fit.parameters},
            {"nearly_constant", fit.nearly_constant},
            {"log_likelihood", finite_or_null(fit.log_likelihood)},
            {"bic", finite_or_null(fit.bic)},
            {"lambda2", finite_or_null(fit.lambda2)},
            {"lambda2_error", finite_or_null(fit.lambda2_error)},
            {"ks", finite_or_null(fit.ks)},
            {"a2", finite_or_null(fit.a2)},
            {"mean_ratio", finite_or_null(fit.mean_ratio)}};
}

Json process_json(const ProcessFit& process, std::string (*to_text)(const Distribution&)) {
    if (process.values == 0) {
        return nullptr;
    }
    const Sample& sample = process.sample;
    return {
        {"values", process.values},
        {"fitted", sample.total},
        {"resolution", sample.resolution},
        {"mean", process.mean},
        {"sd", process.deviation},
        {"min", sample.values.front()},
        {"p50", sample.quantile(0.5)},
        {"p99", sample.quantile(0.99)},
        {"max", sample.values.back()},
        {"families",
         array_of(process.families, [&](const FamilyFit& fit) { return family_json(fit, to_text(fit.distribution)); })},
        {"quantiles",
         array_of(process.quantiles,
                  [](const QuantilePoint& it) {
                      return Json{{"probability", it.probability}, {"observed", it.observed}, {"model", it.model}};
                  })},
        {"autocorrelation", process.autocorrelation},
        {"band", process.band},
    };
}

Json hurst_json(const std::optional<HurstEstimate>& it, double from, double to) {
    return it ? Json{{"value", it->value}, {"error", it->error}, {"from_s", from}, {"to_s", to}, {"chance", it->chance}}
              : Json(nullptr);
}

Json counts_json(const CountFigures& counts) {
    const auto scale = [&](std::size_t place) { return counts.scales[place].scale_s; };
    const auto octave = [&](std::size_t place) { return counts.octaves[place].scale_s; };
    const auto& plot = counts.variance_time;
    const auto& wavelet = counts.wavelet;
    return {
        {"scales", array_of(counts.scales,
                            [](const CountScale& it) {
                                return Json{{"scale_s", it.scale_s},
                                            {"blocks", it.blocks},
                                            {"mean", it.mean},
                                            {"idc", it.dispersion},
                                            {"rate_variance", it.rate_variance}};
                            })},
        {"octaves", array_of(counts.octaves,
                             [](const CountOctave& it) {
                                 return Json{{"scale_s", it.scale_s},
                                             {"log2_energy", it.energy.log2_energy},
                                             {"error", it.energy.error}};
                             })},
        {"hurst",
         {{"variance_time", plot ? hurst_json(plot, scale(plot->first), scale(plot->last)) : Json(nullptr)},
          {"wavelet", wavelet ? hurst_json(wavelet, octave(wavelet->first), octave(wavelet->last)) : Json(nullptr)}}}};
}

Json traffic_json(const TrafficFit& fit) {
    return {{"flow", fit.number},
            {"source", fit.source},
            {"name", fit.name},
            {"transport", std::string(to_string(fit.transport))},
            {"packets", fit.packets},
            {"bytes", fit.bytes},
            {"first_ns", fit.first_ns},
            {"duration_s", fit.duration_s},
            {"packet_rate_pps", finite_or_null(fit.packet_rate_pps)},
            {"bit_rate_bps", finite_or_null(fit.bit_rate_bps)},
            {"gaps_ns", process_json(fit.gaps, idt_to_string)},
            {"sizes", process_json(fit.sizes, size_to_string)},
            {"counts", counts_json(fit.counts)},
            {"notes", fit.notes}};
}

Json source_json(const FitSource& source) {
    Json left_out = Json::object();
    for (std::size_t kind = 0; kind < kNoFlowKinds; ++kind) {
        left_out[names_of_left_out()[kind]] = source.left_out[kind];
    }
    return {{"source", source.name},
            {"kind", source.kind},
            {"seen", source.seen},
            {"used", source.used},
            {"without_payload", source.bare},
            {"of_too_many_flows", source.flowless},
            {"left_out", left_out}};
}

}  // namespace

std::string fit_json(const FitResults& results) {
    const Json json{{"schema", "groma-fit 1"},
                    {"program", "groma-dec " GROMA_VERSION},
                    {"complete", not results.damaged},
                    {"warnings", results.warnings},
                    {"sources", array_of(results.sources, source_json)},
                    {"flows_seen", results.flows},
                    {"too_few_packets", results.too_few},
                    {"beyond_top", results.beyond_top},
                    {"flows", array_of(results.traffic, traffic_json)}};
    return json_text(json, 1) + '\n';
}

}  // namespace groma
