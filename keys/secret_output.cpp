#include "keys/secret_output.hpp"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

namespace {

class WipedAtEnd {
public:
    explicit WipedAtEnd(std::string& text) : text_(text) {}
    WipedAtEnd(const WipedAtEnd&) = delete;
    WipedAtEnd& operator=(const WipedAtEnd&) = delete;
    ~WipedAtEnd() { ::explicit_bzero(text_.data(), text_.size()); }

private:
    std::string& text_;
};

void write_all(int fd, std::string_view text, const std::string& attempt = "write the key to standard output") {
    while (not text.empty()) {
        const ssize_t bytes = ::write(fd, text.data(), text.size());
        if (bytes < 0 and errno == EINTR) {
            continue;
        }
        text.remove_prefix(static_cast<std::size_t>(checked(attempt, bytes)));
    }
}

}  // namespace

void require_no_terminal(int fd, std::string_view instead) {
    if (::isatty(fd) == 1) {
        throw UsageError("a key does not belong on a screen: write it to a file (" + std::string(instead) + ")");
    }
}

void write_new_file(const std::filesystem::path& file, std::string_view text) {
    const std::string name = plain_text(file.string());
    const FileDescriptor fd(
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (not fd.valid() and errno == EEXIST) {
        throw UsageError(name +
                         " is there already: remove it (its token is good for nothing then), or take another "
                         "name");
    }
    checked("make the file " + name, fd.get());
    write_all(fd.get(), text, "write the file " + name);
    checked("write the file " + name, ::fsync(fd.get()));
}

void write_secret(int fd, std::string text) {
    const WipedAtEnd wiped(text);
    struct stat about {};
    checked("look at standard output", ::fstat(fd, &about));
    const bool is_file = S_ISREG(about.st_mode);
    if (is_file) {
        checked("make the file on standard output readable by its owner only", ::fchmod(fd, S_IRUSR | S_IWUSR),
                "nothing was written: write to a file of your own");
    }
    write_all(fd, text);
    if (is_file) {  // some file systems say only now that there is no room
        checked("write the key to standard output", ::fsync(fd));
    }
}

}  // namespace groma
