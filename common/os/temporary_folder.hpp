// A temporary folder that is removed with the object.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace groma {

class TemporaryFolder {
public:
    /// Makes a new folder in $TMPDIR (/tmp without it); its name begins with `name`. Throws: SystemError;
    /// filesystem_error if $TMPDIR is not a folder.
    explicit TemporaryFolder(std::string_view name = "groma");
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    /// Removes the folder and its contents.
    ~TemporaryFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// The path of a file in it, as text.
    [[nodiscard]] std::string file(std::string_view name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

}  // namespace groma
