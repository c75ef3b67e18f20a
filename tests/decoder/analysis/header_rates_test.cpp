#include "decoder/analysis/header_rates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

TEST(HeaderBytes, AreThoseOfIpAndTransport) {
    EXPECT_EQ(header_bytes(Transport::udp, "10.0.0.1"), 28U);
    EXPECT_EQ(header_bytes(Transport::udp, "10.0.0.1:9000"), 28U);
    EXPECT_EQ(header_bytes(Transport::udp, "fe80::1%eth0"), 48U);
    EXPECT_EQ(header_bytes(Transport::icmp, "[fe80::1]:7"), 48U);
    EXPECT_EQ(header_bytes(Transport::udplite, "[::ffff:10.0.0.1]:9000"), 28U);
    EXPECT_FALSE(header_bytes(Transport::udp, ""));
    for (const Transport transport : {Transport::tcp, Transport::sctp, Transport::dccp, Transport::mptcp}) {
        EXPECT_FALSE(header_bytes(transport, "10.0.0.1"));
    }
}

/// Of sizes 1, 100 and 1000, a second from first to last.
SamplePair three_sizes() {
    SamplePair pair =
        pair_of({sent_packet(0, 0, 1), sent_packet(1, 500'000'000, 100), sent_packet(2, 1'000'000'000, 1000)},
                {received_packet(0, 0, 9, 1), received_packet(1, 500'000'000, 9, 100),
                 received_packet(2, 1'000'000'000, 9, 1000)});
    pair.receiver.metadata.flows.front().remote_address = "10.0.0.1";
    return pair;
}

TEST(HeaderRates, AddHeadersAndFillSmallFrames) {
    const Results results = three_sizes().analyzed();
    const ReceivedFigures& received = *only_flow(results).received;
    EXPECT_DOUBLE_EQ(*received.throughput_bps(), 8 * 1101 * 2 / 3.0);
    EXPECT_DOUBLE_EQ(*received.throughput_ip_bps(), 8 * (1101 + 3 * 28) * 2 / 3.0);
    // 64 bytes is the smallest frame, and 20 are between frames.
    EXPECT_EQ(received.ethernet_bytes, (64 + 20) + (100 + 28 + 38) + (1000 + 28 + 38));
    EXPECT_DOUBLE_EQ(*received.throughput_ethernet_bps(), 8 * 1316 * 2 / 3.0);
    EXPECT_EQ(results.runs.front().total.received->throughput_ethernet_bps(), received.throughput_ethernet_bps());
}

TEST(HeaderRates, AreUnknownWhereTheLogDoesNotTellHowPacketsWereMade) {
    SamplePair pair = three_sizes();
    for (SampleLog* log : {&pair.sender, &pair.receiver}) {
        log->metadata.flows.front().spec.transport = Transport::tcp;
    }
    const Results stream = pair.analyzed();
    EXPECT_FALSE(only_flow(stream).received->throughput_ip_bps());
    EXPECT_THAT(only_flow(stream).received->headers_unknown_because, HasSubstr("TCP"));
    EXPECT_FALSE(stream.runs.front().total.received->throughput_ip_bps());
    SamplePair large = three_sizes();
    large.receiver.received.front().second.back().size = 1473;
    const Results split = large.analyzed();
    EXPECT_FALSE(only_flow(split).received->throughput_ip_bps());
    EXPECT_THAT(only_flow(split).received->headers_unknown_because, HasSubstr("1500 bytes"));
}

}  // namespace
}  // namespace groma
