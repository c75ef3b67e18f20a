#include "common/cli/experiment_file.hpp"

#include <cerrno>
#include <fstream>
#include <string_view>
#include <system_error>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/text/experiment_text.hpp"

namespace groma {

namespace {

[[noreturn]] void cannot_read(const std::string& what, int reason, const std::string& advice = {}) {
    throw SystemError("read " + what, reason != 0 ? reason : EIO, advice);
}

std::ifstream opened(const std::filesystem::path& file, const std::string& what, const std::string& advice = {}) {
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) {
        cannot_read(what, EISDIR, advice);
    }
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    if (not in) {
        cannot_read(what, errno, advice);
    }
    return in;
}

void read_lines(const std::string& path, std::size_t longest, const NamedFiles::TakeLine& take) {
    std::ifstream in =
        opened(path, "the values in " + plain_text(path), "'file:PATH' names a text file with one value a line");
    std::string line;
    char c = 0;
    while (in.get(c)) {
        if (c != '\n') {
            line += c;
        }
        if (c == '\n' or line.size() > longest) {
            take(line);
            line.clear();
        }
    }
    if (not line.empty()) {
        take(line);
    }
}

}  // namespace

NamedFiles named_files_in(const std::filesystem::path& folder) {
    return {.folder = folder.string(), .read_lines = read_lines};
}

std::string read_experiment_file(const std::filesystem::path& file) {
    const std::string what = "the experiment " + plain_text(file.string());
    std::ifstream in = opened(file, what);
    std::string text(kMaxExperimentBytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (in.bad()) {
        cannot_read(what, errno);
    }
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
}

Experiment load_experiment(const std::filesystem::path& file, std::uint64_t seed_if_none,
                           std::optional<std::uint64_t> seed) {
    return parse_experiment(read_experiment_file(file), file.string(), named_files_in(file.parent_path()), seed_if_none,
                            seed);
}

}  // namespace groma
