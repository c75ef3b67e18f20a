#include "logserver/store/log_catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <sqlite3.h>
#include <unistd.h>

#include <utility>

#include "common/base/errors.hpp"
#include "common/os/checked.hpp"
#include "logserver/store/catalogue_file.hpp"

namespace groma {

namespace {

// Reserves disk space for the entries of all logs that a server may take.
constexpr const char* kRoomCompanion = "-room";
constexpr std::uint64_t kRoom = 1U << 20U;

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

}  // namespace

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
    : file_(directory / kCatalogueFile), room_(file_.string() + kRoomCompanion, kRoom) {
    if (access == Access::read and not std::filesystem::exists(file_)) {
        throw RunError("there is no catalogue in " + directory.string() +
                       ": is that what groma-log was given as --dir?");
    }
    if (access == Access::read) {
        checked("read the catalogue " + file_.string(), ::access(file_.c_str(), R_OK),
                "run this as the user of the log server, or let that user give it to your group (chmod g+r)");
    }
    require_room_for_companions(file_);
    const auto open = [&] { return open_catalogue_file(file_, access == Access::write); };
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
    return with_file(file_, [&] { return select_logs(*database_, where, values); });
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

LogsByState LogCatalogue::logs_by_state() const {
    const std::lock_guard lock(mutex_);
    return with_file(file_, [&] { return count_logs(*database_); });
}

BytesByOwner LogCatalogue::bytes_by_owner(const std::set<std::int64_t>& left_out) const {
    const std::lock_guard lock(mutex_);
    return with_file(file_, [&] {
        BytesByOwner sums;
        SQLite::Statement query(*database_, fmt::format("SELECT owner, sum(bytes) FROM logs WHERE id NOT IN ({}) "
                                                        "GROUP BY owner",
                                                        fmt::join(left_out, ",")));
        while (query.executeStep()) {
            sums[query.getColumn(0).getText()] = static_cast<std::uint64_t>(query.getColumn(1).getInt64());
        }
        return sums;
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
            claim_log(*database_, log, now);
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
        update_logs(*database_, updates, now);
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
