#include "logserver/log_store.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/log/log_name.hpp"
#include "common/os/checked.hpp"

namespace groma {

namespace {

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

void make_directory(const std::filesystem::path& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) {
        throw SystemError("make the directory " + directory.string(), error.value());
    }
}

FileDescriptor lock_directory(const std::filesystem::path& directory) {
    FileDescriptor fd(checked("open the directory " + directory.string(),
                              ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) < 0) {
        throw RunError("another groma-log keeps its logs in " + directory.string() +
                       ": stop it, or choose another --dir");
    }
    return fd;
}

/// A file that the catalogue does not know is somebody's log all the same.
void refuse_unknown_files(const std::filesystem::path& stem) {
    for (const char* ending : {".glog", ".glog.part"}) {
        std::filesystem::path file = stem;
        file += ending;
        std::error_code ignored;
        if (std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) {
            throw LogRefusal("the file " + file.string() + " is there already and not in the catalogue; move it away");
        }
    }
}

}  // namespace

StoredLog::StoredLog(LogStore& store, CatalogueEntry entry)
    : store_(store), entry_(std::move(entry)), pieces_(entry_.pieces) {
    if (not entry_.complete) {
        const auto folder = store_.directory_ / entry_.experiment;
        make_directory(folder);
        sync_directory(store_.directory_);
        file_.emplace(folder / (entry_.name + ".glog"), entry_.bytes);
    }
}

void StoredLog::append(const LogPiece& piece) {
    if (piece.number < pieces_) {
        return;
    }
    if (piece.number > pieces_) {
        throw LogRefusal("piece " + std::to_string(piece.number) + " came where piece " + std::to_string(pieces_) +
                         " was due");
    }
    if (not file_) {
        throw LogRefusal("the log is complete already");
    }
    if (piece.bytes.size() > store_.max_log_bytes_ - file_->bytes()) {
        throw LogRefusal("the log is longer than this server takes (" + std::to_string(store_.max_log_bytes_) +
                         " bytes; see groma-log --max-bytes)");
    }
    file_->append(piece.bytes);
    ++pieces_;
}

std::uint64_t StoredLog::make_durable() {
    if (file_ and pieces_ > entry_.pieces) {
        file_->sync();
        store_.catalogue_->set_durable(entry_.id, pieces_, file_->bytes());
        entry_.pieces = pieces_;
        entry_.bytes = file_->bytes();
    }
    return entry_.pieces;
}

CloseLog StoredLog::totals() const {
    return {0, pieces_, bytes(), file_ ? file_->hash() : entry_.hash};
}

void StoredLog::close(const CloseLog& totals_of_writer) {
    CloseLog here = totals();
    here.log = totals_of_writer.log;
    if (totals_of_writer != here) {
        throw LogRefusal("the totals do not match: here are " + std::to_string(pieces_) + " pieces and " +
                         std::to_string(bytes()) + " bytes, the writer counts " +
                         std::to_string(totals_of_writer.pieces) + " and " + std::to_string(totals_of_writer.bytes) +
                         (totals_of_writer.bytes == bytes() ? "; their hashes differ" : ""));
    }
    if (file_) {
        make_durable();
        file_->finish();
        store_.catalogue_->set_complete(entry_.id, totals_of_writer, store_.clock_.wall_now());
        entry_.complete = true;
        entry_.hash = totals_of_writer.hash;
        file_.reset();
    }
}

void StoredLog::give_up(const std::string& reason) noexcept {
    if (not file_) {
        return;
    }
    try {
        store_.catalogue_->set_incomplete(entry_.id, plain_text(reason));
        make_durable();
    } catch (const std::exception&) {
        // The disk or the catalogue failed: the log is incomplete in any case, and nobody is left to be told.
    }
    file_.reset();
}

LogStore::LogStore(std::filesystem::path directory, std::uint64_t max_log_bytes, Clock& clock)
    : directory_(std::move(directory)), max_log_bytes_(max_log_bytes), clock_(clock) {
    make_directory(directory_);
    lock_ = lock_directory(directory_);
    catalogue_.emplace(directory_, Catalogue::Access::write);
    catalogue_->set_all_interrupted();
}

std::unique_ptr<StoredLog> LogStore::open(const OpenLog& request) {
    require_name("experiment", request.experiment);
    require_name("log", request.name);
    const std::string token = hex(request.token);
    auto entry = catalogue_->find(request.experiment, request.name);
    if (entry and entry->token != token) {
        throw LogRefusal("there is a log '" + request.name + "' of another writer in the experiment '" +
                         request.experiment + "' already; choose another name");
    }
    if (not entry) {
        refuse_unknown_files(directory_ / request.experiment / request.name);
        entry = catalogue_->add(request.experiment, request.name, token, clock_.wall_now());
    } else if (not entry->complete) {
        catalogue_->set_incomplete(entry->id, kBeingWritten);
    }
    try {
        return std::make_unique<StoredLog>(*this, *entry);
    } catch (const std::exception& error) {
        catalogue_->set_incomplete(entry->id, plain_text(error.what()));
        throw;
    }
}

}  // namespace groma
