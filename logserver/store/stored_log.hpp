// One log that is being written, or that was complete when it was opened (and then only takes repeats). What it takes
// is written at once and acknowledged when a sweep has made it durable. Knows no socket and no thread.
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

/// What a shipper asks for cannot be; `what()` is a sentence that a person can act on.
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

/// Who writes a log: it is told what becomes of it. After closed(), failed() and taken_over() it has no log any more.
class RemoteWriter {
public:
    RemoteWriter() = default;
    RemoteWriter(const RemoteWriter&) = delete;
    RemoteWriter& operator=(const RemoteWriter&) = delete;
    virtual ~RemoteWriter() = default;

    /// The log that it waited for: it goes on from where that stands.
    virtual void opened(StoredLog& log) = 0;
    virtual void durable(std::uint64_t pieces) = 0;
    virtual void closed() = 0;
    /// What was not acknowledged has to come again, on a log that is opened again.
    virtual void failed(const std::string& why) = 0;
    virtual void taken_over() = 0;
    virtual void hold(const std::string& why) = 0;
    virtual void go_on(std::uint64_t pieces) = 0;
};

class StoredLog {
public:
    enum class Took : std::uint8_t { piece, repeat, gap };

    /// The file holds the entry's bytes, and they have been read; a complete log has none.
    StoredLog(CatalogueEntry entry, std::optional<LogFile> file);

    [[nodiscard]] RemoteWriter* writer() const { return writer_; }
    /// The writer is told everything from now on; null: it is gone, and the log stays incomplete for `reason`.
    void set_writer(RemoteWriter* writer, std::string reason = {});

    /// Its place among the open logs, which is its host's.
    void hold(Admission::Slot slot) { slot_ = std::move(slot); }
    [[nodiscard]] const std::string& host() const { return slot_.host(); }

    /// Throws: LogRefusal when the log takes no more, or more than `most_bytes`; SystemError; nothing is kept then.
    Took append(const LogPiece& piece, std::uint64_t most_bytes);

    /// The writer's totals. Returns: true when the log is complete already; otherwise a sweep completes it and the
    /// writer is told. Throws: LogRefusal when they are not what is here.
    bool close(const CloseLog& totals);

    /// This is all there is of it, for `reason`; a sweep notes that, and the writer is told that it is closed. Returns:
    /// whether it is complete already, so that the writer can be told at once.
    bool give_up(const GiveUpLog& last);

    /// Something is to be made durable or to be noted.
    [[nodiscard]] bool needs_sweep() const;
    /// The log is being closed or was given up: somebody waits for that to be durable.
    [[nodiscard]] bool is_ending() const { return ending_ != Ending::none or writer_ == nullptr; }
    /// Requires: needs_sweep(). `sync`: with the file's bytes, which a log that ends is in any case.
    [[nodiscard]] SyncJob begin_sweep(bool sync, std::uint64_t round = 0);
    /// The round of sweeps that had the log last.
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

    CatalogueEntry entry_;         ///< as it is in the catalogue
    std::optional<LogFile> file_;  ///< unless complete
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
