// The page of a log server's experiments (docs/guide/page.md): groma-log --web.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "common/page/page_thread.hpp"
#include "common/page/run_board.hpp"
#include "common/time/clock.hpp"
#include "logserver/page/experiment_files.hpp"
#include "logserver/page/experiment_watch.hpp"

namespace groma {

struct LogPageOptions {
    std::vector<SocketAddress> listen;
    WebAccess* access = nullptr;        ///< as PageOptions have it
    std::filesystem::path directory{};  ///< of the server, which has made its catalogue
    /// Takes a line for the operator. Thread: any.
    std::function<void(const std::string&)> say = [](const std::string&) {};
};

class LogPage {
public:
    /// Serves at once. The clock outlives it. Throws: SystemError.
    LogPage(const LogPageOptions& options, Clock& clock);

private:
    RunBoard board_;
    ExperimentFiles files_;
    PageThread page_;
    ExperimentWatch watch_;
};

}  // namespace groma
