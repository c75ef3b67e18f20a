// groma_gaps('LOG'): a row for each piece of a log that cannot be read, and one when it was cut short.
#include <filesystem>
#include <new>
#include <vector>

#include "common/base/errors.hpp"
#include "decoder/extension/sqlite_glue.hpp"

namespace groma {

namespace {

constexpr const char* kColumns =
    "CREATE TABLE groma_gaps(\"offset\" INTEGER, bytes INTEGER, reason TEXT, torn_tail INTEGER, file TEXT HIDDEN)";
constexpr int kFile = 4;

struct GapCursor {
    sqlite3_vtab_cursor base{};
    std::string path{};
    std::vector<LogGap> gaps{};
    std::size_t gap = 0;
};

GapCursor& cursor_of(sqlite3_vtab_cursor* cursor) {
    return *reinterpret_cast<GapCursor*>(cursor);
}

template <typename Record>
bool holds(IndexedLog& log, const RecordBlock& block) {
    std::vector<Record> records;
    return log.read(block, records);
}

bool is_readable(IndexedLog& log, const RecordBlock& block) {
    switch (block.type) {
        case BlockType::sent:
            return holds<SentRecord>(log, block);
        case BlockType::received:
            return holds<ReceivedRecord>(log, block);
        case BlockType::round_trip:
            return holds<RoundTripRecord>(log, block);
        case BlockType::transmitted:
            return holds<TransmitRecord>(log, block);
        default:
            return holds<ConnectionSample>(log, block);
    }
}

/// What the way through the log found, and every block that does not hold what it announces.
std::vector<LogGap> all_gaps(IndexedLog& log) {
    std::vector<LogGap> gaps = log.gaps();
    for (const RecordBlock& block : log.blocks()) {
        if (not is_readable(log, block)) {
            gaps.push_back({.offset = block.offset,
                            .bytes = kBlockHeaderSize + block.stored_length,
                            .reason = "a block does not hold the records that its header announces"});
        }
    }
    if (not log.totals()) {
        std::error_code unknown;
        const auto size = std::filesystem::file_size(log.name(), unknown);
        gaps.push_back({.offset = unknown ? 0 : size, .bytes = 0, .reason = "log cut short: totals missing"});
    }
    return gaps;
}

int connect(sqlite3* database, void* aux, int /*count*/, const char* const* /*words*/, sqlite3_vtab** table,
            char** /*error*/) {
    return connect_table(database, aux, kColumns, table);
}

int best_index(sqlite3_vtab* /*table*/, sqlite3_index_info* info) {
    for (int i = 0; i < info->nConstraint; ++i) {
        const auto& constraint = info->aConstraint[i];
        if (constraint.iColumn != kFile or constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) {
            continue;
        }
        if (constraint.usable == 0) {
            return SQLITE_CONSTRAINT;
        }
        info->aConstraintUsage[i].argvIndex = 1;
        info->aConstraintUsage[i].omit = 1;
        info->estimatedCost = 1e5;
        return SQLITE_OK;
    }
    info->estimatedCost = 1e15;  // filter() says that a name is missing, unless there is another plan
    return SQLITE_OK;
}

int open(sqlite3_vtab* /*table*/, sqlite3_vtab_cursor** made) {
    auto* cursor = new (std::nothrow) GapCursor;
    if (cursor == nullptr) {
        return SQLITE_NOMEM;
    }
    *made = &cursor->base;
    return SQLITE_OK;
}

int close(sqlite3_vtab_cursor* cursor) {
    delete reinterpret_cast<GapCursor*>(cursor);
    return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* base, int /*number*/, const char* /*chosen*/, int count, sqlite3_value** values) {
    return guarded(base->pVtab, [&] {
        GapCursor& cursor = cursor_of(base);
        cursor.path = count > 0 ? path_of(values[0]) : std::string();
        if (cursor.path.empty()) {
            throw UsageError("which log? Its name is missing, empty or NULL: say groma_gaps('recv.glog')");
        }
        cursor.gaps = all_gaps(shelf_of(base->pVtab).open(cursor.path)->log());
        cursor.gap = 0;
    });
}

int next(sqlite3_vtab_cursor* base) {
    ++cursor_of(base).gap;
    return SQLITE_OK;
}

int at_end(sqlite3_vtab_cursor* base) {
    return cursor_of(base).gap >= cursor_of(base).gaps.size() ? 1 : 0;
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int number) {
    const GapCursor& cursor = cursor_of(base);
    const LogGap& gap = cursor.gaps[cursor.gap];
    const auto text = [context](const std::string& what) {
        sqlite3_result_text(context, what.data(), static_cast<int>(what.size()), SQLITE_TRANSIENT);
    };
    switch (number) {
        case 0:
            sqlite3_result_int64(context, static_cast<sqlite3_int64>(gap.offset));
            break;
        case 1:
            sqlite3_result_int64(context, static_cast<sqlite3_int64>(gap.bytes));
            break;
        case 2:
            text(gap.reason);
            break;
        case 3:
            sqlite3_result_int(context, gap.torn_tail ? 1 : 0);
            break;
        default:
            text(cursor.path);
    }
    return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* id) {
    *id = static_cast<sqlite3_int64>(cursor_of(base).gap);
    return SQLITE_OK;
}

}  // namespace

const sqlite3_module& gaps_module() noexcept {
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
