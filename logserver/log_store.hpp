// Where a log server keeps logs: a directory with a folder for each experiment, a file for each log, and a catalogue.
// Decides who may write what; knows nothing of sockets. One thread.
//
//   DIR/catalogue.sqlite   DIR/EXPERIMENT/NAME.glog   DIR/EXPERIMENT/NAME.glog.part (while it is not complete)
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "common/shipping/log_frames.hpp"
#include "common/time/clock.hpp"
#include "logserver/catalogue.hpp"
#include "logserver/log_file.hpp"

namespace groma {

/// What a client asks for cannot be; `what()` is a sentence that a person can act on.
class LogRefusal : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class LogStore;

/// One log that is being written, or that was complete when it was opened (and then only takes repeats).
class StoredLog {
public:
    StoredLog(LogStore& store, CatalogueEntry entry);

    /// Takes piece `number`. A repeat of a piece that is here is dropped. Throws: LogRefusal for a piece too far ahead
    /// or beyond the limit of bytes; SystemError.
    void append(const LogPiece& piece);

    /// Makes everything so far durable. Returns: how many pieces that is.
    std::uint64_t make_durable();

    /// The writer's totals. Throws: LogRefusal when they are not what is here; the log stays incomplete.
    void close(const CloseLog& totals);

    /// The writer is gone: keeps what there is and notes why the log is incomplete. Never throws: what is not noted now
    /// is noted when the server starts next.
    void give_up(const std::string& reason) noexcept;

    [[nodiscard]] std::uint64_t pieces() const { return pieces_; }
    [[nodiscard]] std::uint64_t bytes() const { return file_ ? file_->bytes() : entry_.bytes; }
    [[nodiscard]] std::uint64_t unsynced_bytes() const { return file_ ? file_->bytes() - entry_.bytes : 0; }
    [[nodiscard]] bool complete() const { return entry_.complete; }

private:
    [[nodiscard]] CloseLog totals() const;

    LogStore& store_;
    CatalogueEntry entry_;         ///< its pieces and bytes are the durable ones
    std::optional<LogFile> file_;  ///< unless complete
    std::uint64_t pieces_ = 0;
};

class LogStore {
public:
    /// Makes the directory if need be and keeps other servers out of it. Throws: SystemError, RunError.
    LogStore(std::filesystem::path directory, std::uint64_t max_log_bytes, Clock& clock);

    /// Throws: LogRefusal (a bad name, or another writer's log), SystemError, RunError.
    [[nodiscard]] std::unique_ptr<StoredLog> open(const OpenLog& request);

    [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }

private:
    friend class StoredLog;

    std::filesystem::path directory_;
    std::uint64_t max_log_bytes_;
    Clock& clock_;
    FileDescriptor lock_;
    std::optional<Catalogue> catalogue_;
};

}  // namespace groma
