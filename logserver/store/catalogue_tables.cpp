#include "logserver/store/catalogue_tables.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <array>
#include <bit>
#include <string_view>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/log/log_name.hpp"

namespace groma {

namespace {

constexpr const char* kSchema = R"(
    CREATE TABLE experiments(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE nodes(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE logs(
        id INTEGER PRIMARY KEY, experiment INTEGER NOT NULL REFERENCES experiments, name TEXT NOT NULL,
        node INTEGER NOT NULL REFERENCES nodes, token TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('writing', 'complete', 'incomplete')), reason TEXT,
        pieces INTEGER NOT NULL, bytes INTEGER NOT NULL, hash INTEGER NOT NULL,
        opened_at TEXT NOT NULL, changed_at TEXT NOT NULL, closed_at TEXT, owner TEXT NOT NULL DEFAULT '',
        UNIQUE (experiment, name));
    CREATE TABLE counters(name TEXT PRIMARY KEY, value INTEGER NOT NULL);
)";

constexpr const char* kSelect =
    "SELECT logs.id, experiments.name, logs.name, nodes.name, token, state, coalesce(reason, ''), pieces, bytes, hash, "
    "opened_at, changed_at, coalesce(closed_at, ''), owner FROM logs JOIN experiments ON experiments.id = experiment "
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
    entry.owner = row.getColumn(13).getString();
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
    SQLite::Statement insert(
        database,
        "INSERT INTO logs(experiment, name, node, token, state, pieces, bytes, hash, opened_at, "
        "changed_at, owner) SELECT experiments.id, ?, nodes.id, ?, 'writing', 0, 0, ?, datetime(?5, "
        "'unixepoch'), datetime(?5, 'unixepoch'), ?7 FROM experiments, nodes WHERE experiments.name = "
        "?6 AND nodes.name = ?4");
    insert.bind(1, log.name);
    insert.bind(2, log.token);
    insert.bind(3, std::bit_cast<std::int64_t>(kHashOfNothing));
    insert.bind(4, log.node);
    insert.bind(5, now);
    insert.bind(6, log.experiment);
    insert.bind(7, log.owner);
    insert.exec();
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

void make_catalogue_tables(SQLite::Database& database) {
    database.exec(kSchema);
}

void renew_catalogue_tables(SQLite::Database& database) {
    database.exec("ALTER TABLE logs ADD COLUMN owner TEXT NOT NULL DEFAULT ''");
}

void show_as_renewed(SQLite::Database& database) {
    // A name is looked for among what is temporary first.
    database.exec("CREATE TEMP VIEW logs AS SELECT *, '' AS owner FROM main.logs");
}

std::vector<CatalogueEntry> select_logs(SQLite::Database& database, const std::string& where,
                                        const std::vector<std::string>& values) {
    std::vector<CatalogueEntry> entries;
    SQLite::Statement query(database, kSelect + where + " ORDER BY logs.id");
    for (std::size_t i = 0; i < values.size(); ++i) {
        query.bind(static_cast<int>(i) + 1, values[i]);
    }
    while (query.executeStep()) {
        entries.push_back(entry_of(query));
    }
    return entries;
}

LogsByState count_logs(SQLite::Database& database) {
    LogsByState logs;
    SQLite::Statement query(database, "SELECT state, count(*) FROM logs GROUP BY state");
    while (query.executeStep()) {
        const LogState state = state_of(query.getColumn(0).getString());
        std::uint64_t& count = state == LogState::writing    ? logs.writing
                               : state == LogState::complete ? logs.complete
                                                             : logs.incomplete;
        count += static_cast<std::uint64_t>(query.getColumn(1).getInt64());
    }
    return logs;
}

void claim_log(SQLite::Database& database, const LogClaim& log, WallTime now) {
    SQLite::Statement update(database,
                             "UPDATE logs SET state = 'writing', reason = NULL, changed_at = datetime(?, "
                             "'unixepoch'), owner = CASE owner WHEN '' THEN ? ELSE owner END WHERE token = ? AND "
                             "state = 'incomplete' AND name = ? AND experiment = (SELECT id FROM experiments WHERE "
                             "name = ?)");
    update.bind(1, seconds_of(now));
    update.bind(2, log.owner);
    update.bind(3, log.token);
    update.bind(4, log.name);
    update.bind(5, log.experiment);
    if (update.exec() > 0) {
        return;
    }
    SQLite::Statement known(database,
                            "SELECT 1 FROM logs JOIN experiments ON experiments.id = experiment WHERE "
                            "experiments.name = ? AND logs.name = ?");
    known.bind(1, log.experiment);
    known.bind(2, log.name);
    if (not known.executeStep()) {
        insert_log(database, log, seconds_of(now));
    }
}

void update_logs(SQLite::Database& database, std::span<const CatalogueUpdate> updates, WallTime now) {
    SQLite::Statement update(database,
                             "UPDATE logs SET state = ?1, reason = ?2, pieces = ?3, bytes = ?4, hash = ?5, changed_at "
                             "= datetime(?6, 'unixepoch'), closed_at = iif(?1 = 'complete', datetime(?6, "
                             "'unixepoch'), NULL) WHERE id = ?7");
    for (const CatalogueUpdate& log : updates) {
        update_log(update, log, seconds_of(now));
    }
}

}  // namespace groma
