#include "sender/commands/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "common/os/checked.hpp"

namespace groma {

namespace {

constexpr mode_t kEverybodyReads = 0644;

bool is_special(const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::exists(file, ignored) and not std::filesystem::is_regular_file(file, ignored);
}

std::filesystem::path part_of(const std::filesystem::path& file) {
    std::filesystem::path part = file;
    part += ".part";
    return part;
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path file)
    : file_(std::move(file)),
      written_(is_special(file_) ? file_ : part_of(file_)),
      fd_(checked("write " + file_.string(),
                  ::open(written_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kEverybodyReads),
                  "does its folder exist, and may you write there?")) {}

OutputFile::~OutputFile() {
    if (written_ != file_) {
        std::error_code ignored;
        std::filesystem::remove(written_, ignored);
    }
}

void OutputFile::complete(std::string_view text) {
    const std::string attempt = "write " + file_.string();
    while (not text.empty()) {
        const ssize_t done = ::write(fd_.get(), text.data(), text.size());
        if (done < 0 and errno == EINTR) {
            continue;
        }
        text.remove_prefix(static_cast<std::size_t>(checked(attempt, done)));
    }
    if (written_ != file_) {
        checked(attempt, ::rename(written_.c_str(), file_.c_str()));
    }
}

}  // namespace groma
