#include "logserver/store/kept_room.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "common/os/temporary_folder.hpp"
#include "tests/files.hpp"
#include "tests/logserver/full_files.hpp"

namespace groma {
namespace {

class KeptRoomTest : public testing::Test {
protected:
    static constexpr std::uint64_t kBytes = 4096;

    void write(const std::string& text) const { std::ofstream(file_) << text; }

    TemporaryFolder folder_;
    std::filesystem::path file_ = folder_.path() / "room";
    KeptRoom room_{file_, kBytes};
};

TEST_F(KeptRoomTest, IsTakenAsSoonAsThatMuchIsFree) {
    EXPECT_EQ(room_.keep(kBytes - 1), kBytes) << "others may not use what is free either";
    EXPECT_FALSE(std::filesystem::exists(file_));
    EXPECT_EQ(room_.keep(kBytes), kBytes);
    EXPECT_EQ(std::filesystem::file_size(file_), kBytes);
    EXPECT_EQ(room_.keep(0), 0U) << "it is there already";
}

TEST_F(KeptRoomTest, IsFreeWhenItIsGivenUpAndWantedAgain) {
    (void)room_.keep(kBytes);
    room_.give_up();
    EXPECT_FALSE(std::filesystem::exists(file_));
    EXPECT_EQ(room_.keep(0), kBytes);
}

TEST_F(KeptRoomTest, IsNotThereWhenItsFileIsShorter) {
    write(std::string(kBytes - 1, 'x'));
    EXPECT_EQ(room_.keep(kBytes), kBytes);
    EXPECT_EQ(std::filesystem::file_size(file_), kBytes);
}

TEST_F(KeptRoomTest, LeavesNoPartOfItWhereTheFileSystemIsFull) {
    const FullFiles full(kBytes - 1);
    EXPECT_EQ(room_.keep(kBytes), kBytes);
    EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(KeptRoomTest, WritesToNoFileThatALinkNames) {
    const std::filesystem::path other = folder_.path() / "other";
    std::ofstream(other) << "abc";
    std::filesystem::create_symlink(other, file_);
    (void)room_.keep(kBytes);
    EXPECT_EQ(content_of(other), "abc");
}

}  // namespace
}  // namespace groma
