// Files beside those with which a program of ours works.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "common/base/errors.hpp"

namespace groma {

/// Makes the necessary folders.
inline void write_file(const std::filesystem::path& file, std::string_view content) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
}

/// At the beginning the only files of a folder; the program must not change them.
class Neighbours {
public:
    Neighbours(std::filesystem::path top, std::span<const std::string_view> names)
        : top_(std::move(top)), names_(names) {
        for (const auto& entry : std::filesystem::directory_iterator(top_)) {
            std::filesystem::remove_all(entry.path());
        }
        for (const std::string_view name : names_) {
            write_file(top_ / name, kContent);
        }
    }

    void expect_unchanged() const {
        for (const std::string_view name : names_) {
            std::ifstream in(top_ / name, std::ios::binary);
            check(std::string(std::istreambuf_iterator<char>(in), {}) == kContent,
                  "a file of somebody else is as it was");
        }
    }

private:
    static constexpr std::string_view kContent = "mine";

    std::filesystem::path top_;
    std::span<const std::string_view> names_;
};

}  // namespace groma
