// The list of all logs that a log server keeps, as an SQLite database in its directory (docs/guide/log-server.md has
// the schema). Other processes may read it, and prune it, at any time. Thread: any; one call at a time gets through. It
// is written though the disk is full, in the room that is kept for that.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/time/instant.hpp"
#include "logserver/store/catalogue_tables.hpp"
#include "logserver/store/kept_room.hpp"

namespace SQLite {
class Database;
}

namespace groma {

/// What a server counts, by name, over all its lives.
using CounterValues = std::map<std::string, std::uint64_t>;

/// Of logs, by the names of their owners' keys; empty: no key.
using BytesByOwner = std::map<std::string, std::uint64_t>;

/// How safe a change is when a function returns.
enum class Durability : std::uint8_t {
    process,  ///< survives the death of the program
    machine,  ///< survives the loss of power
};

class LogCatalogue {
public:
    enum class Access : std::uint8_t { write, read };

    /// Opens DIR/catalogue.sqlite; for writing, makes it if need be, and takes it from other users: one that they could
    /// read is its owner's alone from now on. Throws (as all functions): RunError that names the file; SystemError.
    LogCatalogue(const std::filesystem::path& directory, Access access);
    ~LogCatalogue();
    LogCatalogue(const LogCatalogue&) = delete;
    LogCatalogue& operator=(const LogCatalogue&) = delete;

    [[nodiscard]] std::optional<CatalogueEntry> find(const std::string& experiment, const std::string& name) const;
    /// In the order in which they were opened first.
    [[nodiscard]] std::vector<CatalogueEntry> all() const;
    [[nodiscard]] std::vector<CatalogueEntry> of_experiment(const std::string& experiment) const;
    [[nodiscard]] std::uint64_t total_bytes() const;
    [[nodiscard]] LogsByState logs_by_state() const;
    /// Of all logs but those.
    [[nodiscard]] BytesByOwner bytes_by_owner(const std::set<std::int64_t>& left_out) const;
    [[nodiscard]] CounterValues counters() const;

    /// The entry of a log that is opened: a new one, or the one of its name. One that is incomplete becomes `writing`;
    /// one with another token is left as it is, and the caller sees that from the token. Survives the loss of power: a
    /// file that is made afterwards is never one that the catalogue does not know.
    [[nodiscard]] CatalogueEntry claim(const LogClaim& log, WallTime now);
    /// The same of many, in one transaction, all of them or none. Returns: an entry for each; nothing for one that was
    /// pruned meanwhile.
    [[nodiscard]] std::vector<std::optional<CatalogueEntry>> claim(std::span<const LogClaim> logs, WallTime now);

    /// All of them or none.
    void apply(std::span<const CatalogueUpdate> updates, WallTime now, Durability durability);

    void set_counters(const CounterValues& values);

    /// For a server that starts: whatever was being written is not, any more.
    void set_all_interrupted();

    /// Calls `remove_files`, perhaps twice, for an entry that is not being written, and forgets it. A server cannot
    /// open the log meanwhile. Returns: false, having done nothing, when the log is being written or was forgotten
    /// already.
    bool forget(std::int64_t id, bool even_if_writing, const std::function<void()>& remove_files);

    /// For the server, now and then: keeps the room with which the catalogue is written when the disk is full. Returns:
    /// how much of `free_bytes` is not for logs.
    [[nodiscard]] std::uint64_t keep_room(std::uint64_t free_bytes);

private:
    [[nodiscard]] std::vector<CatalogueEntry> select(const std::string& where,
                                                     const std::vector<std::string>& values) const;
    /// Runs what writes; where there is no room, once more with what is kept for that.
    template <typename Action>
    auto write(const Action& action);

    std::filesystem::path file_;
    KeptRoom room_;
    mutable std::mutex mutex_;
    std::unique_ptr<SQLite::Database> database_;
};

}  // namespace groma
