// groma_packets.so: logs as tables of SQLite (docs/guide/sqlite-extension.md).
#include <sqlite3ext.h>

SQLITE_EXTENSION_INIT1

#include "decoder/extension/sqlite_glue.hpp"

namespace {

void forget_shelf(void* shelf) {
    delete static_cast<std::shared_ptr<groma::LogShelf>*>(shelf);
}

int add_module(sqlite3* database, const char* name, const sqlite3_module& module,
               const std::shared_ptr<groma::LogShelf>& shelf) {
    // SQLite destroys the shared pointer, also on failure.
    return sqlite3_create_module_v2(database, name, &module, new std::shared_ptr<groma::LogShelf>(shelf), forget_shelf);
}

}  // namespace

/// SQLite derives the name from the file's: sqlite3_load_extension(3).
extern "C" __attribute__((visibility("default"))) int sqlite3_gromapackets_init(sqlite3* database, char** /*message*/,
                                                                                const sqlite3_api_routines* api) {
    SQLITE_EXTENSION_INIT2(api)
    try {
        const auto shelf = std::make_shared<groma::LogShelf>();
        const int status = add_module(database, "groma_packets", groma::packets_module(), shelf);
        return status != SQLITE_OK ? status : add_module(database, "groma_gaps", groma::gaps_module(), shelf);
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    }
}
