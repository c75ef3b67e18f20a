#include "logserver/list.hpp"

#include "common/base/errors.hpp"
#include "common/cli/human.hpp"
#include "common/cli/table.hpp"
#include "logserver/catalogue.hpp"

namespace groma {

std::string list_logs(const std::filesystem::path& directory) {
    if (not std::filesystem::exists(directory / "catalogue.sqlite")) {
        throw RunError("there is no catalogue in " + directory.string() +
                       ": is that what groma-log was given as --dir?");
    }
    const Catalogue catalogue(directory, Catalogue::Access::read);
    Table table({{"experiment", Align::left},
                 {"log", Align::left},
                 {"state", Align::left},
                 {"bytes"},
                 {"opened (UTC)", Align::left},
                 {"closed (UTC)", Align::left}});
    for (const CatalogueEntry& entry : catalogue.all()) {
        table.add_row({entry.experiment, entry.name, entry.complete ? "complete" : "incomplete: " + entry.reason,
                       human_bytes(entry.bytes), entry.opened_at, entry.closed_at.empty() ? "-" : entry.closed_at});
    }
    return table.rows() > 0 ? table.to_string() : "no logs yet\n";
}

}  // namespace groma
