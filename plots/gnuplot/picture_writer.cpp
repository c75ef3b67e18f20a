#include "plots/gnuplot/picture_writer.hpp"

#include <unistd.h>

#include <cerrno>
#include <ostream>
#include <string_view>
#include <system_error>
#include <utility>

#include "common/base/errors.hpp"
#include "common/os/child_process.hpp"
#include "plots/gnuplot/dodge.hpp"
#include "plots/gnuplot/reduction.hpp"

namespace groma {

namespace {

ChildResult run_gnuplot(const std::string& script) {
    try {
        return run_child({"gnuplot", "-d"}, script);
    } catch (const SystemError& error) {
        if (error.errno_value() != ENOENT) {
            throw;
        }
        throw RunError(
            "gnuplot is not installed: it draws the pictures (Debian and Ubuntu: apt-get install gnuplot-nox)");
    }
}

/// Stems may hold words of files, such as names of keys: they stay in the directory.
std::string file_name(std::string stem) {
    for (char& byte : stem) {
        const bool plain = (byte >= 'a' and byte <= 'z') or (byte >= 'A' and byte <= 'Z') or
                           (byte >= '0' and byte <= '9') or byte == '-' or byte == '_' or byte == '.';
        byte = plain ? byte : '_';
    }
    return stem;
}

/// Removes a file that did not get its name.
class Draft {
public:
    explicit Draft(std::filesystem::path file) : file_(std::move(file)) {}
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    ~Draft() {
        std::error_code ignored;
        std::filesystem::remove(file_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& file() const { return file_; }

private:
    std::filesystem::path file_;
};

/// Returns: the picture's path.
std::filesystem::path draw(const Picture& picture, PictureFormat format, const std::filesystem::path& directory,
                           std::string_view style) {
    const std::string name = file_name(picture.stem) + "." + std::string(extension(format));
    const Draft draft(directory / ("." + name + "." + std::to_string(::getpid()) + ".part"));
    const ChildResult result = run_gnuplot(gnuplot_script(reduced(dodged(picture)), format, draft.file(), style));
    std::error_code error;
    const auto size = std::filesystem::file_size(draft.file(), error);
    if (result.status != 0 or error or size == 0) {
        throw RunError("gnuplot could not draw " + (directory / name).string() + " (exit status " +
                       std::to_string(result.status) + "):\n" + result.output);
    }
    std::filesystem::rename(draft.file(), directory / name, error);
    if (error) {
        throw SystemError("write " + (directory / name).string(), error.value());
    }
    return directory / name;
}

}  // namespace

PictureWriter::PictureWriter(std::filesystem::path directory, std::vector<PictureFormat> formats, std::string style,
                             std::ostream& out)
    : directory_(std::move(directory)), formats_(std::move(formats)), style_(std::move(style)), out_(out) {
    std::error_code error;
    std::filesystem::create_directories(directory_, error);
    if (error) {
        throw SystemError("make the directory " + directory_.string(), error.value());
    }
    if (::access(directory_.c_str(), W_OK | X_OK) != 0) {
        throw SystemError("write pictures into the directory " + directory_.string(), errno);
    }
}

void PictureWriter::write(const Picture& picture) {
    for (const PictureFormat format : formats_) {
        out_ << draw(picture, format, directory_, style_).string() << '\n' << std::flush;
    }
}

}  // namespace groma
