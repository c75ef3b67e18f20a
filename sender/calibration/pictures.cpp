#include "sender/calibration/pictures.hpp"

#include <algorithm>
#include <system_error>

#include "common/base/errors.hpp"
#include "common/os/child_process.hpp"

namespace groma {

namespace {

constexpr const char* kPlotter = "groma-plot";

std::string plotter() {
    std::error_code error;
    const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::filesystem::path beside = own.parent_path() / kPlotter;
    return not error and std::filesystem::exists(beside, error) ? beside.string() : kPlotter;
}

std::string later(const std::string& why, const std::filesystem::path& database) {
    const std::string folder = database.parent_path().string();
    return "no pictures: " + why + "; draw them later with groma-plot " + database.string() + " -o " +
           (folder.empty() ? "." : folder);
}

std::string last_line(std::string text) {
    while (not text.empty() and text.back() == '\n') {
        text.pop_back();
    }
    return text.substr(text.find_last_of('\n') + 1);
}

}  // namespace

std::string draw_calibration(const std::filesystem::path& database) {
    const std::filesystem::path folder = database.has_parent_path() ? database.parent_path() : ".";
    try {
        const ChildResult result =
            run_child({plotter(), database.string(), "-o", folder.string(), "--format", "svg,png"}, "");
        if (result.status != 0) {
            return later(last_line(result.output), database);
        }
    } catch (const SystemError& error) {
        return later(error.what(), database);
    }
    return "the pictures are in " + folder.string();
}

}  // namespace groma
