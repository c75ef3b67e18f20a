// An open log, either being written or already complete (then it only takes repeats). It writes data immediately and
// acknowledges after a sweep has made it durable. Independent of sockets and threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "common/control/admission.hpp"
#include "common/shipping/protocol/log_frames.hpp"
#include "logserver/store/log_catalogue.hpp"
#include "logserver/store/log_file.hpp"
#include "logserver/store/sync_sweep.hpp"

namespace groma {

/// A shipper's request is refused; `what()` is a sentence with advice.
class LogRefusal : public std::runtime_error {
public:
    enum class Until : std::uint8_t { ever, later };

    explicit LogRefusal(const std::string& why, Until until = Until::ever)
        : std::runtime_error(why), try_again_(until == Until::later) {}

    [[nodiscard]] bool try_again() const { return try_again_; }

private:
    bool try_again_;
};

class StoredLog;

/// The writer of a log, with callbacks for its events. After closed(), failed() and taken_over() it has no log.
class RemoteWriter {
public:
    RemoteWriter() = default;
    RemoteWriter(const RemoteWriter&) = delete;
    RemoteWriter& operator=(const RemoteWriter&) = delete;
    virtual ~RemoteWriter() = default;

    /// The awaited log is open: continue from its current end.
    virtual void opened(StoredLog& log) = 0;
    virtual void durable(std::uint64_t pieces) = 0;
    virtual void closed() = 0;
    /// Unacknowledged data must be sent again, after another open.
    virtual void failed(const std::string& why) = 0;
    virtual void taken_over() = 0;
    virtual void hold(const std::string& why) = 0;
    virtual void go_on(std::uint64_t pieces) = 0;
};

class StoredLog {
public:
    enum class Took : std::uint8_t { piece, repeat, gap };

    /// Requires: the file holds the entry's bytes, all hashed; empty for a complete log.
    StoredLog(CatalogueEntry entry, std::optional<LogFile> file);

    [[nodiscard]] RemoteWriter* writer() const { return writer_; }
    /// Sets the writer that gets the callbacks; null: disconnected, and the log stays incomplete for `reason`.
    void set_writer(RemoteWriter* writer, std::string reason = {});

    /// Keeps the log's slot in its host's share of open logs.
    void hold(Admission::Slot slot) { slot_ = std::move(slot); }
    [[nodiscard]] const std::string& host() const { return slot_.host(); }

    /// Throws, without any change: LogRefusal if the log takes no more data, or would exceed `most_bytes`; SystemError.
    Took append(const LogPiece& piece, std::uint64_t most_bytes);

    /// Closes the log with the writer's totals. Returns: true if the log is already complete; otherwise a sweep
    /// completes it and then notifies the writer. Throws: LogRefusal if the totals do not match.
    bool close(const CloseLog& totals);

    /// Ends the log incomplete, for `reason`. A sweep records it, then notifies the writer with closed(). Returns:
    /// whether the log is already complete, so that the caller can notify the writer immediately.
    bool give_up(const GiveUpLog& last);

    /// Whether there is data to sync or a state to record.
    [[nodiscard]] bool needs_sweep() const;
    /// The log is being closed, was given up or has lost its writer: it should become durable soon.
    [[nodiscard]] bool is_ending() const { return ending_ != Ending::none or writer_ == nullptr; }
    /// Requires: needs_sweep(). `sync`: also sync the file's bytes; always done for a log that ends.
    [[nodiscard]] SyncJob begin_sweep(bool sync, std::uint64_t round = 0);
    /// The last sweep round that included the log.
    [[nodiscard]] std::uint64_t swept_in() const { return swept_in_; }
    void end_sweep(const SyncOutcome& outcome);

    [[nodiscard]] const CatalogueEntry& entry() const { return entry_; }
    [[nodiscard]] std::uint64_t pieces() const { return pieces_; }
    [[nodiscard]] std::uint64_t bytes() const { return file_ ? file_->bytes() : entry_.bytes; }
    [[nodiscard]] std::uint64_t unswept_bytes() const { return bytes() - entry_.bytes; }
    [[nodiscard]] bool complete() const { return entry_.state == LogState::complete; }
    [[nodiscard]] bool in_sweep() const { return in_sweep_.has_value(); }

private:
    enum class Ending : std::uint8_t { none, complete, incomplete };

    [[nodiscard]] CloseLog totals(LogNumber log) const;
    [[nodiscard]] CatalogueUpdate update() const;

    CatalogueEntry entry_;         ///< as in the catalogue
    std::optional<LogFile> file_;  ///< empty: complete
    std::uint64_t pieces_ = 0;
    RemoteWriter* writer_ = nullptr;
    Ending ending_ = Ending::none;
    std::string reason_;  ///< why it is incomplete
    bool new_name_ = true;
    std::optional<CatalogueUpdate> in_sweep_;
    std::uint64_t swept_in_ = 0;
    Admission::Slot slot_;
};

}  // namespace groma
