// The engine with its real threads and clock; the channels are fakes. The tests are independent of durations.
#include "sender/engine/send_engine.hpp"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <future>
#include <limits>
#include <thread>
#include <utility>

#include "common/base/errors.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/os/scheduling.hpp"
#include "common/os/system_clock.hpp"
#include "tests/sender/fake_channel.hpp"
#include "tests/sender/memory_log.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

/// The frames that a channel got. One worker writes it; it is read after wait().
struct Sink {
    std::vector<std::uint32_t> seqs;
    bool finished = false;
    std::function<void(std::size_t packets)> on_send;  ///< called with the packets so far
};

class SinkChannel final : public Channel {
public:
    explicit SinkChannel(Sink& sink) : sink_(sink) {}

    SendOutcome send(std::span<const Frame> frames) noexcept override {
        if (sink_.on_send) {
            sink_.on_send(sink_.seqs.size());
        }
        for (const Frame& frame : frames) {
            sink_.seqs.push_back(parse_packet(frame.header, HeaderLevel::full)->seq.value());
        }
        return {.sent = frames.size()};
    }
    bool finish(Nanos /*limit*/) noexcept override { return sink_.finished = true; }
    int fd() const noexcept override { return -1; }
    SocketAddress local_address() const override { return SocketAddress::from_literal("10.0.0.1", 40000); }
    SocketAddress remote_address() const override { return SocketAddress::from_literal("10.0.0.2", 9001); }

private:
    Sink& sink_;
};

/// Its socket is full until the test drains it; reports when it was found full.
class FullChannel final : public Channel {
public:
    explicit FullChannel(std::promise<void>& found_full) : found_full_(found_full), fd_(::eventfd(0, EFD_NONBLOCK)) {
        const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() - 1;
        EXPECT_EQ(::write(fd_.get(), &most, sizeof most), static_cast<ssize_t>(sizeof most));
    }

    SendOutcome send(std::span<const Frame> frames) noexcept override {
        const std::uint64_t one = 1;
        if (::write(fd_.get(), &one, sizeof one) < 0) {
            if (not std::exchange(told_, true)) {
                found_full_.set_value();
            }
            return {.sent = 0, .status = SendStatus::would_block, .errno_value = EAGAIN};
        }
        return {.sent = frames.size()};
    }
    bool finish(Nanos /*limit*/) noexcept override { return true; }
    int fd() const noexcept override { return fd_.get(); }
    SocketAddress local_address() const override { return SocketAddress::from_literal("10.0.0.1", 40001); }
    SocketAddress remote_address() const override { return SocketAddress::from_literal("10.0.0.2", 9002); }

private:
    std::promise<void>& found_full_;
    FileDescriptor fd_;
    bool told_ = false;
};

FlowSpec flow_of(std::uint32_t id, std::uint64_t packets, Nanos gap) {
    FlowSpec spec;
    spec.id = FlowId{id};
    spec.idt = Constant{static_cast<double>(gap.count())};
    spec.size = Constant{100};
    spec.stop.packets = packets;
    return spec;
}

FlowSpec far_flow(std::uint32_t id) {
    FlowSpec spec = flow_of(id, 10, 1ms);
    spec.start_delay = 1h;
    return spec;
}

FlowToSend to(Sink& sink, const FlowSpec& spec) {
    return {spec, std::make_unique<SinkChannel>(sink), &any_payload()};
}

std::vector<FlowToSend> one(FlowToSend flow) {
    std::vector<FlowToSend> flows;
    flows.push_back(std::move(flow));
    return flows;
}

const EngineOptions kSmall{.threads = 1, .logged = true, .queue_records = 1 << 14, .largest_batch = 64};

class SendEngineTest : public testing::Test {
protected:
    SystemClock clock;
    Sink sink;
};

TEST_F(SendEngineTest, EveryPacketOfEveryFlowAndWorkerIsInTheLogInOrder) {
    constexpr std::uint32_t kFlows = 20;
    constexpr std::uint32_t kPackets = 300;
    std::vector<Sink> sinks(kFlows);
    std::vector<FlowToSend> flows;
    for (std::uint32_t i = 0; i < kFlows; ++i) {
        flows.push_back(to(sinks[i], flow_of(i + 1, kPackets, 20us)));
    }
    BoundedSink memory;
    LogWriter writer(memory, RunMetadata{});
    EngineOptions options = kSmall;
    options.threads = 3;
    SendEngine engine(std::move(flows), options, clock);
    engine.start(clock.now(), &writer);
    const std::vector<FlowOutcome> outcomes = engine.wait();

    SentRecords found = read_back(writer, memory);
    for (std::uint32_t i = 0; i < kFlows; ++i) {
        EXPECT_EQ(outcomes[i].flow, FlowId{i + 1});
        EXPECT_EQ(outcomes[i].counts.end, FlowEnd::complete);
        EXPECT_EQ(outcomes[i].counts.records_lost, 0U);
        EXPECT_EQ(outcomes[i].fidelity.packets, kPackets);
        EXPECT_EQ(outcomes[i].fidelity.bytes, kPackets * 100U);
        EXPECT_EQ(sinks[i].seqs.size(), kPackets);
        EXPECT_TRUE(sinks[i].finished);
        const std::vector<SentRecord>& records = found.by_flow[FlowId{i + 1}];
        ASSERT_EQ(records.size(), kPackets);
        for (std::uint32_t seq = 0; seq < kPackets; ++seq) {
            ASSERT_EQ(records[seq].seq, seq);
        }
    }
    EXPECT_EQ(engine.log_error(), "");
}

TEST_F(SendEngineTest, NoPacketLeavesBeforeItsTime) {
    BoundedSink memory;
    LogWriter writer(memory, RunMetadata{});
    SendEngine engine(one(to(sink, flow_of(1, 50, 100us))), kSmall, clock);
    engine.start(clock.now() + 2ms, &writer);
    const FlowOutcome outcome = engine.wait().at(0);
    EXPECT_GE(outcome.fidelity.lateness_ns.min(), 0);
    EXPECT_EQ(outcome.fidelity.lateness_ns.count(), 50U);
}

TEST_F(SendEngineTest, TheRateAskedForHasNoErrorOfClocks) {
    SendEngine engine(one(to(sink, flow_of(1, 2, 250us))), kSmall, clock);
    engine.start(clock.now(), nullptr);
    EXPECT_EQ(engine.wait().at(0).fidelity.scheduled_pps(), 4000.0);
}

TEST_F(SendEngineTest, AStopEndsARunWhoseNextPacketIsAnHourAway) {
    SendEngine engine(one(to(sink, far_flow(1))), kSmall, clock);
    engine.start(clock.now(), nullptr);
    EXPECT_FALSE(engine.finished());
    engine.stop();
    EXPECT_EQ(engine.wait().at(0).counts.end, FlowEnd::interrupted);
    EXPECT_TRUE(engine.finished());
    EXPECT_TRUE(sink.finished);
}

TEST_F(SendEngineTest, EndsWhenThereAreFewerThreadsThanItNeeds) {
    constexpr int kThreads = 3;  // a log thread and two workers
    for (int had = 0; had < kThreads; ++had) {
        std::vector<FlowToSend> flows = one(to(sink, far_flow(1)));
        flows.push_back(to(sink, far_flow(2)));
        EngineOptions options = kSmall;
        options.threads = 2;
        options.make_thread = [left = had](std::function<void()> body) mutable {
            if (left == 0) {
                throw SystemError("start one more thread", EAGAIN);
            }
            --left;
            return make_thread(std::move(body));
        };
        SendEngine engine(std::move(flows), options, clock);
        EXPECT_THROW(engine.start(clock.now(), nullptr), SystemError) << had;
    }
}

TEST_F(SendEngineTest, AStopEndsAFlowWhoseSocketIsFull) {
    std::promise<void> full;
    SendEngine engine(one({flow_of(1, 10, 1ms), std::make_unique<FullChannel>(full), &any_payload()}), kSmall, clock);
    engine.start(clock.now(), nullptr);
    full.get_future().wait();
    engine.stop();
    const FlowOutcome outcome = engine.wait().at(0);
    EXPECT_EQ(outcome.counts.end, FlowEnd::interrupted);
    EXPECT_GE(outcome.counts.blocked, 1U);
    EXPECT_EQ(outcome.fidelity.packets, 0U);
}

TEST_F(SendEngineTest, AFullSocketDoesNotStopAnotherFlowOfTheSameWorker) {
    std::promise<void> full;
    std::vector<FlowToSend> flows = one({flow_of(1, 10, 1ms), std::make_unique<FullChannel>(full), &any_payload()});
    flows.push_back(to(sink, flow_of(2, 100, 50us)));
    SendEngine engine(std::move(flows), kSmall, clock);
    engine.start(clock.now(), nullptr);
    while (not engine.progress().at(1).finished) {
        std::this_thread::yield();
    }
    engine.stop();
    EXPECT_EQ(engine.wait().at(1).fidelity.packets, 100U);
}

TEST_F(SendEngineTest, OneFlowCanFailWhileAnotherGoesOn) {
    Sink other;
    std::vector<FlowToSend> flows = one(to(sink, far_flow(1)));
    flows.push_back(to(other, flow_of(2, 20, 100us)));
    SendEngine engine(std::move(flows), kSmall, clock);
    engine.start(clock.now(), nullptr);
    engine.fail(FlowId{1}, "the receiver at 10.0.0.2:9000 closed the connection");
    const std::vector<FlowOutcome> outcomes = engine.wait();
    EXPECT_EQ(outcomes[0].counts.end, FlowEnd::failed);
    EXPECT_EQ(outcomes[0].error, "the receiver at 10.0.0.2:9000 closed the connection");
    EXPECT_EQ(outcomes[1].counts.end, FlowEnd::complete);
    EXPECT_EQ(other.seqs.size(), 20U);
}

TEST_F(SendEngineTest, AFailingLogIsReportedAndTheRunGoesOn) {
    BoundedSink memory;
    LogWriter writer(memory, RunMetadata{});
    memory.room = 0;
    SendEngine engine(one(to(sink, flow_of(1, 200, 10us))), kSmall, clock);
    engine.start(clock.now(), &writer);
    const FlowOutcome outcome = engine.wait().at(0);
    EXPECT_EQ(outcome.counts.end, FlowEnd::complete);
    EXPECT_EQ(outcome.fidelity.packets, 200U);
    EXPECT_EQ(outcome.counts.records_lost, 200U);
    EXPECT_EQ(engine.log_error(), "the disk is full");
}

TEST_F(SendEngineTest, PacketsWhoseRecordsFoundNoRoomAreCountedAmongTheSent) {
    EngineOptions options = kSmall;
    options.queue_records = 2;
    options.largest_batch = 512;
    SendEngine engine(one(to(sink, flow_of(1, 512, 0ns))), options, clock);
    engine.start(clock.now(), nullptr);
    const FlowOutcome outcome = engine.wait().at(0);
    EXPECT_EQ(sink.seqs.size(), 512U);
    EXPECT_EQ(outcome.fidelity.packets, 512U);
    EXPECT_EQ(outcome.fidelity.bytes, 51'200U);
    EXPECT_GT(outcome.counts.records_lost, 0U);
    EXPECT_EQ(outcome.fidelity.lateness_ns.count() + outcome.counts.records_lost, 512U);
}

TEST_F(SendEngineTest, MissedDeparturesBelongToTheScheduleThatWasAskedFor) {
    FlowSpec spec = flow_of(1, 1000, 1ms);
    spec.lateness = LatenessPolicy::skip;
    FlowOutcome outcome;
    do {  // a thread that begins when all is over sends the last packet alone, which has no rate
        sink = {};
        SendEngine engine(one(to(sink, spec)), kSmall, clock);
        const MonoTime start = clock.now() - 50ms;
        sink.on_send = [this, start](std::size_t packets) {
            while (packets == 20 and clock.now() < start + 150ms) {  // the 20th packet is delayed
            }
        };
        engine.start(start, nullptr);
        outcome = engine.wait().at(0);
    } while (outcome.fidelity.packets < 2);
    EXPECT_EQ(outcome.fidelity.packets + outcome.counts.missed_slots, 1000U);
    EXPECT_GE(outcome.counts.missed_slots - outcome.counts.unsent_between, 49U);
    // One departure more or less would be a full slot; a thread can be delayed between reading its two clocks.
    const double half_a_slot =
        500.0 / static_cast<double>(outcome.fidelity.packets - 1 + outcome.counts.unsent_between);
    EXPECT_NEAR(outcome.fidelity.scheduled_pps().value(), 1000, half_a_slot);
    EXPECT_NEAR(outcome.fidelity.scheduled_bps().value(), 800'000, 800 * half_a_slot);
    EXPECT_EQ(sink.seqs.back() + 1, outcome.fidelity.packets);
}

TEST_F(SendEngineTest, SaysHowItsThreadsWereRun) {
    std::vector<FlowToSend> flows = one(to(sink, flow_of(1, 5, 10us)));
    EngineOptions options = kSmall;
    options.threads = 0;
    options.pin = {usable_cores().front()};
    SendEngine engine(std::move(flows), options, clock);
    engine.start(clock.now(), nullptr);
    (void)engine.wait();
    EXPECT_EQ(engine.pacing(), (PacingFacts{.threads = 1, .pinned = options.pin}));
}

TEST_F(SendEngineTest, WhatThreadsCannotHaveIsSaidOnce) {
    Sink other;
    std::vector<FlowToSend> flows = one(to(sink, flow_of(1, 5, 10us)));
    flows.push_back(to(other, flow_of(2, 5, 10us)));
    EngineOptions options = kSmall;
    options.threads = 2;
    options.pin = {100'000};
    SendEngine engine(std::move(flows), options, clock);
    engine.start(clock.now(), nullptr);
    EXPECT_EQ(engine.wait().at(1).fidelity.packets, 5U);
    ASSERT_EQ(engine.pacing().warnings.size(), 1U);
    EXPECT_NE(engine.pacing().warnings[0].find("cannot run on core 100000"), std::string::npos);
}

TEST_F(SendEngineTest, ProgressEndsAtWhatWasSent) {
    SendEngine engine(one(to(sink, flow_of(4, 30, 10us))), kSmall, clock);
    EXPECT_EQ(engine.progress().at(0).packets, 0U);
    engine.start(clock.now(), nullptr);
    static_cast<void>(engine.wait());
    const FlowProgress progress = engine.progress().at(0);
    EXPECT_EQ(progress.flow, FlowId{4});
    EXPECT_EQ(progress.packets, 30U);
    EXPECT_EQ(progress.bytes, 3000U);
    EXPECT_TRUE(progress.finished);
}

TEST_F(SendEngineTest, CanBeDestroyedAtAnyStageOfItsLife) {
    { const SendEngine never_started(one(to(sink, far_flow(1))), kSmall, clock); }
    SendEngine running(one(to(sink, far_flow(1))), kSmall, clock);
    running.start(clock.now(), nullptr);
}

TEST_F(SendEngineTest, ARunWithoutFlowsEndsAtOnce) {
    SendEngine engine({}, kSmall, clock);
    engine.start(clock.now(), nullptr);
    EXPECT_TRUE(engine.wait().empty());
}

}  // namespace
}  // namespace groma
