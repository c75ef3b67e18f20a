// Logs that are being opened. Their entries are on the disk before their files are made, and the disk may be slow: both
// are done in the background, many logs in one transaction. Hosts take turns, and a batch is bounded, so that nobody
// waits long for the logs of another. One thread, but for the batches.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "common/control/admission.hpp"
#include "common/time/instant.hpp"
#include "logserver/store/log_catalogue.hpp"
#include "logserver/store/log_file.hpp"
#include "logserver/store/stored_log.hpp"

namespace groma {

struct ClaimedLog {
    LogClaim claim;
    std::filesystem::path file;
    std::int64_t known_id = 0;        ///< of its entry; 0: it has none yet
    std::optional<LogFile> contents;  ///< what there was of it, read; afterwards its file, unless it is complete
    RemoteWriter* writer = nullptr;   ///< waits for it; null: has left
    Admission::Slot slot{};
    std::optional<CatalogueEntry> entry{};  ///< once it is claimed
    std::string error{};                    ///< why it cannot be opened
};

/// "there is a log ... of another writer ... already".
[[nodiscard]] std::string belongs_to_another(const LogClaim& claim);

class ClaimQueue {
public:
    static constexpr std::size_t kMostInBatch = 64;

    void add(ClaimedLog log) { logs_.push_back(std::move(log)); }
    /// Returns: null when no such log waits.
    [[nodiscard]] ClaimedLog* find(const std::string& experiment, const std::string& name);
    [[nodiscard]] bool has(std::int64_t id) const;
    /// The writer waits no more.
    void leave(const RemoteWriter& writer) noexcept;

    /// Returns: what claims the logs whose turn it is, in the background; nothing when none waits. Afterwards, and
    /// before the next batch, end_batch() is to be called, or abandon_batch() if it did not run.
    [[nodiscard]] std::function<void()> begin_batch(LogCatalogue& catalogue, WallTime now);
    [[nodiscard]] std::vector<ClaimedLog> end_batch();
    void abandon_batch() noexcept { batch_.clear(); }

    [[nodiscard]] std::size_t size() const { return logs_.size(); }

private:
    std::list<ClaimedLog> logs_;  ///< in the order in which they came
    std::vector<ClaimedLog*> batch_;
};

}  // namespace groma
