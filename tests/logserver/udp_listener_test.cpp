// A listener and its peers on sockets over loopback, on one thread, with conversations that note their frames.
#include "logserver/udp_listener.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "common/net/socket/peer_user.hpp"
#include "logserver/listeners.hpp"
#include "logserver/udp_carrier.hpp"
#include "tests/common/shipping/datagram_keys.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/logserver/recording_conversation.hpp"
#include "tests/logserver/udp_stranger.hpp"

namespace groma {
namespace {

using testing::Contains;
using testing::ElementsAre;

const SharedKey kKey{.id = Token{std::byte{9}}, .secret = test::secret_of(9)};
const Grant kGrant{.name = "lab", .roles = {Role::ship}};

class UdpListenerTest : public testing::Test {
protected:
    void SetUp() override { listen({}); }
    void listen(const UdpCarrierSettings& settings, const char* address = "127.0.0.1") {
        auto socket = std::move(open_udp_sockets({SocketAddress::from_literal(address, 0)}).front());
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
    UdpOpen ask(UdpStranger& peer, std::uint64_t nonce = 5) {
        const std::uint64_t hellos = listener_->counts().opening.hellos;
        peer.send(serialize(UdpHello{nonce}));
        serve_until([&] { return listener_->counts().opening.hellos > hellos; });
        const UdpRetry retry = parse_retry(peer.hear()).value_or(UdpRetry{});
        EXPECT_EQ(retry.nonce, nonce) << "another answer came before";
        return {.nonce = nonce, .issued = retry.issued, .token = retry.token, .public_key = agreement_.public_key()};
    }
    UdpOpen ask_with(UdpStranger& peer, const SharedKey& key) {
        UdpOpen open = ask(peer);
        open.id = key.id;
        open.binder = binder_of(key.secret, open);
        return open;
    }
    /// A connection as its shipper knows it.
    DatagramIdentity open(UdpStranger& peer) { return opened(peer, ask(peer), std::nullopt); }
    DatagramIdentity opened(UdpStranger& peer, const UdpOpen& open, const std::optional<Secret>& secret) {
        peer.send(serialize(open));
        serve_until([&, before = host_.peers.size()] { return host_.peers.size() > before; });
        const UdpAccepted accepted = parse_accepted(peer.hear()).value_or(UdpAccepted{});
        const Secret shared = agreement_.shared_with(accepted.public_key).value_or(Secret{});
        const Agreement agreed = agree(shared, secret, open, accepted);
        EXPECT_EQ(agreed.proof, accepted.proof);
        return {true, accepted.connection, agreed.keys};
    }
    std::optional<OpeningRefusal> refusal(UdpStranger& peer, const UdpOpen& open) {
        peer.send(serialize(open));
        serve_until([&, before = turned_away_.size()] { return turned_away_.size() > before; });
        const auto refused = parse_refused(peer.hear());
        return refused ? std::optional(refused->why) : std::nullopt;
    }
    /// Asks for keys, and has kKey, whose grant is `grant`.
    UdpCarrierSettings with_keys(const Grant& grant) {
        UdpCarrierSettings settings;
        settings.needs_key = [](const SocketAddress&, const SocketAddress&) { return true; };
        settings.grant_of = [grant](const Token& id) { return id == kKey.id ? std::optional(grant) : std::nullopt; };
        settings.secret_of = [grant](const Token& id) {
            return id == kKey.id and not grant.expired(kernel_clock().wall_now()) ? std::optional(kKey.secret)
                                                                                  : std::nullopt;
        };
        settings.turned_away = [this](const SocketAddress& peer, const std::string& why) {
            turned_away_.push_back(peer.host_to_string() + ": " + why);
        };
        return settings;
    }

    LogServerTimes times_;
    RecordingHost host_;
    boost::asio::io_context io_{1};
    CarrierSurroundings surroundings_{io_, host_, kernel_clock(), times_, 10, [](const std::string&) {}};
    std::uint16_t port_ = 0;
    std::optional<UdpListener> listener_;
    AgreementKey agreement_{test::secret_of(50)};  ///< of the peers
    std::vector<std::string> turned_away_;
};

TEST_F(UdpListenerTest, AnOpeningWithItsTokenBeginsOneConversation) {
    UdpStranger peer(port_);
    const OpeningDatagram opening = serialize(ask(peer));
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
    second.send(serialize(ask(second)));
    serve_until([&] { return listener_->counts().refused == 1; });
    EXPECT_EQ(host_.peers.size(), 1U);
    (void)ask(second, 7);
}

TEST_F(UdpListenerTest, FramesAndAnswersPassUntilTheEndWhichTheShipperIsTold) {
    UdpStranger peer(port_);
    DatagramStream stream(open(peer), {}, kernel_clock().now());
    std::vector<std::byte> buffer(kLongestDatagram);
    stream.write(closing_frames(5, 5));
    peer.send(std::span(buffer).first(stream.next_datagram(buffer, kernel_clock().now())));
    serve_until([&] { return not host_.notes.empty(); });
    EXPECT_THAT(host_.notes, ElementsAre("close 5"));
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
    const DatagramIdentity shipper = open(peer);
    DatagramCipher another(test::secret_of(1));
    DatagramCipher own(shipper.keys.from_shipper);
    std::vector<std::byte> datagram(200);
    const std::size_t size = seal(datagram, 100, {DatagramKind::from_shipper, shipper.connection, 1}, another);
    peer.send(std::span(datagram).first(size));
    seal(datagram, 100, {DatagramKind::from_shipper, shipper.connection + 1, 1}, own);
    peer.send(std::span(datagram).first(size));
    peer.send(std::as_bytes(std::span("rubbish")));
    serve_until([&] { return listener_->counts().not_ours == 1; });
    EXPECT_EQ(strangers, 1);
    EXPECT_EQ(listener_->counts().strangers, 1U);
    EXPECT_EQ(listener_->counts().forged, 1U);
    listener_->stop();
    EXPECT_EQ(listener_->counts().forged, 1U) << "of a session that has ended";
}

TEST_F(UdpListenerTest, WhoProvesAKeyIsServedAndTheConversationHasItsGrant) {
    listen(with_keys(kGrant));
    UdpStranger peer(port_);
    const UdpOpen open = ask_with(peer, kKey);
    DatagramStream stream(opened(peer, open, kKey.secret), {}, kernel_clock().now());
    EXPECT_EQ(host_.peers.back().grant, kGrant);
    std::vector<std::byte> buffer(kLongestDatagram);
    stream.write(closing_frames(5, 5));
    peer.send(std::span(buffer).first(stream.next_datagram(buffer, kernel_clock().now())));
    serve_until([&] { return not host_.notes.empty(); });
    EXPECT_THAT(host_.notes, ElementsAre("close 5"));
    EXPECT_THAT(turned_away_, testing::IsEmpty());
}

TEST_F(UdpListenerTest, WhoHasNoKeyIsToldThatOneIsNeeded) {
    listen(with_keys(kGrant));
    UdpStranger peer(port_);
    EXPECT_EQ(refusal(peer, ask(peer)), OpeningRefusal::key_needed);
    EXPECT_THAT(turned_away_, ElementsAre("127.0.0.1: it has no key"));
    EXPECT_TRUE(host_.peers.empty());
}

TEST_F(UdpListenerTest, AKeyThatIsNotTakenIsRefusedWithoutAReasonWhichTheOperatorHas) {
    listen(with_keys(kGrant));
    UdpStranger peer(port_);
    EXPECT_EQ(refusal(peer, ask_with(peer, {.id = Token{std::byte{8}}, .secret = kKey.secret})),
              OpeningRefusal::key_not_taken);
    EXPECT_EQ(refusal(peer, ask_with(peer, {.id = kKey.id, .secret = test::secret_of(8)})),
              OpeningRefusal::key_not_taken);
    Grant expired = kGrant;
    expired.last_day = parse_day("2020-02-29");
    listen(with_keys(expired));
    UdpStranger late(port_);
    EXPECT_EQ(refusal(late, ask_with(late, kKey)), OpeningRefusal::key_not_taken);
    EXPECT_THAT(turned_away_,
                ElementsAre("127.0.0.1: its key is none of those here", "127.0.0.1: it did not prove the key 'lab'",
                            "127.0.0.1: its key 'lab' was good until 2020-02-29"));
    EXPECT_TRUE(host_.peers.empty());
}

TEST_F(UdpListenerTest, WhoMadeThePeersSocketIsKnownByItsTwoAddresses) {
    UdpCarrierSettings settings = with_keys(kGrant);
    settings.needs_key = [](const SocketAddress& local, const SocketAddress& peer) {
        return user_at_other_end(local, peer, IPPROTO_UDP) != ::geteuid();
    };
    for (const char* host : {"127.0.0.1", "::1"}) {
        listen(settings, host);
        UdpStranger own(port_, host);
        (void)open(own);
        EXPECT_FALSE(host_.peers.back().grant);
    }
}

}  // namespace
}  // namespace groma
