#include "decoder/fit/fit_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/table.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

constexpr const char* kUnknown = "-";
constexpr std::size_t kFamiliesShown = 3;
constexpr std::size_t kTextShown = 60;

std::string figure(const std::optional<double>& value, int decimals) {
    return value ? fmt::format("{:.{}f}", *value, decimals) : kUnknown;
}

std::string seconds(double span) {
    return human_time(Nanos{static_cast<std::int64_t>(std::llround(std::min(span * 1e9, 4e18)))});
}

std::string section(const char* heading, const Table& table) {
    return table.rows() == 0 ? std::string() : fmt::format("\n{}\n{}", heading, table.to_string(2));
}

std::string source_text(const FitSource& source) {
    std::string text = fmt::format("{}: {}, {} {}, {} of them packets of flows\n", plain_text(source.name), source.kind,
                                   source.seen, source.kind == "capture" ? "frames" : "records", source.used);
    const auto left_out = [&text](std::uint64_t count, const char* what) {
        if (count > 0) {
            text += fmt::format("  left out: {} {}\n", count, what);
        }
    };
    left_out(source.bare, "without payload (acknowledgements, handshakes; --acks counts them)");
    for (std::size_t kind = 0; kind < kNoFlowKinds; ++kind) {
        left_out(source.left_out[kind], names_of_left_out()[kind]);
    }
    left_out(source.flowless, "of flows beyond the first 100000");
    return text;
}

std::string flow_list(const FitResults& results) {
    Table table({{"flow"},
                 {"name", Align::left},
                 {"transport", Align::left},
                 {"packets"},
                 {"payload"},
                 {"duration"},
                 {"rate"},
                 {"bit rate"}});
    for (const TrafficFit& fit : results.traffic) {
        table.add_row({std::to_string(fit.number), plain_text(fit.name, kTextShown),
                       std::string(to_string(fit.transport)), std::to_string(fit.packets), human_bytes(fit.bytes),
                       seconds(fit.duration_s), fit.packet_rate_pps ? human_rate(*fit.packet_rate_pps) : kUnknown,
                       fit.bit_rate_bps ? human_bits(*fit.bit_rate_bps) : kUnknown});
    }
    return section("Flows", table);
}

/// `ratio`: the heading of a family's rate or mean over that of the packets, which `to_ratio` makes of its mean_ratio.
std::string families(const FitResults& results, const char* heading, ProcessFit TrafficFit::*process,
                     std::string (*to_text)(const Distribution&), const char* ratio, double (*to_ratio)(double)) {
    Table table({{"flow"}, {"family", Align::left}, {"lambda2"}, {"+-"}, {"KS"}, {"A2"}, {"BIC"}, {ratio}});
    for (const TrafficFit& fit : results.traffic) {
        const auto& all = (fit.*process).families;
        for (std::size_t i = 0; i < std::min(all.size(), kFamiliesShown); ++i) {
            const FamilyFit& it = all[i];
            table.add_row({i == 0 ? std::to_string(fit.number) : "", plain_text(to_text(it.distribution), kTextShown),
                           figure(it.lambda2, 5), figure(it.lambda2_error, 5), figure(it.ks, 4),
                           it.a2 ? significant(*it.a2) : kUnknown,
                           std::isfinite(it.bic) ? fmt::format("{:.0f}", it.bic) : kUnknown,
                           it.mean_ratio ? fmt::format("{:.4f}", to_ratio(*it.mean_ratio)) : kUnknown});
        }
    }
    return section(heading, table);
}

std::string lag(const ProcessFit& process, std::size_t lag) {
    return lag <= process.autocorrelation.size() ? fmt::format("{:.3f}", process.autocorrelation[lag - 1]) : kUnknown;
}

/// "4 of 100": lags outside the band that holds 95 % of independent values.
std::string outside(const ProcessFit& process) {
    if (process.autocorrelation.empty()) {
        return kUnknown;
    }
    const auto count =
        std::ranges::count_if(process.autocorrelation, [&](double value) { return std::abs(value) > process.band; });
    return fmt::format("{} of {}", count, process.autocorrelation.size());
}

std::string autocorrelations(const FitResults& results) {
    Table table({{"flow"},
                 {"of", Align::left},
                 {"lag 1"},
                 {"lag 2"},
                 {"lag 5"},
                 {"lag 10"},
                 {"lag 50"},
                 {"95 % within"},
                 {"lags outside"}});
    for (const TrafficFit& fit : results.traffic) {
        for (const auto* process : {&fit.gaps, &fit.sizes}) {
            table.add_row({process == &fit.gaps ? std::to_string(fit.number) : "",
                           process == &fit.gaps ? "gaps" : "sizes", lag(*process, 1), lag(*process, 2),
                           lag(*process, 5), lag(*process, 10), lag(*process, 50), fmt::format("{:.3f}", process->band),
                           outside(*process)});
        }
    }
    return section("Autocorrelation", table);
}

std::string hurst(const std::optional<HurstEstimate>& it) {
    return it ? fmt::format("{:.2f}", it->value) : kUnknown;
}

std::string dispersions(const FitResults& results) {
    Table table({{"flow"},
                 {"IDC at"},
                 {""},
                 {"IDC at"},
                 {""},
                 {"IDC at"},
                 {""},
                 {"H by variance-time"},
                 {"H by wavelet"},
                 {"from"},
                 {"to"}});
    for (const TrafficFit& fit : results.traffic) {
        const auto& scales = fit.counts.scales;
        if (scales.empty()) {
            continue;
        }
        std::vector<std::string> row{std::to_string(fit.number)};
        for (const std::size_t place : {std::size_t{0}, scales.size() / 2, scales.size() - 1}) {
            row.push_back(seconds(scales[place].scale_s));
            row.push_back(significant(scales[place].dispersion, 3));
        }
        row.push_back(hurst(fit.counts.variance_time));
        row.push_back(hurst(fit.counts.wavelet));
        row.push_back(fit.counts.wavelet ? seconds(fit.counts.octaves[fit.counts.wavelet->first].scale_s) : kUnknown);
        row.push_back(fit.counts.wavelet ? seconds(fit.counts.octaves[fit.counts.wavelet->last].scale_s) : kUnknown);
        table.add_row(std::move(row));
    }
    return section("Packets in blocks of time: index of dispersion and Hurst parameter", table);
}

std::string notes(const FitResults& results, const FitOptions& options) {
    std::string text;
    for (const TrafficFit& fit : results.traffic) {
        for (const std::string& note : fit.notes) {
            text += fmt::format("  flow {}: {}\n", fit.number, plain_text(note));
        }
    }
    if (results.too_few > 0) {
        text += fmt::format("  {} {} fewer than {} packets and {} not fitted (--fewest)\n",
                            counted(results.too_few, "flow"), by_count(results.too_few, "has", "have"), options.fewest,
                            by_count(results.too_few, "is", "are"));
    }
    if (results.beyond_top > 0) {
        text += fmt::format("  {} {} not among the {} with the most packets (--top)\n",
                            counted(results.beyond_top, "more flow"), by_count(results.beyond_top, "is", "are"),
                            options.top);
    }
    return text.empty() ? text : "\nTo know\n" + text;
}

}  // namespace

std::string fit_text(const FitResults& results, const FitOptions& options) {
    std::string text;
    for (const FitSource& source : results.sources) {
        text += source_text(source);
    }
    text += flow_list(results);
    text += families(results, "Gaps: the best families", &TrafficFit::gaps, idt_to_string, "rate / seen",
                     [](double mean_ratio) { return 1 / mean_ratio; });
    text += families(results, "Sizes: the best families", &TrafficFit::sizes, size_to_string, "mean / seen",
                     [](double mean_ratio) { return mean_ratio; });
    text += autocorrelations(results);
    text += dispersions(results);
    text += notes(results, options);
    return text;
}

}  // namespace groma
