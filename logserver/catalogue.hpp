// The list of all logs that a log server keeps, as an SQLite database in its directory (docs/log-protocol.md has the
// schema). Another process may read it at any time. Not thread-safe: one object, one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/shipping/log_frames.hpp"
#include "common/time/instant.hpp"

namespace SQLite {
class Database;
}

namespace groma {

struct CatalogueEntry {
    std::int64_t id = 0;
    std::string experiment;
    std::string name;
    std::string token;  ///< the writer's, 32 hex digits
    bool complete = false;
    std::string reason;        ///< why it is not complete
    std::uint64_t pieces = 0;  ///< on disk for sure
    std::uint64_t bytes = 0;   ///< in them
    std::uint64_t hash = 0;    ///< of a complete log
    std::string opened_at;     ///< UTC, "2026-11-22 01:02:03"
    std::string closed_at;     ///< of a complete log
};

class Catalogue {
public:
    enum class Access : std::uint8_t { write, read };

    /// Opens DIR/catalogue.sqlite; for writing, makes it if need be. Throws (as all functions): RunError that names the
    /// file.
    Catalogue(const std::filesystem::path& directory, Access access);
    ~Catalogue();
    Catalogue(const Catalogue&) = delete;
    Catalogue& operator=(const Catalogue&) = delete;

    [[nodiscard]] std::optional<CatalogueEntry> find(const std::string& experiment, const std::string& name) const;
    /// In the order in which they were opened first.
    [[nodiscard]] std::vector<CatalogueEntry> all() const;

    /// A new log, incomplete because it "is being written".
    [[nodiscard]] CatalogueEntry add(const std::string& experiment, const std::string& name, const std::string& token,
                                     WallTime now);
    void set_durable(std::int64_t id, std::uint64_t pieces, std::uint64_t bytes);
    void set_complete(std::int64_t id, const CloseLog& totals, WallTime now);
    void set_incomplete(std::int64_t id, const std::string& reason);
    /// For a server that starts: whatever "is being written" is not, any more.
    void set_all_interrupted();

private:
    std::filesystem::path file_;
    std::unique_ptr<SQLite::Database> database_;
};

inline constexpr const char* kBeingWritten = "is being written";

}  // namespace groma
