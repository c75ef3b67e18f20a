// An SQLite file that a test fills like a program.
#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>
#include <string>

#include "common/os/temporary_folder.hpp"

namespace groma {

/// In a folder of its own, removed at the end.
class SampleFile {
public:
    explicit SampleFile(const std::string& name)
        : file_(folder_.file(name)), database_(file_.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE) {}

    [[nodiscard]] const std::filesystem::path& file() const { return file_; }
    [[nodiscard]] const std::filesystem::path& directory() const { return folder_.path(); }
    void exec(const std::string& statements) { database_.exec(statements); }

private:
    TemporaryFolder folder_;
    std::filesystem::path file_;
    SQLite::Database database_;
};

}  // namespace groma
