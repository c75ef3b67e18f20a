#include "common/shipping/datagram/datagram_format.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/shipping/datagram/datagram_content.hpp"
#include "tests/common/shipping/datagram_keys.hpp"

namespace groma {
namespace {

const PublicKey kPublicKey{std::byte{5}};
const Token kId{std::byte{6}};
const Token kProof{std::byte{7}};

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
    const UdpOpen open{1, 2, 3, kPublicKey, kId, kProof};
    EXPECT_EQ(parse_open(serialize(open)), open);
    EXPECT_EQ(parse_retry(serialize(UdpRetry{1, 2, 3})), (UdpRetry{1, 2, 3}));
    const UdpAccepted accepted{1, 2, kPublicKey, kProof};
    EXPECT_EQ(parse_accepted(serialize(accepted)), accepted);
    for (const OpeningRefusal why : {OpeningRefusal::key_not_taken, OpeningRefusal::key_needed}) {
        EXPECT_EQ(parse_refused(serialize(UdpRefused{1, why})), (UdpRefused{1, why}));
    }
}

TEST(DatagramFormat, AnAnswerToAStrangerIsShorterThanItsQuestion) {
    EXPECT_LT(serialize(UdpRetry{}).size(), serialize(UdpHello{}).size());
    EXPECT_LT(serialize(UdpAccepted{}).size(), serialize(UdpOpen{}).size());
    EXPECT_LT(serialize(UdpRefused{}).size(), serialize(UdpOpen{}).size());
}

TEST(DatagramFormat, TheBytesAreThoseOfTheDocument) {
    const auto retry = serialize(UdpRetry{0x0102030405060708U, 9, 10});
    EXPECT_EQ(std::vector<std::byte>(retry.begin(), retry.end()),
              bytes_of({'G', 'L', 2, 2, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 10}));
    const auto refused = serialize(UdpRefused{9, OpeningRefusal::key_needed});
    EXPECT_EQ(std::vector<std::byte>(refused.begin(), refused.end()),
              bytes_of({'G', 'L', 2, 7, 0, 0, 0, 0, 0, 0, 0, 9, 2}));
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

TEST(DatagramFormat, WhatHasNoIdHasNoBinder) {
    EXPECT_TRUE(parse_open(serialize(UdpOpen{})));
    EXPECT_TRUE(parse_open(serialize(UdpOpen{.id = kId})));
    EXPECT_FALSE(parse_open(serialize(UdpOpen{.binder = kProof})));
}

TEST(DatagramFormat, AnswersOfAnotherSizeOrForAnotherReasonAreNone) {
    const auto accepted = serialize(UdpAccepted{1, 2, kPublicKey, kProof});
    for (std::size_t size = 0; size < accepted.size(); ++size) {
        EXPECT_FALSE(parse_accepted(std::span(accepted).first(size)));
    }
    EXPECT_FALSE(parse_refused(serialize(UdpRefused{1, static_cast<OpeningRefusal>(0)})));
    EXPECT_FALSE(parse_refused(serialize(UdpRefused{1, static_cast<OpeningRefusal>(3)})));
}

// Computed by another program (ChaCha20-Poly1305 of Python's cryptography).
TEST(DatagramFormat, ASealedDatagramIsThatOfTheDocument) {
    DatagramCipher cipher(test::secret_of_hex("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"));
    std::vector<std::byte> datagram(100);
    std::ranges::copy(std::as_bytes(std::span("Hi, there!")), datagram.begin() + kDatagramHeader);
    datagram.resize(seal(datagram, 10, {DatagramKind::from_shipper, 7, 42}, cipher));
    EXPECT_EQ(datagram, test::bytes_of_hex("474c02050000000000000007000000000000002a4044fd51fa3fe766216611a217c61d01f2"
                                           "e068f4b77653b76b79"));
}

TEST(DatagramFormat, ASealHoldsForItsKeyConnectionAndDirectionOnly) {
    DatagramCipher cipher(test::secret_of(1));
    DatagramCipher of_another(test::secret_of(2));
    std::vector<std::byte> datagram(100);
    datagram.resize(seal(datagram, 10, {DatagramKind::from_shipper, 7, 42}, cipher));
    ASSERT_EQ(datagram.size(), 10 + kSealBytes);
    EXPECT_EQ(connection_of(datagram), 7U);
    const auto opened = unseal(datagram, DatagramKind::from_shipper, 7, cipher);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->number, 42U);
    EXPECT_EQ(std::vector<std::byte>(opened->content.begin(), opened->content.end()), std::vector<std::byte>(10));
    EXPECT_FALSE(unseal(datagram, DatagramKind::from_server, 7, cipher));
    EXPECT_FALSE(unseal(datagram, DatagramKind::from_shipper, 8, cipher));
    EXPECT_FALSE(unseal(datagram, DatagramKind::from_shipper, 7, of_another));
    for (std::size_t at = 0; at < datagram.size(); ++at) {
        auto damaged = datagram;
        damaged[at] ^= std::byte{1};
        EXPECT_FALSE(unseal(damaged, DatagramKind::from_shipper, 7, cipher)) << at;
        EXPECT_FALSE(unseal(std::span(datagram).first(at), DatagramKind::from_shipper, 7, cipher)) << at;
    }
}

TEST(DatagramFormat, ARefusalIsOfNoConnection) {
    std::vector<std::byte> datagram(100);
    std::ranges::copy(serialize(UdpRefused{}), datagram.begin());
    EXPECT_FALSE(connection_of(datagram));
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
