#include "decoder/sqlite_report.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include "common/base/errors.hpp"
#include "common/model/flow_text.hpp"
#include "decoder/output.hpp"
#include "decoder/sqlite_schema.hpp"

namespace groma {

namespace {

/// Fills one table, a row at a time, a column after the other.
class Inserter {
public:
    Inserter(SQLite::Database& database, const std::string& table, int columns)
        : statement_(database, "INSERT INTO " + table + " VALUES(?" + repeated(columns - 1) + ")") {}

    Inserter& operator<<(const std::string& text) { return bind(text); }
    Inserter& operator<<(std::string_view text) { return bind(std::string(text)); }
    Inserter& operator<<(double number) { return bind(number); }
    Inserter& operator<<(std::int64_t number) { return bind(number); }
    Inserter& operator<<(std::uint64_t number) { return bind(static_cast<std::int64_t>(number)); }
    Inserter& operator<<(std::uint32_t number) { return bind(static_cast<std::int64_t>(number)); }

    template <typename Value>
    Inserter& operator<<(const std::optional<Value>& value) {
        return value ? *this << *value : skip();
    }

    /// NULL from here on for so many columns.
    Inserter& skip(int columns = 1) {
        next_ += columns;
        return *this;
    }

    void end_row() {
        statement_.exec();
        statement_.reset();
        statement_.clearBindings();
        next_ = 1;
    }

private:
    static std::string repeated(int times) {
        std::string text;
        for (int i = 0; i < times; ++i) {
            text += ",?";
        }
        return text;
    }

    template <typename Value>
    Inserter& bind(const Value& value) {
        statement_.bind(next_++, value);
        return *this;
    }

    SQLite::Statement statement_;
    int next_ = 1;
};

/// One run's rows in all tables. `run` is its number in the file.
class RunWriter {
public:
    RunWriter(SQLite::Database& database, std::int64_t run) : database_(database), run_(run) {}

    void write(const RunResult& result) {
        Inserter runs(database_, "runs", 9);
        runs << run_ << result.run_id << result.experiment << ns_since_epoch(result.started_at) << result.seed
             << std::int64_t{result.interval.count()} << to_string(result.clock.kind);
        put_offset(runs, result.clock);
        runs.end_row();
        write_flows(result.flows);
        write_series(result.flows);
        write_histograms(result.flows);
        write_asked_gaps(result.flows);
        write_clocks_and_notes(result.flows);
        write_logs(result.logs);
    }

private:
    static void put_offset(Inserter& row, const ClockState& clock) {
        if (clock.absolute()) {
            row << std::int64_t{clock.offset.count()} << std::int64_t{clock.bound.count()};
        } else {
            row.skip(2);
        }
    }

    static void put_received(Inserter& row, const FlowResult& flow) {
        if (not flow.received) {
            row.skip(2) << flow.loss.packets;
            row.skip(15);
            return;
        }
        const ReceivedFigures& received = *flow.received;
        row << received.packets << received.bytes << flow.loss.packets << received.duplicates << received.reordered;
        row << (received.duration ? std::optional(to_seconds(*received.duration)) : std::nullopt)
            << received.throughput_bps << received.packet_rate_pps;
        const Spread& delay = received.delay_ns;
        if (delay.count > 0) {
            row << delay.min << delay.mean << delay.deviation << delay.p50 << delay.p90 << delay.p99 << delay.p999
                << delay.max;
        } else {
            row.skip(8);
        }
        if (received.jitter_count > 0) {
            row << received.jitter_ditg_ns << received.jitter_rfc3550_ns;
        } else {
            row.skip(2);
        }
    }

    void write_flows(const std::vector<FlowResult>& flows) {
        Inserter row(database_, "flows", 34);
        for (const FlowResult& flow : flows) {
            const FlowSpec& spec = flow.spec;
            row.skip() << run_ << spec.id.value << spec.name << to_string(spec.transport) << spec.profile
                       << idt_to_string(spec.idt) << size_to_string(spec.size) << to_string(spec.target);
            if (flow.sent) {
                row << flow.sent->packets << flow.sent->bytes;
            } else {
                row.skip(2);
            }
            put_received(row, flow);
            if (flow.sent and flow.sent->lateness_ns.count > 0) {
                const Spread& lateness = flow.sent->lateness_ns;
                row << flow.sent->fidelity.scheduled_pps << flow.sent->fidelity.sent_pps << lateness.p50 << lateness.p99
                    << lateness.max;
            }
            row.end_row();
        }
    }

    void write_series(const std::vector<FlowResult>& flows) {
        Inserter insert(database_, "series", 13);
        for (const FlowResult& flow : flows) {
            for (const SeriesRow& row : flow.series) {
                insert << run_ << flow.spec.id.value << row.t_s << row.sent_packets << row.received_packets
                       << row.received_bytes << row.throughput_bps << row.packet_rate_pps << row.delay_mean_ns
                       << row.delay_min_ns << row.delay_max_ns << row.jitter_ns << row.lost;
                insert.end_row();
            }
        }
    }

    void write_histograms(const std::vector<FlowResult>& flows) {
        Inserter insert(database_, "histograms", 6);
        const auto write_bins = [&](const FlowResult& flow, std::string_view kind, const Spread& spread) {
            for (const auto& bin : spread.bins) {
                insert << run_ << flow.spec.id.value << kind << bin.low << bin.high << bin.count;
                insert.end_row();
            }
        };
        for (const FlowResult& flow : flows) {
            if (flow.sent) {
                write_bins(flow, "sent_gap", flow.sent->gaps_ns);
                write_bins(flow, "lateness", flow.sent->lateness_ns);
            }
            if (flow.received) {
                write_bins(flow, "delay", flow.received->delay_ns);
                write_bins(flow, "arrival_gap", flow.received->gaps_ns);
            }
            if (flow.sent or flow.received) {
                write_bins(flow, "size", flow.sent ? flow.sent->sizes : flow.received->sizes);
            }
        }
    }

    void write_asked_gaps(const std::vector<FlowResult>& flows) {
        Inserter insert(database_, "asked_gaps", 4);
        for (const FlowResult& flow : flows) {
            for (const GapPoint& point : flow.asked_gaps) {
                insert << run_ << flow.spec.id.value << point.gap_ns << point.cdf;
                insert.end_row();
            }
        }
    }

    void write_clocks_and_notes(const std::vector<FlowResult>& flows) {
        Inserter clocks(database_, "clocks", 6);
        Inserter notes(database_, "notes", 3);
        for (const FlowResult& flow : flows) {
            clocks << run_ << flow.spec.id.value << to_string(flow.clock.kind);
            put_offset(clocks, flow.clock);
            clocks << flow.clock.probes;
            clocks.end_row();
            for (const auto& note : flow.notes) {
                notes << run_ << flow.spec.id.value << note;
                notes.end_row();
            }
        }
    }

    void write_logs(const std::vector<LogResult>& results) {
        Inserter logs(database_, "logs", 8);
        Inserter gaps(database_, "log_gaps", 5);
        Inserter events(database_, "events", 6);
        for (const LogResult& log : results) {
            logs << run_ << log.path << (log.metadata.role == LogRole::sender ? std::string("sender") : "receiver")
                 << log.metadata.host << log.metadata.program << log.metadata.timestamps << log.records
                 << (log.totals ? std::optional(log.totals->end) : std::nullopt);
            logs.end_row();
            for (const LogGap& gap : log.gaps) {
                gaps << run_ << log.path << gap.offset << gap.bytes << gap.reason;
                gaps.end_row();
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

void write_database(const Results& results, const std::filesystem::path& file) {
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    // The file has no name yet: nobody can see a half-written one, so a journal would protect nothing.
    database.exec("PRAGMA journal_mode = OFF");
    database.exec("PRAGMA synchronous = OFF");
    database.exec("PRAGMA application_id = " + std::to_string(kResultsApplicationId));
    database.exec("PRAGMA user_version = " + std::to_string(kResultsVersion));
    SQLite::Transaction transaction(database);
    database.exec(kSqliteSchema);
    std::int64_t number = 0;
    for (const RunResult& run : results.runs) {
        RunWriter(database, ++number).write(run);
    }
    {
        Inserter warnings(database, "warnings", 1);
        for (const auto& warning : results.warnings) {
            warnings << warning;
            warnings.end_row();
        }
    }
    database.exec(kSqliteIndexes);
    transaction.commit();
}

}  // namespace

void write_sqlite_report(const Results& results, const std::filesystem::path& file) {
    PendingFile pending(file);
    try {
        write_database(results, pending.part());
    } catch (const SQLite::Exception& error) {
        throw RunError("cannot write " + file.string() + ": " + error.what() +
                       " (is the directory there, writable, and not full?)");
    }
    pending.keep();
}

}  // namespace groma
