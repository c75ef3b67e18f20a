#include "decoder/text/text_patterns.hpp"

#include <fmt/format.h>

#include <cmath>

#include "decoder/text/text_parts.hpp"

namespace groma {

namespace {

std::string number(double value) {
    return significant(value, 3);
}

std::string with_error(const std::optional<Proportion>& share) {
    return known(share, [](const Proportion& it) {
        return number(it.value) + (it.error ? " +- " + number(*it.error) : std::string());
    });
}

std::string delay_variation(const RunResult& run) {
    Table table(with_times({{"flow"}, left("variation")}));
    for (const auto& [name, figures] : named_figures(run)) {
        if (const auto& it = figures->received) {
            add_times(table, {name, "PDV, from the smallest"}, it->pdv_ns);
            add_times(table, {name, "IPDV, from packet to packet"}, it->ipdv_ns);
        }
    }
    return section("Delay variation", table);
}

/// Where late packets make a difference.
std::string scheduled_delays(const RunResult& run) {
    constexpr double kNoticed = 0.01;
    Table table(with_times({{"flow"}}));
    for (const auto& [name, figures] : named_figures(run)) {
        const auto& it = figures->received;
        if (not it or it->scheduled_delay_ns.count == 0) {
            continue;
        }
        const auto delay = static_cast<double>(it->delay_ns.p99);
        if (static_cast<double>(it->scheduled_delay_ns.p99) - delay > kNoticed * std::abs(delay)) {
            add_times(table, {name}, it->scheduled_delay_ns);
        }
    }
    return section("Delay from the scheduled departure on", table);
}

std::string loss_patterns(const RunResult& run) {
    Table table({{"flow"},
                 {"loss periods"},
                 {"mean length"},
                 {"longest"},
                 {"distance p50"},
                 {"max"},
                 {"Gilbert p"},
                 {"Gilbert r"},
                 left("")});
    for (const auto& [name, of] : named_figures(run)) {
        const LossPatternFigures& figures = of->loss_pattern;
        if (not figures.counts or figures.counts->lost == 0) {
            continue;
        }
        const LossPatternCounts& it = *figures.counts;
        const bool distances = it.distances.count() > 0;
        table.add_row({name, std::to_string(it.periods.count()), number(it.periods.mean()),
                       std::to_string(it.periods.max()),
                       distances ? std::to_string(it.distances.percentile(0.5)) : kUnknown,
                       distances ? std::to_string(it.distances.max()) : kUnknown, with_error(it.gilbert_p()),
                       with_error(it.gilbert_r()), figures.to_the_end ? "" : "up to the last packet received"});
    }
    return section("Loss pattern", table);
}

std::string reordering(const RunResult& run) {
    Table table({{"flow"},
                 {"reordered"},
                 {"[%]"},
                 {"3-reordered"},
                 {"extent mean"},
                 {"p50"},
                 {"p99"},
                 {"max"},
                 {"extent unknown"}});
    for (const auto& [name, figures] : named_figures(run)) {
        if (not figures->received or figures->received->reordered == 0) {
            continue;
        }
        const ReceivedFigures& it = *figures->received;
        const LogHistogram& extents = it.reordering.extents;
        const auto extent = [&](auto text_of) { return extents.count() == 0 ? std::string(kUnknown) : text_of(); };
        table.add_row({name, std::to_string(it.reordered), percent(it.reordered_ratio()),
                       std::to_string(it.reordering.n_reordered(3)), extent([&] { return number(extents.mean()); }),
                       extent([&] { return std::to_string(extents.percentile(0.5)); }),
                       extent([&] { return std::to_string(extents.percentile(0.99)); }),
                       extent([&] { return std::to_string(extents.max()); }), std::to_string(it.reordering.beyond)});
    }
    return section("Reordering", table);
}

std::string copies(const RunResult& run) {
    Table table({{"flow"}, {"further copies"}, {"packets that had any"}, {"[%]"}});
    for (const auto& [name, figures] : named_figures(run)) {
        if (const auto& it = figures->received; it and it->duplicates > 0) {
            table.add_row(
                {name, std::to_string(it->duplicates), std::to_string(it->copied), percent(it->copied_ratio())});
        }
    }
    return section("Duplicates", table);
}

}  // namespace

std::string patterns_text(const RunResult& run) {
    return scheduled_delays(run) + delay_variation(run) + loss_patterns(run) + reordering(run) + copies(run);
}

}  // namespace groma
