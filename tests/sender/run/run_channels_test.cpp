// Channels over loopback to closed ports: no packet is sent.
#include "sender/run/run_channels.hpp"

#include <gmock/gmock.h>

#include <utility>

#include "common/base/errors.hpp"
#include "common/net/socket/kernel_stamps.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RunChannelsTest : public testing::Test {
protected:
    void add(std::uint32_t id, std::optional<std::uint32_t> association, std::uint16_t port) {
        FlowSpec& flow = flows_.emplace_back();
        flow.id = FlowId{id};
        flow.options.association = association;
        to_.emplace(flow.id, SocketAddress::from_literal("127.0.0.1", port));
    }

    std::vector<FlowSpec> flows_;
    std::map<FlowId, SocketAddress> to_;
    bool given_up_ = false;
    GiveUp give_up_ = [this] { return given_up_; };
    ReceiverLinks links_{{}, kernel_clock(), {}};
    RunChannels channels_{SenderOptions{}, kernel_clock(), links_, give_up_};
};

TEST_F(RunChannelsTest, FlowsOfOneAssociationToOnePortShareASocketAndKeepTheirOrder) {
    add(1, 7, 9001);
    add(2, std::nullopt, 9001);
    add(3, 7, 9001);
    add(4, 7, 9002);
    const std::vector<std::unique_ptr<Channel>> opened = channels_.open(flows_, to_);
    ASSERT_EQ(opened.size(), 4U);
    EXPECT_EQ(opened[0]->fd(), opened[2]->fd());
    EXPECT_NE(opened[0]->fd(), opened[1]->fd());
    EXPECT_NE(opened[0]->fd(), opened[3]->fd());
    EXPECT_EQ(opened[3]->remote_address(), SocketAddress::from_literal("127.0.0.1", 9002));
    EXPECT_EQ(channels_.listeners(), nullptr);
}

TEST_F(RunChannelsTest, NoMoreAreOpenedWhenTheUserGivesUp) {
    add(1, std::nullopt, 9001);
    given_up_ = true;
    try {
        (void)channels_.open(flows_, to_);
        FAIL() << "it was opened";
    } catch (const RunError& error) {
        EXPECT_STREQ(error.what(), "interrupted before anything was sent");
    }
}

/// Returns what the test sets.
class ToldChannel final : public Channel {
public:
    SendOutcome send(std::span<const Frame> /*frames*/) noexcept override { return {}; }
    bool finish(Nanos /*limit*/) noexcept override { return true; }
    std::vector<std::string> warnings() const override { return warnings_; }
    std::optional<HeldDepartures> held_departures() const override { return held_; }
    int fd() const noexcept override { return -1; }
    SocketAddress local_address() const override { return {}; }
    SocketAddress remote_address() const override { return {}; }

    std::vector<std::string> warnings_;
    std::optional<HeldDepartures> held_;
};

TEST(DepartureTimesInWords, NameWhoTellsThemBesideTheUser) {
    ToldChannel channel;
    FlowSpec flow;
    EXPECT_THAT(departure_times_in_words(flow, channel), IsEmpty());
    channel.held_ = HeldDepartures{.queue = "fq on eth0"};
    flow.options.sent_stamps = StampSource::hardware;
    EXPECT_THAT(departure_times_in_words(flow, channel),
                ElementsAre(", departures by the kernel (fq on eth0)", ", departures also hardware"));
}

TEST(DepartureTimesInWords, AreTheKernelsWhereTheDeviceHasNone) {
    ToldChannel channel;
    channel.warnings_ = {"a smaller buffer", std::string(kNoHardware) + " on eth0"};
    FlowSpec flow;
    flow.options.sent_stamps = StampSource::hardware;
    EXPECT_THAT(departure_times_in_words(flow, channel), ElementsAre(HasSubstr("also kernel software")));
}

}  // namespace
}  // namespace groma
