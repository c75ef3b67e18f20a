#include "logserver/catalogue.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <bit>
#include <utility>

#include "common/base/errors.hpp"

namespace groma {

namespace {

constexpr int kSchemaVersion = 1;
constexpr int kApplicationId = 0x67726f6c;  // "grol"
constexpr int kBusyTimeoutMs = 5000;

constexpr const char* kSchema = R"(
    CREATE TABLE experiments(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE logs(
        id INTEGER PRIMARY KEY, experiment INTEGER NOT NULL REFERENCES experiments, name TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('complete', 'incomplete')), reason TEXT,
        pieces INTEGER NOT NULL, bytes INTEGER NOT NULL, hash INTEGER, opened_at TEXT NOT NULL, closed_at TEXT,
        token TEXT NOT NULL, UNIQUE (experiment, name));
)";

constexpr const char* kSelect =
    "SELECT logs.id, experiments.name, logs.name, token, state = 'complete', coalesce(reason, ''), pieces, bytes, "
    "coalesce(hash, 0), opened_at, coalesce(closed_at, '') FROM logs JOIN experiments ON experiments.id = experiment ";

/// Runs what talks to SQLite; its errors become ours, with the file's name.
template <typename Action>
auto with_file(const std::filesystem::path& file, const Action& action) {
    try {
        return action();
    } catch (const SQLite::Exception& error) {
        throw RunError("cannot use the catalogue " + file.string() + ": " + error.what());
    }
}

std::unique_ptr<SQLite::Database> open_database(const std::filesystem::path& file, Catalogue::Access access) {
    const int flags =
        access == Catalogue::Access::write ? SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE : SQLite::OPEN_READONLY;
    auto database = std::make_unique<SQLite::Database>(file.string(), flags, kBusyTimeoutMs);
    const int version = database->execAndGet("PRAGMA user_version").getInt();
    if (version == 0 and access == Catalogue::Access::write) {
        database->exec("PRAGMA journal_mode = WAL");
        SQLite::Transaction transaction(*database);
        database->exec(kSchema);
        database->exec("PRAGMA application_id = " + std::to_string(kApplicationId));
        database->exec("PRAGMA user_version = " + std::to_string(kSchemaVersion));
        transaction.commit();
    } else if (version != kSchemaVersion) {
        throw RunError(file.string() + " is not a catalogue of this version of groma-log; choose another --dir");
    }
    return database;
}

CatalogueEntry entry_of(SQLite::Statement& row) {
    CatalogueEntry entry;
    entry.id = row.getColumn(0).getInt64();
    entry.experiment = row.getColumn(1).getString();
    entry.name = row.getColumn(2).getString();
    entry.token = row.getColumn(3).getString();
    entry.complete = row.getColumn(4).getInt() != 0;
    entry.reason = row.getColumn(5).getString();
    entry.pieces = static_cast<std::uint64_t>(row.getColumn(6).getInt64());
    entry.bytes = static_cast<std::uint64_t>(row.getColumn(7).getInt64());
    entry.hash = std::bit_cast<std::uint64_t>(row.getColumn(8).getInt64());
    entry.opened_at = row.getColumn(9).getString();
    entry.closed_at = row.getColumn(10).getString();
    return entry;
}

std::int64_t seconds_of(WallTime time) {
    return ns_since_epoch(time) / 1'000'000'000;
}

}  // namespace

Catalogue::Catalogue(const std::filesystem::path& directory, Access access) : file_(directory / "catalogue.sqlite") {
    database_ = with_file(file_, [&] { return open_database(file_, access); });
}

Catalogue::~Catalogue() = default;

std::optional<CatalogueEntry> Catalogue::find(const std::string& experiment, const std::string& name) const {
    return with_file(file_, [&]() -> std::optional<CatalogueEntry> {
        SQLite::Statement query(*database_, std::string(kSelect) + "WHERE experiments.name = ? AND logs.name = ?");
        query.bind(1, experiment);
        query.bind(2, name);
        if (not query.executeStep()) {
            return std::nullopt;
        }
        return entry_of(query);
    });
}

std::vector<CatalogueEntry> Catalogue::all() const {
    return with_file(file_, [&] {
        std::vector<CatalogueEntry> entries;
        SQLite::Statement query(*database_, std::string(kSelect) + "ORDER BY logs.id");
        while (query.executeStep()) {
            entries.push_back(entry_of(query));
        }
        return entries;
    });
}

CatalogueEntry Catalogue::add(const std::string& experiment, const std::string& name, const std::string& token,
                              WallTime now) {
    with_file(file_, [&] {
        SQLite::Transaction transaction(*database_);
        SQLite::Statement folder(*database_, "INSERT OR IGNORE INTO experiments(name) VALUES (?)");
        folder.bind(1, experiment);
        folder.exec();
        SQLite::Statement log(
            *database_,
            "INSERT INTO logs(experiment, name, state, reason, pieces, bytes, opened_at, token) SELECT "
            "id, ?, 'incomplete', ?, 0, 0, datetime(?, 'unixepoch'), ? FROM experiments WHERE name = ?");
        log.bind(1, name);
        log.bind(2, kBeingWritten);
        log.bind(3, seconds_of(now));
        log.bind(4, token);
        log.bind(5, experiment);
        log.exec();
        transaction.commit();
    });
    return find(experiment, name).value();
}

void Catalogue::set_durable(std::int64_t id, std::uint64_t pieces, std::uint64_t bytes) {
    with_file(file_, [&] {
        SQLite::Statement update(*database_, "UPDATE logs SET pieces = ?, bytes = ? WHERE id = ?");
        update.bind(1, static_cast<std::int64_t>(pieces));
        update.bind(2, static_cast<std::int64_t>(bytes));
        update.bind(3, id);
        update.exec();
    });
}

void Catalogue::set_complete(std::int64_t id, const CloseLog& totals, WallTime now) {
    with_file(file_, [&] {
        SQLite::Statement update(*database_,
                                 "UPDATE logs SET state = 'complete', reason = NULL, pieces = ?, bytes = ?, hash = ?, "
                                 "closed_at = datetime(?, 'unixepoch') WHERE id = ?");
        update.bind(1, static_cast<std::int64_t>(totals.pieces));
        update.bind(2, static_cast<std::int64_t>(totals.bytes));
        update.bind(3, std::bit_cast<std::int64_t>(totals.hash));
        update.bind(4, seconds_of(now));
        update.bind(5, id);
        update.exec();
    });
}

void Catalogue::set_incomplete(std::int64_t id, const std::string& reason) {
    with_file(file_, [&] {
        SQLite::Statement update(*database_, "UPDATE logs SET state = 'incomplete', reason = ? WHERE id = ?");
        update.bind(1, reason);
        update.bind(2, id);
        update.exec();
    });
}

void Catalogue::set_all_interrupted() {
    with_file(file_, [&] {
        SQLite::Statement update(*database_, "UPDATE logs SET reason = 'the log server ended' WHERE reason = ?");
        update.bind(1, kBeingWritten);
        update.exec();
    });
}

}  // namespace groma
