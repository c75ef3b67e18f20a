#include "common/net/channel/gro_switch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>

#include "common/os/file_descriptor.hpp"
#include "common/time/manual_clock.hpp"
#include "tests/common/net/loopback.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class GroSwitchTest : public testing::Test {
protected:
    void prepare(GroMode mode, Meter meter = Meter::one_way) {
        InboxSpec spec = loopback::inbox_spec(Transport::udp);
        spec.gro = mode;
        spec.meter = meter;
        switch_.prepare(spec, warnings_);
    }
    [[nodiscard]] bool kernel_coalesces() const {
        int on = 0;
        socklen_t size = sizeof on;
        EXPECT_EQ(::getsockopt(socket_.get(), SOL_UDP, UDP_GRO, &on, &size), 0);
        return on != 0;
    }

    FileDescriptor socket_{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
    ManualClock clock_;
    GroSwitch switch_{socket_.get(), clock_};
    std::vector<std::string> warnings_;
};

TEST_F(GroSwitchTest, IsOnAtOnceWhenThatIsAskedFor) {
    prepare(GroMode::on);
    EXPECT_EQ(switch_.started(), (GroStart{.since = clock_.wall_now(), .why = GroReason::asked_for}));
    EXPECT_TRUE(kernel_coalesces());
    EXPECT_FALSE(switch_.watches());
    EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(GroSwitchTest, StaysOffWhereEachPacketsOwnTimeIsWanted) {
    prepare(GroMode::on, Meter::round_trip);
    EXPECT_THAT(warnings_, ElementsAre("no GRO: the replies tell each packet's own time of arrival"));
    prepare(GroMode::automatic, Meter::round_trip);
    EXPECT_FALSE(switch_.watches());
    EXPECT_FALSE(switch_.check({.used = 1000, .limit = 1000, .drops = 1}));
    EXPECT_FALSE(kernel_coalesces());
    EXPECT_EQ(warnings_.size(), 1U) << "it was not asked for";
}

TEST_F(GroSwitchTest, BeginsWhenTheReaderFallsBehindAndThenWatchesNoMore) {
    prepare(GroMode::automatic);
    EXPECT_TRUE(switch_.watches());
    EXPECT_FALSE(switch_.check({.used = 500, .limit = 1000, .drops = 0}));
    EXPECT_FALSE(kernel_coalesces());
    clock_.advance(std::chrono::hours(1));
    EXPECT_TRUE(switch_.check({.used = 0, .limit = 1000, .drops = 1}));
    EXPECT_EQ(switch_.started(), (GroStart{.since = clock_.wall_now(), .why = GroReason::drops}));
    EXPECT_TRUE(kernel_coalesces());
    EXPECT_FALSE(switch_.watches());
    EXPECT_FALSE(switch_.check({.used = 1000, .limit = 1000, .drops = 2})) << "it began before";
}

TEST_F(GroSwitchTest, AKernelThatHasNoneIsAWarning) {
    GroSwitch nowhere(-1, clock_);
    InboxSpec spec = loopback::inbox_spec(Transport::udp);
    spec.gro = GroMode::on;
    nowhere.prepare(spec, warnings_);
    EXPECT_THAT(warnings_, ElementsAre("no GRO: the kernel has none"));
    EXPECT_FALSE(nowhere.started());
}

}  // namespace
}  // namespace groma
