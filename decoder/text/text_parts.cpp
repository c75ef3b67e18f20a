#include "decoder/text/text_parts.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "common/base/plain_text.hpp"
#include "decoder/results/voice_quality.hpp"

namespace groma {

std::string count(const std::optional<std::uint64_t>& value) {
    return known(value, [](std::uint64_t number) { return std::to_string(number); });
}

std::string percent(const std::optional<double>& ratio) {
    return known(ratio, [](double it) { return significant(100 * it, 3); });
}

std::vector<std::string> time_cells(const Spread& spread) {
    if (spread.count == 0) {
        return std::vector<std::string>(9, kUnknown);
    }
    return {std::to_string(spread.count),  human_time(Nanos{spread.min}),
            time_of(spread.mean),          spread.count > 1 ? time_of(spread.deviation) : kUnknown,
            human_time(Nanos{spread.p50}), human_time(Nanos{spread.p90}),
            human_time(Nanos{spread.p99}), human_time(Nanos{spread.p999}),
            human_time(Nanos{spread.max})};
}

std::vector<Column> with_times(std::vector<Column> first) {
    first.insert(first.end(), {{"n"}, {"min"}, {"mean"}, {"sd"}, {"p50"}, {"p90"}, {"p99"}, {"p99.9"}, {"max"}});
    return first;
}

void add_times(Table& table, std::vector<std::string> first, const Spread& spread) {
    if (spread.count > 0) {
        std::ranges::move(time_cells(spread), std::back_inserter(first));
        table.add_row(std::move(first));
    }
}

std::string percentile(const LogHistogram& times, double fraction) {
    return times.count() == 0 ? kUnknown : human_time(Nanos{times.percentile(fraction)});
}

std::vector<std::string> interval_cells(const FlowFigures& figures, bool of_a_flow) {
    constexpr double kErrors = 1.96;
    const auto between = [](const std::string& low, const std::string& high) { return low + " to " + high; };
    const auto& received = figures.received;
    const bool known_loss = figures.loss.packets and figures.loss_pattern.counts;
    const auto lost = known_loss ? figures.loss_pattern.counts->interval() : std::nullopt;
    const bool has_error = received and received->delay_mean_error_ns.has_value();
    if (not lost and not has_error) {
        return {};
    }
    const auto times = [&](double fraction) {
        const auto interval = received and of_a_flow ? received->delay_interval(fraction) : std::nullopt;
        return known(interval, [&](const PercentileInterval& it) {
            return between(human_time(Nanos{it.low}), human_time(Nanos{it.high}));
        });
    };
    const auto share = known(lost, [&](const LossPatternCounts::Interval& it) {
        return between(significant(100 * it.low, 3), significant(100 * it.high, 3));
    });
    std::string mean = kUnknown;
    if (has_error) {
        const double middle = received->delay_ns.mean;
        const double within = kErrors * *received->delay_mean_error_ns;
        mean = between(time_of(middle - within), time_of(middle + within));
    }
    return {share, mean, times(0.5), times(0.99)};
}

std::string rating_text(double rating) {
    return fmt::format("{:.1f}", rating);
}

std::string score_text(double rating) {
    return fmt::format("{:.2f}", opinion_score(rating));
}

std::string utc_text(WallTime time) {
    const std::int64_t seconds = std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
    const std::int64_t rest = ns_since_epoch(time) % 1'000'000'000;
    return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:03} UTC", fmt::gmtime(static_cast<std::time_t>(seconds)),
                       (rest < 0 ? rest + 1'000'000'000 : rest) / 1'000'000);
}

Column left(const char* heading) {
    return {heading, Align::left};
}

std::string label(const FlowResult& flow) {
    const std::string id = std::to_string(flow.spec.id.value);
    return flow.receivers > 1 ? id + " at " + plain_text(flow.receiver, 60) : id;
}

std::vector<NamedFigures> named_figures(const RunResult& run) {
    std::vector<NamedFigures> all;
    all.reserve(run.flows.size() + run.groups.size() + 1);
    for (const FlowResult& flow : run.flows) {
        all.push_back({label(flow), &flow});
    }
    for (const auto& [name, total] : named_totals(run)) {
        all.push_back({name, total});
    }
    return all;
}

std::string section(const char* heading, const Table& table) {
    return table.rows() == 0 ? std::string() : fmt::format("\n{}\n{}", heading, table.to_string(2));
}

}  // namespace groma
