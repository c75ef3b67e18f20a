#include "decoder/analysis/round_trip_analyzer.hpp"

#include <gtest/gtest.h>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

WallTime ns_after_start(std::int64_t offset_ns) {
    return wall_time_from_ns(kStartNs + offset_ns);
}

/// Of a packet that left so long after the start.
RoundTripRecord dated_reply(std::uint64_t seq, std::int64_t sent_ns, std::int64_t rtt_ns) {
    return {
        .seq = seq, .sent_at = ns_after_start(sent_ns), .returned_at = ns_after_start(sent_ns + rtt_ns), .size = 500};
}

RoundTripRecord undated_reply(std::uint64_t seq, std::int64_t returned_ns) {
    return {.seq = seq, .returned_at = ns_after_start(returned_ns), .size = 8};
}

class RoundTripAnalyzerTest : public testing::Test {
protected:
    [[nodiscard]] RoundTripAnalyzer analyzer(const ClockState& clock = {.kind = ClockState::Kind::relative},
                                             const std::optional<Selection>& selection = {}) {
        return {{.start = ns_after_start(0), .clock = clock, .sent_times = &sent_times_, .selection = selection},
                series_};
    }

    TimeSeries series_{kSecond};
    SentTimes sent_times_;
};

TEST_F(RoundTripAnalyzerTest, OnlyTheFirstCopyOfAReplyHasATime) {
    RoundTripAnalyzer replies = analyzer();
    replies.add(dated_reply(0, 0, 1000));
    replies.add(dated_reply(0, 0, 9000));
    replies.add(dated_reply(ReceivedRecord::kNoSeq, 0, 5000));
    replies.finish();
    const RoundTripFigures figures = replies.figures(false);
    EXPECT_EQ(figures.replies, 3U);
    EXPECT_EQ(figures.unique, 2U);
    EXPECT_EQ(figures.duplicates, 1U);
    EXPECT_EQ(figures.unnumbered, 1U);
    EXPECT_EQ(figures.rtt_ns.count, 2U);
    EXPECT_EQ(figures.rtt_ns.max, 5000);
    EXPECT_EQ(series_.rare_at(Nanos{0}).returned, 3U);
    EXPECT_EQ(series_.rare_at(Nanos{0}).rtts, 2U);
}

TEST_F(RoundTripAnalyzerTest, TimesFromTheScheduleHaveTheLatenessHoweverLateThatIsKnown) {
    DepartureLateness late(std::make_shared<DepartureLateness::Room>(10));
    late.add(0, std::vector<std::int64_t>{30});
    RoundTripAnalyzer replies({.start = ns_after_start(0), .lateness = &late}, series_);
    for (std::uint64_t seq = 0; seq < 3; ++seq) {
        replies.add(dated_reply(seq, 0, 1000));
    }
    replies.add(dated_reply(ReceivedRecord::kNoSeq, 0, 5000));
    late.add(1, std::vector<std::int64_t>{500});
    replies.finish();
    const RoundTripFigures figures = replies.figures(false);
    EXPECT_EQ(figures.rtt_ns.count, 4U);
    EXPECT_EQ(figures.scheduled_rtt_ns.count, 2U) << "of the others the lateness is unknown";
    EXPECT_EQ(figures.scheduled_rtt_ns.min, 1030);
    EXPECT_EQ(figures.scheduled_rtt_ns.max, 1500);
}

TEST_F(RoundTripAnalyzerTest, OfTooManyPacketsTimesFromTheScheduleAreUnknown) {
    DepartureLateness late(std::make_shared<DepartureLateness::Room>(1));
    late.add(0, std::vector<std::int64_t>{30});
    RoundTripAnalyzer replies({.start = ns_after_start(0), .lateness = &late}, series_);
    replies.add(dated_reply(0, 0, 1000));
    late.add(1, std::vector<std::int64_t>{500});
    replies.finish();
    EXPECT_EQ(replies.figures(false).scheduled_rtt_ns.count, 0U);
}

TEST_F(RoundTripAnalyzerTest, BothWaysAreCorrectedByOneOffset) {
    ClockState ahead{.kind = ClockState::Kind::probed};
    ahead.fit.pieces = {{.reference = ns_after_start(0), .last = ns_after_start(0), .offset = Nanos{200}}};
    RoundTripAnalyzer replies = analyzer(ahead);
    RoundTripRecord reply = dated_reply(0, 0, 1000);
    reply.reflected_at = ns_after_start(500);
    reply.replied_at = ns_after_start(600);
    replies.add(reply);
    const RoundTripFigures figures = replies.figures(false);
    EXPECT_FALSE(figures.one_way_is_relative);
    EXPECT_EQ(figures.residence_ns.max, 100);
    EXPECT_EQ(figures.network_ns.max, 900);
    EXPECT_EQ(figures.forward_ns.max, 300);
    EXPECT_EQ(figures.backward_ns.max, 600);
}

TEST_F(RoundTripAnalyzerTest, TimesThatNoClocksHaveAreCounted) {
    RoundTripAnalyzer replies = analyzer({.kind = ClockState::Kind::one_clock});
    replies.add(dated_reply(0, 0, 10'000));
    replies.add(dated_reply(1, 0, -1));
    std::uint64_t seq = 2;
    for (const auto& [reflected, replied] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {4000, 5000}, {5000, 4000}, {-3000, 5000}, {5000, 13'000}}) {
        RoundTripRecord reply = dated_reply(seq++, 0, 10'000);
        reply.reflected_at = ns_after_start(reflected);
        reply.replied_at = ns_after_start(replied);
        replies.add(reply);
    }
    EXPECT_EQ(replies.figures(false).impossible, 4U);
}

TEST_F(RoundTripAnalyzerTest, OneStampOfTheReceiverAloneIsNone) {
    RoundTripAnalyzer replies = analyzer();
    RoundTripRecord reply = dated_reply(0, 0, 1000);
    reply.reflected_at = ns_after_start(500);
    replies.add(reply);
    reply = dated_reply(1, 0, 1000);
    reply.replied_at = ns_after_start(500);
    replies.add(reply);
    const RoundTripFigures figures = replies.figures(false);
    EXPECT_EQ(figures.rtt_ns.count, 2U);
    for (const Spread* times :
         {&figures.residence_ns, &figures.network_ns, &figures.forward_ns, &figures.backward_ns}) {
        EXPECT_EQ(times->count, 0U);
    }
}

TEST_F(RoundTripAnalyzerTest, TimesTooFarApartAreInNoFigure) {
    constexpr std::int64_t kYears = 2'500'000'000'000'000'000;  // 79
    RoundTripAnalyzer replies = analyzer();
    replies.add(dated_reply(0, -kYears, kYears));
    for (std::uint64_t seq = 1; seq <= 3; ++seq) {
        RoundTripRecord reply = dated_reply(seq, 0, 1000);
        reply.reflected_at = ns_after_start(seq == 3 ? 500 : -kYears);
        reply.replied_at = ns_after_start(seq == 1 ? -kYears : 600);
        replies.add(reply);
    }
    const RoundTripFigures figures = replies.figures(false);
    EXPECT_EQ(figures.undated, 1U);
    EXPECT_EQ(figures.rtt_ns.count, 3U);
    EXPECT_EQ(figures.residence_ns.max, 100);
    EXPECT_EQ(figures.residence_ns.count, 2U);
    EXPECT_EQ(figures.network_ns.count, 2U);
    EXPECT_EQ(figures.forward_ns.count, 1U);
    EXPECT_EQ(figures.backward_ns.count, 1U);
}

TEST_F(RoundTripAnalyzerTest, WithoutARelationOfTheClocksEachWayIsLessItsSmallest) {
    RoundTripAnalyzer replies = analyzer();
    for (const std::int64_t later : {0, 30, 10}) {
        RoundTripRecord reply = dated_reply(static_cast<std::uint64_t>(later), 0, 1000);
        reply.reflected_at = ns_after_start(1'000'000'000 + later);
        reply.replied_at = reply.reflected_at;
        replies.add(reply);
    }
    const RoundTripFigures figures = replies.figures(false);
    EXPECT_TRUE(figures.one_way_is_relative);
    EXPECT_EQ(figures.forward_ns.min, 0);
    EXPECT_EQ(figures.forward_ns.max, 30);
    EXPECT_EQ(figures.backward_ns.min, 0);
    EXPECT_EQ(figures.backward_ns.max, 30);
}

TEST_F(RoundTripAnalyzerTest, ARepliesPacketMayBeFoundLaterInTheSendersLog) {
    RoundTripAnalyzer replies = analyzer();
    replies.add(undated_reply(1, 1000));
    replies.add(undated_reply(2, 1000));
    replies.add(undated_reply(ReceivedRecord::kNoSeq, 1000));
    sent_times_.add(1, ns_after_start(400));
    replies.finish();
    const RoundTripFigures figures = replies.figures(false);
    EXPECT_EQ(figures.rtt_ns.count, 1U);
    EXPECT_EQ(figures.rtt_ns.max, 600);
    EXPECT_EQ(figures.undated, 2U);
}

TEST_F(RoundTripAnalyzerTest, ASelectionIsByDepartureHoweverLateThatIsKnown) {
    RoundTripAnalyzer replies = analyzer({}, Selection{.from = kSecond, .sizes = SizeRange{8, 8}});
    replies.add(dated_reply(0, 1'000'000'000, 1000));  // of another size
    replies.add(undated_reply(1, 3'000'000'000));
    replies.add(undated_reply(2, 3'000'000'000));
    replies.add(undated_reply(3, 3'000'000'000));
    sent_times_.add(1, ns_after_start(999'999'999));
    sent_times_.add(2, ns_after_start(1'000'000'000));
    replies.finish();
    const RoundTripFigures figures = replies.figures(false);
    EXPECT_EQ(figures.replies, 1U);
    EXPECT_EQ(figures.rtt_ns.max, 2'000'000'000);
}

TEST_F(RoundTripAnalyzerTest, LostOnTheWayBackIsWhatReachedTheReceiverAndNeverReturned) {
    RoundTripAnalyzer replies = analyzer();
    for (const std::uint64_t seq : {0U, 1U, 1U, 2U}) {
        replies.add_reached(received_packet(seq, 0, 500));
    }
    replies.add(dated_reply(2, 0, 1000));
    EXPECT_EQ(replies.figures(true).backward_lost, 2U);
    EXPECT_EQ(replies.figures(true).backward_from, "both logs, packet by packet");
    EXPECT_EQ(replies.figures(false).backward_lost, std::nullopt);
    replies.add_reached(received_packet(ReceivedRecord::kNoSeq, 0, 500));
    EXPECT_EQ(replies.figures(true).backward_lost, std::nullopt);
}

}  // namespace
}  // namespace groma
