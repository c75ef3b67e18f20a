// Logs that were begun and are opened again. A log's hash goes on from what was acknowledged, so that is read again
// before more is taken. It may be gigabytes: it is read in slices, in the background, by turns, while the writers wait.
// A log whose writer leaves meanwhile is read on, and kept for some minutes: the writer may come back. One thread, but
// for the slices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <optional>
#include <string>

#include "common/control/admission.hpp"
#include "common/time/instant.hpp"
#include "logserver/store/log_catalogue.hpp"
#include "logserver/store/log_file.hpp"
#include "logserver/store/stored_log.hpp"

namespace groma {

struct ReopenedLog {
    LogClaim claim;
    LogFile file;
    RemoteWriter* writer = nullptr;  ///< waits for it
    std::string error;               ///< why it cannot be read
    MonoTime wanted_at;              ///< by a writer
    Admission::Slot slot;            ///< the writer's
};

class ReopenedLogs {
public:
    /// Returns: the file if it has been read; nothing if that takes a while, and the writer waits for it from now on.
    /// One that waits for it already is told that it was taken over. The slot is taken while a writer waits. Throws:
    /// SystemError, RunError, LogRefusal.
    [[nodiscard]] std::optional<LogFile> open(const LogClaim& claim, const std::filesystem::path& file,
                                              std::uint64_t bytes, RemoteWriter& writer, MonoTime now,
                                              Admission::Slot& slot);
    /// The writer waits no more.
    void leave(const RemoteWriter& writer, MonoTime now) noexcept;

    /// Returns: what reads one slice of the log whose turn it is, in the background; nothing when there is nothing to
    /// read. Afterwards, and before the next slice, end_slice() is to be called.
    [[nodiscard]] std::function<void()> begin_slice();
    /// Returns: the log, if a writer waits for it and it has been read, or cannot be.
    [[nodiscard]] std::optional<ReopenedLog> end_slice();

    void drop_unwanted(MonoTime now);

    /// Those that a writer waits for.
    [[nodiscard]] std::size_t awaited() const;

private:
    using Place = std::list<ReopenedLog>::iterator;

    [[nodiscard]] bool is_in_slice(const ReopenedLog& log) const { return &log == in_slice_; }
    ReopenedLog take(Place log);

    std::list<ReopenedLog> logs_;  ///< in the order of their turns
    ReopenedLog* in_slice_ = nullptr;
};

}  // namespace groma
