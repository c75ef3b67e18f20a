#include "logserver/store/key_rooms.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;

constexpr std::uint64_t kMiB = 1U << 20U;

class KeyRoomsTest : public testing::Test {
protected:
    void admit(const std::string& key, std::string_view limits) {
        rooms_.admit({.name = key, .limits = limits.empty() ? Limits() : parse_limits(limits)});
    }
    /// As a piece that is written.
    bool take(const std::string& key, std::uint64_t bytes) {
        if (not rooms_.has_room(key, bytes)) {
            return false;
        }
        rooms_.add(key, bytes);
        there_[key] += bytes;
        return true;
    }

    BytesByOwner there_;
    int counts_ = 0;
    KeyRooms rooms_{[this] {
        ++counts_;
        return there_;
    }};
};

TEST_F(KeyRoomsTest, TakeUntilAKeyHasItsLimit) {
    there_ = {{"lab", 90}};
    admit("lab", "log-bytes=100");
    EXPECT_TRUE(take("lab", 10));
    EXPECT_THAT(rooms_.shortages(), IsEmpty());
    EXPECT_FALSE(take("lab", 1));
    EXPECT_THAT(rooms_.shortages().at("lab"),
                HasSubstr("the key 'lab' allows at most 100 B of logs (log-bytes=100), of "
                          "which 100 B are used: whoever keeps the folder of keys there"));
}

TEST_F(KeyRoomsTest, AFullKeyLeavesOthersTheirRoom) {
    admit("lab", "log-bytes=10");
    admit("other", "log-bytes=1MB");
    admit("free", "");
    EXPECT_FALSE(take("lab", 11));
    EXPECT_FALSE(take("lab", 1)) << "a piece that would fit waits for the one that did not";
    EXPECT_TRUE(take("other", 1'000'000));
    EXPECT_TRUE(take("free", 1'000'000));
    EXPECT_TRUE(take("", 1'000'000)) << "who needs no key has no limit";
    EXPECT_THAT(rooms_.shortages(), ElementsAre(Key("lab")));
}

TEST_F(KeyRoomsTest, AKeyWhoseRoomWasUsedUpBeforeIsFullAtOnce) {
    there_ = {{"lab", 100}};
    admit("lab", "log-bytes=100");
    EXPECT_THAT(rooms_.shortages(), ElementsAre(Key("lab")));
}

TEST_F(KeyRoomsTest, CountOnlyWhenAKeySeemsFull) {
    admit("lab", "log-bytes=100");
    admit("lab", "log-bytes=100");
    EXPECT_EQ(counts_, 1);
    EXPECT_TRUE(take("lab", 50));
    EXPECT_TRUE(take("lab", 50));
    rooms_.recount();
    EXPECT_EQ(counts_, 1);
    there_["lab"] = 40;  // some are pruned
    EXPECT_TRUE(take("lab", 60));
    EXPECT_EQ(counts_, 2);
    EXPECT_FALSE(take("lab", 1));
    EXPECT_FALSE(take("lab", 1));
    EXPECT_EQ(counts_, 3) << "once for the two";
}

TEST_F(KeyRoomsTest, GoOnWithRoomToSpareAndForWhatWasRefused) {
    there_ = {{"lab", 4 * kMiB}};
    admit("lab", "log-bytes=4MiB");
    there_["lab"] -= kMiB / 2 - 1;
    rooms_.recount();
    EXPECT_FALSE(take("lab", 1)) << "an eighth is to be free";
    there_["lab"] -= 1;
    rooms_.recount();
    EXPECT_FALSE(take("lab", kMiB));
    there_["lab"] = 3 * kMiB + 1;
    rooms_.recount();
    EXPECT_FALSE(take("lab", 1)) << "a byte of what was refused is missing";
    there_["lab"] = 3 * kMiB;
    rooms_.recount();
    EXPECT_TRUE(take("lab", kMiB));
}

TEST_F(KeyRoomsTest, TheLimitIsThatOfTheLastOpening) {
    there_ = {{"lab", 10}};
    admit("lab", "log-bytes=10");
    EXPECT_FALSE(take("lab", 1));
    admit("lab", "log-bytes=20");
    EXPECT_TRUE(take("lab", 1));
    admit("lab", "log-bytes=5");
    EXPECT_THAT(rooms_.shortages(), ElementsAre(Key("lab")));
    admit("lab", "");
    EXPECT_TRUE(take("lab", 1));
}

}  // namespace
}  // namespace groma
