#include "logserver/log_store.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/log/log_name.hpp"
#include "common/os/checked.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostNodeBytes = 100;

std::string hex(const LogToken& token) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const std::byte byte : token) {
        text += kDigits[std::to_integer<unsigned>(byte) >> 4U];
        text += kDigits[std::to_integer<unsigned>(byte) & 15U];
    }
    return text;
}

void require_name(const char* kind, const std::string& name) {
    if (const std::string fault = log_name_fault(name); not fault.empty()) {
        throw LogRefusal(std::string("the name of the ") + kind + " '" + plain_text(name, kMaxLogNameBytes) + "' " +
                         fault);
    }
}

void require_name_of_experiment(const std::string& name) {
    require_name("experiment", name);
    if (is_name_of_catalogue(name)) {
        throw LogRefusal("the name of the experiment '" + name +
                         "' begins like that of the log server's catalogue; choose another name");
    }
}

void make_directory(const std::filesystem::path& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) {
        throw SystemError("make the directory " + directory.string(), error.value());
    }
}

/// A file that the catalogue does not know is not the server's to change.
void refuse_unknown_files(const std::filesystem::path& finished) {
    std::error_code unknown;
    const auto folder = std::filesystem::status(finished.parent_path(), unknown);
    if (std::filesystem::exists(folder) and not std::filesystem::is_directory(folder)) {
        throw LogRefusal("there is a file " + finished.parent_path().string() +
                         ", and no folder can be called the same; choose another name");
    }
    for (const auto& file : {finished, part_of(finished)}) {
        std::error_code ignored;
        if (std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) {
            throw LogRefusal("the file " + file.string() + " is there already and not in the catalogue; move it away");
        }
    }
}

std::string belongs_to_another(const LogClaim& claim) {
    return "there is a log '" + claim.name + "' of another writer in the experiment '" + claim.experiment +
           "' already; choose another name";
}

}  // namespace

FileDescriptor lock_directory(const std::filesystem::path& directory) {
    FileDescriptor fd(checked("open the directory " + directory.string(),
                              ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
    return ::flock(fd.get(), LOCK_EX | LOCK_NB) < 0 ? FileDescriptor() : std::move(fd);
}

std::filesystem::path file_of_log(const std::filesystem::path& directory, const std::string& experiment,
                                  const std::string& name) {
    return directory / experiment / (name + ".glog");
}

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

StoredLog* LogStore::open(const OpenLog& request, const std::string& node, RemoteWriter& writer) {
    require_name_of_experiment(request.experiment);
    require_name("log", request.name);
    const LogClaim claim{request.experiment, request.name, plain_text(node, kMostNodeBytes), hex(request.token)};
    const auto known = logs_.find({request.experiment, request.name});
    StoredLog* const log = known != logs_.end() ? open_known(*known->second, claim) : open_file(claim, writer);
    if (log == nullptr) {
        return nullptr;
    }
    RemoteWriter* const before = log->writer();
    log->set_writer(&writer);
    if (before != nullptr and before != &writer) {
        before->taken_over();
    }
    return log;
}

StoredLog* LogStore::open_known(StoredLog& log, const LogClaim& claim) {
    if (log.entry().token != claim.token) {
        throw LogRefusal(belongs_to_another(claim));
    }
    return &log;
}

StoredLog* LogStore::open_file(const LogClaim& claim, RemoteWriter& writer) {
    const auto file = file_of_log(directory_, claim.experiment, claim.name);
    const auto known = catalogue_->find(claim.experiment, claim.name);
    std::optional<LogFile> read;
    if (not known) {
        refuse_unknown_files(file);
    } else if (known->token == claim.token and known->state != LogState::complete and known->bytes > 0) {
        read = reopened_.open(claim, file, known->bytes, writer, clock_.now());
        if (not read) {
            return nullptr;
        }
    }
    return &adopt(claim, std::move(read));
}

StoredLog& LogStore::adopt(const LogClaim& claim, std::optional<LogFile> read) {
    const auto file = file_of_log(directory_, claim.experiment, claim.name);
    const CatalogueEntry entry = catalogue_->claim(claim, clock_.wall_now());
    if (entry.token != claim.token) {
        throw LogRefusal(belongs_to_another(claim));
    }
    std::erase_if(due_, [&](const CatalogueUpdate& update) { return update.id == entry.id; });
    try {
        make_directory(file.parent_path());
        if (entry.state == LogState::complete) {
            read.reset();
        } else if (entry.bytes == 0) {
            read.emplace(file, 0);
        } else if (not read or not read->is_in_place()) {
            throw LogRefusal("its file was changed while it was opened; open it again", LogRefusal::Until::later);
        }
        auto log = std::make_unique<StoredLog>(entry, std::move(read));
        return *logs_.insert_or_assign({claim.experiment, claim.name}, std::move(log)).first->second;
    } catch (const std::exception& error) {
        note_incomplete(entry, error.what());
        throw;
    }
}

void LogStore::end_slice() {
    std::optional<ReopenedLog> ended = reopened_.end_slice();
    if (not ended) {
        return;
    }
    StoredLog* log = nullptr;
    try {
        if (not ended->trouble.empty()) {
            throw RunError(ended->trouble);
        }
        log = &adopt(ended->claim, std::move(ended->file));
    } catch (const std::exception& error) {
        ended->writer->failed(error.what());
        return;
    }
    log->set_writer(ended->writer);
    ended->writer->opened(*log);
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

bool LogStore::has_endings() const {
    return std::ranges::any_of(
        logs_, [](const auto& each) { return each.second->needs_sweep() and each.second->is_ending(); });
}

Sweep LogStore::begin_sweep(bool sync_all) {
    Sweep sweep{{}, clock_.wall_now(), sync_all ? Durability::machine : Durability::process};
    for (const auto& [key, log] : logs_) {
        if (log->needs_sweep()) {
            sweep.durability = log->is_ending() ? Durability::machine : sweep.durability;
            sweep.jobs.push_back(log->begin_sweep(sync_all));
        }
    }
    return sweep;
}

std::string LogStore::end_sweep(const std::vector<SyncOutcome>& outcomes) {
    std::map<std::int64_t, const SyncOutcome*> of_log;
    for (const SyncOutcome& outcome : outcomes) {
        of_log[outcome.id] = &outcome;
    }
    std::string trouble;
    for (auto each = logs_.begin(); each != logs_.end();) {
        StoredLog& log = *each->second;
        const auto found = of_log.find(log.entry().id);
        if (found == of_log.end() or not log.in_sweep()) {
            ++each;
            continue;
        }
        log.end_sweep(*found->second);
        if (found->second->kind == SyncOutcome::Kind::file_failed) {
            forget(log, found->second->trouble);
            each = logs_.erase(each);
            continue;
        }
        if (found->second->kind == SyncOutcome::Kind::catalogue_failed and trouble.empty()) {
            trouble = found->second->trouble;
        }
        ++each;
    }
    drop_idle();
    return trouble;
}

void LogStore::abandon_sweep() {
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
    due_.push_back({entry.id, LogState::incomplete, plain_text(why), entry.pieces, entry.bytes, entry.hash});
    note_what_is_due();
}

void LogStore::note_what_is_due() noexcept {
    if (due_.empty()) {
        return;
    }
    try {
        catalogue_->apply(due_, clock_.wall_now(), Durability::process);
        due_.clear();
    } catch (const std::exception&) {
        // The disk is full or broken: it stays due. When the server ends first, the next one calls the logs
        // interrupted.
    }
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

}  // namespace groma
