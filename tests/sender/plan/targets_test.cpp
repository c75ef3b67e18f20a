#include "sender/plan/targets.hpp"

#include <gmock/gmock.h>

#include <string>

#include "common/base/errors.hpp"
#include "sender/plan/group_flows.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class TargetsTest : public testing::Test {
protected:
    static FlowSpec flow_to(std::uint32_t id, const std::string& host) {
        FlowSpec spec;
        spec.id = FlowId{id};
        spec.name = "flow-" + std::to_string(id);
        spec.target.host = host;
        return spec;
    }
    FlowSpec group_flow(const std::string& group) {
        FlowSpec spec = flow_to(1, "beta");
        spec.options.group = group;
        return spec;
    }
    FlowSpec completed(const FlowSpec& spec) { return complete_group_flows({spec}, kRunId, resolve_).front(); }

    static constexpr std::string_view kRunId = "0123456789abcdef0123456789abcdef";
    std::vector<std::string> asked_;
    /// All names are this host's.
    ResolveName resolve_ = [this](std::string_view host, std::uint16_t port) {
        asked_.emplace_back(host);
        return SocketAddress::from_literal("127.0.0.1", port);
    };
};

TEST_F(TargetsTest, ANameIsLookedUpOnceForEachPortAndReceiversAreToldApartByTheirAddresses) {
    std::vector<FlowSpec> flows{flow_to(1, "beta"), flow_to(2, "also-beta"), flow_to(3, "beta"), flow_to(4, "beta")};
    flows[3].target.control_port = 9555;
    const std::vector<ReceiverPlan> plans = plan_receivers(flows, resolve_);
    EXPECT_THAT(asked_, ElementsAre("beta", "also-beta", "beta"));
    ASSERT_THAT(plans, SizeIs(2));
    EXPECT_THAT(plans[0].flows, SizeIs(3));
    EXPECT_EQ(plans[1].address, SocketAddress::from_literal("127.0.0.1", 9555));
}

TEST_F(TargetsTest, AFlowThatNamesOneReceiverTwiceIsRefused) {
    FlowSpec spec = flow_to(1, "beta");
    spec.also_to = {Target{"also-beta", 9000, {}}};
    try {
        (void)plan_receivers({spec}, resolve_);
        FAIL() << "it would be told twice";
    } catch (const RunError& error) {
        EXPECT_THAT(error.what(), HasSubstr("flow 'flow-1' names the receiver 127.0.0.1:9000 twice"));
    }
}

TEST_F(TargetsTest, FlowsToHostsStayAsTheyAre) {
    const FlowSpec spec = flow_to(1, "beta");
    EXPECT_EQ(completed(spec), spec);
    EXPECT_THAT(asked_, IsEmpty());
}

TEST_F(TargetsTest, AFlowToAGroupIsGivenThePortAndTheSourceThatItDoesNotSay) {
    const FlowSpec spec = group_flow("239.1.2.3");
    const FlowSpec whole = completed(spec);
    EXPECT_EQ(whole.target.data_port, group_port(spec, kRunId));
    EXPECT_EQ(whole.options.source, "127.0.0.1");
}

TEST_F(TargetsTest, AFlowToAGroupKeepsWhatItSays) {
    FlowSpec spec = group_flow("239.1.2.3");
    spec.target.data_port = 7000;
    spec.options.source = "10.0.0.1";
    EXPECT_EQ(completed(spec), spec);
    spec.options.source.clear();
    spec.options.device = "eth0";
    EXPECT_EQ(completed(spec).options.source, "") << "its device says where it leaves from";
}

TEST_F(TargetsTest, AGroupAndAReceiverOfDifferentFamiliesAreRefused) {
    try {
        (void)completed(group_flow("ff15::1"));
        FAIL() << "no packet would arrive";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("the group ff15::1 and the receiver 127.0.0.1 are of different families"));
    }
}

TEST_F(TargetsTest, MoreSocketsThanAProcessMayHaveAreRefusedWithAdvice) {
    EXPECT_NO_THROW(make_room_for_sockets(1));
    try {
        make_room_for_sockets(std::size_t{1} << 40U);
        FAIL() << "there is no such host";
    } catch (const RunError& error) {
        EXPECT_THAT(error.what(), HasSubstr("(ulimit -n), and needs 1099511627840: raise the limit"));
    }
}

}  // namespace
}  // namespace groma
