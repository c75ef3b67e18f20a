// Makes logs durable, many at a time: their files first, then their entries in one transaction, and only then is
// anything acknowledged. Runs where it does not hold up the server (logserver/background.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "logserver/store/log_catalogue.hpp"

namespace groma {

class LogFile;

/// One log of a sweep.
struct SyncJob {
    std::filesystem::path file;        ///< its final name; until it is complete there is FILE.part
    const LogFile* written = nullptr;  ///< synced, if there is one; its log keeps it until the sweep has ended
    bool new_name = false;             ///< the directory has not been synced since the file was made
    CatalogueUpdate update;            ///< `complete` renames the file
};

struct Sweep {
    std::vector<SyncJob> jobs;
    WallTime now;
    Durability durability = Durability::machine;
};

/// What became of a job.
struct SyncOutcome {
    enum class Kind : std::uint8_t {
        done,
        file_failed,       ///< what was written since the last sweep may be gone
        catalogue_failed,  ///< nothing is gone; try again later
    };
    std::int64_t id = 0;
    Kind kind = Kind::done;
    std::string error;
};

/// In the order of the jobs. Never throws: see the outcomes.
[[nodiscard]] std::vector<SyncOutcome> run_sweep(const Sweep& sweep, LogCatalogue& catalogue);

}  // namespace groma
