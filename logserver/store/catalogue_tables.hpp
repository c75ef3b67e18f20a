// The tables of a log server's catalogue (docs/guide/log-server.md has the schema): the entries of logs as values, and
// the statements that read and write them. The functions throw SQLite::Exception.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/time/instant.hpp"

namespace SQLite {
class Database;
}

namespace groma {

enum class LogState : std::uint8_t {
    writing,     ///< a shipper has it open
    complete,    ///< every byte is there, and the shipper's totals agree
    incomplete,  ///< with a reason; its shipper may come back
};

struct CatalogueEntry {
    std::int64_t id = 0;
    std::string experiment;
    std::string name;
    std::string node;   ///< the host that its shipper said it is
    std::string token;  ///< the shipper's, 32 hex digits
    LogState state = LogState::writing;
    std::string reason;        ///< why it is incomplete
    std::uint64_t pieces = 0;  ///< acknowledged
    std::uint64_t bytes = 0;   ///< in them
    std::uint64_t hash = 0;    ///< XXH3-64 of these bytes
    std::string opened_at;     ///< UTC, "2026-11-22 01:02:03"
    std::string changed_at;
    std::string closed_at;  ///< of a complete log
    std::string owner{};    ///< the name of the key of its first shipper; empty: it had none
};

/// "complete", "being written", "incomplete: REASON".
[[nodiscard]] std::string state_text(const CatalogueEntry& entry);

/// How many logs are in each state.
struct LogsByState {
    std::uint64_t writing = 0;
    std::uint64_t complete = 0;
    std::uint64_t incomplete = 0;
    bool operator==(const LogsByState&) const = default;
};

/// A log as its shipper opens it.
struct LogClaim {
    std::string experiment;
    std::string name;
    std::string node;
    std::string token;
    std::string owner{};      ///< as CatalogueEntry has it
    bool any_owners = false;  ///< it may go on with what others have begun
};

/// What has become of a log since its entry was written last.
struct CatalogueUpdate {
    std::int64_t id = 0;
    LogState state = LogState::writing;
    std::string reason;
    std::uint64_t pieces = 0;
    std::uint64_t bytes = 0;
    std::uint64_t hash = 0;
};

/// Requires: an empty database, in a transaction.
void make_catalogue_tables(SQLite::Database& database);
inline constexpr int kOldestCatalogue = 2;
/// Makes those of kOldestCatalogue into today's, in a transaction.
void renew_catalogue_tables(SQLite::Database& database);
/// They look so to this connection, which may only read.
void show_as_renewed(SQLite::Database& database);

/// `where`: a clause with the values for its '?', or nothing. Returns: in the order in which they were opened first.
/// Throws also: RunError for an entry that no server can have made.
[[nodiscard]] std::vector<CatalogueEntry> select_logs(SQLite::Database& database, const std::string& where,
                                                      const std::vector<std::string>& values);

[[nodiscard]] LogsByState count_logs(SQLite::Database& database);

/// As LogCatalogue::claim(), for one log, in a transaction.
void claim_log(SQLite::Database& database, const LogClaim& log, WallTime now);

/// In a transaction.
void update_logs(SQLite::Database& database, std::span<const CatalogueUpdate> updates, WallTime now);

}  // namespace groma
