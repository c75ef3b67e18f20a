#include "common/log/file_sink.hpp"

#include <fcntl.h>
#include <strings.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

namespace {

namespace fs = std::filesystem;

std::string advice_for(int errno_value, const std::string& kept) {
    switch (errno_value) {
        case ENOSPC:
        case EDQUOT:
            return "make room or log to another disk; what was written before is in " + kept;
        case EFBIG:
            return "raise the limit on file sizes (ulimit -f); what was written before is in " + kept;
        default:
            return "what was written before is in " + kept;
    }
}

class FileSink : public LogSink {
public:
    FileSink(std::string name, std::string written, FileDescriptor fd)
        : name_(std::move(name)), written_(std::move(written)), fd_(std::move(fd)) {}

    void append(std::span<const std::byte> piece) override {
        if (failed_with_ != 0) {
            throw SystemError("write " + name_, failed_with_, "an earlier write failed");
        }
        while (not piece.empty()) {
            const ssize_t done = ::write(fd_.get(), piece.data(), piece.size());
            if (done < 0 and errno != EINTR) {
                fail("write ");
            }
            piece = piece.subspan(done > 0 ? static_cast<std::size_t>(done) : 0);
        }
    }

    void close() override {
        require_sound();
        fd_.reset();
    }

    [[nodiscard]] std::string describe() const override { return name_; }

protected:
    [[nodiscard]] const FileDescriptor& fd() const { return fd_; }
    [[nodiscard]] const std::string& written() const { return written_; }

    void require_sound() const {
        if (failed_with_ != 0) {
            throw SystemError("complete " + name_, failed_with_, "an earlier write failed");
        }
    }

    [[noreturn]] void fail(const std::string& attempt) {
        failed_with_ = errno;
        throw SystemError(attempt + name_, failed_with_, advice_for(failed_with_, written_));
    }

private:
    std::string name_;
    std::string written_;  ///< where the bytes are until close()
    FileDescriptor fd_;
    int failed_with_ = 0;
};

/// A file that gets its own name when it is complete and on disk.
class NamedFileSink final : public FileSink {
public:
    /// `part`: the file to write; `fd`: its descriptor.
    NamedFileSink(const fs::path& file, const fs::path& part, FileDescriptor fd, EarlierLog earlier)
        : FileSink(file.string(), part.string(), std::move(fd)), file_(file), earlier_(earlier) {}
    NamedFileSink(const NamedFileSink&) = delete;
    NamedFileSink& operator=(const NamedFileSink&) = delete;

    ~NamedFileSink() override {
        if (is_empty_file(fd())) {
            NamedFileSink::abandon();
        }
    }

    void abandon() noexcept override {
        if (is_name_of_file(written(), fd())) {
            ::unlink(written().c_str());
        }
    }

    void close() override {
        require_sound();
        if (::fsync(fd().get()) != 0) {
            fail("keep on the disk ");
        }
        if (not is_name_of_file(written(), fd())) {
            throw RunError("cannot complete " + file_.string() + ": " + written() +
                           " was removed or replaced while it was written");
        }
        take_name();  // while the part is locked
        FileSink::close();
        sync_folder();
    }

private:
    void take_name() {
        const char* const part = written().c_str();
        bool taken = false;
        try {
            taken = replaceable_log(file_, O_RDONLY, earlier_).valid();
        } catch (const std::runtime_error& error) {
            throw RunError(std::string(error.what()) + "; this run's log is " + written());
        }
        int done = ::renameat2(AT_FDCWD, part, AT_FDCWD, file_.c_str(), taken ? 0 : RENAME_NOREPLACE);
        if (done != 0 and errno == EINVAL) {  // the file system does not support this rename
            done = ::rename(part, file_.c_str());
        }
        if (done != 0) {
            fail("complete ");
        }
    }

    /// The folder stores the new name.
    void sync_folder() {
        const fs::path folder = file_.has_parent_path() ? file_.parent_path() : fs::path(".");
        const FileDescriptor fd(
            checked("open " + folder.string(), ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
        if (::fsync(fd.get()) != 0 and errno != EINVAL) {  // EINVAL: not needed on this file system
            fail("keep on the disk the name of ");
        }
    }

    fs::path file_;
    EarlierLog earlier_;
};

/// Ignores case, as some file systems do.
bool ends_as_part(const std::string& name) {
    const std::string end = part_of_log("");
    return name.size() >= end.size() and ::strcasecmp(name.c_str() + name.size() - end.size(), end.c_str()) == 0;
}

/// A target that takes bytes but has no name to give: a device, a FIFO, standard output.
bool takes_no_name(const fs::path& file) {
    std::error_code unknown;
    const auto kind = fs::status(file, unknown).type();
    return kind == fs::file_type::character or kind == fs::file_type::fifo or kind == fs::file_type::socket;
}

}  // namespace

std::unique_ptr<LogSink> open_named_file_sink(const fs::path& file, EarlierLog earlier) {
    if (ends_as_part(file.string())) {
        throw UsageError("cannot write the log " + file.string() + ": names that end in " + part_of_log("") +
                         " are those of logs that are not complete; give another name");
    }
    const auto require_name = [&] { static_cast<void>(replaceable_log(file, O_RDONLY, earlier)); };
    const fs::path part = part_of_log(file.string());
    require_name();
    auto sink = std::make_unique<NamedFileSink>(file, part, make_log_part(part, earlier), earlier);
    require_name();  // a run that was writing it may have ended before make_log_part()
    return sink;
}

std::unique_ptr<LogSink> open_discarded_file_sink(const fs::path& file) {
    return open_unnamed_file_sink(file, "no file, as it was not to be kept").sink;
}

UnnamedLog open_unnamed_file_sink(const fs::path& file, std::string kept) {
    std::string name = file.string() + ".XXXXXX";
    FileDescriptor fd(checked("write the log " + file.string(), ::mkostemp(name.data(), O_CLOEXEC)));
    checked("write the log " + name, ::unlink(name.c_str()));
    FileDescriptor to_read(checked("read the log " + name, ::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0)));
    return {.sink = std::make_unique<FileSink>(file.string(), std::move(kept), std::move(fd)),
            .file = std::move(to_read)};
}

std::unique_ptr<LogSink> open_file_sink(const fs::path& file, EarlierLog earlier) {
    if (file == "-") {
        FileDescriptor fd(checked("write to standard output", ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)));
        return std::make_unique<FileSink>("standard output", "standard output", std::move(fd));
    }
    if (takes_no_name(file)) {
        FileDescriptor fd(checked("write the log " + file.string(), ::open(file.c_str(), O_WRONLY | O_CLOEXEC)));
        return std::make_unique<FileSink>(file.string(), file.string(), std::move(fd));
    }
    return open_named_file_sink(file, earlier);
}

}  // namespace groma
