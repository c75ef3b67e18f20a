#include "decoder/sqlite_fidelity.hpp"

#include <string>

#include "common/sqlite/figure_rows.hpp"
#include "common/stats/fidelity_figures.hpp"
#include "decoder/sqlite_inserter.hpp"

namespace groma {

void write_fidelity(SQLite::Database& database, std::int64_t run, const RunResult& result) {
    FigureRows rows(database, "fidelity", {"run", "flow"}, fidelity_figures());
    for (const FlowResult& flow : result.flows) {
        if (flow.sent and flow.receiver_number == 1) {
            rows.add({run, figure_value(flow.spec.id.value)}, flow.sent->fidelity);
        }
    }
    if (result.total.sent) {
        rows.add({run, {}}, result.total.sent->fidelity);
    }
    Inserter requirements(database, "requirements", 6);
    for (const CheckedRequirement& one : result.requirements) {
        requirements << run << row_of(one.required.figure).word << one.required.limit << one.worst
                     << (one.flow.empty() ? std::nullopt : std::optional(one.flow)) << std::int64_t{one.met ? 1 : 0};
        requirements.end_row();
    }
}

}  // namespace groma
