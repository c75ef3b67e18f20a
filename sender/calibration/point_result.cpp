#include "sender/calibration/point_result.hpp"

#include <algorithm>
#include <array>

#include "common/base/errors.hpp"
#include "common/log/host_figures.hpp"
#include "sender/report/report_figures.hpp"

namespace groma {

namespace {

auto of_log(std::uint64_t LogReport::*count) {
    return [count](const SendReport& it) { return it.log ? std::optional((*it.log).*count) : std::nullopt; };
}

const SendCounts& counts(const SendReport& report) {
    return report.flows.front().outcome.counts;
}

FigureTable<SendReport> make_table() {
    FigureTable<SendReport> table;
    table.add(*send_run_figures().find("elapsed_s"))
        .add_all(outcome_figures(), [](const SendReport& it) { return std::optional(counts_of(it.flows.front())); })
        .add("unsent", "packets that this host could not send: dropped, too big, given up, missed in its queue",
             [](const SendReport& it) { return counts(it).unsent(); })
        .add("cut_short", "departures that were still due a second after the flow's time were given up",
             [](const SendReport& it) { return counts(it).cut_short; })
        .add_all(usage_figures(), &SendReport::usage)
        .add_all(
            usage_figures(),
            [](const SendReport& it) { return it.receivers.empty() ? std::nullopt : it.receivers.front().usage; },
            "receiver_")
        .add("log_records", "records in the sender's log", of_log(&LogReport::records))
        .add("log_bytes", "its size", of_log(&LogReport::bytes));
    return table;
}

}  // namespace

const FigureTable<SendReport>& point_figures() {
    static const FigureTable<SendReport> kTable = make_table();
    return kTable;
}

std::optional<double> known(const PointFigures& figures, std::string_view name) {
    check(point_figures().find(name) != nullptr, "a point has this figure");
    const auto found = figures.find(name);
    return found == figures.end() ? std::nullopt : std::optional(found->second);
}

PointFigures figures_of(const SendReport& report) {
    check(report.flows.size() == 1, "a point is one flow");
    PointFigures figures;
    for (const Figure<SendReport>& figure : point_figures()) {
        if (const auto value = number_of(figure.of(report))) {
            figures.emplace(figure.name, *value);
        }
    }
    return figures;
}

bool rate_kept(const PointFigures& figures, double tolerance) {
    const auto error = known(figures, "rate_error");
    return error and *error <= tolerance and all_sent(figures);
}

bool all_sent(const PointFigures& figures) {
    constexpr std::array kLeftOut{"cut_short", "unsent", "missed_slots"};
    return std::ranges::all_of(kLeftOut, [&](const char* name) { return known(figures, name).value_or(0) == 0; });
}

double sent_over_asked(const PointFigures& figures) {
    const auto asked = known(figures, "scheduled_pps");
    const auto sent = known(figures, "sent_pps");
    if (asked and sent and *asked > 0) {
        return *sent / *asked;
    }
    return all_sent(figures) ? 1 : 0;
}

}  // namespace groma
