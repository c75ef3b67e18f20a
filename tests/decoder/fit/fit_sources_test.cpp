#include "decoder/fit/fit_sources.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/common/wire/sample_frames.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

class FitSources : public testing::Test {
protected:
    FitResults read(const std::vector<std::vector<std::byte>>& frames, std::uint32_t link = 101) {
        write_capture(file_, frames, link);
        return read_file();
    }

    FitResults read_file() {
        TrafficMeter meter(options_);
        FitResults results;
        read_traffic(file_, options_, meter, results);
        meter.fit(results, [](std::size_t, std::size_t) {});
        return results;
    }

    const TemporaryFolder folder_;
    const std::string file_ = folder_.file("sample.pcap");
    FitOptions options_ = [] {
        FitOptions options;
        options.fewest = 3;
        return options;
    }();
};

std::vector<std::byte> acknowledgement() {
    return bytes_of(
        "45 00 00 28 00 01 00 00 40 06 00 00 0a 00 00 01 0a 00 00 02 "
        "00 50 13 89 00 00 00 01 00 00 00 01 50 10 01 00 00 00 00 00");
}

TEST_F(FitSources, ACaptureIsSplitIntoItsFlowsAndWhatIsOfNoneIsCounted) {
    auto back = udp_packet("hi");
    std::swap(back[15], back[19]);
    auto fragment = udp_packet("piece");
    fragment[7] = std::byte{1};
    auto tunnel = udp_packet("x");
    tunnel[9] = std::byte{47};
    const FitResults results = read(
        {udp_packet("a"), back, udp_packet("abc"), fragment, back, tunnel, udp_packet("ab"), acknowledgement(), back});
    ASSERT_EQ(results.traffic.size(), 2U);
    EXPECT_EQ(results.traffic[0].name, "10.0.0.1:5000 > 10.0.0.2:5001");
    EXPECT_EQ(results.traffic[0].packets, 3U);
    EXPECT_EQ(results.traffic[0].bytes, 6U);
    EXPECT_EQ(results.traffic[0].duration_s, 6);
    EXPECT_EQ(results.traffic[1].name, "10.0.0.2:5000 > 10.0.0.1:5001");
    const FitSource& source = results.sources.at(0);
    EXPECT_EQ(source.seen, 9U);
    EXPECT_EQ(source.used, 6U);
    EXPECT_EQ(source.bare, 1U);
    EXPECT_EQ(source.left_out[static_cast<std::size_t>(NoFlow::fragment)], 1U);
    EXPECT_EQ(source.left_out[static_cast<std::size_t>(NoFlow::unknown_protocol)], 1U);
}

TEST_F(FitSources, TheOtherDirectionOfAFlowThatAppearedBeforeIsInReverse) {
    auto back = udp_packet("hi");
    std::swap(back[15], back[19]);
    std::swap(back[21], back[23]);
    const FitResults results = read({udp_packet("a"), back, udp_packet("abc"), back, udp_packet("ab"), back});
    ASSERT_EQ(results.traffic.size(), 2U);
    EXPECT_EQ(results.traffic[1].name, "10.0.0.2:5001 > 10.0.0.1:5000");
    EXPECT_FALSE(results.traffic[0].reverse);
    EXPECT_TRUE(results.traffic[1].reverse);
    EXPECT_THAT(results.traffic[1].notes.at(0), HasSubstr("in reverse"));
}

TEST_F(FitSources, AcknowledgementsCountWhenAskedFor) {
    options_.bare = true;
    const FitResults results = read({acknowledgement(), acknowledgement(), acknowledgement()});
    ASSERT_EQ(results.traffic.size(), 1U);
    EXPECT_EQ(results.traffic[0].transport, Transport::tcp);
    EXPECT_EQ(results.traffic[0].bytes, 0U);
}

TEST_F(FitSources, ACaptureThatIsCutGivesWhatIsWholeAndAWarning) {
    write_capture(file_, std::vector(5, udp_packet("abc")), 101);
    std::filesystem::resize_file(file_, std::filesystem::file_size(file_) - 3);
    const FitResults results = read_file();
    EXPECT_TRUE(results.damaged);
    EXPECT_EQ(results.traffic.at(0).packets, 4U);
    EXPECT_THAT(results.warnings.at(0), HasSubstr("figures are from the frames before"));
}

TEST_F(FitSources, WhatIsNoCaptureIsRefused) {
    std::ofstream(file_) << "neither a capture nor a log, but long enough to be one";
    EXPECT_THROW(read_file(), RunError);
}

TEST_F(FitSources, NamesOfFlowsSayWhoSendsToWhom) {
    FlowKey key;
    key.ipv6 = true;
    key.source[15] = std::byte{1};
    key.destination[0] = std::byte{0xfd};
    key.source_port = 5;
    key.destination_port = 80;
    key.protocol = ip_protocol::kTcp;
    EXPECT_EQ(flow_name(key), "[::1]:5 > [fd00::]:80");
    key.protocol = ip_protocol::kIcmp6;
    key.destination_port = 128;
    EXPECT_EQ(flow_name(key), "::1 > fd00:: echo request 5");
}

}  // namespace
}  // namespace groma
