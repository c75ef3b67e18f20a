#include "sender/engine/payload.hpp"

#include <gtest/gtest.h>

#include <array>
#include <fstream>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/common/wire/sample_frames.hpp"

namespace groma {
namespace {

std::string text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class PayloadFile : public testing::Test {
protected:
    std::string refusal(const std::string& payload) {
        try {
            const Payload made(payload, 10);
        } catch (const RunError& error) {
            return error.what();
        }
        return "accepted";
    }

    const TemporaryFolder folder_;
    const std::filesystem::path file_ = folder_.path() / "payload";
};

TEST(Payload, OfZerosAndPatternsBeginsAnewInEveryPacket) {
    const Payload zero("zero", 100);
    PayloadCursor zeros(zero);
    EXPECT_EQ(text(zeros.next(3)), std::string(3, '\0'));
    EXPECT_EQ(text(zeros.next(100)), std::string(100, '\0'));
    const Payload pattern("pattern:616263", 100);
    PayloadCursor letters(pattern);
    EXPECT_EQ(text(letters.next(5)), "abcab");
    EXPECT_EQ(text(letters.next(1)), "a");
}

TEST(Payload, OfNoiseIsAnotherInEveryPacketAndTheSameEveryTime) {
    const Payload noise("", 2000);
    const Payload again("random", 2000);
    PayloadCursor first(noise);
    PayloadCursor second(again);
    const std::string one = text(first.next(1000));
    const std::string two = text(first.next(1000));
    EXPECT_NE(one, two);
    EXPECT_EQ(text(second.next(2000)), one + two);
}

TEST(Payload, OfNoiseUsesAllBytesAboutEquallySoThatNobodyCanCompressIt) {
    const Payload noise("", 65536);
    std::array<int, 256> count{};
    for (const std::byte byte : PayloadCursor(noise).next(65536)) {
        ++count[std::to_integer<std::size_t>(byte)];
    }
    for (const int each : count) {
        EXPECT_GT(each, 256 / 2);
        EXPECT_LT(each, 256 * 2);
    }
}

TEST(Payload, NeverEndsHoweverMuchIsTaken) {
    const Payload noise("", 65507);
    PayloadCursor cursor(noise);
    for (int packet = 0; packet < 1000; ++packet) {
        EXPECT_EQ(cursor.next(65507).size(), 65507U);
    }
}

TEST_F(PayloadFile, GoesOnWhereThePacketBeforeEndedAndBeginsAgainBehindItsEnd) {
    std::ofstream(file_) << "abcdefg";
    const Payload payload("file:" + file_.string(), 20);
    PayloadCursor cursor(payload);
    EXPECT_EQ(text(cursor.next(3)), "abc");
    EXPECT_EQ(text(cursor.next(3)), "def");
    EXPECT_EQ(text(cursor.next(3)), "gab");
    EXPECT_EQ(text(cursor.next(20)), "cdefgabcdefgabcdefga");
}

TEST_F(PayloadFile, OfACaptureGivesEachPacketThePayloadOfOneOfItsPackets) {
    write_capture(file_, {joined(ethernet("08 00"), udp_packet("first")), joined(ethernet("08 06"), udp_packet("arp")),
                          joined(ethernet("08 00"), udp_packet("")), joined(ethernet("08 00"), udp_packet("2nd"))});
    const Payload payload("pcap:" + file_.string(), 20);
    PayloadCursor cursor(payload);
    EXPECT_EQ(text(cursor.next(5)), "first");
    EXPECT_EQ(text(cursor.next(3)), "2nd");
    EXPECT_EQ(text(cursor.next(2)), "fi");
    EXPECT_EQ(text(cursor.next(6)), "2ndfir") << "what is longer than its payload runs on into the next";
}

TEST_F(PayloadFile, ThatCannotBeHadIsRefusedWithTheReason) {
    EXPECT_NE(refusal("file:" + file_.string()).find("cannot be read"), std::string::npos);
    EXPECT_NE(refusal("file:/").find("cannot be read"), std::string::npos) << refusal("file:/");
    std::ofstream(file_).flush();
    EXPECT_NE(refusal("file:" + file_.string()).find("empty"), std::string::npos);
    std::filesystem::resize_file(file_, Payload::kMostBytes + 1);
    EXPECT_NE(refusal("file:" + file_.string()).find("64 MiB"), std::string::npos);
    write_capture(file_, {joined(ethernet("08 06"), udp_packet("arp"))});
    EXPECT_NE(refusal("pcap:" + file_.string()).find("has a payload"), std::string::npos);
}

TEST(Payloads, AreMadeOncePerText) {
    std::vector<FlowSpec> flows(3);
    flows[1].payload = "zero";
    flows[2].payload = "zero";
    const Payloads payloads(flows);
    EXPECT_EQ(&payloads.of(flows[1]), &payloads.of(flows[2]));
    EXPECT_NE(&payloads.of(flows[0]), &payloads.of(flows[1]));
}

}  // namespace
}  // namespace groma
