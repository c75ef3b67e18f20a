#include "logserver/list.hpp"

#include "common/cli/human.hpp"
#include "common/cli/table.hpp"
#include "logserver/log_catalogue.hpp"

namespace groma {

std::string list_logs(const std::filesystem::path& directory) {
    const LogCatalogue catalogue(directory, LogCatalogue::Access::read);
    Table table({{"experiment", Align::left},
                 {"log", Align::left},
                 {"state", Align::left},
                 {"bytes"},
                 {"opened (UTC)", Align::left},
                 {"closed (UTC)", Align::left}});
    for (const CatalogueEntry& entry : catalogue.all()) {
        table.add_row({entry.experiment, entry.name, state_text(entry), human_bytes(entry.bytes), entry.opened_at,
                       entry.closed_at.empty() ? "-" : entry.closed_at});
    }
    return table.rows() > 0 ? table.to_string() : "no logs yet\n";
}

}  // namespace groma
