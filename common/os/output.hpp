// Where results go: standard output, or a file that gets its name only when it is complete.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/os/file_descriptor.hpp"

namespace groma {

/// A file under construction: `path` with ".part" appended, until keep(). Without keep() it is removed. A device, a
/// pipe, or a link to an open file (/dev/stdout) is not a file that can be replaced: it is written in place.
class PendingFile {
public:
    explicit PendingFile(std::filesystem::path path);
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;
    ~PendingFile();

    [[nodiscard]] bool in_place() const { return part_ == path_; }
    /// Where to write. Unless it is in place, the file does not exist yet (a leftover of an earlier attempt was
    /// removed).
    [[nodiscard]] const std::filesystem::path& part() const { return part_; }

    /// Makes what was written durable and gives it its name. Throws: SystemError.
    void keep();

private:
    std::filesystem::path path_;
    std::filesystem::path part_;
};

/// Results that are made piece by piece.
class OutputStream {
public:
    /// `target`: a file, or "-" for standard output. Throws: SystemError.
    explicit OutputStream(const std::string& target);

    /// Does nothing once the reader of standard output has gone. Throws: SystemError.
    void write(std::span<const std::byte> piece);

    /// False once the reader of standard output has gone: the rest is not needed.
    [[nodiscard]] bool wanted() const { return wanted_; }

    /// Gives the file its name; without it there is none. Throws: SystemError.
    void keep();

    /// Writes all of the result and keeps it. Throws: SystemError.
    void complete(std::string_view text);

private:
    std::string attempt_;
    std::optional<PendingFile> pending_;  ///< of a file
    FileDescriptor file_;
    bool wanted_ = true;
};

/// Writes `text` to the file `target`, or to standard output when it is "-".
/// Returns: false if the reader of standard output has gone (a broken pipe), which is not an error.
/// Throws: SystemError; then the file does not exist, or is still the old one.
[[nodiscard]] bool write_output(const std::string& target, std::string_view text);

}  // namespace groma
