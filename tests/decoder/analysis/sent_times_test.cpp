#include "decoder/analysis/sent_times.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

TEST(SentTimes, FindsWhatWasAddedAndNothingElse) {
    SentTimes times;
    times.add(3, wall_time_from_ns(30));
    times.add(7, wall_time_from_ns(70));
    EXPECT_EQ(times.find(3), wall_time_from_ns(30));
    EXPECT_EQ(times.find(7), wall_time_from_ns(70));
    EXPECT_EQ(times.find(5), std::nullopt);
    EXPECT_EQ(times.find(8), std::nullopt);
    EXPECT_EQ(SentTimes{}.find(0), std::nullopt);
}

TEST(SentTimes, LeavesOutWhatIsOutOfOrder) {
    SentTimes times;
    times.add(5, wall_time_from_ns(50));
    times.add(5, wall_time_from_ns(51));
    times.add(4, wall_time_from_ns(40));
    EXPECT_EQ(times.size(), 1U);
    EXPECT_EQ(times.find(5), wall_time_from_ns(50));
}

TEST(Departure, IsWhatTheRecordSaysOrElseTheSendersRecord) {
    SentTimes known;
    known.add(3, wall_time_from_ns(30));
    known.add(ReceivedRecord::kNoSeq, wall_time_from_ns(40));
    EXPECT_EQ(departure_of(3, wall_time_from_ns(7), &known), wall_time_from_ns(7));
    EXPECT_EQ(departure_of(3, ReceivedRecord::kNoTime, &known), wall_time_from_ns(30));
    EXPECT_EQ(departure_of(4, ReceivedRecord::kNoTime, &known), std::nullopt);
    EXPECT_EQ(departure_of(3, ReceivedRecord::kNoTime, nullptr), std::nullopt);
    EXPECT_EQ(departure_of(ReceivedRecord::kNoSeq, ReceivedRecord::kNoTime, &known), std::nullopt);
}

}  // namespace
}  // namespace groma
