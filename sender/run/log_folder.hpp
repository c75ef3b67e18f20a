// The folder of --logs, in which the logs of both sides of a run come together on the sender's host: its own is written
// there, and those of the receivers are fetched over their sessions when the run is over.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "common/control/messages.hpp"
#include "sender/links/receiver_links.hpp"
#include "sender/report/run_report.hpp"
#include "sender/run/fetched_log.hpp"
#include "sender/run/send_run.hpp"

namespace groma {

/// Life: construct, await(), for_receiver() of each, fetch(). Thread: the run's.
class LogFolder {
public:
    /// Makes the folder if it is not there. Throws: SystemError.
    explicit LogFolder(const SenderOptions& options);

    /// Opens a file for each receiver's log. Requires: the sender's log is open.
    /// Throws: UsageError if the folder holds logs of another run; as open_named_file_sink().
    void await(const std::vector<ReceiverPlan>& plans);

    /// Adds to the request what makes the receiver offer its log, under a name of this run if it has none.
    static void ask_for_log(Start& start, const RunMetadata& run, const std::vector<ReceiverPlan>& plans,
                            std::size_t which);

    /// Fetches the logs, over further connections where one breaks, until `around` has one more request to stop; has
    /// receivers remove those that only this run asked for. The report then names the files here, or says why there are
    /// none.
    void fetch(ReceiverLinks& links, SendReport& report, const RunSurroundings& around);

private:
    std::filesystem::path folder_;
    bool replaces_ = false;
    Nanos patience_;        ///< for a receiver whose connection broke
    bool removes_ = false;  ///< the receivers' own copies
    std::vector<FetchedLog> logs_;
};

}  // namespace groma
