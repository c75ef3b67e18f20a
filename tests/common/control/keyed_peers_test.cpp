#include "common/control/keyed_peers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace groma {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Token kKept{std::byte{1}};
constexpr Token kLost{std::byte{2}};

bool is_kept(const Token& key) {
    return key == kKept;
}

class KeyedPeersTest : public ::testing::Test {
protected:
    void add(const Token& key, const std::string& name, const std::shared_ptr<int>& alive) {
        peers_.add({.key = key, .caller = name, .alive = alive, .end = [this, name] { ended_.push_back(name); }});
    }

    KeyedPeers peers_;
    std::vector<std::string> ended_;
    std::shared_ptr<int> alive_ = std::make_shared<int>(0);
};

TEST_F(KeyedPeersTest, ThoseOfALostKeyEndOnce) {
    add(kKept, "kept", alive_);
    add(kLost, "first", alive_);
    add(kLost, "second", alive_);
    EXPECT_EQ(peers_.end_without(is_kept).size(), 2U);
    EXPECT_THAT(ended_, ElementsAre("first", "second"));
    EXPECT_THAT(peers_.end_without(is_kept), IsEmpty());
    EXPECT_EQ(peers_.end_without([](const Token&) { return false; }).front().caller, "kept");
}

TEST_F(KeyedPeersTest, WhoHasGoneIsNotEnded) {
    auto gone = std::make_shared<int>(0);
    add(kLost, "gone", gone);
    gone.reset();
    EXPECT_THAT(peers_.end_without(is_kept), IsEmpty());
    EXPECT_THAT(ended_, IsEmpty());
}

}  // namespace

}  // namespace groma
