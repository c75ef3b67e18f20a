// Code that the tables of the extension share. SQLite's callbacks are C: no exception leaves them. extension.cpp
// defines how all of them call SQLite (SQLITE_EXTENSION_INIT1).
#pragma once

#include <sqlite3ext.h>

#include <exception>
#include <memory>
#include <new>
#include <string>

#include "common/base/plain_text.hpp"
#include "decoder/extension/packet_file.hpp"

SQLITE_EXTENSION_INIT3

namespace groma {

/// A table of the extension in one connection.
struct LogTable {
    sqlite3_vtab base{};  ///< the first member: SQLite knows the table by its address
    std::shared_ptr<LogShelf> shelf{};
};

/// Runs `body`; what it throws becomes an error of the table with its message.
template <typename Body>
int guarded(sqlite3_vtab* table, Body body) noexcept {
    try {
        body();
        return SQLITE_OK;
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    } catch (const std::exception& error) {
        sqlite3_free(table->zErrMsg);
        table->zErrMsg = sqlite3_mprintf("%s", plain_text(error.what()).c_str());
        return SQLITE_ERROR;
    }
}

/// Makes a table of these columns. Its rows come from files, which only a user's own statement may name, not a schema's
/// views and triggers.
inline int connect_table(sqlite3* database, void* aux, const char* columns, sqlite3_vtab** made) noexcept {
    const int status = sqlite3_declare_vtab(database, columns);
    if (status != SQLITE_OK) {
        return status;
    }
    (void)sqlite3_vtab_config(database, SQLITE_VTAB_DIRECTONLY);
    auto* table = new (std::nothrow) LogTable;
    if (table == nullptr) {
        return SQLITE_NOMEM;
    }
    table->shelf = *static_cast<std::shared_ptr<LogShelf>*>(aux);
    *made = &table->base;
    return SQLITE_OK;
}

inline int disconnect_table(sqlite3_vtab* table) noexcept {
    delete reinterpret_cast<LogTable*>(table);
    return SQLITE_OK;
}

inline LogShelf& shelf_of(sqlite3_vtab* table) noexcept {
    return *reinterpret_cast<LogTable*>(table)->shelf;
}

/// The argument as a path; empty if it is NULL.
inline std::string path_of(sqlite3_value* value) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    return text == nullptr ? std::string() : std::string(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

/// Both are made for every connection that loads the extension.
[[nodiscard]] const sqlite3_module& packets_module() noexcept;
[[nodiscard]] const sqlite3_module& gaps_module() noexcept;

}  // namespace groma
