#include "logserver/commands/verify.hpp"

#include <set>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/log/log_reader.hpp"
#include "logserver/commands/hashed_reader.hpp"
#include "logserver/commands/stored_logs.hpp"
#include "logserver/store/log_catalogue.hpp"

namespace groma {

namespace {

/// Collects unreadable parts. A torn tail is normal in an incomplete log.
class Gaps final : public LogVisitor {
public:
    explicit Gaps(bool complete) : complete_(complete) {}
    void on_gap(const LogGap& gap) override {
        if (complete_ or not gap.torn_tail) {
            found.push_back("byte " + std::to_string(gap.offset) + ": " + gap.reason);
        }
    }

    std::vector<std::string> found;

private:
    bool complete_;
};

/// Checks only the acknowledged bytes: those after them are undefined after a loss of power.
std::vector<std::string> block_errors(const std::filesystem::path& file, const CatalogueEntry& entry) {
    Gaps gaps(entry.state == LogState::complete);
    try {
        read_log(file, entry.bytes, gaps);
    } catch (const ParseError& error) {
        gaps.found.emplace_back(error.what());
    }
    return gaps.found;
}

std::vector<std::string> errors_of(const std::filesystem::path& file, const CatalogueEntry& entry) {
    const HashedBytes here = read_hashed(file, entry.bytes, [](auto) {});
    if (here.bytes < entry.bytes) {
        return {"holds " + std::to_string(here.bytes) + " of its " + counted(entry.bytes, "byte")};
    }
    std::vector<std::string> errors;
    if (here.hash != entry.hash) {
        errors.push_back("its hash is " + hash_text(here.hash) + ", the catalogue has " + hash_text(entry.hash));
    }
    std::error_code unknown;
    const auto size = std::filesystem::file_size(file, unknown);
    if (entry.state == LogState::complete and size != entry.bytes) {
        errors.push_back("is " + counted(size, "byte") + " long, the catalogue has " + std::to_string(entry.bytes));
    }
    if (entry.bytes > 0) {
        const auto blocks = block_errors(file, entry);
        errors.insert(errors.end(), blocks.begin(), blocks.end());
    }
    return errors;
}

void verify(const std::filesystem::path& directory, const CatalogueEntry& entry, Verification& result) {
    ++result.logs;
    // A shipper opens a log before it has written any of it.
    if (entry.bytes == 0 and not std::filesystem::exists(current_file(directory, entry))) {
        return;
    }
    try {
        for (const std::string& error : errors_of(current_file(directory, entry), entry)) {
            result.errors.push_back(full_name(entry) + ": " + error);
        }
    } catch (const std::exception& error) {
        result.errors.push_back(full_name(entry) + ": " + error.what());
    }
    if (entry.state != LogState::complete) {
        result.warnings.push_back(full_name(entry) + ": " + state_text(entry));
    }
}

void find_strangers(const std::filesystem::path& directory, const std::vector<CatalogueEntry>& entries,
                    Verification& result) {
    std::set<std::filesystem::path> known;
    std::set<std::string> experiments;
    for (const CatalogueEntry& entry : entries) {
        known.insert(current_file(directory, entry));
        experiments.insert(entry.experiment);
    }
    for (const std::string& experiment : experiments) {
        std::error_code gone;
        for (const auto& file : std::filesystem::directory_iterator(directory / experiment, gone)) {
            if (not known.contains(file.path())) {
                result.errors.push_back(file.path().string() + " is not in the catalogue");
            }
        }
    }
}

}  // namespace

Verification verify_logs(const StoredLogsRequest& request) {
    const LogCatalogue catalogue(request.directory, LogCatalogue::Access::read);
    std::vector<CatalogueEntry> entries;
    if (request.experiments.empty()) {
        entries = catalogue.all();
    }
    for (const std::string& experiment : request.experiments) {
        const auto logs = logs_of(catalogue, experiment);
        entries.insert(entries.end(), logs.begin(), logs.end());
    }
    Verification result;
    for (const CatalogueEntry& entry : entries) {
        verify(request.directory, entry, result);
    }
    find_strangers(request.directory, entries, result);
    return result;
}

}  // namespace groma
