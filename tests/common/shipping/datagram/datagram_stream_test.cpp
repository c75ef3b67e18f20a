#include "common/shipping/datagram/datagram_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "common/wire/big_endian.hpp"
#include "tests/common/shipping/datagram_network.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using test::DatagramNetwork;
using test::keys_of;
using test::PathFaults;
using test::ship;
using test::StreamCheck;

constexpr std::size_t kMegabyte = 1'000'000;

/// Ships `bytes` bytes up and a tenth of them down over equal paths.
void expect_everything_arrives(const PathFaults& faults, std::size_t bytes, std::uint64_t seed,
                               const DatagramStreamSettings& settings = {}) {
    DatagramNetwork net(faults, faults, seed, settings);
    StreamCheck up(bytes, seed);
    StreamCheck down(bytes / 10, seed + 1);
    EXPECT_TRUE(ship(net, up, down)) << "seed " << seed << ": " << up.read << " of " << up.total << " up, " << down.read
                                     << " of " << down.total << " down, at " << to_seconds(net.now.time_since_epoch())
                                     << " s";
}

TEST(DatagramStream, CarriesBytesBothWaysAndEnds) {
    expect_everything_arrives({}, 5 * kMegabyte, 1);
}

TEST(DatagramStream, SendsNothingTwiceOverAPathThatLosesNothing) {
    DatagramNetwork net({}, {}, 1);
    StreamCheck up(kMegabyte);
    StreamCheck down(0);
    ASSERT_TRUE(ship(net, up, down));
    EXPECT_EQ(net.shipper.sender().counts().again, 0U);
    EXPECT_EQ(net.shipper.sender().counts().probes, 0U);
    EXPECT_EQ(net.server.counts().repeats, 0U);
}

TEST(DatagramStream, LosesAndDoublesNoByteWhateverThePathDoes) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        for (const double loss : {0.05, 0.3, 0.6}) {
            expect_everything_arrives({.loss = loss, .doubled = 0.1, .damaged = 0.05, .jitter = 3ms}, 200'000, seed);
        }
    }
}

TEST(DatagramStream, ManagesWhenOnlyTheWayBackIsBad) {
    DatagramNetwork net({}, {.loss = 0.6, .jitter = 5ms}, 3);
    StreamCheck up(kMegabyte);
    StreamCheck down(10'000);
    EXPECT_TRUE(ship(net, up, down));
}

TEST(DatagramStream, DropsDamagedAndForeignDatagrams) {
    DatagramNetwork net({.damaged = 0.2}, {}, 5);
    StreamCheck up(kMegabyte);
    StreamCheck down(0);
    ASSERT_TRUE(ship(net, up, down));
    EXPECT_GT(net.server.counts().foreign, 0U);
    EXPECT_EQ(net.server.counts().malformed, 0U);
}

TEST(DatagramStream, OutlivesABlackout) {
    DatagramNetwork net({}, {}, 1);
    StreamCheck up(20 * kMegabyte);
    StreamCheck down(0);
    ASSERT_FALSE(ship(net, up, down, 20ms));
    ASSERT_GT(up.read, 0U);
    net.up.blackout = net.down.blackout = true;
    const std::size_t before = net.up.sent;
    EXPECT_FALSE(ship(net, up, down, 10s));
    EXPECT_LT(net.up.sent - before, 1000U) << "keeps asking, but less and less";
    net.up.blackout = net.down.blackout = false;
    EXPECT_TRUE(ship(net, up, down));
}

TEST(DatagramStream, GivesUpOnAPeerThatIsSilentForTooLong) {
    DatagramNetwork net({}, {}, 1);
    net.up.blackout = true;
    StreamCheck up(1000);
    up.write_some(net.shipper);
    net.run_for(31s);
    EXPECT_EQ(net.shipper.state(), DatagramStream::State::silent);
}

TEST(DatagramStream, KeepsAnIdleConnectionAliveByAsking) {
    DatagramStreamSettings settings;
    settings.silence = 10s;
    settings.keep_alive = 3s;
    DatagramNetwork net({.loss = 0.1}, {.loss = 0.1}, 1, settings);
    net.run_for(120s);
    EXPECT_EQ(net.shipper.state(), DatagramStream::State::open);
    EXPECT_EQ(net.server.state(), DatagramStream::State::open);
    EXPECT_LT(net.up.sent, 500U);
}

TEST(DatagramStream, SaysGoodbye) {
    DatagramNetwork net({}, {}, 1);
    net.shipper.close();
    net.run_for(10ms);
    EXPECT_EQ(net.shipper.state(), DatagramStream::State::closed);
    EXPECT_EQ(net.server.state(), DatagramStream::State::closed_by_peer);
}

TEST(DatagramStream, CutsDatagramsToTheSizeItIsGiven) {
    for (const std::size_t size : {kShortestDatagram, std::size_t{300}, std::size_t{1472}, kLongestDatagram}) {
        DatagramStreamSettings settings;
        settings.datagram = size;
        DatagramNetwork net({.loss = 0.1, .jitter = 1ms, .mtu = size}, {.loss = 0.1, .jitter = 1ms, .mtu = size}, 1,
                            settings);
        StreamCheck up(100'000);
        StreamCheck down(100'000);
        EXPECT_TRUE(ship(net, up, down)) << size;
        EXPECT_LE(net.up.longest, size);
        EXPECT_LE(net.down.longest, size);
    }
}

TEST(DatagramStream, FallsToASafeSizeWhenLargeDatagramsVanish) {
    DatagramStreamSettings settings;
    settings.datagram = 8972;
    DatagramNetwork net({.mtu = 1400}, {.mtu = 1400}, 1, settings);
    StreamCheck up(kMegabyte);
    StreamCheck down(0);
    EXPECT_TRUE(ship(net, up, down, 30s));
    EXPECT_EQ(net.shipper.datagram(), kSafeDatagram);
}

TEST(DatagramStream, SendsAgainInSmallerDatagramsWhatTheKernelCalledTooLarge) {
    DatagramStreamSettings settings;
    settings.datagram = 1472;
    DatagramNetwork net({.mtu = 548}, {}, 1, settings);
    StreamCheck up(kMegabyte);
    StreamCheck down(0);
    EXPECT_FALSE(ship(net, up, down, 1ms));
    net.shipper.limit_datagram(548);
    EXPECT_TRUE(ship(net, up, down, 30s));
}

TEST(DatagramStream, WaitsWhileThePeerDoesNotReadAndGoesOnWhenItDoes) {
    DatagramStreamSettings settings;
    settings.receive_buffer = 64U << 10U;
    settings.keep_alive = 5s;
    DatagramNetwork net({.loss = 0.2}, {.loss = 0.2}, 9, settings);
    StreamCheck up(kMegabyte);
    StreamCheck down(0);
    for (int i = 0; i < 2000; ++i) {
        up.write_some(net.shipper);
        net.run_for(10ms);
    }
    EXPECT_EQ(net.server.readable(), settings.receive_buffer);
    EXPECT_TRUE(ship(net, up, down));
}

TEST(DatagramStream, NeverHasMoreOnTheWayThanItsWindow) {
    DatagramStreamSettings settings;
    settings.datagram = 1472;
    DatagramNetwork net({.loss = 0.02}, {}, 4, settings);
    StreamCheck up(5 * kMegabyte);
    StreamCheck down(0);
    std::size_t most_too_much = 0;
    net.on_sent = [&](std::span<const std::byte> datagram, MonoTime) {
        const auto& sender = net.shipper.sender();
        if (datagram.size() > 200 and sender.in_flight() > sender.window().bytes()) {
            most_too_much = std::max(most_too_much, sender.in_flight() - sender.window().bytes());
        }
    };
    ASSERT_TRUE(ship(net, up, down));
    EXPECT_LE(most_too_much, 3 * settings.datagram) << "one that fills the window and two probes";
}

TEST(DatagramStream, SendsNoMoreThanTenDatagramsAtOnce) {
    DatagramStreamSettings settings;
    settings.datagram = 1472;
    DatagramNetwork net({.delay = 10ms}, {.delay = 10ms}, 4, settings);
    StreamCheck up(20 * kMegabyte);
    StreamCheck down(0);
    int at_once = 0;
    int most_at_once = 0;
    MonoTime last{};
    net.on_sent = [&](std::span<const std::byte> datagram, MonoTime now) {
        at_once = now == last ? at_once + 1 : 1;
        last = now;
        most_at_once = std::max(most_at_once, datagram.size() > 200 ? at_once : 0);
    };
    ASSERT_TRUE(ship(net, up, down));
    EXPECT_LE(most_at_once, 11);
    EXPECT_GE(most_at_once, 2);
}

TEST(DatagramStream, KeepsItsCapInEverySecond) {
    for (const double loss : {0.0, 0.3}) {
        DatagramStreamSettings settings;
        settings.datagram = 1472;
        settings.bytes_per_second = 200'000;
        DatagramNetwork net({.loss = loss}, {.loss = loss}, 4, settings);
        StreamCheck up(kMegabyte);
        StreamCheck down(0);
        std::map<std::int64_t, std::size_t> seconds;
        net.on_sent = [&](std::span<const std::byte> datagram, MonoTime now) {
            seconds[now.time_since_epoch() / 1s] += datagram.size() + settings.wire_overhead;
        };
        ASSERT_TRUE(ship(net, up, down));
        for (const auto& [second, bytes] : seconds) {
            EXPECT_LE(bytes, 200'000U + 200'000U / 50 + 1500) << "second " << second;
        }
        if (loss == 0) {
            EXPECT_LT(to_seconds(net.now.time_since_epoch()), 7) << "1 MB at 200 kB/s";
        }
    }
}

TEST(DatagramStream, SharesABottleneckWithoutFloodingIt) {
    DatagramStreamSettings settings;
    settings.datagram = 1472;
    const PathFaults narrow{.delay = 5ms, .bytes_per_second = 1'250'000, .queue = 32U << 10U};
    DatagramNetwork net(narrow, narrow, 4, settings);
    StreamCheck up(10 * kMegabyte);
    StreamCheck down(0);
    ASSERT_TRUE(ship(net, up, down));
    const double seconds = to_seconds(net.now.time_since_epoch()) - 1;
    EXPECT_LT(seconds, 16) << "8 s if the path were full all the time";
    EXPECT_LT(static_cast<double>(net.up.overflows), 0.05 * static_cast<double>(net.up.sent));
}

/// Two ends, and what the shipper sends to the server.
class DatagramStreamEnds : public testing::Test {
protected:
    static std::vector<std::byte> next_of(DatagramStream& stream) {
        std::vector<std::byte> datagram(kLongestDatagram);
        datagram.resize(stream.next_datagram(datagram, MonoTime{}));
        return datagram;
    }
    std::vector<std::byte> shipped(std::size_t bytes) {
        EXPECT_EQ(shipper_.write(std::vector<std::byte>(bytes)), bytes);
        return next_of(shipper_);
    }

    DatagramStream shipper_{{true, 7, keys_of(1)}, {}, MonoTime{}};
    DatagramStream server_{{false, 7, keys_of(1)}, {}, MonoTime{}};
};

TEST_F(DatagramStreamEnds, TakeADatagramOnce) {
    const auto datagram = shipped(10);
    EXPECT_TRUE(server_.on_datagram(datagram, MonoTime{}));
    EXPECT_FALSE(server_.on_datagram(datagram, MonoTime{}));
    EXPECT_EQ(server_.counts().repeats, 1U);
    EXPECT_EQ(server_.counts().foreign, 0U);
    EXPECT_EQ(server_.readable(), 10U);
}

TEST_F(DatagramStreamEnds, TakeNoneOfTheirOwnThatIsSentBack) {
    auto datagram = shipped(10);
    EXPECT_FALSE(shipper_.on_datagram(datagram, MonoTime{}));
    datagram[3] = static_cast<std::byte>(DatagramKind::from_server);
    EXPECT_FALSE(shipper_.on_datagram(datagram, MonoTime{})) << "called one of the server's";
    EXPECT_EQ(shipper_.counts().foreign, 2U);
}

TEST_F(DatagramStreamEnds, TakeNoneWithABitThatIsAnother) {
    const auto datagram = shipped(10);
    for (std::size_t at = 0; at < datagram.size(); ++at) {
        auto changed = datagram;
        changed[at] ^= std::byte{0x10};
        EXPECT_FALSE(server_.on_datagram(changed, MonoTime{})) << at;
    }
    EXPECT_EQ(server_.counts().foreign, datagram.size());
    EXPECT_TRUE(server_.on_datagram(datagram, MonoTime{})) << "they did no harm";
}

TEST_F(DatagramStreamEnds, TakeNoneOfAnotherConnectionOrAnotherKey) {
    DatagramStream other({true, 8, keys_of(1)}, {}, MonoTime{});
    EXPECT_EQ(other.write(std::vector<std::byte>(10)), 10U);
    EXPECT_FALSE(server_.on_datagram(next_of(other), MonoTime{}));
    DatagramStream forger({true, 7, keys_of(2)}, {}, MonoTime{});
    EXPECT_EQ(forger.write(std::vector<std::byte>(10)), 10U);
    EXPECT_FALSE(server_.on_datagram(next_of(forger), MonoTime{}));
    EXPECT_EQ(server_.counts().foreign, 2U);
}

TEST_F(DatagramStreamEnds, ShowNoneOfTheirBytesOnTheWay) {
    const std::string secret = "the frames of a log";
    ASSERT_EQ(shipper_.write(std::as_bytes(std::span(secret))), secret.size());
    const auto datagram = next_of(shipper_);
    const auto bytes = std::as_bytes(std::span(secret)).first(8);
    EXPECT_TRUE(std::ranges::search(datagram, bytes).empty());
}

TEST(DatagramStream, UsesNoNumberTwice) {
    DatagramStreamSettings settings;
    settings.datagram = 1472;
    DatagramNetwork net({.loss = 0.3, .jitter = 3ms, .mtu = 1000}, {.loss = 0.3}, 3, settings);
    std::map<std::uint64_t, int> used;
    net.on_sent = [&](std::span<const std::byte> datagram, MonoTime) {
        ++used[load_big_endian<std::uint64_t>(datagram.subspan(12))];
    };
    StreamCheck up(kMegabyte);
    StreamCheck down(kMegabyte);
    EXPECT_FALSE(ship(net, up, down, 100ms));
    net.shipper.limit_datagram(900);
    EXPECT_TRUE(ship(net, up, down));
    net.shipper.close();
    net.run_for(10ms);
    EXPECT_EQ(used.size(), net.shipper.counts().sent);
    EXPECT_EQ(used.rbegin()->first + 1, used.size()) << "0, 1, 2, ...";
}

TEST(DatagramStream, TakesNoDatagramWhoseNumberItCouldNotAcknowledge) {
    DatagramStream server({false, 7, keys_of(1)}, {}, MonoTime{});
    DatagramCipher shipper(keys_of(1).from_shipper);
    DatagramCipher of_server(keys_of(1).from_server);
    std::vector<std::byte> datagram(kLongestDatagram);
    const auto sealed = [&](std::uint64_t number) {
        const std::size_t content = serialize(DatagramContent{.ping = true, .closing = false, .ack = {}, .data = {}},
                                              std::span(datagram).subspan(kDatagramHeader));
        return std::span(datagram).first(seal(datagram, content, {DatagramKind::from_shipper, 7, number}, shipper));
    };
    for (const std::uint64_t number : {kHighestNumber, UINT64_MAX}) {
        EXPECT_FALSE(server.on_datagram(sealed(number), MonoTime{}));
    }
    EXPECT_EQ(server.counts().malformed, 2U);
    std::vector<std::byte> answer(kLongestDatagram);
    EXPECT_EQ(server.next_datagram(answer, MonoTime{1s}), 0U);
    EXPECT_TRUE(server.on_datagram(sealed(kHighestNumber - 1), MonoTime{1s}));
    answer.resize(server.next_datagram(answer, MonoTime{1s}));
    const auto opened = unseal(answer, DatagramKind::from_server, 7, of_server);
    ASSERT_TRUE(opened);
    EXPECT_TRUE(parse_content(opened->content));
}

}  // namespace
}  // namespace groma
