// A virtual table whose rows a cursor finds, for SQLite's C interface.
#pragma once

#include <new>
#include <span>

#include "decoder/extension/sqlite_glue.hpp"

namespace groma {

/// What best_index() decided for a query. SQLite passes it to filter() as a number and a text.
struct IndexPlan {
    int number = 0;
    const char* text = nullptr;
};

/// A Cursor is default-constructible and has:
///     static constexpr const char* kColumns                                        the table, as CREATE TABLE
///     static int best_index(sqlite3_index_info&)                                   Returns: a status of SQLite
///     void filter(LogShelf&, const IndexPlan&, std::span<sqlite3_value*>)          the first row of a query
///     void next(), bool at_end() const
///     void column(sqlite3_context*, int number), sqlite3_int64 row_id() const      of the row it is at
/// What they throw becomes an error of the table.
template <typename Cursor>
class TableModule {
public:
    static const sqlite3_module& module() noexcept {
        static const sqlite3_module module{
            .iVersion = 0,
            .xCreate = nullptr,  // the table exists without CREATE, and cannot be created
            .xConnect = connect,
            .xBestIndex = best_index,
            .xDisconnect = disconnect_table,
            .xDestroy = nullptr,
            .xOpen = open,
            .xClose = close,
            .xFilter = filter,
            .xNext = next,
            .xEof = at_end,
            .xColumn = column,
            .xRowid = row_id,
            .xUpdate = nullptr,
            .xBegin = nullptr,
            .xSync = nullptr,
            .xCommit = nullptr,
            .xRollback = nullptr,
            .xFindFunction = nullptr,
            .xRename = nullptr,
            .xSavepoint = nullptr,
            .xRelease = nullptr,
            .xRollbackTo = nullptr,
            .xShadowName = nullptr};
        return module;
    }

private:
    struct Held {
        sqlite3_vtab_cursor base{};  ///< the first member: SQLite knows the cursor by its address
        Cursor cursor{};
    };

    static Cursor& cursor_of(sqlite3_vtab_cursor* base) noexcept { return reinterpret_cast<Held*>(base)->cursor; }

    static int connect(sqlite3* database, void* aux, int /*count*/, const char* const* /*words*/, sqlite3_vtab** table,
                       char** /*error*/) {
        return connect_table(database, aux, Cursor::kColumns, table);
    }

    static int best_index(sqlite3_vtab* table, sqlite3_index_info* info) {
        int status = SQLITE_OK;
        const int failed = guarded(table, [&] { status = Cursor::best_index(*info); });
        return failed != SQLITE_OK ? failed : status;
    }

    static int open(sqlite3_vtab* /*table*/, sqlite3_vtab_cursor** made) {
        auto* held = new (std::nothrow) Held;
        if (held == nullptr) {
            return SQLITE_NOMEM;
        }
        *made = &held->base;
        return SQLITE_OK;
    }

    static int close(sqlite3_vtab_cursor* base) {
        delete reinterpret_cast<Held*>(base);
        return SQLITE_OK;
    }

    static int filter(sqlite3_vtab_cursor* base, int number, const char* text, int count, sqlite3_value** values) {
        return guarded(base->pVtab, [&] {
            cursor_of(base).filter(shelf_of(base->pVtab), {number, text},
                                   std::span(values, static_cast<std::size_t>(count)));
        });
    }

    static int next(sqlite3_vtab_cursor* base) {
        return guarded(base->pVtab, [&] { cursor_of(base).next(); });
    }

    static int at_end(sqlite3_vtab_cursor* base) { return cursor_of(base).at_end() ? 1 : 0; }

    static int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int number) {
        return guarded(base->pVtab, [&] { cursor_of(base).column(context, number); });
    }

    static int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* id) {
        *id = cursor_of(base).row_id();
        return SQLITE_OK;
    }
};

}  // namespace groma
