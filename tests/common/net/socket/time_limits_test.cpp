#include "common/net/socket/time_limits.hpp"

#include <gmock/gmock.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

TEST(TimeLimits, AreTheUsualOnesWithTheUsualTimeout) {
    const TimeLimits limits = TimeLimits::with_timeout(SessionTimes().silence);
    EXPECT_EQ(limits.session.silence, seconds(4));
    EXPECT_EQ(limits.session.results, seconds(60));
    EXPECT_EQ(limits.shipping.patience, seconds(30));
    EXPECT_EQ(limits.receiver_shipping.patience, seconds(10));
    EXPECT_EQ(limits.log_server.silence, minutes(5));
    EXPECT_EQ(limits.job.ready, seconds(40));
}

TEST(TimeLimits, AreAllLongerWithALongerTimeout) {
    const TimeLimits limits = TimeLimits::with_timeout(minutes(2));
    EXPECT_EQ(limits.session.silence, minutes(2));
    EXPECT_EQ(limits.session.connecting, seconds(150));
    EXPECT_EQ(limits.session.results, minutes(30));
    EXPECT_EQ(limits.session.token, seconds(150));
    EXPECT_EQ(limits.shipping.opening, minutes(5));
    EXPECT_EQ(limits.shipping.unanswered, minutes(5));
    EXPECT_EQ(limits.receiver_shipping.patience, minutes(5));
    EXPECT_EQ(limits.log_server.greeting, minutes(5));
    EXPECT_EQ(limits.job.ping, seconds(30));
}

TEST(TimeLimits, LeaveTheOwnPaceAsItIsSoThatPeersMayHaveDifferentTimeouts) {
    const TimeLimits limits = TimeLimits::with_timeout(minutes(2));
    EXPECT_EQ(limits.session.keep_alive, seconds(1));
    EXPECT_EQ(limits.session.longest_pause, seconds(5));
    EXPECT_EQ(limits.shipping.keep_alive, seconds(3));
    EXPECT_EQ(limits.shipping.first_pause, std::chrono::milliseconds(50));
}

TEST(TimeLimits, OfATimeoutAreReadWithinBounds) {
    EXPECT_EQ(parse_timeout("2s"), seconds(2));
    EXPECT_EQ(parse_timeout("5min"), minutes(5));
    for (const char* text : {"1999ms", "61min", "-4s", "long", ""}) {
        EXPECT_THROW((void)parse_timeout(text), UsageError) << text;
    }
}

}  // namespace
}  // namespace groma
