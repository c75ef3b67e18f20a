#include "common/capture/pcapng_writer.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "common/capture/capture_file.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/common/wire/sample_frames.hpp"

namespace groma {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::int64_t kAt = 1'700'000'000'123'456'789;

class PcapngFile : public testing::Test {
protected:
    PcapngWriter writer(const PcapngSection& section = {.program = "a test", .comments = {}}) {
        return {[this](std::span<const std::byte> piece) {
                    largest_ = std::max(largest_, piece.size());
                    bytes_.insert(bytes_.end(), piece.begin(), piece.end());
                },
                section};
    }

    /// What libpcap finds in it.
    std::vector<std::pair<std::int64_t, Bytes>> read() {
        std::ofstream(file_, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes_.data()), static_cast<std::streamsize>(bytes_.size()));
        std::vector<std::pair<std::int64_t, Bytes>> frames;
        read_capture(file_, [&](const CapturedFrame& frame) {
            frames.emplace_back(ns_since_epoch(frame.at), Bytes(frame.bytes.begin(), frame.bytes.end()));
            lengths_.push_back(frame.length);
            return true;
        });
        return frames;
    }

    Bytes bytes_;
    std::size_t largest_ = 0;
    std::vector<std::size_t> lengths_;
    const TemporaryFolder folder_;
    const std::filesystem::path file_ = folder_.path() / "packets.pcapng";
};

TEST_F(PcapngFile, HasTheBytesOfTheFormat) {
    PcapngWriter out = writer({.program = "abc", .comments = {"hello"}});
    const std::uint32_t interface =
        out.add_interface({.name = "eth0", .description = "", .comments = {}, .link = LinkType::raw});
    const auto packet = bytes_of("01 02 03 04 05");
    out.add({.interface = interface,
             .at = wall_time_from_ns(0x0102030405060708),
             .direction = PcapngDirection::outbound,
             .length = 9,
             .bytes = packet});
    out.finish();
    EXPECT_EQ(bytes_,
              bytes_of(
                  // section: length 52, byte order, version 1.0, length not known, program, comment, end of options
                  "0a 0d 0d 0a 34 00 00 00 4d 3c 2b 1a 01 00 00 00 ff ff ff ff ff ff ff ff "
                  "04 00 03 00 61 62 63 00 01 00 05 00 68 65 6c 6c 6f 00 00 00 00 00 00 00 34 00 00 00 "
                  // interface: raw IP, no limit, name, no description, resolution 10^-9
                  "01 00 00 00 2c 00 00 00 65 00 00 00 00 00 00 00 02 00 04 00 65 74 68 30 03 00 00 00 "
                  "09 00 01 00 09 00 00 00 00 00 00 00 2c 00 00 00 "
                  // packet: interface 0, time, 5 of 9 bytes, padding, flags: outbound
                  "06 00 00 00 34 00 00 00 00 00 00 00 04 03 02 01 08 07 06 05 05 00 00 00 09 00 00 00 "
                  "01 02 03 04 05 00 00 00 02 00 04 00 02 00 00 00 00 00 00 00 34 00 00 00"));
}

TEST_F(PcapngFile, IsReadByLibpcapToTheNanosecond) {
    PcapngWriter out = writer();
    const std::uint32_t first =
        out.add_interface({.name = "one", .description = "1", .comments = {"a comment"}, .link = LinkType::ethernet});
    const std::uint32_t second =
        out.add_interface({.name = "two", .description = "2", .comments = {}, .link = LinkType::ethernet});
    EXPECT_EQ(first, 0U);
    EXPECT_EQ(second, 1U);
    const Bytes here = joined(ethernet("08 00"), udp_packet("here"));
    const Bytes there = joined(ethernet("08 00"), udp_packet("over there"));
    out.add({.interface = first, .at = wall_time_from_ns(kAt), .length = 42 + 1000, .bytes = here});
    out.add({.interface = second,
             .at = wall_time_from_ns(kAt + 1),
             .direction = PcapngDirection::inbound,
             .length = static_cast<std::uint32_t>(there.size()),
             .bytes = there});
    out.finish();
    EXPECT_EQ(read(), (std::vector<std::pair<std::int64_t, Bytes>>{{kAt, here}, {kAt + 1, there}}));
    EXPECT_EQ(lengths_, (std::vector<std::size_t>{1042, there.size()}));
}

TEST_F(PcapngFile, IsHandedOnInPieces) {
    PcapngWriter out = writer();
    const std::uint32_t interface = out.add_interface({.name = "x", .description = "", .comments = {}});
    const Bytes packet = udp_packet(std::string(100, 'a'));
    for (int i = 0; i < 10'000; ++i) {
        out.add({.interface = interface, .at = wall_time_from_ns(kAt + i), .length = 128, .bytes = packet});
    }
    out.finish();
    EXPECT_LT(largest_, 70'000U);
    EXPECT_EQ(read().size(), 10'000U);
}

TEST_F(PcapngFile, SaysOfATimeBefore1970WhatItIs) {
    PcapngWriter out = writer();
    const std::uint32_t interface = out.add_interface({.name = "x", .description = "", .comments = {}});
    out.add({.interface = interface, .at = wall_time_from_ns(-5), .length = 0, .bytes = {}});
    out.finish();
    const std::string text(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
    EXPECT_NE(text.find("-5 ns since 1970"), std::string::npos);
    EXPECT_EQ(read().at(0).first, 0);
}

TEST_F(PcapngFile, CutsTextsThatDoNotFit) {
    PcapngWriter out = writer({.program = std::string(100'000, 'p'), .comments = {std::string(100'000, 'c')}});
    (void)out.add_interface({.name = std::string(100'000, 'n'), .description = "", .comments = {}});
    out.finish();
    EXPECT_LT(bytes_.size(), 100'000U);
    EXPECT_TRUE(read().empty());
}

}  // namespace
}  // namespace groma
