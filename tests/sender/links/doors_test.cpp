// The doors of a passive sender, over loopback: what it says of knocks that it does not take.
#include "sender/links/doors.hpp"

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

class DoorsTest : public testing::Test {
protected:
    DoorsTest() {
        flow_.id = FlowId{3};
        flow_.name = "voice";
    }

    /// A receiver whose session comes from another host than its knocks.
    void knock_at(Doors& doors) {
        const DialTarget target = doors.open(flow_, here_, SocketAddress::from_literal("127.0.0.66", 9));
        const KnockBytes knock = serialize_knock(target.token);
        const SocketAddress door = here_.with_port(target.port);
        caller_ = open_socket(here_, SOCK_DGRAM);
        ASSERT_EQ(::sendto(caller_.get(), knock.data(), knock.size(), 0, door.data(), door.size()), kKnockBytes);
    }

    const SocketAddress here_ = SocketAddress::from_literal("127.0.0.1", 0);
    FlowSpec flow_;
    DeviceQueues queues_;
    FileDescriptor caller_;
};

std::string trouble_of(Doors& doors) {
    try {
        (void)doors.meet(Nanos{0}, [] {});
    } catch (const RunError& error) {
        return error.what();
    }
    return {};
}

TEST_F(DoorsTest, AKnockFromAnotherAddressThanTheSessionsIsNamedWhereItIsMissed) {
    Doors doors(kernel_clock(), queues_, std::chrono::seconds(1));
    knock_at(doors);
    EXPECT_THAT(trouble_of(doors), HasSubstr("(127.0.0.1, not 127.0.0.66) and were refused"));
    EXPECT_THAT(trouble_of(doors), HasSubstr("--passive-any-source"));
    EXPECT_THAT(doors.remarks(flow_.id), ElementsAre(HasSubstr("1 knocks with the flow's token came from another")));
}

TEST_F(DoorsTest, AKnockFromAnywhereIsTakenWhenThatIsAskedFor) {
    Doors doors(kernel_clock(), queues_, std::chrono::seconds(1), Doors::KnocksFrom::anywhere);
    knock_at(doors);
    EXPECT_EQ(doors.meet(Nanos{0}, [] {}).size(), 1U);
    EXPECT_THAT(doors.remarks(flow_.id), IsEmpty());
}

}  // namespace
}  // namespace groma
