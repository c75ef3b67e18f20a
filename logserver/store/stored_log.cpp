#include "logserver/store/stored_log.hpp"

#include <utility>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostKeptReasonBytes = 300;

}  // namespace

StoredLog::StoredLog(CatalogueEntry entry, std::optional<LogFile> file)
    : entry_(std::move(entry)), file_(std::move(file)), pieces_(entry_.pieces) {}

void StoredLog::set_writer(RemoteWriter* writer, std::string reason) {
    writer_ = writer;
    if (writer_ != nullptr) {
        ending_ = Ending::none;
    } else if (ending_ == Ending::none) {
        reason_ = plain_text(reason, kMostKeptReasonBytes);
    }
}

StoredLog::Took StoredLog::append(const LogPiece& piece, std::uint64_t most_bytes) {
    if (piece.number != pieces_) {
        return piece.number < pieces_ ? Took::repeat : Took::gap;
    }
    if (not file_ or ending_ != Ending::none) {
        throw LogRefusal("the log is closed already, and another piece of it came");
    }
    if (file_->bytes() > most_bytes or piece.bytes.size() > most_bytes - file_->bytes()) {
        throw LogRefusal("the log is longer than this server takes (" + std::to_string(most_bytes) +
                         " bytes; see groma-log --max-bytes)");
    }
    file_->append(piece.bytes);
    ++pieces_;
    return Took::piece;
}

CloseLog StoredLog::totals(LogNumber log) const {
    return {log, pieces_, bytes(), file_ ? file_->hash() : entry_.hash};
}

bool StoredLog::close(const CloseLog& totals_of_writer) {
    if (totals_of_writer != totals(totals_of_writer.log)) {
        throw LogRefusal("the totals do not match: here are " + counted(pieces_, "piece") + " and " +
                         counted(bytes(), "byte") + ", the writer counts " + std::to_string(totals_of_writer.pieces) +
                         " and " + std::to_string(totals_of_writer.bytes) +
                         (totals_of_writer.bytes == bytes() ? "; their hashes differ" : ""));
    }
    ending_ = complete() ? Ending::none : Ending::complete;
    return complete();
}

bool StoredLog::give_up(const GiveUpLog& last) {
    if (complete() and last.pieces <= pieces_) {
        return true;
    }
    if (last.pieces != pieces_) {
        throw LogRefusal("the log is given up after " + counted(last.pieces, "piece") + ", but here are " +
                         std::to_string(pieces_));
    }
    ending_ = Ending::incomplete;
    reason_ = last.reason.empty() ? "its writer gave it up" : plain_text(last.reason, kMostKeptReasonBytes);
    return false;
}

CatalogueUpdate StoredLog::update() const {
    CatalogueUpdate update{entry_.id, LogState::writing, {}, pieces_, bytes(), totals(0).hash};
    if (complete() or ending_ == Ending::complete) {
        update.state = LogState::complete;
    } else if (ending_ == Ending::incomplete or writer_ == nullptr) {
        update.state = LogState::incomplete;
        update.reason = reason_;
    }
    return update;
}

bool StoredLog::needs_sweep() const {
    if (in_sweep_ or complete()) {
        return false;
    }
    const bool waits = ending_ != Ending::none and writer_ != nullptr;
    return waits or pieces_ != entry_.pieces or (writer_ == nullptr) != (entry_.state == LogState::incomplete);
}

SyncJob StoredLog::begin_sweep(bool sync, std::uint64_t round) {
    SyncJob job;
    job.file = file_->file();
    job.update = update();
    if (sync or job.update.state != LogState::writing) {
        job.written = &*file_;
        job.new_name = std::exchange(new_name_, false);
    }
    in_sweep_ = job.update;
    swept_in_ = round;
    return job;
}

void StoredLog::end_sweep(const SyncOutcome& outcome) {
    const CatalogueUpdate swept = *std::exchange(in_sweep_, std::nullopt);
    if (outcome.kind != SyncOutcome::Kind::done) {
        new_name_ = true;
        return;
    }
    entry_.state = swept.state;
    entry_.reason = swept.reason;
    entry_.pieces = swept.pieces;
    entry_.bytes = swept.bytes;
    entry_.hash = swept.hash;
    if (complete()) {
        file_.reset();
    }
    if (writer_ == nullptr) {
        return;
    }
    const bool closed = (ending_ == Ending::complete and complete()) or
                        (ending_ == Ending::incomplete and entry_.state == LogState::incomplete);
    if (closed) {
        std::exchange(writer_, nullptr)->closed();
    } else if (not in_sweep_) {
        writer_->durable(entry_.pieces);
    }
}

}  // namespace groma
