// A listener and its peers on sockets over loopback, on one thread, with conversations that note their frames.
#include "logserver/udp_listener.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "logserver/listeners.hpp"
#include "logserver/udp_carrier.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/logserver/recording_conversation.hpp"
#include "tests/logserver/udp_stranger.hpp"

namespace groma {
namespace {

using testing::Contains;

class UdpListenerTest : public testing::Test {
protected:
    void SetUp() override { listen({}); }
    void listen(const UdpCarrierSettings& settings) {
        auto socket = std::move(open_udp_sockets({SocketAddress::from_literal("127.0.0.1", 0)}).front());
        port_ = bound_address(socket).port();
        listener_.emplace(std::move(socket), surroundings_, settings);
    }
    template <typename Predicate>
    void serve_until(const Predicate& done) {
        while (not done() and io_.run_one_for(kPatience) > 0) {
        }
        ASSERT_TRUE(done());
    }
    /// Says hello. Returns: the opening with the token that the answer has.
    OpeningDatagram ask(UdpStranger& peer, std::uint64_t nonce = 5) {
        const std::uint64_t hellos = listener_->counts().opening.hellos;
        peer.send(serialize(UdpHello{nonce}));
        serve_until([&] { return listener_->counts().opening.hellos > hellos; });
        const UdpRetry retry = parse_retry(peer.hear()).value_or(UdpRetry{});
        EXPECT_EQ(retry.nonce, nonce) << "another answer came before";
        return serialize(UdpOpen{nonce, retry.issued, retry.token});
    }
    UdpAccepted open(UdpStranger& peer) {
        peer.send(ask(peer));
        serve_until([&, before = host_.peers.size()] { return host_.peers.size() > before; });
        return parse_accepted(peer.hear()).value_or(UdpAccepted{});
    }

    LogServerTimes times_;
    RecordingHost host_;
    boost::asio::io_context io_{1};
    CarrierSurroundings surroundings_{io_, host_, kernel_clock(), times_, 10, [](const std::string&) {}};
    std::uint16_t port_ = 0;
    std::optional<UdpListener> listener_;
};

TEST_F(UdpListenerTest, AnOpeningWithItsTokenBeginsOneConversation) {
    UdpStranger peer(port_);
    const OpeningDatagram opening = ask(peer);
    EXPECT_TRUE(host_.peers.empty());
    peer.send(opening);
    serve_until([&] { return listener_->counts().opening.accepted == 1; });
    const auto accepted = parse_accepted(peer.hear());
    ASSERT_TRUE(accepted);
    ASSERT_EQ(host_.peers.size(), 1U);
    EXPECT_EQ(host_.peers[0].name, peer.address().to_string());
    EXPECT_EQ(host_.peers[0].host, "127.0.0.1");
    peer.send(opening);
    serve_until([&] { return listener_->counts().opening.repeats == 1; });
    EXPECT_EQ(parse_accepted(peer.hear()), accepted) << "the first answer may be lost";
    EXPECT_EQ(host_.peers.size(), 1U);
}

TEST_F(UdpListenerTest, OneConnectionTooManyIsNotAnswered) {
    UdpCarrierSettings one;
    one.max_connections = 1;
    listen(one);
    UdpStranger first(port_);
    (void)open(first);
    UdpStranger second(port_);
    second.send(ask(second));
    serve_until([&] { return listener_->counts().refused == 1; });
    EXPECT_EQ(host_.peers.size(), 1U);
    (void)ask(second, 7);
}

TEST_F(UdpListenerTest, FramesAndAnswersPassUntilTheEndWhichTheShipperIsTold) {
    UdpStranger peer(port_);
    const UdpAccepted accepted = open(peer);
    DatagramStream stream({true, accepted.connection, accepted.key}, {}, kernel_clock().now());
    std::vector<std::byte> buffer(kLongestDatagram);
    stream.write(closing_frames(5, 5));
    peer.send(std::span(buffer).first(stream.next_datagram(buffer, kernel_clock().now())));
    serve_until([&] { return not host_.notes.empty(); });
    EXPECT_THAT(host_.notes, testing::ElementsAre("close 5"));
    host_.answers->answer(std::vector<std::byte>(3));
    serve_until([&] {
        (void)stream.on_datagram(peer.hear_at_once(), kernel_clock().now());
        return stream.readable() == 3;
    });
    listener_->stop();
    EXPECT_THAT(host_.notes, Contains("lost: the log server was stopped"));
    while (stream.state() == DatagramStream::State::open) {
        const auto datagram = peer.hear();
        ASSERT_FALSE(datagram.empty());
        (void)stream.on_datagram(datagram, kernel_clock().now());
    }
    EXPECT_EQ(stream.state(), DatagramStream::State::closed_by_peer);
}

TEST_F(UdpListenerTest, WhatIsOfNoConnectionIsCountedAndSoIsWhatIsForged) {
    int strangers = 0;
    UdpCarrierSettings settings;
    settings.stranger = [&] { ++strangers; };
    listen(settings);
    UdpStranger peer(port_);
    const UdpAccepted accepted = open(peer);
    std::vector<std::byte> datagram(200);
    const std::size_t size = seal(datagram, 100, {DatagramKind::from_shipper, accepted.connection, 1}, {1, 2});
    peer.send(std::span(datagram).first(size));
    seal(datagram, 100, {DatagramKind::from_shipper, accepted.connection + 1, 1}, accepted.key);
    peer.send(std::span(datagram).first(size));
    peer.send(std::as_bytes(std::span("rubbish")));
    serve_until([&] { return listener_->counts().not_ours == 1; });
    EXPECT_EQ(strangers, 1);
    EXPECT_EQ(listener_->counts().strangers, 1U);
    EXPECT_EQ(listener_->counts().forged, 1U);
    listener_->stop();
    EXPECT_EQ(listener_->counts().forged, 1U) << "of a session that has ended";
}

}  // namespace
}  // namespace groma
