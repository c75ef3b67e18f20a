#include "decoder/sqlite_fidelity.hpp"

#include <string>

#include "decoder/sqlite_inserter.hpp"

namespace groma {

namespace {

void put_times(Inserter& row, const LogHistogram& times) {
    if (times.count() == 0) {
        row.skip(6);
        return;
    }
    row << times.mean();
    for (const double fraction : {0.5, 0.9, 0.99, 0.999, 1.0}) {
        row << times.percentile(fraction);
    }
}

void put_fidelity(Inserter& row, const Fidelity& it) {
    row << it.scheduled_pps << it.sent_pps << it.scheduled_bps << it.sent_bps << it.rate_error();
    put_times(row, it.lateness_ns);
    row << it.late_packets << it.alone << it.batched << it.largest_batch << std::int64_t{it.behind.count()}
        << it.gap_error_ns.count();
    put_times(row, it.gap_error_ns);
    row << (it.gap_error_ns.count() > 1 ? std::optional(it.gap_variation) : std::nullopt) << it.gaps_within_1us
        << it.gaps_within_10us << it.gaps_within_100us;
    if (it.fit) {
        row << it.fit->gaps << it.fit->bins << it.fit->lambda2 << it.fit->lambda2_error << it.fit->ks
            << it.fit->ks_within << it.fit->a2;
    }
    row.end_row();
}

}  // namespace

void write_fidelity(SQLite::Database& database, std::int64_t run, const RunResult& result) {
    Inserter rows(database, "fidelity", 36);
    for (const FlowResult& flow : result.flows) {
        if (flow.sent and flow.receiver_number == 1) {
            rows << run << flow.spec.id.value;
            put_fidelity(rows, flow.sent->fidelity);
        }
    }
    if (result.total.fidelity) {
        rows << run;
        rows.skip();
        put_fidelity(rows, *result.total.fidelity);
    }
    Inserter requirements(database, "requirements", 6);
    for (const CheckedRequirement& one : result.requirements) {
        requirements << run << row_of(one.required.figure).word << one.required.limit << one.worst
                     << (one.flow.empty() ? std::nullopt : std::optional(one.flow)) << std::int64_t{one.met ? 1 : 0};
        requirements.end_row();
    }
}

}  // namespace groma
