// Checks of files that a test has made.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace groma {

inline std::string content_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    EXPECT_TRUE(stream) << file;
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The number of files, including folders.
inline std::ptrdiff_t files_in(const std::filesystem::path& folder) {
    return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}

/// The file holds `text`. It is written first if GROMA_WRITE_DOCS is set.
inline void expect_written(const std::string& file, const std::string& text) {
    if (std::getenv("GROMA_WRITE_DOCS") != nullptr) {
        std::ofstream(file) << text;
    }
    EXPECT_EQ(content_of(file), text) << "run this test with GROMA_WRITE_DOCS=1: it writes " << file;
}

}  // namespace groma
