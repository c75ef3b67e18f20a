#include "common/control/watchdog.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <optional>

#include "common/time/manual_clock.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using boost::asio::ip::tcp;

class WatchdogTest : public ::testing::Test {
protected:
    ManualClock clock_;
    boost::asio::io_context io_{1};
    std::optional<tcp::socket> socket_{std::in_place, io_, tcp::v4()};
};

TEST_F(WatchdogTest, ClosesTheSocketWhenAllPartsOfTheLimitHavePassed) {
    const Watchdog watchdog(*socket_, 0ns, clock_);
    EXPECT_FALSE(watchdog.fired());
    EXPECT_TRUE(socket_->is_open());
    EXPECT_GE(io_.run(), 4U) << "the host may have slept through any one of four parts";
    EXPECT_TRUE(watchdog.fired());
    EXPECT_FALSE(socket_->is_open());
}

TEST_F(WatchdogTest, ThatEndsBeforeTheLimitLeavesTheSocketAlone) {
    {
        const Watchdog watchdog(*socket_, 24h, clock_);
        EXPECT_FALSE(watchdog.fired());
    }
    io_.run();
    EXPECT_TRUE(socket_->is_open());
}

TEST_F(WatchdogTest, APartThatEndsWhileItGoesFindsNothingToClose) {
    Timer before(io_.get_executor(), clock_);
    std::optional<Watchdog> watchdog;
    before.call_after(0ns, [&] {
        watchdog.reset();
        socket_.reset();
    });
    watchdog.emplace(*socket_, 0ns, clock_);
    io_.run();
    EXPECT_FALSE(socket_);
}

}  // namespace
}  // namespace groma
