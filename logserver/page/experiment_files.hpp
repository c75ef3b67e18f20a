// What a page offers of an experiment for download: its logs, and what was made of them.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "common/http/http_routes.hpp"
#include "common/page/run_board.hpp"

namespace groma {

/// Thread: any.
class ExperimentFiles {
public:
    /// For HttpRoutes::add_below().
    static constexpr std::string_view kPath = "/files/";

    /// `file`: a log that is being written is there under its name with .part after it. `name`: for people, and to save
    /// it. Returns: how a board has it.
    [[nodiscard]] BoardFile add(RunNumber run, const std::filesystem::path& file, const std::string& name);

    /// In pieces, as it is now.
    [[nodiscard]] HttpResponse answer(const HttpRequest& request) const;

private:
    struct File {
        std::filesystem::path path;
        std::string name;
    };

    mutable std::mutex mutex_;
    std::map<std::string, File> files_;      ///< by their paths in URLs
    std::map<RunNumber, std::size_t> last_;  ///< the number of each run's last one
};

}  // namespace groma
