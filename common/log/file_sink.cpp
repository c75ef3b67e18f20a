#include "common/log/file_sink.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
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

/// Something that takes bytes but no name: a device, a FIFO, standard output.
bool takes_no_name(const fs::path& file) {
    std::error_code unknown;
    const auto kind = fs::status(file, unknown).type();
    return kind == fs::file_type::character or kind == fs::file_type::fifo or kind == fs::file_type::socket;
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
        if (failed_with_ != 0) {
            throw SystemError("complete " + name_, failed_with_, "an earlier write failed");
        }
        fd_.reset();
    }

    [[nodiscard]] std::string describe() const override { return name_; }

protected:
    [[nodiscard]] int fd() const { return fd_.get(); }
    [[nodiscard]] const std::string& written() const { return written_; }

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

/// A file with a name of its own, which it gets when it is whole and on the disk.
class NamedFileSink final : public FileSink {
public:
    NamedFileSink(const fs::path& file, const fs::path& part, FileDescriptor fd)
        : FileSink(file.string(), part.string(), std::move(fd)), file_(file) {}

    void close() override {
        if (fd() >= 0 and ::fsync(fd()) != 0) {
            fail("keep on the disk ");
        }
        FileSink::close();
        if (::rename(written().c_str(), file_.c_str()) != 0) {
            fail("complete ");
        }
        sync_folder();
    }

private:
    /// The new name is kept by the folder.
    void sync_folder() {
        const fs::path folder = file_.has_parent_path() ? file_.parent_path() : fs::path(".");
        const FileDescriptor fd(
            checked("open " + folder.string(), ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
        if (::fsync(fd.get()) != 0 and errno != EINVAL) {  // EINVAL: this file system has nothing to do for it
            fail("keep on the disk the name of ");
        }
    }

    fs::path file_;
};

std::unique_ptr<LogSink> open_named_file(const fs::path& file) {
    const fs::path part = part_of_log(file.string());
    std::error_code unknown;
    if (fs::is_directory(file, unknown)) {
        throw SystemError("write the log " + file.string(), EISDIR);
    }
    FileDescriptor fd(
        checked("write the log " + part.string(), ::open(part.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666)));
    checked("write the log " + part.string(), ::flock(fd.get(), LOCK_EX | LOCK_NB),
            "another program is writing it; give this run another log");
    checked("write the log " + part.string(), ::ftruncate(fd.get(), 0));
    return std::make_unique<NamedFileSink>(file, part, std::move(fd));
}

}  // namespace

std::unique_ptr<LogSink> open_file_sink(const fs::path& file) {
    if (file == "-") {
        FileDescriptor fd(checked("write to standard output", ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)));
        return std::make_unique<FileSink>("standard output", "standard output", std::move(fd));
    }
    if (takes_no_name(file)) {
        FileDescriptor fd(checked("write the log " + file.string(), ::open(file.c_str(), O_WRONLY | O_CLOEXEC)));
        return std::make_unique<FileSink>(file.string(), file.string(), std::move(fd));
    }
    return open_named_file(file);
}

}  // namespace groma
