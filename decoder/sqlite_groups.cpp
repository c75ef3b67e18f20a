#include "decoder/sqlite_groups.hpp"

#include <algorithm>
#include <array>

#include "common/sqlite/figure_rows.hpp"
#include "decoder/figures.hpp"
#include "decoder/sqlite_inserter.hpp"

namespace groma {

void write_groups(SQLite::Database& database, std::int64_t run, const RunResult& result) {
    constexpr std::array kKeys = {GroupKey::hosts, GroupKey::transport, GroupKey::profile, GroupKey::label};
    FigureRows<FlowFigures> rows(database, "groups",
                                 {"run", "group_number", "name", "hosts", "transport", "profile", "label", "flows"},
                                 flow_figures());
    Inserter members(database, "group_flows", 4);
    std::int64_t number = 0;
    rows.add({run, number, std::string("total"), {}, {}, {}, {}, figure_value(result.total.flows)}, result.total);
    for (const GroupResult& group : result.groups) {
        std::array<FigureValue, kKeys.size()> values;
        for (std::size_t i = 0; i < kKeys.size(); ++i) {
            const auto place = std::ranges::find(result.group_keys, kKeys.at(i)) - result.group_keys.begin();
            if (place < static_cast<std::ptrdiff_t>(group.values.size())) {
                values.at(i) = group.values[static_cast<std::size_t>(place)];
            }
        }
        rows.add(
            {run, ++number, group.name, values[0], values[1], values[2], values[3], figure_value(group.total.flows)},
            group.total);
        for (const auto& [flow, receiver] : group.flows) {
            members << run << number << flow.value << receiver;
            members.end_row();
        }
    }
}

}  // namespace groma
