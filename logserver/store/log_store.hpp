// Where a log server keeps logs: a directory with a folder for each experiment, a file for each log, and a catalogue.
// Decides who may write what; knows nothing of sockets. One thread.
//
//   DIR/catalogue.sqlite   DIR/EXPERIMENT/NAME.glog   DIR/EXPERIMENT/NAME.glog.part (while it is not complete)
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/shipping/protocol/log_frames.hpp"
#include "common/time/clock.hpp"
#include "logserver/store/claim_queue.hpp"
#include "logserver/store/log_directory.hpp"
#include "logserver/store/overdue_updates.hpp"
#include "logserver/store/reopened_logs.hpp"
#include "logserver/store/stored_log.hpp"
#include "logserver/store/sweep_rounds.hpp"

namespace groma {

/// Who ships a log.
struct LogOrigin {
    std::string node;         ///< its host
    std::string owner{};      ///< the name of its key; empty: it has none
    bool any_owners = false;  ///< it may go on with what others have begun
};

class LogStore {
public:
    /// Makes the directory if need be and keeps other servers out of it; mends what a server left that died.
    /// Throws: SystemError, RunError.
    LogStore(std::filesystem::path directory, Clock& clock);

    /// Returns: the log, if it is open, from where it stands, with this writer (one that wrote it before is told);
    /// otherwise null: what there is of it is read again, and it is claimed, and then the writer is told that it is
    /// opened, or that it failed. The slot is the log's as long as that is open or awaited.
    /// Throws: LogRefusal (a bad name, or another writer's log), SystemError, RunError.
    [[nodiscard]] StoredLog* open(const OpenLog& request, const LogOrigin& origin, RemoteWriter& writer,
                                  Admission::Slot slot = {});

    /// The writer is gone. What it wrote is kept; unless it had closed the log, that is incomplete for `reason`.
    void leave(StoredLog& log, const std::string& reason);
    /// One that waits for its log is gone.
    void leave(const RemoteWriter& writer) noexcept;

    /// As ReopenedLogs::begin_slice().
    [[nodiscard]] std::function<void()> begin_slice() { return reopened_.begin_slice(); }
    void end_slice();

    /// As ClaimQueue::begin_batch().
    [[nodiscard]] std::function<void()> begin_claims() { return claims_.begin_batch(*catalogue_, clock_.wall_now()); }
    /// The writers are told.
    void end_claims();
    /// Forgets what was read again of logs whose writers did not come back.
    void drop_unwanted() { reopened_.drop_unwanted(clock_.now()); }

    /// Tells the catalogue what it could not be told when that came about.
    void note_what_is_due() noexcept;

    /// The log is known, so that opening it takes no room.
    [[nodiscard]] bool knows(const OpenLog& request) const;

    [[nodiscard]] bool needs_sweep() const;
    static constexpr std::size_t kMostInSweep = SweepRounds::kMostInSweep;
    /// As SweepRounds::begin(), of the logs that need it.
    [[nodiscard]] Sweep begin_sweep(bool sync_all);
    /// Logs that the last sweep had no room for: another one is due.
    [[nodiscard]] bool has_left_over() const { return rounds_.has_left_over(); }
    /// Writers are told. Returns: the first error that is not a single file's, or nothing.
    std::string end_sweep(const std::vector<SyncOutcome>& outcomes);
    /// The sweep or the claims that were begun do not run: what they were to do waits for others.
    void abandon_work();

    void for_each_writer(const std::function<void(RemoteWriter&, const StoredLog&)>& action) const;

    /// With those that writers wait for.
    [[nodiscard]] std::size_t open_logs() const { return logs_.size() + reopened_.awaited() + claims_.size(); }
    [[nodiscard]] std::uint64_t unswept_bytes() const;
    /// Of all logs, those included that are being written.
    [[nodiscard]] BytesByOwner bytes_by_owner() const;
    [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }
    [[nodiscard]] LogCatalogue& catalogue() { return *catalogue_; }

private:
    using Key = std::pair<std::string, std::string>;

    void mend();
    static void require_writer(const std::string& token, const std::string& owner, const LogClaim& claim);
    static void take_over(ClaimedLog& awaited, const LogClaim& claim, RemoteWriter& writer, Admission::Slot slot);
    void open_file(const LogClaim& claim, RemoteWriter& writer, Admission::Slot slot);
    void end_claim(ClaimedLog log);
    void drop_idle();
    void forget(const StoredLog& log, const std::string& why);
    void note_incomplete(const CatalogueEntry& entry, const std::string& why);

    std::filesystem::path directory_;
    Clock& clock_;
    FileDescriptor lock_;
    std::optional<LogCatalogue> catalogue_;
    std::map<Key, std::unique_ptr<StoredLog>> logs_;  ///< with a writer, or not swept since
    ReopenedLogs reopened_;
    ClaimQueue claims_;
    SweepRounds rounds_;
    OverdueUpdates overdue_;
};

}  // namespace groma
