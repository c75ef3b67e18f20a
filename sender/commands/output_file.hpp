// A file of results that never looks whole when it is not: written as FILE.part, named FILE when it is complete.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "common/os/file_descriptor.hpp"

namespace groma {

/// Made before a run, so that a file that cannot be written does not cost a measurement.
class OutputFile {
public:
    /// Throws: SystemError. What is no regular file (/dev/stdout, a pipe) is written as it is.
    explicit OutputFile(std::filesystem::path file);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    /// Leaves no ".part" behind.
    ~OutputFile();

    /// Writes all of it and gives the file its name. Call it once. Throws: SystemError.
    void complete(std::string_view text);

private:
    std::filesystem::path file_;
    std::filesystem::path written_;  ///< FILE.part, or FILE itself
    FileDescriptor fd_;
};

}  // namespace groma
