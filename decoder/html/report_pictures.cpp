#include "decoder/html/report_pictures.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "common/base/errors.hpp"
#include "common/os/child_process.hpp"
#include "common/os/own_program.hpp"
#include "common/os/temporary_folder.hpp"
#include "decoder/files/sqlite_report.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostPictureBytes = 4U << 20U;
// The order is that of the report. Not all that groma-plot can draw: what says the same in another way is left out.
constexpr const char* kKinds =
    "throughput,packet-rate,sent-rate,delay,jitter,loss,delay-loss,loss-periods,loss-free-runs,reordering-extent,"
    "n-reordering,rtt,connection-rtt,cwnd,retransmissions,"
    "gap-cdf,gap-qq,lateness-ccdf,delay-cdf,delay-ccdf,rtt-cdf";

std::string content_of(const std::filesystem::path& file) {
    std::error_code error;
    const auto size = std::filesystem::file_size(file, error);
    if (error or size > kMostPictureBytes) {
        return {};
    }
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// "run2-delay" is the delay of the second of several runs.
ReportPicture picture_of(const std::filesystem::path& file) {
    ReportPicture picture{0, file.stem().string(), content_of(file)};
    if (picture.stem.starts_with("run")) {
        const std::size_t dash = picture.stem.find('-');
        std::istringstream number(picture.stem.substr(3, dash - 3));
        std::size_t run = 0;
        if (dash != std::string::npos and number >> run and run > 0) {
            picture.run = run - 1;
            picture.stem.erase(0, dash + 1);
        }
    }
    return picture;
}

/// What the program printed are the paths of the pictures, and notes on what is not drawn.
std::vector<ReportPicture> pictures_in(const std::string& output, const std::filesystem::path& folder) {
    std::vector<ReportPicture> pictures;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        const std::filesystem::path file(line);
        if (file.parent_path() == folder and file.extension() == ".svg") {
            pictures.push_back(picture_of(file));
        }
    }
    std::erase_if(pictures, [](const ReportPicture& picture) { return picture.svg.empty(); });
    return pictures;
}

}  // namespace

DrawnPictures draw_pictures(const Results& results) {
    try {
        const TemporaryFolder scratch("groma-report");
        const auto file = scratch.path() / "results.sqlite";
        const auto folder = scratch.path() / "pictures";
        write_sqlite_report(results, file);
        const std::string program = own_program("groma-plot");
        const ChildResult result =
            run_child({program, file.string(), "-o", folder.string(), "--only", kKinds}, std::string_view());
        DrawnPictures drawn{pictures_in(result.output, folder), {}};
        if (result.status != 0) {
            std::string said = result.output;
            std::ranges::replace(said, '\n', ' ');
            drawn.error = "groma-plot could not draw them: " + said.substr(0, 500);
        }
        return drawn;
    } catch (const SystemError& error) {
        const bool missing = error.errno_value() == ENOENT;
        return {{}, missing ? "there is no groma-plot beside groma-dec or in PATH" : std::string(error.what())};
    } catch (const std::exception& error) {
        return {{}, error.what()};
    }
}

}  // namespace groma
