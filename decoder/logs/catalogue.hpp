// Sorts logs into runs: which logs belong together, and which side each is of.
#pragma once

#include <string>
#include <vector>

#include "common/log/run_metadata.hpp"
#include "decoder/logs/log_source.hpp"

namespace groma {

struct CataloguedLog {
    const LogSource* source = nullptr;
    RunMetadata metadata;
};

/// The logs of one run.
struct RunLogs {
    std::string run_id;
    std::vector<CataloguedLog> senders;
    std::vector<CataloguedLog> receivers;
};

struct Catalogue {
    std::vector<RunLogs> runs;          ///< in the order of their first logs
    std::vector<std::string> unusable;  ///< logs whose metadata cannot be read: a sentence each
};

/// Reads the metadata of every log. The sources outlive the catalogue.
/// Throws: UsageError when two logs are of the same flow's sender, or of the same receiver of it (host and address);
/// what LogSource::read throws.
[[nodiscard]] Catalogue catalogue(const std::vector<LogSource>& sources);

}  // namespace groma
