#include "logserver/store/sync_sweep.hpp"

#include <set>

#include "logserver/store/log_file.hpp"

namespace groma {

namespace {

/// Directories with changed entries, and their parents.
class Directories {
public:
    void add(const std::filesystem::path& directory) {
        changed_.insert(directory);
        changed_.insert(directory.parent_path());
    }
    void sync() const {
        for (const auto& directory : changed_) {
            sync_directory(directory);
        }
    }

private:
    std::set<std::filesystem::path> changed_;
};

void sync_file(const SyncJob& job, Directories& directories) {
    if (job.written != nullptr) {
        job.written->sync();
    }
    if (job.update.state == LogState::complete) {
        give_name(job.file);
    }
    if (job.new_name or job.update.state == LogState::complete) {
        directories.add(job.file.parent_path());
    }
}

void note_failure(std::vector<SyncOutcome>& outcomes, const std::string& error) {
    for (SyncOutcome& outcome : outcomes) {
        if (outcome.kind == SyncOutcome::Kind::done) {
            outcome.kind = SyncOutcome::Kind::catalogue_failed;
            outcome.error = error;
        }
    }
}

}  // namespace

std::vector<SyncOutcome> run_sweep(const Sweep& sweep, LogCatalogue& catalogue) {
    std::vector<SyncOutcome> outcomes;
    std::vector<CatalogueUpdate> updates;
    Directories directories;
    for (const SyncJob& job : sweep.jobs) {
        outcomes.push_back({job.update.id, SyncOutcome::Kind::done, {}});
        try {
            sync_file(job, directories);
            updates.push_back(job.update);
        } catch (const std::exception& error) {
            outcomes.back().kind = SyncOutcome::Kind::file_failed;
            outcomes.back().error = error.what();
        }
    }
    try {
        if (sweep.durability == Durability::machine) {
            directories.sync();
        }
        catalogue.apply(updates, sweep.now, sweep.durability);
    } catch (const std::exception& error) {
        note_failure(outcomes, error.what());
    }
    return outcomes;
}

}  // namespace groma
