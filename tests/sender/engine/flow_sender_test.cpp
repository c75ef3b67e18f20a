#include "sender/engine/flow_sender.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <functional>

#include "tests/sender/fake_channel.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using Turn = FlowSender::Turn;

/// One flow, its channel and the resources that a worker lends it, in virtual time.
class FlowSenderTest : public testing::Test {
protected:
    static constexpr std::size_t kBatch = 8;

    FlowSender& start(const FlowSpec& spec) {
        FlowToSend flow{spec, std::make_unique<FakeChannel>(wire, clock), &any_payload()};
        sender.emplace(std::move(flow), 0, kBatch);
        begun = clock.now();
        sender->begin(begun);
        return *sender;
    }

    Turn turn_after(Nanos span) {
        clock.advance(span);
        return sender->take_turn(clock.now(), tools);
    }

    std::vector<SentRecord> records() {
        std::array<QueuedRecord, 128> queued;
        std::vector<SentRecord> all;
        const std::size_t count = queue.pop(queued);
        for (std::size_t i = 0; i < count; ++i) {
            all.push_back(queued[i].record);
        }
        return all;
    }

    ManualClock clock;
    FakeWire wire;
    SentQueue queue{64};
    SendTools tools{clock, queue, std::vector<Frame>(kBatch)};
    std::optional<FlowSender> sender;
    MonoTime begun{};
};

SendOutcome taking(std::size_t sent, SendStatus status, int errno_value = 0) {
    return {.sent = sent, .status = status, .errno_value = errno_value};
}

TEST_F(FlowSenderTest, APacketOnTimeGoesAlone) {
    start(steady_flow(1, 3));
    EXPECT_EQ(turn_after(0ms), Turn::ready);
    EXPECT_EQ(wire.calls, (std::vector<std::size_t>{1}));
    EXPECT_EQ(sender->next_deadline(), begun + 1ms);
}

TEST_F(FlowSenderTest, AWarmUpSendsNothingAndChangesNothingThatIsSent) {
    start(steady_flow(1, 3));
    turn_after(0ms);
    for (int time = 0; time < 5; ++time) {
        sender->warm_up(tools);
    }
    EXPECT_EQ(wire.calls.size(), 1U);
    EXPECT_EQ(sender->next_deadline(), begun + 1ms);
    EXPECT_EQ(sender->progress().packets, 1U);
    turn_after(1ms);
    sender->warm_up(tools);
    EXPECT_EQ(turn_after(1ms), Turn::ended);
    ASSERT_EQ(wire.packets.size(), 3U);
    for (std::uint32_t seq = 0; seq < 3; ++seq) {
        EXPECT_EQ(wire.packets[seq].header.seq, seq);
        EXPECT_EQ(wire.packets[seq].header.sent_at, clock.wall_now() - (2 - seq) * 1ms);
    }
    EXPECT_EQ(records().size(), 3U);
}

TEST_F(FlowSenderTest, WhatIsDueAfterADelayGoesInOneCall) {
    start(steady_flow(1, 10));
    EXPECT_EQ(turn_after(4500us), Turn::ready);
    EXPECT_EQ(wire.calls, (std::vector<std::size_t>{5}));
    EXPECT_EQ(sender->next_deadline(), begun + 5ms);
}

TEST_F(FlowSenderTest, ABatchIsNoLargerThanWasAllowed) {
    start(steady_flow(1, 100));
    turn_after(50ms);
    EXPECT_EQ(wire.calls, (std::vector<std::size_t>{kBatch}));
    EXPECT_EQ(sender->next_deadline(), begun + 8ms);
}

TEST_F(FlowSenderTest, ABatchOfLargeFramesEndsBeforeItDelaysOthers) {
    FlowSpec spec = steady_flow(1, 100);
    spec.transport = Transport::tcp;
    spec.size = Constant{100'000};
    start(spec);
    turn_after(50ms);
    EXPECT_EQ(wire.calls, (std::vector<std::size_t>{2}));
}

TEST_F(FlowSenderTest, AFrameLargerThanTheLimitOfABatchGoesAlone) {
    FlowSpec spec = steady_flow(1, 100);
    spec.transport = Transport::tcp;
    spec.size = Constant{1 << 20};
    start(spec);
    turn_after(50ms);
    EXPECT_EQ(wire.calls, (std::vector<std::size_t>{1}));
    EXPECT_EQ(wire.packets[0].size, std::size_t{1} << 20U);
}

TEST_F(FlowSenderTest, ThePacketSaysWhenItLeftAndWhoseItIs) {
    start(steady_flow(7, 3));
    turn_after(1300us);
    ASSERT_EQ(wire.packets.size(), 2U);
    EXPECT_EQ(wire.packets[1].size, 100U);
    EXPECT_EQ(wire.packets[1].header.seq, 1U);
    EXPECT_EQ(wire.packets[1].header.flow, FlowId{7});
    EXPECT_EQ(wire.packets[1].header.sent_at, clock.wall_now());
}

TEST_F(FlowSenderTest, TheRecordSaysWhatThePacketSaysAndHowLateItWas) {
    start(steady_flow(1, 3));
    turn_after(1300us);
    const SentRecord second{.seq = 1, .sent_at = clock.wall_now(), .lateness = 300us, .size = 100, .batch = 2};
    const std::vector<SentRecord> all = records();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].lateness, 1300us);
    EXPECT_EQ(all[1], second);
}

TEST_F(FlowSenderTest, AStepOfTheWallClockDoesNotChangeLateness) {
    start(steady_flow(1, 3));
    clock.step_wall(-1h);
    turn_after(10us);
    EXPECT_EQ(records().at(0).lateness, 10us);
}

TEST_F(FlowSenderTest, AStepOfTheWallClockIsInNoRate) {
    start(steady_flow(1, 3));
    turn_after(10us);
    clock.step_wall(-1h);
    turn_after(1ms);
    EXPECT_EQ(turn_after(1020us), Turn::ended);
    EXPECT_EQ(sender->scheduled(), (TimeSpan{0ms, 2ms}));
    EXPECT_EQ(sender->sent(), (TimeSpan{10us, 2030us}));
}

TEST_F(FlowSenderTest, PacketsCarryAsMuchHeaderAsTheirFlowAsksFor) {
    FlowSpec spec = steady_flow(1, 1);
    spec.header = HeaderLevel::sequence;
    start(spec);
    turn_after(0ms);
    EXPECT_EQ(wire.packets.at(0).size, 100U);
    EXPECT_EQ(wire.packets.at(0).header.seq, 0U);
    EXPECT_FALSE(wire.packets.at(0).header.sent_at);
}

TEST_F(FlowSenderTest, APacketTooSmallForAHeaderIsSentAllTheSame) {
    FlowSpec spec = steady_flow(1, 1);
    spec.size = Constant{1};
    start(spec);
    turn_after(0ms);
    EXPECT_EQ(wire.packets.at(0).size, 1U);
    EXPECT_EQ(records().at(0).size, 1U);
}

TEST_F(FlowSenderTest, PacketsWithoutASequenceNumberAreCounted) {
    FlowSpec spec = steady_flow(1, 2);
    const auto unnumbered = [&](double size) {
        spec.size = Constant{size};
        start(spec);
        turn_after(0ms);
        turn_after(1ms);
        return sender->outcome("").counts.unnumbered;
    };
    EXPECT_EQ(unnumbered(4), 0U);
    EXPECT_EQ(unnumbered(3), 2U);
    spec.transport = Transport::tcp;  // whose frames begin with their lengths
    EXPECT_EQ(unnumbered(5), 0U);
    EXPECT_EQ(unnumbered(4), 2U);
    spec.header = HeaderLevel::none;
    EXPECT_EQ(unnumbered(500), 2U);
}

TEST_F(FlowSenderTest, AFlowIsCompleteAfterItsLastPacketAndClosesItsChannel) {
    start(steady_flow(1, 2));
    EXPECT_EQ(turn_after(0ms), Turn::ready);
    EXPECT_FALSE(sender->ended());
    EXPECT_EQ(turn_after(1ms), Turn::ended);
    EXPECT_TRUE(sender->ended());
    EXPECT_EQ(sender->outcome("").counts.end, FlowEnd::complete);
    EXPECT_EQ(wire.finished_in, 0ns);
    EXPECT_EQ(sender->progress().packets, 2U);
    EXPECT_EQ(sender->progress().bytes, 200U);
}

TEST_F(FlowSenderTest, WhatAFullSocketDidNotTakeIsSentLaterInOrderWithANewStamp) {
    start(steady_flow(1, 4));
    wire.answers = {taking(1, SendStatus::would_block)};
    EXPECT_EQ(turn_after(3ms), Turn::blocked);
    EXPECT_EQ(turn_after(5ms), Turn::ended);
    ASSERT_EQ(wire.packets.size(), 4U);
    for (std::uint32_t seq = 0; seq < 4; ++seq) {
        EXPECT_EQ(wire.packets[seq].header.seq, seq);
    }
    EXPECT_EQ(wire.packets[1].header.sent_at, clock.wall_now());
    EXPECT_EQ(records().at(1).lateness, 7ms);
    EXPECT_EQ(sender->outcome("").counts.blocked, 1U);
}

TEST_F(FlowSenderTest, APacketDroppedByTheKernelIsCountedAndTheOnesBehindItGoOn) {
    start(steady_flow(1, 4));
    wire.answers = {taking(1, SendStatus::dropped, ENOBUFS)};
    EXPECT_EQ(turn_after(3ms), Turn::ended);
    EXPECT_EQ(wire.calls, (std::vector<std::size_t>{4, 2}));
    const FlowOutcome outcome = sender->outcome("");
    EXPECT_EQ(outcome.counts.dropped, 1U);
    EXPECT_EQ(outcome.counts.end, FlowEnd::complete);
    EXPECT_EQ(sender->progress().packets, 3U);
    const std::vector<SentRecord> all = records();
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].seq, 0U);
    EXPECT_EQ(all[1].seq, 2U);
    EXPECT_EQ(all[1].batch, 2U);
}

TEST_F(FlowSenderTest, APacketThatIsTooBigIsCountedAndSkipped) {
    start(steady_flow(1, 2));
    wire.answers = {taking(0, SendStatus::too_big, EMSGSIZE)};
    turn_after(1ms);
    const FlowOutcome outcome = sender->outcome("");
    EXPECT_EQ(outcome.counts.too_big, 1U);
    EXPECT_EQ(outcome.counts.end, FlowEnd::complete);
    EXPECT_EQ(outcome.warnings, (std::vector<std::string>{"1 packet was too big for the path, and not sent"}));
    EXPECT_EQ(records().at(0).seq, 1U);
}

TEST_F(FlowSenderTest, PacketsLargerThanThePathTakesAreNamedOnce) {
    wire.path = PathMtu{.mtu = 120, .payload = 92};
    start(steady_flow(1, 2));
    turn_after(1ms);
    EXPECT_EQ(sender->outcome("").warnings,
              (std::vector<std::string>{"packets of up to 100 bytes are cut into fragments: the path's MTU is 120 "
                                        "(sizes up to 92 are not)"}));
    wire.path->payload = 100;
    EXPECT_TRUE(sender->outcome("").warnings.empty());
}

TEST_F(FlowSenderTest, PacketsThatMayNotBeCutUpAndAreAllTooBigMakeTheFlowFail) {
    wire.path = PathMtu{.mtu = 120, .payload = 92};
    FlowSpec spec = steady_flow(1, 2);
    spec.options.dont_fragment = true;
    start(spec);
    wire.answers = {taking(0, SendStatus::too_big, EMSGSIZE), taking(0, SendStatus::too_big, EMSGSIZE)};
    EXPECT_EQ(turn_after(1ms), Turn::ended);
    const FlowOutcome outcome = sender->outcome("");
    EXPECT_EQ(outcome.counts.end, FlowEnd::failed);
    EXPECT_EQ(outcome.error,
              "all 2 packets were too big for the path, and not sent: its MTU is 120, so that sizes up to 92 pass");
    EXPECT_TRUE(outcome.warnings.empty());
}

TEST_F(FlowSenderTest, ARefusalOfAnEarlierPacketIsCountedAndCostsNoPacket) {
    start(steady_flow(1, 2));
    wire.answers = {taking(0, SendStatus::refused, ECONNREFUSED)};
    EXPECT_EQ(turn_after(1ms), Turn::ended);
    EXPECT_EQ(sender->outcome("").counts.refused, 1U);
    EXPECT_EQ(sender->outcome("").counts.given_up, 0U);
    EXPECT_EQ(wire.packets.size(), 2U);
}

TEST_F(FlowSenderTest, APacketRefusedTwiceIsGivenUpSoThatTheFlowGoesOn) {
    start(steady_flow(1, 2));
    wire.answers.assign(4, taking(0, SendStatus::refused, EHOSTUNREACH));
    EXPECT_EQ(turn_after(1ms), Turn::ended);
    EXPECT_EQ(sender->outcome("").counts.refused, 4U);
    EXPECT_EQ(sender->outcome("").counts.given_up, 2U);
    EXPECT_EQ(sender->outcome("").counts.end, FlowEnd::complete);
    EXPECT_TRUE(wire.packets.empty());
}

TEST_F(FlowSenderTest, RefusalsWithPacketsBetweenThemCostNoPacket) {
    start(steady_flow(1, 3));
    wire.answers = {taking(0, SendStatus::refused), taking(1, SendStatus::refused), taking(1, SendStatus::refused)};
    EXPECT_EQ(turn_after(2ms), Turn::ended);
    EXPECT_EQ(sender->outcome("").counts.given_up, 0U);
    EXPECT_EQ(wire.packets.size(), 3U);
}

TEST_F(FlowSenderTest, ABrokenConnectionEndsTheFlowAndSaysWhy) {
    start(steady_flow(1, 5));
    wire.answers = {taking(1, SendStatus::closed, ECONNRESET)};
    EXPECT_EQ(turn_after(2ms), Turn::ended);
    const FlowOutcome outcome = sender->outcome("");
    EXPECT_EQ(outcome.counts.end, FlowEnd::failed);
    EXPECT_EQ(outcome.error,
              "sending to 10.0.0.2:9001 failed: Connection reset by peer; see whether groma-recv still runs there");
    EXPECT_EQ(records().size(), 1U);
}

TEST_F(FlowSenderTest, ARecordThatFindsNoRoomIsCountedAndThePacketIsStillSent) {
    SentQueue small(2);
    SendTools few{clock, small, std::vector<Frame>(kBatch)};
    start(steady_flow(1, 5));
    clock.advance(4ms);
    sender->take_turn(clock.now(), few);
    EXPECT_EQ(wire.packets.size(), 5U);
    EXPECT_EQ(sender->progress().packets, 5U);
    EXPECT_EQ(sender->outcome("").counts.records_lost, 3U);
}

TEST_F(FlowSenderTest, AHalfSentFrameIsFlushedBeforeTheNextIsDue) {
    start(steady_flow(1, 3));
    wire.on_send = [this] { wire.holding = true; };
    EXPECT_EQ(turn_after(0ms), Turn::ready);  // the fake takes all and holds none
    wire.answers = {taking(1, SendStatus::sent)};
    EXPECT_EQ(turn_after(1ms), Turn::blocked);  // taken, but held
    wire.on_send = nullptr;
    EXPECT_EQ(turn_after(100us), Turn::ready);
    EXPECT_FALSE(wire.holding);
    EXPECT_EQ(wire.calls.back(), 0U);
    EXPECT_EQ(sender->next_deadline(), begun + 2ms);
}

TEST_F(FlowSenderTest, AFlowIsNotCompleteWhileItsLastFrameIsHeld) {
    start(steady_flow(1, 1));
    wire.answers = {taking(1, SendStatus::would_block)};
    wire.holding = true;
    EXPECT_EQ(turn_after(0ms), Turn::blocked);
    EXPECT_FALSE(sender->ended());
    EXPECT_FALSE(wire.finished_in);
    EXPECT_EQ(turn_after(1ms), Turn::ended);
    EXPECT_EQ(sender->outcome("").counts.end, FlowEnd::complete);
}

TEST_F(FlowSenderTest, AConnectionThatBreaksWithAFrameHeldFailsTheFlow) {
    start(steady_flow(1, 1));
    wire.answers = {taking(1, SendStatus::would_block), taking(0, SendStatus::closed, EPIPE)};
    wire.holding = true;
    turn_after(0ms);
    EXPECT_EQ(turn_after(1ms), Turn::ended);
    EXPECT_EQ(sender->outcome("").counts.end, FlowEnd::failed);
}

TEST_F(FlowSenderTest, WhatIsHeldAtTheEndIsFlushedWhenTheChannelIsClosed) {
    start(steady_flow(1, 1));
    wire.answers = {taking(1, SendStatus::would_block)};
    wire.holding = true;
    turn_after(0ms);
    sender->interrupt();
    sender->close(250ms);
    EXPECT_EQ(wire.finished_in, 250ms);
    EXPECT_EQ(sender->outcome("").counts.end, FlowEnd::complete);
}

TEST_F(FlowSenderTest, AStreamThatCannotBeFlushedFailsInsteadOfLookingComplete) {
    start(steady_flow(1, 1));
    wire.answers = {taking(1, SendStatus::would_block)};
    wire.holding = true;
    wire.flushes = false;
    turn_after(0ms);
    sender->interrupt();
    sender->close(250ms);
    EXPECT_EQ(sender->outcome("").counts.end, FlowEnd::failed);
    EXPECT_NE(sender->outcome("").error.find("could not be sent"), std::string::npos);
}

TEST_F(FlowSenderTest, AnInterruptedFlowKeepsItsCounts) {
    start(steady_flow(1, 10));
    turn_after(2ms);
    sender->interrupt();
    EXPECT_EQ(sender->outcome("").counts.end, FlowEnd::interrupted);
    EXPECT_EQ(sender->progress().packets, 3U);
    EXPECT_TRUE(sender->progress().finished);
}

TEST_F(FlowSenderTest, AFlowThatIsFailedFromOutsideTellsTheReasonItWasGiven) {
    start(steady_flow(1, 10));
    sender->request_failure();
    EXPECT_TRUE(sender->failure_requested());
    sender->fail();
    EXPECT_EQ(sender->outcome("the receiver was silent for 4 s").counts.end, FlowEnd::failed);
    EXPECT_EQ(sender->outcome("the receiver was silent for 4 s").error, "the receiver was silent for 4 s");
}

TEST_F(FlowSenderTest, AFlowThatHasEndedCannotEndAgain) {
    start(steady_flow(1, 1));
    turn_after(0ms);
    sender->fail();
    sender->interrupt();
    EXPECT_EQ(sender->outcome("too late").counts.end, FlowEnd::complete);
    EXPECT_EQ(sender->outcome("too late").error, "");
}

TEST_F(FlowSenderTest, AskingForMoreThanThePathCarriesEndsASecondAfterTheDuration) {
    FlowSpec spec = steady_flow(1, 1'000'000, 1us);
    spec.stop = {.duration = 10ms, .packets = {}, .bytes = {}};
    start(spec);
    wire.writable_at = MonoTime::max();
    EXPECT_EQ(turn_after(5ms), Turn::blocked);
    EXPECT_EQ(sender->wanted_at(), begun + 10ms + Overtime::kOvertime);
    EXPECT_EQ(turn_after(10ms), Turn::blocked);
    EXPECT_EQ(turn_after(995ms), Turn::ended);
    EXPECT_EQ(sender->outcome("").counts.end, FlowEnd::complete);
    EXPECT_TRUE(sender->outcome("").counts.cut_short);
}

TEST_F(FlowSenderTest, AFlowWhoseHostStoodStillBeyondItsEndHasItsTimeThen) {
    FlowSpec spec = steady_flow(1, 1'000'000, 1ms);
    spec.stop = {.duration = 100ms, .packets = {}, .bytes = {}};
    start(spec);
    EXPECT_EQ(turn_after(50ms), Turn::ready);
    Turn turn = turn_after(10s);
    while (turn == Turn::ready) {
        turn = turn_after(0ms);
    }
    EXPECT_EQ(turn, Turn::ended);
    EXPECT_EQ(wire.packets.size(), 100U);
    EXPECT_FALSE(sender->outcome("").counts.cut_short);
}

TEST_F(FlowSenderTest, AFlowWhoseHostStoodStillHasThatTimeOnce) {
    FlowSpec spec = steady_flow(1, 1'000'000, 1us);
    spec.stop = {.duration = 100ms, .packets = {}, .bytes = {}};
    start(spec);
    EXPECT_EQ(turn_after(50ms), Turn::ready);
    EXPECT_EQ(turn_after(10s), Turn::ready);
    EXPECT_EQ(sender->wanted_at(), begun + 50ms + 10s + Overtime::kOvertime);
    EXPECT_EQ(turn_after(999ms), Turn::ready);
    EXPECT_EQ(turn_after(5s), Turn::ended);
    EXPECT_TRUE(sender->outcome("").counts.cut_short);
}

TEST_F(FlowSenderTest, AFlowWithoutADurationNeverGivesUp) {
    start(steady_flow(1, 2));
    wire.writable_at = clock.now() + 24h;
    EXPECT_EQ(turn_after(23h), Turn::blocked);
    EXPECT_EQ(turn_after(1h), Turn::ended);
    EXPECT_FALSE(sender->outcome("").counts.cut_short);
    EXPECT_EQ(wire.packets.size(), 2U);
}

}  // namespace
}  // namespace groma
