// The bytes of the log format are pinned: old logs stay readable, and new ones follow docs/reference/log-format.md.
// After an intended change of the format (a new version), run this program once with GROMA_WRITE_GOLDEN=1 in the
// environment and keep the old files under their version's name.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/common/log/log_samples.hpp"

namespace groma {
namespace {

std::string text_of(const LogText& log) {
    return {reinterpret_cast<const char*>(log.data()), log.size()};
}

/// The text of tests/golden/NAME, after replacing it by `now` on request.
std::string golden(const std::string& name, const std::string& now) {
    const std::string file = GROMA_TEST_DATA "/golden/" + name;
    if (std::getenv("GROMA_WRITE_GOLDEN") != nullptr) {
        std::ofstream(file, std::ios::binary) << now;
    }
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Not EXPECT_EQ, which would print both files.
void expect_same_bytes(const std::string& now, const std::string& pinned) {
    const auto [left, right] = std::mismatch(now.begin(), now.end(), pinned.begin(), pinned.end());
    EXPECT_TRUE(left == now.end() and right == pinned.end())
        << "first difference at byte " << left - now.begin() << " of " << pinned.size();
}

TEST(GoldenLog, ASendersLogHasTheseBytes) {
    const std::string now = text_of(sample_log(LogRole::sender));
    expect_same_bytes(now, golden("sender.glog", now));
}

TEST(GoldenLog, AReceiversLogHasTheseBytes) {
    const std::string now = text_of(sample_log(LogRole::receiver));
    expect_same_bytes(now, golden("receiver.glog", now));
}

TEST(GoldenLog, RoundTripsTransmitStampsAndConnectionsHaveTheseBytes) {
    const std::string now = text_of(sample_measured_log(LogRole::sender));
    expect_same_bytes(now, golden("sender-measured.glog", now));
}

TEST(GoldenLog, ArrivalHeadersHaveTheseBytes) {
    const std::string now = text_of(sample_measured_log(LogRole::receiver));
    expect_same_bytes(now, golden("receiver-measured.glog", now));
}

TEST(GoldenLog, AKeptLogOfEveryMeterIsReadWhole) {
    WholeLog log;
    read_log(std::filesystem::path(GROMA_TEST_DATA "/golden/sender-measured.glog"), log);
    EXPECT_THAT(log.gaps, testing::IsEmpty());
    EXPECT_EQ(log.returned.at(FlowId{1}), sample_returned(60));
    EXPECT_EQ(log.transmitted.at(FlowId{1}), sample_transmitted(60));
    EXPECT_EQ(log.connection.at(FlowId{2}), sample_connection(12));
    EXPECT_EQ(log.metadata.at(0).clock->estimated_error, Nanos{23'000});
    WholeLog other;
    read_log(std::filesystem::path(GROMA_TEST_DATA "/golden/receiver-measured.glog"), other);
    EXPECT_THAT(other.gaps, testing::IsEmpty());
    EXPECT_EQ(other.received.at(FlowId{1}), sample_received_headers(60));
}

TEST(GoldenLog, AKeptLogIsReadWhole) {
    WholeLog log;
    read_log(std::filesystem::path(GROMA_TEST_DATA "/golden/receiver.glog"), log);
    EXPECT_THAT(log.gaps, testing::IsEmpty());
    EXPECT_EQ(log.received.at(FlowId{1}), sample_received(300));
    EXPECT_THAT(log.totals, testing::ElementsAre(sample_totals()));
}

}  // namespace
}  // namespace groma
