// Where results go: standard output, or a file that gets its name only when it is whole.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/os/file_descriptor.hpp"

namespace groma {

/// A file under construction: `path` with ".part" behind it, until keep(). Without keep() it is removed.
class PendingFile {
public:
    explicit PendingFile(std::filesystem::path path);
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;
    ~PendingFile();

    /// Where to write. Nothing is there yet (a leftover of an earlier attempt was removed).
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

    /// Does nothing once whoever reads standard output went away. Throws: SystemError.
    void write(std::span<const std::byte> piece);

    /// False once whoever reads standard output went away: nobody needs the rest.
    [[nodiscard]] bool wanted() const { return wanted_; }

    /// Gives the file its name; without it there is none. Throws: SystemError.
    void keep();

private:
    std::string attempt_;
    std::optional<PendingFile> pending_;  ///< of a file
    FileDescriptor file_;
    bool wanted_ = true;
};

/// Writes `text` to the file `target`, or to standard output when it is "-".
/// Returns: false when whoever reads standard output went away (a broken pipe), which is nobody's error.
/// Throws: SystemError; the file is then not there (or still the old one).
[[nodiscard]] bool write_output(const std::string& target, std::string_view text);

}  // namespace groma
