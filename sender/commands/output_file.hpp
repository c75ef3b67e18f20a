// A results file that is never incomplete: written as FILE.part, renamed to FILE when complete.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "common/os/file_descriptor.hpp"

namespace groma {

/// Opened before a run, so that an unwritable file is found before the measurement.
class OutputFile {
public:
    /// Throws: SystemError. A file that is not regular (/dev/stdout, a pipe) is written directly.
    explicit OutputFile(std::filesystem::path file);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    /// Removes the ".part" file.
    ~OutputFile();

    /// Writes the text and renames the file. Call once. Throws: SystemError.
    void complete(std::string_view text);

private:
    std::filesystem::path file_;
    std::filesystem::path written_;  ///< FILE.part, or FILE itself
    FileDescriptor fd_;
};

}  // namespace groma
