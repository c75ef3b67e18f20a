#include "decoder/files/sqlite_report.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <type_traits>

#include "common/sqlite/figure_rows.hpp"
#include "common/stats/fidelity/requirement_figures.hpp"
#include "decoder/analysis/asked_gaps.hpp"
#include "decoder/files/sqlite_file.hpp"
#include "decoder/files/sqlite_schema.hpp"
#include "decoder/results/flow_tables.hpp"

namespace groma {

namespace {

/// Gaps rarer than one in this many are left out.
constexpr std::uint64_t kMostGaps = std::uint64_t{1} << 30U;

/// The keys of rows about a flow.
const std::vector<std::string_view> kFlowKeys = {"run", "flow", "receiver"};

/// One run's rows in all tables. `run` is its number in the file.
class RunWriter {
public:
    RunWriter(SQLite::Database& database, std::int64_t run) : database_(database), run_(run) {}

    void write(const RunResult& result) {
        FigureRows(database_, "runs", {"id"}, run_figures()).add(result, run_);
        write_all("requirements", requirement_figures(), result.requirements);
        write_all("flows", flow_result_figures(), result.flows);
        for_each_flow_table([&](const FlowTableName& name, const auto& figures, auto records_of) {
            write_flow_table(name.table, figures, result.flows, records_of);
        });
        write_asked_gaps(result.flows);
        write_logs(result.logs);
        write_groups(result);
    }

private:
    template <typename Record>
    void write_all(std::string_view table, const FigureTable<Record>& figures, const std::vector<Record>& records) {
        FigureRows<Record> rows(database_, table, {"run"}, figures);
        for (const Record& record : records) {
            rows.add(record, run_);
        }
    }

    template <typename Record, typename RecordsOf>
    void write_flow_table(std::string_view table, const FigureTable<Record>& figures,
                          const std::vector<FlowResult>& flows, RecordsOf records_of) {
        FigureRows<Record> rows(database_, table, kFlowKeys, figures);
        for (const FlowResult& flow : flows) {
            const auto& records = records_of(flow);
            if constexpr (std::is_convertible_v<decltype(records), const Record*>) {
                if (records != nullptr) {
                    rows.add(*records, run_, flow.spec.id.value, flow.receiver_number);
                }
            } else {
                for (const Record& record : records) {
                    rows.add(record, run_, flow.spec.id.value, flow.receiver_number);
                }
            }
        }
    }

    /// Flows often share their distribution: its points are computed once.
    void write_asked_gaps(const std::vector<FlowResult>& flows) {
        FigureRows<CdfPoint> rows(database_, "asked_gaps", kFlowKeys, asked_gap_figures());
        const Distribution* asked = nullptr;
        std::map<std::uint64_t, std::vector<CdfPoint>>
            points;  // of `asked`, by the number of packets, rounded up to a power of two
        for (const FlowResult& flow : flows) {
            if (flow.receiver_number > 1 or not flow.sent or flow.spec.on_off or flow.spec.rate_over_time) {
                continue;  // gaps over OFF periods, or of a rate that changes, have no one law
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
            for (const CdfPoint& point : known) {
                rows.add(point, run_, flow.spec.id.value, flow.receiver_number);
            }
        }
    }

    void write_logs(const std::vector<LogResult>& logs) {
        write_all("logs", log_figures(), logs);
        FigureRows<LogGap> gaps(database_, "log_gaps", {"run", "log"}, log_gap_figures());
        FigureRows<LogEvent> events(database_, "events", {"run", "log"}, log_event_figures());
        for (const LogResult& log : logs) {
            for (const LogGap& gap : log.gaps) {
                gaps.add(gap, run_, log.path);
            }
            for (const LogEvent& event : log.events) {
                events.add(event, run_, log.path);
            }
        }
    }

    void write_groups(const RunResult& result) {
        FigureRows<TotalResult> rows(database_, "groups",
                                     {"run", "group_number", "name", "hosts", "transport", "profile", "label"},
                                     total_figures());
        TableRows members(database_, "group_flows", {"run", "group_number", "flow", "receiver"});
        std::int64_t number = 0;
        const FigureValue none;
        rows.add(result.total, run_, number, "total", none, none, none, none);
        for (const GroupResult& group : result.groups) {
            ++number;
            const auto value = [&](GroupKey key) { return group_value(result.group_keys, group, key); };
            rows.add(group.total, run_, number, group.name, value(GroupKey::hosts), value(GroupKey::transport),
                     value(GroupKey::profile), value(GroupKey::label));
            for (const auto& [flow, receiver] : group.flows) {
                members.add(run_, number, flow.value, receiver);
            }
        }
    }

    /// Empty if flows are not grouped by it.
    static std::optional<std::string> group_value(const std::vector<GroupKey>& keys, const GroupResult& group,
                                                  GroupKey key) {
        const auto place = static_cast<std::size_t>(std::ranges::find(keys, key) - keys.begin());
        return place < group.values.size() ? std::optional(group.values[place]) : std::nullopt;
    }

    SQLite::Database& database_;
    std::int64_t run_;
};

}  // namespace

void write_sqlite_report(const Results& results, const std::filesystem::path& file) {
    write_sqlite_file(file, kResultsDatabase, results_schema(), [&](SQLite::Database& database) {
        std::int64_t number = 0;
        for (const RunResult& run : results.runs) {
            RunWriter(database, ++number).write(run);
        }
        TableRows warnings(database, "warnings", {"text"});
        for (const auto& warning : results.warnings) {
            warnings.add(warning);
        }
        database.exec(results_indexes());
    });
}

}  // namespace groma
