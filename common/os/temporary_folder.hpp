// A folder of its own for as long as the object lives.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace groma {

class TemporaryFolder {
public:
    /// Makes a folder that no other has, in $TMPDIR (/tmp without it); its name begins with `name`.
    /// Throws: SystemError, filesystem_error when $TMPDIR is no folder.
    explicit TemporaryFolder(std::string_view name = "groma");
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    /// Removes it with all that is in it.
    ~TemporaryFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// The path of a file in it, as text.
    [[nodiscard]] std::string file(std::string_view name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

}  // namespace groma
