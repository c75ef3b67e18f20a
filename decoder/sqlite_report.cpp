#include "decoder/sqlite_report.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <bit>
#include <map>
#include <vector>

#include "common/model/flow_text.hpp"
#include "common/sqlite/figure_rows.hpp"
#include "decoder/asked_gaps.hpp"
#include "decoder/figures.hpp"
#include "decoder/sqlite_file.hpp"
#include "decoder/sqlite_groups.hpp"
#include "decoder/sqlite_inserter.hpp"
#include "decoder/sqlite_measured.hpp"
#include "decoder/sqlite_patterns.hpp"
#include "decoder/sqlite_rows.hpp"
#include "decoder/sqlite_schema.hpp"

namespace groma {

namespace {

/// What is rarer than one of so many gaps is not told.
constexpr std::uint64_t kMostGaps = std::uint64_t{1} << 30U;

/// One run's rows in all tables. `run` is its number in the file.
class RunWriter {
public:
    RunWriter(SQLite::Database& database, std::int64_t run) : database_(database), run_(run) {}

    void write(const RunResult& result) {
        Inserter runs(database_, "runs", 13);
        runs << run_ << result.run_id << result.experiment << ns_since_epoch(result.started_at) << result.seed
             << std::int64_t{result.interval.count()} << to_string(result.clock.kind);
        put_offset(runs, result.clock);
        put_selection(runs, result.selection);
        runs.end_row();
        write_flows(result.flows);
        write_requirements(result.requirements);
        write_series(result.flows);
        write_histograms(result.flows);
        write_asked_gaps(result.flows);
        write_clocks_and_notes(result.flows);
        write_logs(result.logs);
        write_measured(database_, run_, result.flows);
        write_patterns(database_, run_, result.flows);
        write_groups(database_, run_, result);
    }

private:
    static void put_offset(Inserter& row, const ClockState& clock) {
        if (clock.absolute()) {
            row << std::int64_t{clock.offset.count()} << std::int64_t{clock.bound.count()};
        } else {
            row.skip(2);
        }
    }

    static void put_selection(Inserter& row, const Selection& selection) {
        const auto seconds = [](const std::optional<Nanos>& span) {
            return span ? std::optional(to_seconds(*span)) : std::nullopt;
        };
        row << seconds(selection.from) << seconds(selection.until);
        if (selection.sizes) {
            row << selection.sizes->least << selection.sizes->most;
        }
    }

    static void put_skew(Inserter& row, const ClockState& clock) {
        if (clock.kind == ClockState::Kind::probed) {
            row << clock.fit.pieces.front().skew * 1e6 << clock.fit.pieces.front().skew_error * 1e6;
        } else {
            row.skip(2);
        }
    }

    static void put_health(Inserter& row, const std::optional<ClockHealth>& clock) {
        if (clock) {
            row << std::int64_t{clock->synchronised ? 1 : 0} << std::int64_t{clock->estimated_error.count()}
                << std::int64_t{clock->maximum_error.count()} << clock->frequency_ppm;
        } else {
            row.skip(4);
        }
    }

    void write_flows(const std::vector<FlowResult>& flows) {
        FigureRows<FlowFigures> rows(
            database_, "flows",
            {"run", "flow", "receiver", "receiver_host", "name", "transport", "profile", "idt", "size", "target"},
            flow_figures());
        for (const FlowResult& flow : flows) {
            const FlowSpec& spec = flow.spec;
            const FigureValue receiver = flow.receiver.empty() ? FigureValue() : flow.receiver;
            rows.add({run_, figure_value(spec.id.value), figure_value(flow.receiver_number), receiver, spec.name,
                      std::string(to_string(spec.transport)), spec.profile, idt_to_string(spec.idt),
                      size_to_string(spec.size), to_string(spec.target)},
                     flow);
        }
    }

    void write_requirements(const std::vector<CheckedRequirement>& requirements) {
        Inserter rows(database_, "requirements", 6);
        for (const CheckedRequirement& one : requirements) {
            rows << run_ << row_of(one.required.figure).word << one.required.limit << one.worst
                 << (one.flow.empty() ? std::nullopt : std::optional(one.flow)) << std::int64_t{one.met ? 1 : 0};
            rows.end_row();
        }
    }

    void write_series(const std::vector<FlowResult>& flows) {
        FigureRows insert(database_, "series", {"run", "flow", "receiver"}, series_figures());
        for (const FlowResult& flow : flows) {
            for (const SeriesRow& row : flow.series.rows()) {
                insert.add({run_, figure_value(flow.spec.id.value), figure_value(flow.receiver_number)}, row);
            }
        }
    }

    void write_histograms(const std::vector<FlowResult>& flows) {
        HistogramWriter bins(database_, run_);
        for (const FlowResult& flow : flows) {
            if (flow.sent and flow.receiver_number == 1) {
                bins.write(flow, "sent_gap", flow.sent->gaps_ns);
                bins.write(flow, "lateness", flow.sent->lateness_ns);
                bins.write(flow, "gap_error", spread_of(flow.sent->fidelity.gap_error_ns));
                bins.write(flow, "batch", spread_of(flow.sent->fidelity.batch_sizes));
            }
            if (flow.received) {
                bins.write(flow, "delay", flow.received->delay_ns);
                bins.write(flow, "arrival_gap", flow.received->gaps_ns);
            }
            if (flow.round_trip) {
                bins.write(flow, "rtt", flow.round_trip->rtt_ns);
                bins.write(flow, "rtt_network", flow.round_trip->network_ns);
                bins.write(flow, "residence", flow.round_trip->residence_ns);
                bins.write(flow, "forward", flow.round_trip->forward_ns);
                bins.write(flow, "backward", flow.round_trip->backward_ns);
            }
            if (flow.transmit) {
                bins.write(flow, "stack", flow.transmit->stack_ns);
                bins.write(flow, "transmit_delay", flow.transmit->delay_ns);
            }
            if ((flow.sent or flow.received) and flow.receiver_number == 1) {
                bins.write(flow, "size", flow.sent ? flow.sent->sizes : flow.received->sizes);
            }
        }
    }

    void write_asked_gaps(const std::vector<FlowResult>& flows) {
        Inserter insert(database_, "asked_gaps", 4);
        const Distribution* asked = nullptr;
        std::map<std::uint64_t, std::vector<GapPoint>> points;  // of `asked`, by the number of packets or some more
        for (const FlowResult& flow : flows) {
            if (flow.receiver_number > 1 or not flow.sent) {
                continue;
            }
            if (asked == nullptr or *asked != flow.spec.idt) {
                asked = &flow.spec.idt;
                points.clear();
            }
            const std::uint64_t packets = std::bit_ceil(std::clamp<std::uint64_t>(flow.sent->packets, 1, kMostGaps));
            auto& known = points[packets];
            if (known.empty()) {
                known = asked_gaps(*asked, 0.5 / static_cast<double>(packets));
            }
            for (const GapPoint& point : known) {
                insert << run_ << flow.spec.id.value << point.gap_ns << point.cdf;
                insert.end_row();
            }
        }
    }

    void write_clocks_and_notes(const std::vector<FlowResult>& flows) {
        Inserter clocks(database_, "clocks", 9);
        Inserter notes(database_, "notes", 4);
        FigureRows steps(database_, "clock_steps", {"run", "flow", "receiver"}, clock_step_figures());
        for (const FlowResult& flow : flows) {
            clocks << run_ << flow.spec.id.value << to_string(flow.clock.kind);
            put_offset(clocks, flow.clock);
            clocks << flow.clock.probes;
            clocks << flow.receiver_number;
            put_skew(clocks, flow.clock);
            clocks.end_row();
            for (const ClockStep& step : flow.clock.fit.steps) {
                steps.add({run_, figure_value(flow.spec.id.value), figure_value(flow.receiver_number)}, step);
            }
            for (const auto& note : flow.notes) {
                notes << run_ << flow.spec.id.value << note << flow.receiver_number;
                notes.end_row();
            }
        }
    }

    void write_logs(const std::vector<LogResult>& results) {
        Inserter logs(database_, "logs", 17);
        FigureRows gaps(database_, "log_gaps", {"run", "log"}, log_gap_figures());
        Inserter events(database_, "events", 6);
        for (const LogResult& log : results) {
            logs << run_ << log.path << (log.metadata.role == LogRole::sender ? std::string("sender") : "receiver")
                 << log.metadata.host << log.metadata.program << log.metadata.timestamps << log.records
                 << (log.totals ? std::optional(log.totals->end) : std::nullopt);
            put_health(logs, log.metadata.clock);
            if (log.cpu) {
                logs << to_seconds(log.cpu->user) << to_seconds(log.cpu->system) << log.cpu->voluntary_switches
                     << log.cpu->involuntary_switches << log.cpu_ns_per_packet();
            }
            logs.end_row();
            for (const LogGap& gap : log.gaps) {
                gaps.add({run_, log.path}, gap);
            }
            for (const LogEvent& event : log.events) {
                events << run_ << log.path << ns_since_epoch(event.at)
                       << (event.flow ? std::optional(event.flow->value) : std::nullopt) << event.kind << event.text;
                events.end_row();
            }
        }
    }

    SQLite::Database& database_;
    std::int64_t run_;
};

}  // namespace

void write_sqlite_report(const Results& results, const std::filesystem::path& file) {
    write_sqlite_file(file, {kResultsApplicationId, kResultsVersion, results_schema()},
                      [&](SQLite::Database& database) {
                          std::int64_t number = 0;
                          for (const RunResult& run : results.runs) {
                              RunWriter(database, ++number).write(run);
                          }
                          Inserter warnings(database, "warnings", 1);
                          for (const auto& warning : results.warnings) {
                              warnings << warning;
                              warnings.end_row();
                          }
                          database.exec(results_indexes());
                      });
}

}  // namespace groma
