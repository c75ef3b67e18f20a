#include "logserver/store/log_catalogue.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/log/log_name.hpp"
#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/sqlite/database_kind.hpp"

namespace groma {

namespace {

constexpr std::string_view kFile = "catalogue.sqlite";
// SQLite's companion files.
constexpr std::array<const char*, 3> kCompanions{"-journal", "-wal", "-shm"};

// Reserves disk space for the entries of all logs that a server may take.
constexpr const char* kRoomCompanion = "-room";
constexpr std::uint64_t kRoom = 1U << 20U;

constexpr mode_t kMode = 0600;
constexpr mode_t kOfOthers = 0007;

constexpr const char* kSchema = R"(
    CREATE TABLE experiments(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE nodes(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE logs(
        id INTEGER PRIMARY KEY, experiment INTEGER NOT NULL REFERENCES experiments, name TEXT NOT NULL,
        node INTEGER NOT NULL REFERENCES nodes, token TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('writing', 'complete', 'incomplete')), reason TEXT,
        pieces INTEGER NOT NULL, bytes INTEGER NOT NULL, hash INTEGER NOT NULL,
        opened_at TEXT NOT NULL, changed_at TEXT NOT NULL, closed_at TEXT, UNIQUE (experiment, name));
    CREATE TABLE counters(name TEXT PRIMARY KEY, value INTEGER NOT NULL);
)";

constexpr const char* kSelect =
    "SELECT logs.id, experiments.name, logs.name, nodes.name, token, state, coalesce(reason, ''), pieces, bytes, hash, "
    "opened_at, changed_at, coalesce(closed_at, '') FROM logs JOIN experiments ON experiments.id = experiment "
    "JOIN nodes ON nodes.id = node ";

// XXH3-64 of the empty string.
constexpr std::uint64_t kHashOfNothing = 0x2d06800538d394c2;

constexpr std::array<std::string_view, 3> kStates{"writing", "complete", "incomplete"};

std::string name_of(LogState state) {
    return std::string(kStates[static_cast<std::size_t>(state)]);
}

LogState state_of(std::string_view name) {
    return name == "complete" ? LogState::complete : name == "writing" ? LogState::writing : LogState::incomplete;
}

/// Runs SQLite calls; converts their errors to ours, with the file's name.
template <typename Action>
auto with_file(const std::filesystem::path& file, const Action& action) {
    try {
        return action();
    } catch (const SQLite::Exception& error) {
        throw RunError("cannot use the catalogue " + file.string() + ": " + error.what());
    }
}

/// SQLite reports an exhausted quota as a general I/O error.
bool may_lack_room(const SQLite::Exception& error) {
    return error.getErrorCode() == SQLITE_FULL or error.getErrorCode() == SQLITE_IOERR;
}

std::unique_ptr<SQLite::Database> open_database(const std::filesystem::path& file, LogCatalogue::Access access) {
    const int flags =
        access == LogCatalogue::Access::write ? SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE : SQLite::OPEN_READONLY;
    auto database = std::make_unique<SQLite::Database>(file.string(), flags, kSqliteBusyMs);
    const int version = database->execAndGet("PRAGMA user_version").getInt();
    if (version == 0 and access == LogCatalogue::Access::write) {
        database->exec("PRAGMA journal_mode = WAL");
        SQLite::Transaction transaction(*database);
        database->exec(kSchema);
        mark_database(*database, kCatalogueDatabase);
        transaction.commit();
    } else {
        expect_kind(*database, file.string(), kCatalogueDatabase, kCatalogueDatabase.version);
    }
    database->exec("PRAGMA synchronous = NORMAL");
    return database;
}

/// While it lives, committed transactions survive a loss of power.
class ForcedToDisk {
public:
    explicit ForcedToDisk(SQLite::Database& database) : database_(database) {
        database_.exec("PRAGMA synchronous = FULL");
    }
    ForcedToDisk(const ForcedToDisk&) = delete;
    ForcedToDisk& operator=(const ForcedToDisk&) = delete;
    ~ForcedToDisk() { database_.tryExec("PRAGMA synchronous = NORMAL"); }

private:
    SQLite::Database& database_;
};

/// Earlier versions of groma-log accepted experiments with such names.
void require_room_for_companions(const std::filesystem::path& file) {
    for (const char* companion : kCompanions) {
        const std::filesystem::path path = file.string() + companion;
        std::error_code unknown;
        if (std::filesystem::is_directory(path, unknown)) {
            throw RunError("cannot use the catalogue " + file.string() + ": the folder " + path.string() +
                           " is where SQLite has to put a file; move the folder to another directory");
        }
    }
}

/// The catalogue holds the logs' tokens. SQLite's companion files inherit its mode.
void keep_from_others(const std::filesystem::path& file) {
    // Open only a new file: closing an existing one would release SQLite's locks on it in this process.
    const FileDescriptor made(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode));
    for (const char* name : {"", kCompanions[0], kCompanions[1], kCompanions[2]}) {
        const std::string path = file.string() + name;
        struct stat found {};
        if (::stat(path.c_str(), &found) == 0 and (found.st_mode & kOfOthers) != 0) {
            checked("keep other users from reading " + path, ::chmod(path.c_str(), kMode),
                    "it has the tokens with which logs are written; run groma-log as the file's owner, on a file "
                    "system with modes");
        }
    }
}

/// Names are paths below the directory. Servers store no others, but a user can edit a catalogue.
void require_no_path(const char* kind, const std::string& name) {
    if (const std::string error = log_name_error(name); not error.empty()) {
        throw RunError(std::string("the name of the ") + kind + " '" + plain_text(name, kMaxLogNameBytes) + "' " +
                       error + ": another program than groma-log has changed the catalogue");
    }
}

CatalogueEntry entry_of(SQLite::Statement& row) {
    CatalogueEntry entry;
    entry.id = row.getColumn(0).getInt64();
    entry.experiment = row.getColumn(1).getString();
    entry.name = row.getColumn(2).getString();
    entry.node = row.getColumn(3).getString();
    entry.token = row.getColumn(4).getString();
    entry.state = state_of(row.getColumn(5).getString());
    entry.reason = row.getColumn(6).getString();
    entry.pieces = static_cast<std::uint64_t>(row.getColumn(7).getInt64());
    entry.bytes = static_cast<std::uint64_t>(row.getColumn(8).getInt64());
    entry.hash = std::bit_cast<std::uint64_t>(row.getColumn(9).getInt64());
    entry.opened_at = row.getColumn(10).getString();
    entry.changed_at = row.getColumn(11).getString();
    entry.closed_at = row.getColumn(12).getString();
    require_no_path("experiment", entry.experiment);
    require_no_path("log", entry.name);
    return entry;
}

std::int64_t seconds_of(WallTime time) {
    return ns_since_epoch(time) / 1'000'000'000;
}

void insert_name(SQLite::Database& database, const std::string& table, const std::string& name) {
    SQLite::Statement insert(database, "INSERT OR IGNORE INTO " + table + "(name) VALUES (?)");
    insert.bind(1, name);
    insert.exec();
}

void insert_log(SQLite::Database& database, const LogClaim& log, std::int64_t now) {
    insert_name(database, "experiments", log.experiment);
    insert_name(database, "nodes", log.node);
    SQLite::Statement insert(database,
                             "INSERT INTO logs(experiment, name, node, token, state, pieces, bytes, hash, opened_at, "
                             "changed_at) SELECT experiments.id, ?, nodes.id, ?, 'writing', 0, 0, ?, datetime(?5, "
                             "'unixepoch'), datetime(?5, 'unixepoch') FROM experiments, nodes WHERE experiments.name = "
                             "?6 AND nodes.name = ?4");
    insert.bind(1, log.name);
    insert.bind(2, log.token);
    insert.bind(3, std::bit_cast<std::int64_t>(kHashOfNothing));
    insert.bind(4, log.node);
    insert.bind(5, now);
    insert.bind(6, log.experiment);
    insert.exec();
}

void claim_log(SQLite::Database& database, const LogClaim& log, std::int64_t now) {
    SQLite::Statement update(database,
                             "UPDATE logs SET state = 'writing', reason = NULL, changed_at = datetime(?, "
                             "'unixepoch') WHERE token = ? AND state = 'incomplete' AND name = ? AND experiment "
                             "= (SELECT id FROM experiments WHERE name = ?)");
    update.bind(1, now);
    update.bind(2, log.token);
    update.bind(3, log.name);
    update.bind(4, log.experiment);
    if (update.exec() > 0) {
        return;
    }
    SQLite::Statement known(database,
                            "SELECT 1 FROM logs JOIN experiments ON experiments.id = experiment WHERE "
                            "experiments.name = ? AND logs.name = ?");
    known.bind(1, log.experiment);
    known.bind(2, log.name);
    if (not known.executeStep()) {
        insert_log(database, log, now);
    }
}

void update_log(SQLite::Statement& update, const CatalogueUpdate& log, std::int64_t now) {
    update.bind(1, name_of(log.state));
    if (log.reason.empty()) {
        update.bind(2);
    } else {
        update.bind(2, log.reason);
    }
    update.bind(3, static_cast<std::int64_t>(log.pieces));
    update.bind(4, static_cast<std::int64_t>(log.bytes));
    update.bind(5, std::bit_cast<std::int64_t>(log.hash));
    update.bind(6, now);
    update.bind(7, log.id);
    update.exec();
    update.reset();
}

}  // namespace

bool is_name_of_catalogue(std::string_view name) {
    const auto lower = [](char letter) { return letter >= 'A' and letter <= 'Z' ? letter - 'A' + 'a' : letter; };
    return std::ranges::equal(name.substr(0, kFile.size()), kFile, {}, lower);
}

std::string state_text(const CatalogueEntry& entry) {
    switch (entry.state) {
        case LogState::complete:
            return "complete";
        case LogState::writing:
            return "being written";
        case LogState::incomplete:
            break;
    }
    return "incomplete: " + entry.reason;
}

template <typename Action>
auto LogCatalogue::write(const Action& action) {
    const std::lock_guard lock(mutex_);
    return with_file(file_, [&] {
        try {
            return action();
        } catch (const SQLite::Exception& error) {
            if (not may_lack_room(error)) {
                throw;
            }
        }
        room_.give_up();
        if (database_) {
            // After this the WAL restarts from its beginning and does not grow.
            database_->exec("PRAGMA wal_checkpoint");
        }
        return action();
    });
}

LogCatalogue::LogCatalogue(const std::filesystem::path& directory, Access access)
    : file_(directory / kFile), room_(file_.string() + kRoomCompanion, kRoom) {
    if (access == Access::read and not std::filesystem::exists(file_)) {
        throw RunError("there is no catalogue in " + directory.string() +
                       ": is that what groma-log was given as --dir?");
    }
    if (access == Access::read) {
        checked("read the catalogue " + file_.string(), ::access(file_.c_str(), R_OK),
                "run this as the user of the log server, or let that user give it to your group (chmod g+r)");
    }
    require_room_for_companions(file_);
    const auto open = [&] { return open_database(file_, access); };
    if (access == Access::write) {
        keep_from_others(file_);
        database_ = write(open);
    } else {
        database_ = with_file(file_, open);
    }
}

LogCatalogue::~LogCatalogue() = default;

std::vector<CatalogueEntry> LogCatalogue::select(const std::string& where,
                                                 const std::vector<std::string>& values) const {
    const std::lock_guard lock(mutex_);
    return with_file(file_, [&] {
        std::vector<CatalogueEntry> entries;
        SQLite::Statement query(*database_, kSelect + where + " ORDER BY logs.id");
        for (std::size_t i = 0; i < values.size(); ++i) {
            query.bind(static_cast<int>(i) + 1, values[i]);
        }
        while (query.executeStep()) {
            entries.push_back(entry_of(query));
        }
        return entries;
    });
}

std::optional<CatalogueEntry> LogCatalogue::find(const std::string& experiment, const std::string& name) const {
    auto found = select("WHERE experiments.name = ? AND logs.name = ?", {experiment, name});
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

std::vector<CatalogueEntry> LogCatalogue::all() const {
    return select("", {});
}

std::vector<CatalogueEntry> LogCatalogue::of_experiment(const std::string& experiment) const {
    return select("WHERE experiments.name = ?", {experiment});
}

std::uint64_t LogCatalogue::total_bytes() const {
    const std::lock_guard lock(mutex_);
    return with_file(file_, [&] {
        return static_cast<std::uint64_t>(database_->execAndGet("SELECT coalesce(sum(bytes), 0) FROM logs").getInt64());
    });
}

CounterValues LogCatalogue::counters() const {
    const std::lock_guard lock(mutex_);
    return with_file(file_, [&] {
        CounterValues values;
        SQLite::Statement query(*database_, "SELECT name, value FROM counters");
        while (query.executeStep()) {
            values[query.getColumn(0).getString()] = static_cast<std::uint64_t>(query.getColumn(1).getInt64());
        }
        return values;
    });
}

CatalogueEntry LogCatalogue::claim(const LogClaim& log, WallTime now) {
    auto entry = std::move(claim(std::span(&log, 1), now).front());
    if (not entry) {
        throw RunError("the log '" + log.name + "' was pruned while it was being opened: open it again");
    }
    return *std::move(entry);
}

std::vector<std::optional<CatalogueEntry>> LogCatalogue::claim(std::span<const LogClaim> logs, WallTime now) {
    write([&] {
        const ForcedToDisk forced(*database_);
        SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
        for (const LogClaim& log : logs) {
            claim_log(*database_, log, seconds_of(now));
        }
        transaction.commit();
    });
    std::vector<std::optional<CatalogueEntry>> entries;
    entries.reserve(logs.size());
    for (const LogClaim& log : logs) {
        entries.push_back(find(log.experiment, log.name));
    }
    return entries;
}

void LogCatalogue::apply(std::span<const CatalogueUpdate> updates, WallTime now, Durability durability) {
    write([&] {
        std::optional<ForcedToDisk> forced;
        if (durability == Durability::machine) {
            forced.emplace(*database_);
        }
        SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
        SQLite::Statement update(
            *database_,
            "UPDATE logs SET state = ?1, reason = ?2, pieces = ?3, bytes = ?4, hash = ?5, changed_at "
            "= datetime(?6, 'unixepoch'), closed_at = iif(?1 = 'complete', datetime(?6, "
            "'unixepoch'), NULL) WHERE id = ?7");
        for (const CatalogueUpdate& log : updates) {
            update_log(update, log, seconds_of(now));
        }
        transaction.commit();
    });
}

void LogCatalogue::set_counters(const CounterValues& values) {
    write([&] {
        SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
        SQLite::Statement insert(*database_, "INSERT OR REPLACE INTO counters(name, value) VALUES (?, ?)");
        for (const auto& [name, value] : values) {
            insert.bind(1, name);
            insert.bind(2, static_cast<std::int64_t>(value));
            insert.exec();
            insert.reset();
        }
        transaction.commit();
    });
}

void LogCatalogue::set_all_interrupted() {
    write([&] {
        database_->exec(
            "UPDATE logs SET state = 'incomplete', reason = 'the log server ended' WHERE state = 'writing'");
    });
}

bool LogCatalogue::forget(std::int64_t id, bool even_if_writing, const std::function<void()>& remove_files) {
    return write([&] {
        SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
        SQLite::Statement query(*database_, "SELECT state FROM logs WHERE id = ?");
        query.bind(1, id);
        if (not query.executeStep() or (not even_if_writing and query.getColumn(0).getString() == "writing")) {
            return false;
        }
        query.reset();
        remove_files();
        SQLite::Statement remove(*database_, "DELETE FROM logs WHERE id = ?");
        remove.bind(1, id);
        remove.exec();
        database_->exec("DELETE FROM experiments WHERE id NOT IN (SELECT experiment FROM logs)");
        database_->exec("DELETE FROM nodes WHERE id NOT IN (SELECT node FROM logs)");
        transaction.commit();
        return true;
    });
}

std::uint64_t LogCatalogue::keep_room(std::uint64_t free_bytes) {
    const std::lock_guard lock(mutex_);
    return room_.keep(free_bytes);
}

}  // namespace groma
