#include "common/shipping/datagram/datagram_format.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "common/shipping/datagram/datagram_content.hpp"

namespace groma {
namespace {

constexpr MacKey kKey{.low = 3, .high = 4};

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
    std::vector<std::byte> bytes;
    for (const int value : values) {
        bytes.push_back(static_cast<std::byte>(value));
    }
    return bytes;
}

std::vector<std::byte> content_bytes(const DatagramContent& content) {
    std::vector<std::byte> bytes(2000);
    bytes.resize(serialize(content, bytes));
    return bytes;
}

DatagramContent full_content(std::span<const std::byte> data) {
    return {
        .ping = true,
        .closing = false,
        .ack =
            AckField{.held_back = std::chrono::microseconds(77), .limit = 1000, .came = {{90, 100}, {50, 60}, {0, 1}}},
        .data = DataField{.offset = 5, .bytes = data, .last = true}};
}

TEST(DatagramFormat, OpeningsComeBackAsTheyWere) {
    EXPECT_EQ(parse_hello(serialize(UdpHello{1})), UdpHello{1});
    EXPECT_EQ(parse_open(serialize(UdpOpen{1, 2, 3})), (UdpOpen{1, 2, 3}));
    EXPECT_EQ(parse_retry(serialize(UdpRetry{1, 2, 3})), (UdpRetry{1, 2, 3}));
    EXPECT_EQ(parse_accepted(serialize(UdpAccepted{1, 2, kKey})), (UdpAccepted{1, 2, kKey}));
}

TEST(DatagramFormat, AnAnswerToAStrangerIsShorterThanItsQuestion) {
    EXPECT_LT(serialize(UdpRetry{}).size(), serialize(UdpHello{}).size());
    EXPECT_LT(serialize(UdpAccepted{}).size(), serialize(UdpOpen{}).size());
}

TEST(DatagramFormat, TheBytesAreThoseOfTheDocument) {
    const auto retry = serialize(UdpRetry{0x0102030405060708U, 9, 10});
    EXPECT_EQ(std::vector<std::byte>(retry.begin(), retry.end()),
              bytes_of({'G', 'L', 1, 2, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 10}));
    const auto data = bytes_of({'x', 'y'});
    EXPECT_EQ(content_bytes(full_content(data)),
              bytes_of({15,                                                      // all flags but closing
                        0,  0, 0, 77, 0, 0, 0, 0,  0,   0,  3, 232, 3,           // held back, limit, ranges
                        0,  0, 0, 0,  0, 0, 0, 99, 0,   0,  0, 10,               // up to 99, ten of them
                        0,  0, 0, 30, 0, 0, 0, 10, 0,   0,  0, 49,  0, 0, 0, 1,  // 30 missing, ten; 49 missing, one
                        0,  0, 0, 0,  0, 0, 0, 5,  'x', 'y'}));
}

TEST(DatagramFormat, OpeningsOfAnyOtherSizeOrFillingAreNone) {
    const auto hello = serialize(UdpHello{1});
    for (std::size_t size = 0; size < hello.size(); ++size) {
        EXPECT_FALSE(parse_hello(std::span(hello).first(size)));
    }
    auto padded = hello;
    padded.back() = std::byte{1};
    EXPECT_FALSE(parse_hello(padded));
    EXPECT_FALSE(parse_open(hello));
}

TEST(DatagramFormat, ADamagedAcceptanceIsNone) {
    const auto accepted = serialize(UdpAccepted{1, 2, kKey});
    for (std::size_t at = 0; at < accepted.size(); ++at) {
        auto damaged = accepted;
        damaged[at] ^= std::byte{1};
        EXPECT_FALSE(parse_accepted(damaged)) << at;
    }
}

TEST(DatagramFormat, ASealHoldsForItsKeyConnectionAndDirectionOnly) {
    std::vector<std::byte> datagram(100);
    datagram.resize(seal(datagram, 10, {DatagramKind::from_shipper, 7, 42}, kKey));
    ASSERT_EQ(datagram.size(), 10 + kSealBytes);
    EXPECT_EQ(connection_of(datagram), 7U);
    const auto opened = unseal(datagram, DatagramKind::from_shipper, 7, kKey);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->number, 42U);
    EXPECT_EQ(opened->content.size(), 10U);
    EXPECT_FALSE(unseal(datagram, DatagramKind::from_server, 7, kKey));
    EXPECT_FALSE(unseal(datagram, DatagramKind::from_shipper, 8, kKey));
    EXPECT_FALSE(unseal(datagram, DatagramKind::from_shipper, 7, {1, 2}));
    for (std::size_t at = 0; at < datagram.size(); ++at) {
        auto damaged = datagram;
        damaged[at] ^= std::byte{1};
        EXPECT_FALSE(unseal(damaged, DatagramKind::from_shipper, 7, kKey)) << at;
        EXPECT_FALSE(unseal(std::span(datagram).first(at), DatagramKind::from_shipper, 7, kKey)) << at;
    }
}

TEST(DatagramContent, ComesBackAsItWas) {
    const auto data = bytes_of({1, 2, 3});
    const auto bytes = content_bytes(full_content(data));
    const auto content = parse_content(bytes);
    ASSERT_TRUE(content);
    EXPECT_EQ(content->ack, full_content(data).ack);
    EXPECT_TRUE(content->ping);
    EXPECT_EQ(content->data->offset, 5U);
    EXPECT_TRUE(content->data->last);
    EXPECT_EQ(std::vector<std::byte>(content->data->bytes.begin(), content->data->bytes.end()), data);
}

TEST(DatagramContent, IsNoneWhenItIsCutBeforeItsData) {
    const auto bytes = content_bytes(full_content({}));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(parse_content(std::span(bytes).first(size))) << size;
    }
}

TEST(DatagramContent, RefusesImpossibleRanges) {
    const auto ack = [](std::initializer_list<int> ranges) {
        auto bytes = bytes_of({1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
        const auto more = bytes_of(ranges);
        bytes.insert(bytes.end(), more.begin(), more.end());
        return parse_content(bytes).has_value();
    };
    EXPECT_TRUE(ack({0}));
    EXPECT_TRUE(ack({1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 10}));
    EXPECT_FALSE(ack({1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 11})) << "below number 0";
    EXPECT_FALSE(ack({1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0})) << "empty";
    EXPECT_FALSE(ack({1, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 1})) << "beyond all numbers";
    EXPECT_FALSE(ack({2, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1})) << "no gap";
    EXPECT_FALSE(ack({33})) << "too many";
}

}  // namespace
}  // namespace groma
