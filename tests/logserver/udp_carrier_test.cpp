#include "logserver/udp_carrier.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "logserver/listeners.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/logserver/recording_conversation.hpp"
#include "tests/logserver/udp_stranger.hpp"

namespace groma {
namespace {

TEST(UdpCarrierCounts, AreASentenceOfWhatIsNotZero) {
    EXPECT_EQ(to_string(UdpCarrierCounts{}), "");
    UdpCarrierCounts counts{.opening = {}, .strangers = 2};
    counts.opening.hellos = 9;
    EXPECT_EQ(to_string(counts), "UDP: 2 datagrams of strangers dropped");
    counts.opening.accepted = 3;
    counts.opening.too_many = 4;
    counts.refused = 5;
    counts.opening.refused = 6;
    EXPECT_EQ(to_string(counts),
              "UDP: 3 connections, 6 openings refused for their key, 9 openings beyond the limits dropped, 2 datagrams "
              "of strangers dropped");
}

class UdpCarrierTest : public testing::Test {
protected:
    UdpCarrierTest() {
        const SocketAddress any_port = SocketAddress::from_literal("127.0.0.1", 0);
        auto sockets = open_udp_sockets({any_port, any_port});
        for (const FileDescriptor& socket : sockets) {
            ports_.push_back(bound_address(socket).port());
        }
        const auto report = [this](const std::string& line) { reports_.push_back(line); };
        carrier_.emplace(std::move(sockets), CarrierSurroundings{io_, host_, kernel_clock(), times_, 10, report});
    }

    LogServerTimes times_;
    RecordingHost host_;
    boost::asio::io_context io_{1};
    std::vector<std::uint16_t> ports_;
    std::vector<std::string> reports_;
    std::optional<UdpCarrier> carrier_;
};

TEST_F(UdpCarrierTest, ReportsAtItsEndWhatAllOfItsSocketsHaveDropped) {
    for (const std::uint16_t port : ports_) {
        UdpStranger stranger(port);
        stranger.send(std::as_bytes(std::span("rubbish")));
    }
    while (carrier_->counts().not_ours < 2 and io_.run_one_for(kPatience) > 0) {
    }
    carrier_->stop();
    EXPECT_THAT(reports_, testing::ElementsAre("UDP: 2 datagrams that are none of this protocol dropped"));
    io_.run();
}

TEST_F(UdpCarrierTest, ReportsNothingWhenNothingHasCome) {
    carrier_->stop();
    EXPECT_THAT(reports_, testing::IsEmpty());
    io_.run();
}

}  // namespace
}  // namespace groma
