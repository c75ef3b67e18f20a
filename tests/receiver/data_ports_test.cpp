#include "receiver/data_ports.hpp"

#include <gmock/gmock.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

constexpr PortRange kGiven{5000, 5009};

FlowSpec flow(Transport transport = Transport::udp) {
    FlowSpec spec;
    spec.transport = transport;
    return spec;
}

TEST(DataPorts, AreWhatAFlowThatAsksForNoneIsGiven) {
    EXPECT_EQ(ports_for(flow(), kGiven), kGiven);
    EXPECT_EQ(ports_for(flow(), std::nullopt), std::nullopt);
}

TEST(DataPorts, AreGivenOnlyAsFarAsAFlowAsksForThem) {
    FlowSpec asks = flow();
    asks.options.ports = PortRange{5005, 6000};
    EXPECT_EQ(ports_for(asks, kGiven), (PortRange{5005, 5009}));
    EXPECT_EQ(ports_for(asks, std::nullopt), asks.options.ports);
}

TEST(DataPorts, RefuseWhatIsNotAmongThem) {
    FlowSpec asks = flow();
    asks.options.ports = PortRange{6000, 6009};
    EXPECT_THROW((void)ports_for(asks, kGiven), UsageError);
    asks.target.data_port = std::uint16_t{5010};
    EXPECT_THROW((void)ports_for(asks, kGiven), UsageError);
    asks.target.data_port = std::uint16_t{5009};
    EXPECT_NO_THROW((void)ports_for(asks, kGiven));
}

TEST(DataPorts, DoNotConcernATransportWithoutPorts) {
    EXPECT_EQ(ports_for(flow(Transport::icmp), kGiven), std::nullopt);
}

}  // namespace
}  // namespace groma
