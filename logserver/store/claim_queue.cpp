#include "logserver/store/claim_queue.hpp"

#include <algorithm>
#include <utility>

#include "common/base/errors.hpp"
#include "logserver/store/turns.hpp"

namespace groma {

namespace {

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        throw SystemError("make the directory " + folder.string(), error.value());
    }
}

void make_file(ClaimedLog& log) {
    const CatalogueEntry& entry = *log.entry;
    make_folder(log.file.parent_path());
    if (entry.state == LogState::complete) {
        log.contents.reset();
    } else if (entry.bytes == 0) {
        log.contents.emplace(log.file, 0);
    } else if (not log.contents or not log.contents->is_in_place()) {
        throw RunError("its file was changed while it was opened; open it again");
    }
}

void take_entry(ClaimedLog& log, std::optional<CatalogueEntry> entry) {
    log.entry = std::move(entry);
    if (not log.entry) {
        log.error = "the log '" + log.claim.name + "' was pruned while it was being opened: open it again";
    } else if (log.entry->token != log.claim.token) {
        log.error = belongs_to_another(log.claim);
    } else {
        try {
            make_file(log);
        } catch (const std::exception& error) {
            log.error = error.what();
        }
    }
}

/// In the background.
void claim_batch(const std::vector<ClaimedLog*>& batch, LogCatalogue& catalogue, WallTime now) noexcept {
    try {
        std::vector<LogClaim> claims;
        claims.reserve(batch.size());
        for (const ClaimedLog* log : batch) {
            claims.push_back(log->claim);
        }
        auto entries = catalogue.claim(claims, now);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            take_entry(*batch[i], std::move(entries[i]));
        }
    } catch (const std::exception& error) {
        for (ClaimedLog* log : batch) {
            log->error = error.what();
        }
    }
}

}  // namespace

std::string belongs_to_another(const LogClaim& claim) {
    return "there is a log '" + claim.name + "' of another writer in the experiment '" + claim.experiment +
           "' already; choose another name";
}

ClaimedLog* ClaimQueue::find(const std::string& experiment, const std::string& name) {
    const auto log = std::ranges::find_if(
        logs_, [&](const ClaimedLog& each) { return each.claim.name == name and each.claim.experiment == experiment; });
    return log == logs_.end() ? nullptr : &*log;
}

bool ClaimQueue::has(std::int64_t id) const {
    return std::ranges::any_of(logs_, [&](const ClaimedLog& log) { return log.known_id == id; });
}

void ClaimQueue::leave(const RemoteWriter& writer) noexcept {
    const auto log = std::ranges::find(logs_, &writer, &ClaimedLog::writer);
    if (log == logs_.end()) {
        return;
    }
    if (std::ranges::find(batch_, &*log) == batch_.end()) {
        logs_.erase(log);
    } else {
        log->writer = nullptr;  // it is being made
    }
}

std::function<void()> ClaimQueue::begin_batch(LogCatalogue& catalogue, WallTime now) {
    std::vector<ClaimedLog*> waiting;
    for (ClaimedLog& log : logs_) {
        waiting.push_back(&log);
    }
    batch_ = by_turns(
        waiting, [](const ClaimedLog* log) { return log->slot.host(); }, kMostInBatch);
    if (batch_.empty()) {
        return {};
    }
    return [batch = batch_, &catalogue, now] { claim_batch(batch, catalogue, now); };
}

std::vector<ClaimedLog> ClaimQueue::end_batch() {
    std::vector<ClaimedLog> ended;
    for (ClaimedLog* const log : std::exchange(batch_, {})) {
        const auto place = std::ranges::find_if(logs_, [&](const ClaimedLog& each) { return &each == log; });
        ended.push_back(std::move(*place));
        logs_.erase(place);
    }
    return ended;
}

}  // namespace groma
