#include "common/log/log_bytes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

class FileBytesOf : public testing::Test {
protected:
    void write(std::size_t size) {
        std::string text(size, '\0');
        for (std::size_t i = 0; i < size; ++i) {
            text[i] = static_cast<char>(i % 251);
        }
        std::ofstream(path_, std::ios::binary) << text;
    }

    const TemporaryFolder folder_;
    const std::filesystem::path path_ = folder_.path() / "bytes.glog";
};

TEST_F(FileBytesOf, ALongFileNeedsMemoryForAWindowOnly) {
    write(5'000'000);
    FileBytes bytes(path_);
    std::size_t widest = 0;
    std::uint64_t wrong = 0;
    for (auto window = bytes.peek(1000); not window.empty(); window = bytes.peek(1000)) {
        widest = std::max(widest, window.size());
        wrong += window.front() == static_cast<std::byte>(bytes.offset() % 251) ? 0 : 1;
        bytes.skip(std::min<std::size_t>(window.size(), 999));
    }
    EXPECT_EQ(bytes.offset(), 5'000'000U);
    EXPECT_EQ(wrong, 0U);
    EXPECT_LE(widest, 1'000'000U);
}

TEST_F(FileBytesOf, AWindowWiderThanTheFileIsTheFile) {
    write(700'000);
    FileBytes bytes(path_);
    EXPECT_EQ(bytes.peek(64'000'000).size(), 700'000U);
    bytes.skip(700'000);
    EXPECT_TRUE(bytes.peek(1).empty());
}

TEST_F(FileBytesOf, AFolderCannotBeRead) {
    FileBytes bytes(folder_.path());
    EXPECT_THROW(static_cast<void>(bytes.peek(1)), SystemError);
}

}  // namespace
}  // namespace groma
