#include "common/net/socket/resolver.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "common/base/errors.hpp"
#include "common/time/manual_clock.hpp"
#include "tests/silent_names.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

class ResolverTest : public ::testing::Test {
protected:
    ResolverTest() {
        settings_.time = std::chrono::seconds(3);
        settings_.lookups = 4;
        settings_.lookups_of_peer = 3;
        settings_.look_up = names_.look_up();
    }

    /// Time stands still unless `passes`: then each check whether the address is still wanted takes a second.
    std::string answer(Resolver& resolver, const std::string& host, const std::string& peer, bool passes) {
        const Asker asker{.peer = peer, .gave_up = [this, passes] {
                              clock_.advance(std::chrono::seconds(passes ? 1 : 0));
                              return false;
                          }};
        try {
            return resolver.resolve(host, 1, asker).to_string();
        } catch (const RunError& error) {
            return error.what();
        }
    }

    std::string answer(Resolver& resolver, const std::string& host, const std::string& peer = "10.0.0.1") {
        return answer(resolver, host, peer, false);
    }
    /// Waits until the time of the name is over.
    std::string refusal(Resolver& resolver, const std::string& host, const std::string& peer = "10.0.0.1") {
        return answer(resolver, host, peer, true);
    }

    SilentNames names_;
    ResolverSettings settings_;
    ManualClock clock_;
};

TEST_F(ResolverTest, FindsTheAddressOfANameAndGivesItThePort) {
    Resolver resolver(settings_, clock_);
    EXPECT_EQ(resolver.resolve("here.example.org", 9001, {}).to_string(), "127.0.0.1:9001");
}

TEST_F(ResolverTest, ALiteralAsksNobodyAndNeedsNoThread) {
    settings_.make_thread = [](const std::function<void()>&) -> std::thread {
        throw SystemError("start a thread", 11);
    };
    Resolver resolver(settings_, clock_);
    EXPECT_EQ(resolver.resolve("192.0.2.7", 53, {}).to_string(), "192.0.2.7:53");
    EXPECT_EQ(resolver.resolve("[2001:db8::1]", 53, {}).to_string(), "[2001:db8::1]:53");
    EXPECT_THROW((void)resolver.resolve("here.example.org", 53, {}), SystemError);
    EXPECT_EQ(names_.asked(), 0U);
}

TEST_F(ResolverTest, ANameWithoutAnAnswerIsRefusedWhenItsTimeIsOver) {
    Resolver resolver(settings_, clock_);
    const MonoTime begun = clock_.now();
    EXPECT_THAT(refusal(resolver, "slow.example.org"),
                HasSubstr("cannot find the host slow.example.org: no answer within 3 s (check"));
    EXPECT_EQ(clock_.now() - begun, std::chrono::seconds(3));
}

TEST_F(ResolverTest, WhoGivesUpDoesNotWait) {
    Resolver resolver(settings_, clock_);
    try {
        (void)resolver.resolve("slow.example.org", 1, {.peer = {}, .gave_up = [] { return true; }});
        FAIL() << "there was no answer";
    } catch (const RunError& error) {
        EXPECT_THAT(error.what(), HasSubstr("stopped before there was an answer"));
    }
}

TEST_F(ResolverTest, AnotherNameDoesNotWaitForOneWithoutAnAnswer) {
    Resolver resolver(settings_, clock_);
    (void)refusal(resolver, "slow.example.org");
    const MonoTime begun = clock_.now();
    EXPECT_EQ(resolver.resolve("here.example.org", 1, {}).to_string(), "127.0.0.1:1");
    EXPECT_EQ(clock_.now(), begun);
}

TEST_F(ResolverTest, APeerCannotTakeThePlacesOfOthers) {
    Resolver resolver(settings_, clock_);
    for (const char* name : {"slow1", "slow2", "slow3"}) {
        EXPECT_THAT(refusal(resolver, name), HasSubstr("no answer within 3 s"));
    }
    EXPECT_THAT(answer(resolver, "here"), HasSubstr("3 of them asked for by the same host"));
    EXPECT_EQ(answer(resolver, "here", "10.0.0.2"), "127.0.0.1:1");
    EXPECT_THAT(refusal(resolver, "slow4", "10.0.0.2"), HasSubstr("no answer within 3 s"));
    EXPECT_THAT(answer(resolver, "here", "10.0.0.3"), HasSubstr("not answered for 4 other names"));
    EXPECT_EQ(answer(resolver, "192.0.2.7"), "192.0.2.7:1");
}

TEST_F(ResolverTest, AnAnswerGivesThePlaceBack) {
    settings_.lookups = 1;
    Resolver resolver(settings_, clock_);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(answer(resolver, "here"), "127.0.0.1:1");
    }
}

TEST_F(ResolverTest, TwoWhoAskForOneNameShareItsPlaceAndItsAnswer) {
    settings_.lookups = 1;
    Resolver resolver(settings_, clock_);
    EXPECT_THAT(refusal(resolver, "slow"), HasSubstr("no answer"));
    const Asker patient{.peer = "10.0.0.2", .gave_up = [this] {
                            names_.release();
                            return false;
                        }};
    EXPECT_EQ(resolver.resolve("slow", 1, patient).to_string(), "127.0.0.1:1");
    EXPECT_EQ(names_.asked(), 1U);
}

TEST_F(ResolverTest, SaysWhyThereIsNoSuchHost) {
    settings_.look_up = [](const std::string& host) -> SocketAddress {
        throw RunError("cannot find the host " + host);
    };
    Resolver resolver(settings_, clock_);
    EXPECT_EQ(answer(resolver, "nowhere"), "cannot find the host nowhere");
}

TEST_F(ResolverTest, AThreadThatStillWaitsOutlivesIt) {
    std::optional<Resolver> resolver(std::in_place, settings_, clock_);
    EXPECT_THAT(refusal(*resolver, "slow"), HasSubstr("no answer"));
    resolver.reset();
    names_.release();
}

}  // namespace
}  // namespace groma
