#include "plots/results/stored_results.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/sqlite/database_kind.hpp"

namespace groma {

namespace {

// Longer names leave no room for the picture.
constexpr std::size_t kMaxFlowName = 36;

/// Of a curve: the flow's name, and its receiver's where there are several.
std::string name_of(std::int64_t flow, const std::string& given, const std::string& receiver) {
    std::string name = given.empty() ? "flow " + std::to_string(flow) : given;
    if (not receiver.empty()) {
        constexpr std::size_t kBoth = kMaxFlowName / 2;
        name = plain_text(name, kBoth) + " at " + plain_text(receiver, kBoth);
    }
    return plain_text(name, kMaxFlowName);
}

void read_flows(const SQLite::Database& database, RunResults& run) {
    // Names of receivers are shown only where a flow has several.
    SQLite::Statement rows(database,
                           "SELECT flow, name, receiver, CASE WHEN (SELECT COUNT(*) FROM flows AS all_of_it WHERE "
                           "all_of_it.run = flows.run AND all_of_it.flow = flows.flow) > 1 THEN receiver_host END, "
                           "on_periods, idt FROM flows WHERE run = ? ORDER BY flow, receiver");
    rows.bind(1, run.id);
    while (rows.executeStep()) {
        FlowResults flow;
        flow.flow = rows.getColumn(0).getInt64();
        flow.receiver = rows.getColumn(2).getInt64();
        flow.name = name_of(flow.flow, text_at(rows, 1), text_at(rows, 3));
        flow.model = plain_text(text_at(rows, 5), kMaxFlowName);
        flow.on_off = not rows.getColumn(4).isNull();
        run.flows.push_back(std::move(flow));
    }
}

/// Runs a query whose first columns are a flow and its receiver (rows ordered by them) and hands each row to `take`
/// with the results that it belongs to.
template <typename Take>
void for_each_row(const SQLite::Database& database, const char* query, RunResults& run, const Take& take) {
    SQLite::Statement rows(database, query);
    rows.bind(1, run.id);
    auto flow = run.flows.begin();
    while (rows.executeStep()) {
        const std::pair wanted(rows.getColumn(0).getInt64(), rows.getColumn(1).getInt64());
        while (flow != run.flows.end() and std::pair(flow->flow, flow->receiver) < wanted) {
            ++flow;
        }
        if (flow != run.flows.end() and std::pair(flow->flow, flow->receiver) == wanted) {
            take(rows, *flow);
        }
    }
}

void read_distributions(const SQLite::Database& database, RunResults& run) {
    for_each_row(
        database,
        "SELECT flow, receiver, kind, low, high, count FROM histograms WHERE run = ? AND count > 0 AND kind IN "
        "('delay', 'sent_gap', 'arrival_gap', 'lateness', 'rtt', "
        "'loss_period', 'loss_distance', 'reordering_extent') "
        "ORDER BY flow, receiver, kind, low",
        run, [](const SQLite::Statement& row, FlowResults& flow) {
            const auto low = number_at(row, 3);
            const auto high = number_at(row, 4);
            if (low and high and *low <= *high) {
                flow.histograms[text_at(row, 2)].push_back({*low, *high, number_at(row, 5).value_or(0)});
            }
        });
    for_each_row(database, "SELECT flow, 1, gap_ns, cdf FROM asked_gaps WHERE run = ? ORDER BY flow, gap_ns, cdf", run,
                 [](const SQLite::Statement& row, FlowResults& flow) {
                     const auto gap = number_at(row, 2);
                     const auto share = number_at(row, 3);
                     if (gap and share) {
                         flow.asked_gaps.push_back({*gap, *share});
                     }
                 });
}

void read_fidelity(const SQLite::Database& database, RunResults& run) {
    for_each_row(database, "SELECT flow, 1, lambda2 FROM fidelity WHERE run = ? AND flow IS NOT NULL ORDER BY flow",
                 run, [](const SQLite::Statement& row, FlowResults& flow) { flow.lambda2 = number_at(row, 2); });
    SQLite::Statement total(database, "SELECT lambda2 FROM fidelity WHERE run = ? AND flow IS NULL");
    total.bind(1, run.id);
    if (total.executeStep()) {
        run.lambda2 = number_at(total, 0);
    } else if (run.flows.size() == 1) {
        run.lambda2 = run.flows.front().lambda2;
    }
}

void read_patterns(const SQLite::Database& database, RunResults& run) {
    for_each_row(
        database,
        "SELECT flow, receiver, good_followed, good_to_bad, bad_followed, bad_to_good FROM loss_patterns WHERE "
        "run = ? AND unknown_because IS NULL ORDER BY flow, receiver",
        run, [](const SQLite::Statement& row, FlowResults& flow) {
            flow.losses = LossTransitions{number_at(row, 2).value_or(0), number_at(row, 3).value_or(0),
                                          number_at(row, 4).value_or(0), number_at(row, 5).value_or(0)};
        });
    for_each_row(database,
                 "SELECT flow, receiver, reordered / ratio FROM reordering WHERE run = ? AND ratio > 0 ORDER BY flow, "
                 "receiver",
                 run,
                 [](const SQLite::Statement& row, FlowResults& flow) { flow.arrived = number_at(row, 2).value_or(0); });
    for_each_row(database,
                 "SELECT flow, receiver, n, packets FROM n_reordering WHERE run = ? AND n > 0 AND packets > 0 ORDER BY "
                 "flow, receiver, n",
                 run, [](const SQLite::Statement& row, FlowResults& flow) {
                     flow.n_reordered.push_back({number_at(row, 2).value_or(0), number_at(row, 3).value_or(0)});
                 });
}

std::vector<RunResults> read_runs(const SQLite::Database& database) {
    std::vector<RunResults> runs;
    SQLite::Statement rows(database,
                           "SELECT id, run_id, experiment, interval_ns, clock_bound_ns, clock FROM runs ORDER BY id");
    while (rows.executeStep()) {
        RunResults run;
        run.id = rows.getColumn(0).getInt64();
        run.run_id = text_at(rows, 1);
        run.experiment = text_at(rows, 2);
        const double interval_s = number_at(rows, 3).value_or(0) / 1e9;
        run.interval_s = interval_s > 0 ? interval_s : 1;
        run.clock_bound_ns = number_at(rows, 4);
        run.clock = text_at(rows, 5);
        runs.push_back(std::move(run));
    }
    for (RunResults& run : runs) {
        read_flows(database, run);
        read_distributions(database, run);
        read_fidelity(database, run);
        read_patterns(database, run);
    }
    return runs;
}

}  // namespace

std::optional<double> LossTransitions::p() const {
    return good_followed > 0 ? std::optional(std::clamp(good_to_bad / good_followed, 0.0, 1.0)) : std::nullopt;
}

std::optional<double> LossTransitions::r() const {
    return bad_followed > 0 ? std::optional(std::clamp(bad_to_good / bad_followed, 0.0, 1.0)) : std::nullopt;
}

LossTransitions LossTransitions::operator+(const LossTransitions& other) const {
    return {good_followed + other.good_followed, good_to_bad + other.good_to_bad, bad_followed + other.bad_followed,
            bad_to_good + other.bad_to_good};
}

std::string noun(const RunResults& run) {
    return run.one == CurveOf::flow ? "flow" : "run";
}

std::vector<RunResults> read_results(const std::filesystem::path& file) {
    std::error_code error;
    if (not std::filesystem::exists(file, error)) {
        throw SystemError("open " + file.string(), ENOENT, "make it with groma-dec LOG... --sqlite " + file.string());
    }
    if (std::filesystem::is_directory(file, error)) {
        throw UsageError(file.string() + " is a folder: decode its logs first, with groma-dec " + file.string() +
                         " --sqlite results.sqlite, and draw that file");
    }
    return read_database(file, kResultsDatabase, read_runs);
}

}  // namespace groma
