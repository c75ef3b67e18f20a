// The listeners of a passive sender, over loopback: messages about refused punches.
#include "sender/links/flow_listeners.hpp"

#include <gmock/gmock.h>
#include <sys/socket.h>

#include "common/base/errors.hpp"
#include "common/net/socket/socket.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FlowListenersTest : public testing::Test {
protected:
    FlowListenersTest() {
        flow_.id = FlowId{3};
        flow_.name = "voice";
    }

    /// A receiver whose session comes from another host than its punches.
    void punch_at(FlowListeners& listeners) {
        const DialTarget target = listeners.open(flow_, here_, SocketAddress::from_literal("127.0.0.66", 9));
        const PunchBytes punch = serialize_punch(target.token);
        const SocketAddress listener = here_.with_port(target.port);
        caller_ = open_socket(here_, SOCK_DGRAM);
        ASSERT_EQ(::sendto(caller_.get(), punch.data(), punch.size(), 0, listener.data(), listener.size()),
                  kPunchBytes);
    }

    const SocketAddress here_ = SocketAddress::from_literal("127.0.0.1", 0);
    FlowSpec flow_;
    DeviceQueues queues_;
    FileDescriptor caller_;
};

std::string error_of(FlowListeners& listeners) {
    try {
        (void)listeners.meet(Nanos{0}, [] {});
    } catch (const RunError& error) {
        return error.what();
    }
    return {};
}

TEST_F(FlowListenersTest, APunchFromAnotherAddressThanTheSessionsIsNamedWhereItIsMissed) {
    FlowListeners listeners(kernel_clock(), queues_, std::chrono::seconds(1));
    punch_at(listeners);
    EXPECT_THAT(error_of(listeners), HasSubstr("(127.0.0.1, not 127.0.0.66) and were refused"));
    EXPECT_THAT(error_of(listeners), HasSubstr("--passive-any-source"));
    EXPECT_THAT(listeners.warnings(flow_.id),
                ElementsAre(HasSubstr("1 punches with the flow's token came from another")));
}

TEST_F(FlowListenersTest, APunchFromAnywhereIsTakenWhenThatIsAskedFor) {
    FlowListeners listeners(kernel_clock(), queues_, std::chrono::seconds(1), FlowListeners::PunchesFrom::anywhere);
    punch_at(listeners);
    EXPECT_EQ(listeners.meet(Nanos{0}, [] {}).size(), 1U);
    EXPECT_THAT(listeners.warnings(flow_.id), IsEmpty());
}

}  // namespace
}  // namespace groma
