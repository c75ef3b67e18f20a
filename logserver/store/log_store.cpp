#include "logserver/store/log_store.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/base/token.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostNodeBytes = 100;

}  // namespace

LogStore::LogStore(std::filesystem::path directory, Clock& clock) : directory_(std::move(directory)), clock_(clock) {
    make_directory(directory_);
    lock_ = lock_directory(directory_);
    if (not lock_.valid()) {
        throw RunError("another groma-log keeps its logs in " + directory_.string() +
                       ": stop it, or choose another --dir");
    }
    catalogue_.emplace(directory_, LogCatalogue::Access::write);
    mend();
}

void LogStore::mend() {
    catalogue_->set_all_interrupted();
    for (const CatalogueEntry& entry : catalogue_->all()) {
        if (entry.state != LogState::complete) {
            take_name_back(file_of_log(directory_, entry.experiment, entry.name));
        }
    }
}

bool LogStore::knows(const OpenLog& request) const {
    return logs_.contains({request.experiment, request.name}) or
           catalogue_->find(request.experiment, request.name).has_value();
}

StoredLog* LogStore::open(const OpenLog& request, const LogOrigin& origin, RemoteWriter& writer, Admission::Slot slot) {
    require_names(request.experiment, request.name);
    const LogClaim claim{request.experiment,    request.name, plain_text(origin.node, kMostNodeBytes),
                         to_hex(request.token), origin.owner, origin.any_owners};
    const auto known = logs_.find({request.experiment, request.name});
    if (known == logs_.end()) {
        if (ClaimedLog* const awaited = claims_.find(request.experiment, request.name)) {
            take_over(*awaited, claim, writer, std::move(slot));
        } else {
            open_file(claim, writer, std::move(slot));
        }
        return nullptr;
    }
    StoredLog& log = *known->second;
    require_writer(log.entry().token, log.entry().owner, claim);
    RemoteWriter* const before = log.writer();
    log.set_writer(&writer);
    log.hold(std::move(slot));
    if (before != nullptr and before != &writer) {
        before->taken_over();
    }
    return &log;
}

void LogStore::require_writer(const std::string& token, const std::string& owner, const LogClaim& claim) {
    const bool is_owners = claim.any_owners or owner.empty() or owner == claim.owner;
    if (token != claim.token or not is_owners) {
        throw LogRefusal(belongs_to_another(claim));
    }
}

void LogStore::take_over(ClaimedLog& awaited, const LogClaim& claim, RemoteWriter& writer, Admission::Slot slot) {
    require_writer(awaited.claim.token, awaited.claim.owner, claim);
    awaited.slot = std::move(slot);
    RemoteWriter* const before = std::exchange(awaited.writer, &writer);
    if (before != nullptr and before != &writer) {
        before->taken_over();
    }
}

void LogStore::open_file(const LogClaim& claim, RemoteWriter& writer, Admission::Slot slot) {
    const auto file = file_of_log(directory_, claim.experiment, claim.name);
    const auto known = catalogue_->find(claim.experiment, claim.name);
    std::optional<LogFile> read;
    if (not known) {
        refuse_unknown_files(file);
    } else {
        require_writer(known->token, known->owner, claim);
    }
    if (known and known->state != LogState::complete and known->bytes > 0) {
        read = reopened_.open(claim, file, known->bytes, writer, clock_.now(), slot);
        if (not read) {
            return;
        }
        if (not read->is_in_place()) {
            throw LogRefusal("its file was changed while it was opened; open it again", LogRefusal::Until::later);
        }
    }
    claims_.add({claim, file, known ? known->id : 0, std::move(read), &writer, std::move(slot)});
}

void LogStore::end_slice() {
    std::optional<ReopenedLog> ended = reopened_.end_slice();
    if (not ended) {
        return;
    }
    if (not ended->error.empty()) {
        ended->writer->failed(ended->error);
        return;
    }
    try {
        const auto known = catalogue_->find(ended->claim.experiment, ended->claim.name);
        const auto file = ended->file.file();
        claims_.add({std::move(ended->claim), file, known ? known->id : 0, std::move(ended->file), ended->writer,
                     std::move(ended->slot)});
    } catch (const std::exception& error) {
        ended->writer->failed(error.what());
    }
}

void LogStore::end_claims() {
    for (ClaimedLog& log : claims_.end_batch()) {
        end_claim(std::move(log));
    }
    drop_idle();
}

void LogStore::end_claim(ClaimedLog ended) {
    const bool is_ours = ended.entry and ended.entry->token == ended.claim.token;
    if (is_ours) {
        overdue_.drop(ended.entry->id);
    }
    if (not ended.error.empty()) {
        if (is_ours) {
            note_incomplete(*ended.entry, ended.error);
        }
        if (ended.writer != nullptr) {
            ended.writer->failed(ended.error);
        }
        return;
    }
    auto made = std::make_unique<StoredLog>(*std::move(ended.entry), std::move(ended.contents));
    StoredLog& log = *made;
    log.hold(std::move(ended.slot));
    log.set_writer(ended.writer, "its connection ended");
    logs_.insert_or_assign({ended.claim.experiment, ended.claim.name}, std::move(made));
    if (ended.writer != nullptr) {
        ended.writer->opened(log);
    }
}

void LogStore::leave(const RemoteWriter& writer) noexcept {
    reopened_.leave(writer, clock_.now());
    claims_.leave(writer);
}

void LogStore::leave(StoredLog& log, const std::string& reason) {
    log.set_writer(nullptr, reason);
    drop_idle();
}

void LogStore::drop_idle() {
    std::erase_if(logs_, [](const auto& each) {
        const StoredLog& log = *each.second;
        return log.writer() == nullptr and not log.needs_sweep() and not log.in_sweep();
    });
}

bool LogStore::needs_sweep() const {
    return std::ranges::any_of(logs_, [](const auto& each) { return each.second->needs_sweep(); });
}

Sweep LogStore::begin_sweep(bool sync_all) {
    std::vector<StoredLog*> logs;
    for (const auto& [key, log] : logs_) {
        if (log->needs_sweep()) {
            logs.push_back(log.get());
        }
    }
    return rounds_.begin(logs, sync_all, clock_.wall_now());
}

std::string LogStore::end_sweep(const std::vector<SyncOutcome>& outcomes) {
    std::map<std::int64_t, const SyncOutcome*> of_log;
    for (const SyncOutcome& outcome : outcomes) {
        of_log[outcome.id] = &outcome;
    }
    std::string error;
    std::erase_if(logs_, [&](const auto& each) {
        StoredLog& log = *each.second;
        const auto found = of_log.find(log.entry().id);
        if (found == of_log.end() or not log.in_sweep()) {
            return false;
        }
        const SyncOutcome& outcome = *found->second;
        log.end_sweep(outcome);
        if (outcome.kind == SyncOutcome::Kind::catalogue_failed and error.empty()) {
            error = outcome.error;
        }
        if (outcome.kind == SyncOutcome::Kind::file_failed) {
            forget(log, outcome.error);
        }
        return outcome.kind == SyncOutcome::Kind::file_failed;
    });
    drop_idle();
    return error;
}

void LogStore::abandon_work() {
    claims_.abandon_batch();
    for (const auto& [key, log] : logs_) {
        if (log->in_sweep()) {
            log->end_sweep({log->entry().id, SyncOutcome::Kind::catalogue_failed, {}});
        }
    }
    drop_idle();
}

void LogStore::forget(const StoredLog& log, const std::string& why) {
    note_incomplete(log.entry(), why);
    if (log.writer() != nullptr) {
        log.writer()->failed(why);
    }
}

void LogStore::note_incomplete(const CatalogueEntry& entry, const std::string& why) {
    overdue_.add_incomplete(entry, why);
    note_what_is_due();
}

void LogStore::note_what_is_due() noexcept {
    overdue_.apply(*catalogue_, clock_.wall_now(), [this](std::int64_t log) { return claims_.has(log); });
}

void LogStore::for_each_writer(const std::function<void(RemoteWriter&, const StoredLog&)>& action) const {
    for (const auto& [key, log] : logs_) {
        if (log->writer() != nullptr) {
            action(*log->writer(), *log);
        }
    }
}

std::uint64_t LogStore::unswept_bytes() const {
    return std::accumulate(logs_.begin(), logs_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& each) { return sum + each.second->unswept_bytes(); });
}

BytesByOwner LogStore::bytes_by_owner() const {
    std::set<std::int64_t> open;  // the catalogue may know of a sweep before they do
    for (const auto& [key, log] : logs_) {
        open.insert(log->entry().id);
    }
    BytesByOwner sums = catalogue_->bytes_by_owner(open);
    for (const auto& [key, log] : logs_) {
        sums[log->entry().owner] += log->bytes();
    }
    return sums;
}

}  // namespace groma
