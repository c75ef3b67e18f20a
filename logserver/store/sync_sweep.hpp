// Makes many logs durable at once: first their files, then their catalogue entries in one transaction. Acknowledgements
// follow. Runs in the background (logserver/background.hpp).
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
    std::filesystem::path file;        ///< the final name; FILE.part until complete
    const LogFile* written = nullptr;  ///< synced unless null; its log keeps it until the sweep has ended
    bool new_name = false;             ///< the directory was not synced since the file was created
    CatalogueUpdate update;            ///< if `complete`, renames the file
};

struct Sweep {
    std::vector<SyncJob> jobs;
    WallTime now;
    Durability durability = Durability::machine;
};

/// The outcome of a job.
struct SyncOutcome {
    enum class Kind : std::uint8_t {
        done,
        file_failed,       ///< bytes since the last sweep may be lost
        catalogue_failed,  ///< no data lost; retry later
    };
    std::int64_t id = 0;
    Kind kind = Kind::done;
    std::string error;
};

/// Returns: outcomes in the order of the jobs. Never throws.
[[nodiscard]] std::vector<SyncOutcome> run_sweep(const Sweep& sweep, LogCatalogue& catalogue);

}  // namespace groma
