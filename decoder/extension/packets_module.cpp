// groma_packets('LOG' [, 'SENDERS LOG']): a row for each record of a packet.
#include <new>
#include <string>

#include "common/base/errors.hpp"
#include "decoder/extension/packet_constraints.hpp"
#include "decoder/extension/packet_rows.hpp"
#include "decoder/extension/sqlite_glue.hpp"

namespace groma {

namespace {

struct PacketCursor {
    sqlite3_vtab_cursor base{};  ///< the first member: SQLite knows the cursor by its address
    PacketRows rows{};
    std::string path{};
    std::string sender_path{};
    std::shared_ptr<PacketFile> file{};
    std::shared_ptr<const ClockState> clock{};
};

PacketCursor& cursor_of(sqlite3_vtab_cursor* cursor) {
    return *reinterpret_cast<PacketCursor*>(cursor);
}

/// A join asks for the same log again and again: it is looked for once.
void open_logs(PacketCursor& cursor, const PacketArguments& arguments) {
    if (cursor.file != nullptr and cursor.path == arguments.file and cursor.sender_path == arguments.sender_file) {
        return;
    }
    if (arguments.file.empty()) {
        throw UsageError(
            "which log? Its name is missing, empty or NULL: say groma_packets('recv.glog'), or "
            "groma_packets('recv.glog', 'send.glog')");
    }
    LogShelf& shelf = shelf_of(cursor.base.pVtab);
    cursor.clock.reset();
    cursor.file = shelf.open(arguments.file);
    if (not arguments.sender_file.empty()) {
        cursor.clock = std::make_shared<const ClockState>(relate(*cursor.file, *shelf.open(arguments.sender_file)));
    }
    cursor.path = arguments.file;
    cursor.sender_path = arguments.sender_file;
}

void give(sqlite3_context* context, const std::optional<std::int64_t>& value) {
    value ? sqlite3_result_int64(context, *value) : sqlite3_result_null(context);
}

void give_us(sqlite3_context* context, const std::optional<std::int64_t>& ns) {
    constexpr double kNanosPerMicro = 1000;
    ns ? sqlite3_result_double(context, static_cast<double>(*ns) / kNanosPerMicro) : sqlite3_result_null(context);
}

/// SQLite copies it. Empty: NULL.
void give(sqlite3_context* context, const std::string& text) {
    text.empty() ? sqlite3_result_null(context)
                 : sqlite3_result_text(context, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

void give_column(sqlite3_context* context, PacketCursor& cursor, PacketColumn column) {
    const PacketRow& row = cursor.rows.row();
    switch (column) {
        case PacketColumn::flow:
            return sqlite3_result_int64(context, row.flow.value);
        case PacketColumn::name:
            return give(context, cursor.file->name_of(row.flow));
        case PacketColumn::kind:
            return sqlite3_result_text(context, kind_text(row.kind), -1, SQLITE_STATIC);
        case PacketColumn::seq:
            return give(context, row.seq);
        case PacketColumn::at_ns:
            return sqlite3_result_int64(context, row.at);
        case PacketColumn::sent_at_ns:
            return give(context, row.sent_at);
        case PacketColumn::size:
            return give(context, row.size);
        case PacketColumn::delay_us:
            return give_us(context, row.delay);
        case PacketColumn::delay_ns:
            return give(context, row.delay);
        case PacketColumn::rtt_us:
            return give_us(context, row.rtt);
        case PacketColumn::lateness_us:
            return give_us(context, row.lateness);
        case PacketColumn::batch:
            return give(context, row.batch);
        case PacketColumn::ttl:
            return give(context, row.ttl);
        case PacketColumn::ds_byte:
            return give(context, row.ds_byte);
        case PacketColumn::reflected_at_ns:
            return give(context, row.reflected_at);
        case PacketColumn::replied_at_ns:
            return give(context, row.replied_at);
        case PacketColumn::file:
            return give(context, cursor.path);
        case PacketColumn::sender_file:
            return give(context, cursor.sender_path);
    }
}

int connect(sqlite3* database, void* aux, int /*count*/, const char* const* /*words*/, sqlite3_vtab** table,
            char** /*error*/) {
    return connect_table(database, aux, kPacketColumns, table);
}

int best_index(sqlite3_vtab* table, sqlite3_index_info* info) {
    int status = SQLITE_OK;
    const int failed = guarded(table, [&] { status = choose_constraints(*info); });
    return failed != SQLITE_OK ? failed : status;
}

int open(sqlite3_vtab* /*table*/, sqlite3_vtab_cursor** made) {
    auto* cursor = new (std::nothrow) PacketCursor;
    if (cursor == nullptr) {
        return SQLITE_NOMEM;
    }
    *made = &cursor->base;
    return SQLITE_OK;
}

int close(sqlite3_vtab_cursor* cursor) {
    delete reinterpret_cast<PacketCursor*>(cursor);
    return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* base, int by_flow, const char* chosen, int count, sqlite3_value** values) {
    return guarded(base->pVtab, [&] {
        PacketCursor& cursor = cursor_of(base);
        const PacketArguments arguments = read_constraints({by_flow, chosen}, count, values);
        open_logs(cursor, arguments);
        cursor.rows.start(cursor.file, cursor.clock, arguments.query);
    });
}

int next(sqlite3_vtab_cursor* base) {
    return guarded(base->pVtab, [&] { cursor_of(base).rows.next(); });
}

int at_end(sqlite3_vtab_cursor* base) {
    return cursor_of(base).rows.at_end() ? 1 : 0;
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int number) {
    return guarded(base->pVtab, [&] { give_column(context, cursor_of(base), static_cast<PacketColumn>(number)); });
}

int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* id) {
    *id = cursor_of(base).rows.row().id;
    return SQLITE_OK;
}

}  // namespace

const sqlite3_module& packets_module() noexcept {
    static const sqlite3_module module{.iVersion = 0,
                                       .xCreate = nullptr,  // there without CREATE, and only so
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

}  // namespace groma
