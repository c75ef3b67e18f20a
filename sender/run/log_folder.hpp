// The folder of --logs, in which the logs of both sides of a run come together on the sender's host: its own is written
// there, and those of the receivers are fetched over their sessions when the run is over. Of a part of a run they are
// handed on to who leads it, and this host keeps none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/control/messages.hpp"
#include "sender/links/receiver_links.hpp"
#include "sender/report/run_report.hpp"
#include "sender/run/fetched_log.hpp"
#include "sender/run/send_run.hpp"

namespace groma {

/// Makes the folder if it is not there. Throws: SystemError.
void make_log_folder(const std::filesystem::path& folder);
/// Throws: UsageError if the folder has a log but those of these names, for groma-dec would take it for one of this
/// run; SystemError.
void refuse_other_logs(const std::filesystem::path& folder, const std::vector<std::string>& own = {});
/// Bytes that no log of this run exceeds, if the report is true; it is not believed beyond the packets that were asked
/// for.
[[nodiscard]] std::uint64_t longest_log(const SendReport& report);
/// Of the user, beyond the requests that there were. `around` outlives it.
[[nodiscard]] GiveUp one_more_stop(const RunSurroundings& around);
/// Why there is no log of the receiver here. `log`: what has come of it; null: nothing.
[[nodiscard]] std::string not_fetched(const ReceiverReport& receiver, const FetchedLog* log, const std::string& why);

/// Life: construct, await(), for_receiver() of each, fetch(). Thread: the run's.
class LogFolder {
public:
    /// `around` outlives it. Makes the folder if it is not there. Throws: SystemError.
    LogFolder(const SenderOptions& options, const RunSurroundings& around);

    /// Opens a file for each receiver's log. Requires: the sender's log is open.
    /// Throws: UsageError if the folder holds logs of another run; as open_named_file_sink().
    void await(const std::vector<ReceiverPlan>& plans);

    /// Adds to the request what makes the receiver offer its log, under a name of this sender in this run if it has
    /// none.
    void ask_for_log(Start& start, const RunMetadata& run, const std::vector<ReceiverPlan>& plans,
                     std::size_t which) const;

    /// Fetches the logs, over further connections where one breaks, until there is one more request to stop; has
    /// receivers remove those that only this run asked for, unless they are handed on: nobody says that they are kept
    /// there. The report then names the files here, or says why there are none.
    void fetch(ReceiverLinks& links, SendReport& report);

private:
    const RunSurroundings& around_;
    std::filesystem::path folder_;  ///< empty: they are handed on
    std::string name_;              ///< of the logs; with several receivers their addresses are added
    bool replaces_ = false;
    Nanos patience_;        ///< for a receiver whose connection broke
    bool removes_ = false;  ///< the receivers' own copies
    std::vector<FetchedLog> logs_;
};

}  // namespace groma
