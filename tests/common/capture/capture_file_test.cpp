#include "common/capture/capture_file.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/common/wire/sample_frames.hpp"

namespace groma {
namespace {

std::string block_of_pcapng(std::uint32_t type, std::string body) {
    const auto number = [](std::uint32_t value) {
        return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
    };
    body.resize((body.size() + 3) / 4 * 4);
    const std::string length = number(static_cast<std::uint32_t>(body.size() + 12));
    return number(type) + length + body + length;
}

/// A pcapng file of one frame at the time 0 of an interface with this if_tsoffset (pcapng, 4.2), in seconds.
void write_with_offset(const std::filesystem::path& file, std::int64_t offset) {
    std::string interface("\x65\0\0\0\0\0\0\0\x0e\0\x08\0", 12);  // raw IP; option 14 has 8 bytes
    interface.append(reinterpret_cast<const char*>(&offset), sizeof(offset));
    interface.append(4, '\0');  // the end of the options
    std::string frame(12, '\0');
    frame.append("\x04\0\0\0\x04\0\0\0\x45\0\0\0", 12);  // 4 bytes of 4
    std::ofstream(file, std::ios::binary)
        << block_of_pcapng(0x0a0d0d0a, std::string("\x4d\x3c\x2b\x1a\x01\0\0\0", 8) + std::string(8, '\xff'))
        << block_of_pcapng(1, interface) << block_of_pcapng(6, frame);
}

class CaptureFile : public testing::Test {
protected:
    std::size_t frames() {
        std::size_t count = 0;
        read_capture(file_, [&count](const CapturedFrame&) { return ++count > 0; });
        return count;
    }

    std::string refusal() {
        try {
            frames();
        } catch (const RunError& error) {
            return error.what();
        }
        return "accepted";
    }

    const TemporaryFolder folder_;
    const std::filesystem::path file_ = folder_.path() / "packets.pcap";
};

TEST_F(CaptureFile, GivesItsFramesInOrderWithTheirTimes) {
    write_capture(file_, {udp_packet("a"), udp_packet("bc")}, 101);
    std::vector<std::int64_t> times;
    std::vector<std::size_t> sizes;
    read_capture(file_, [&](const CapturedFrame& frame) {
        EXPECT_EQ(frame.link, LinkType::raw);
        EXPECT_EQ(frame.length, frame.bytes.size());
        times.push_back(ns_since_epoch(frame.at));
        sizes.push_back(frame.length);
        return true;
    });
    EXPECT_EQ(times, (std::vector<std::int64_t>{1'000'005'000, 2'000'005'000}));
    EXPECT_EQ(sizes, (std::vector<std::size_t>{29, 30}));
}

TEST_F(CaptureFile, StopsWhenNoMoreIsWanted) {
    write_capture(file_, {udp_packet("a"), udp_packet("b"), udp_packet("c")});
    int seen = 0;
    read_capture(file_, [&seen](const CapturedFrame&) { return ++seen < 2; });
    EXPECT_EQ(seen, 2);
}

TEST_F(CaptureFile, ThatIsNoneIsRefusedWithItsName) {
    std::ofstream(file_) << "no capture at all, only text that is long enough";
    EXPECT_NE(refusal().find(file_.string()), std::string::npos) << refusal();
    std::filesystem::remove(file_);
    EXPECT_NE(refusal().find("No such file"), std::string::npos) << refusal();
}

TEST_F(CaptureFile, OfAnUnknownKindOfLinkIsRefusedWithTheKindsThatAreKnown) {
    write_capture(file_, {udp_packet("a")}, 105);
    EXPECT_NE(refusal().find("known are Ethernet"), std::string::npos) << refusal();
}

TEST_F(CaptureFile, ThatIsCutIsRefusedBehindTheFramesThatAreWhole) {
    write_capture(file_, {udp_packet("a"), udp_packet("b")});
    std::filesystem::resize_file(file_, std::filesystem::file_size(file_) - 3);
    std::size_t seen = 0;
    EXPECT_THROW(read_capture(file_, [&seen](const CapturedFrame&) { return ++seen > 0; }), RunError);
    EXPECT_EQ(seen, 1U);
}

TEST_F(CaptureFile, WithATimeThatNanosecondsCannotTellIsRefused) {
    write_with_offset(file_, 5);
    std::vector<std::int64_t> times;
    read_capture(file_, [&](const CapturedFrame& frame) {
        times.push_back(ns_since_epoch(frame.at));
        return true;
    });
    EXPECT_EQ(times, (std::vector<std::int64_t>{5'000'000'000}));
    for (const std::int64_t offset : {std::numeric_limits<std::int64_t>::max(), std::int64_t{9'300'000'000},
                                      std::numeric_limits<std::int64_t>::min() / 2}) {
        write_with_offset(file_, offset);
        EXPECT_NE(refusal().find("the time of a frame is before 1678 or after 2262"), std::string::npos) << refusal();
    }
}

TEST_F(CaptureFile, GivesOnlyTheFramesThatAFilterLetsThrough) {
    auto other = udp_packet("b");
    other[23] = std::byte{0x8a};  // to port 5002
    write_capture(file_, {udp_packet("a"), other, udp_packet("c")}, 101);
    std::vector<std::int64_t> seconds;
    read_capture(file_, "udp dst port 5001", [&](const CapturedFrame& frame) {
        seconds.push_back(ns_since_epoch(frame.at) / 1'000'000'000);
        return true;
    });
    EXPECT_EQ(seconds, (std::vector<std::int64_t>{1, 3}));
}

TEST_F(CaptureFile, AFilterThatCannotBeFollowedIsNamedWithTheReason) {
    write_capture(file_, {udp_packet("a")}, 101);
    try {
        read_capture(file_, "udp prot 5001", [](const CapturedFrame&) { return true; });
        FAIL() << "the filter was taken";
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("'udp prot 5001'"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace groma
