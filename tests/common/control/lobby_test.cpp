#include "common/control/lobby.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace groma {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Held {
    Held(Lobby& lobby, const std::string& host, std::function<void()> leave)
        : place(lobby.enter(host, std::move(leave))) {}

    Lobby::Place place;
};

class LobbyTest : public ::testing::Test {
protected:
    void enter(const std::string& host, const std::string& name) {
        places_[name] = std::make_unique<Held>(lobby_, host, [this, name] { left_.push_back(name); });
    }

    Lobby lobby_{3};
    std::vector<std::string> left_;
    std::map<std::string, std::unique_ptr<Held>> places_;
};

TEST_F(LobbyTest, HasRoomForAsManyAsItSays) {
    enter("a", "1");
    enter("a", "2");
    enter("a", "3");
    EXPECT_THAT(left_, IsEmpty());
    places_.erase("2");
    enter("a", "4");
    EXPECT_THAT(left_, IsEmpty());
}

TEST_F(LobbyTest, TheOldestOfTheHostThatHasMostMustGo) {
    enter("b", "quiet");
    enter("a", "1");
    enter("a", "2");
    enter("a", "3");
    enter("a", "4");
    EXPECT_THAT(left_, ElementsAre("1", "2"));
    enter("c", "other");
    EXPECT_THAT(left_, ElementsAre("1", "2", "3"));
}

TEST_F(LobbyTest, WhoMustGoTakesNoPlaceAndMayLeaveLater) {
    for (const char* name : {"1", "2", "3", "4", "5", "6", "7"}) {
        enter("a", name);
    }
    EXPECT_THAT(left_, ElementsAre("1", "2", "3", "4"));
    places_.erase("1");
    places_.erase("7");
    places_.erase("4");
    enter("a", "8");
    EXPECT_THAT(left_, ElementsAre("1", "2", "3", "4"));
    enter("a", "9");
    EXPECT_THAT(left_, ElementsAre("1", "2", "3", "4", "5"));
}

TEST_F(LobbyTest, OfHostsThatHaveAsManyTheOldestMustGo) {
    enter("c", "1");
    enter("a", "2");
    enter("b", "3");
    enter("d", "4");
    EXPECT_THAT(left_, ElementsAre("1"));
}

TEST_F(LobbyTest, IsClearedOfAll) {
    enter("a", "1");
    enter("b", "2");
    lobby_.clear();
    EXPECT_THAT(left_, ElementsAre("1", "2"));
    places_.erase("1");
    enter("a", "3");
    enter("a", "4");
    enter("a", "5");
    EXPECT_THAT(left_, ElementsAre("1", "2"));
}

TEST_F(LobbyTest, AHostWithoutAnyIsForgotten) {
    for (int round = 0; round < 10; ++round) {
        enter("a", "1");
        places_.clear();
    }
    enter("b", "1");
    enter("b", "2");
    enter("a", "3");
    enter("a", "4");
    EXPECT_THAT(left_, ElementsAre("1"));
}

}  // namespace
}  // namespace groma
