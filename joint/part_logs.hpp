// The logs of a part of a run, as they come from the host that makes it into the folder of --logs here
// (docs/guide/agents.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "sender/daemon/daemon_messages.hpp"
#include "sender/options/sender_options.hpp"
#include "sender/report/run_report.hpp"
#include "sender/run/fetched_log.hpp"

namespace groma {

/// That host is untrusted: it gives logs the names that were asked for, in their folder, and no other. Thread: its
/// owner's.
class PartLogs {
public:
    PartLogs(std::filesystem::path folder, LogsForClient names)
        : folder_(std::move(folder)), names_(std::move(names)) {}

    /// `report`: the part's. Throws: RunError for what no such run has. A log that cannot be written is noted.
    void take(const RunLogSection& log, const SendReport& report);
    void take(const RunLogLost& lost, const SendReport& report);

    /// The logs that are whole get their names. This waits for the disk: no connection may be waiting meanwhile.
    /// `began`: the run did, so that there is a log somewhere. A file that is empty says so here.
    void finish(bool began);

    /// Names the files in the report, or says why they are not whole: `why`, where that host did not say. Requires:
    /// finish(), and the sender's log is the last of the report's remote_logs.
    void note(SendReport& report, const std::string& why) const;

private:
    struct OneLog {
        std::optional<FetchedLog> file{};
        std::string error{};
        bool is_lost = false;  ///< the error is what that host said, which names the place of the log
        bool whole = false;
    };

    OneLog& one(std::uint32_t number, const SendReport& report);
    void require_name(const RunLogSection& log) const;

    std::filesystem::path folder_;
    LogsForClient names_;
    std::map<std::uint32_t, OneLog> logs_;  ///< by RunLogSection::log
};

}  // namespace groma
