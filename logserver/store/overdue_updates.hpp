// Updates of logs that are no longer open, which the catalogue could not take at their time: the disk was full or
// faulty, or the log is being claimed again. If the server ends before they are applied, the next server marks the logs
// interrupted.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "logserver/store/log_catalogue.hpp"

namespace groma {

class OverdueUpdates {
public:
    /// The log of this entry is incomplete for the reason `why`.
    void add_incomplete(const CatalogueEntry& entry, const std::string& why);
    /// The log is open again: what is known of it then counts.
    void drop(std::int64_t log);
    /// Applies all but those of logs that are `claimed`. What the catalogue does not take stays due.
    void apply(LogCatalogue& catalogue, WallTime now, const std::function<bool(std::int64_t)>& claimed) noexcept;

private:
    std::vector<CatalogueUpdate> due_;
};

}  // namespace groma
