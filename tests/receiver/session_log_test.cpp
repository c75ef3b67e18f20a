#include "receiver/session_log.hpp"

#include <gmock/gmock.h>

#include "common/base/errors.hpp"
#include "common/log/log_reader.hpp"
#include "common/time/manual_clock.hpp"

namespace groma {
namespace {

/// Keeps the bytes for the test; fails from piece `fails_at` on.
class MemorySink final : public LogSink {
public:
    MemorySink(std::vector<std::byte>& bytes, std::size_t fails_at) : bytes_(bytes), fails_at_(fails_at) {}

    void append(std::span<const std::byte> piece) override {
        if (pieces_++ >= fails_at_) {
            throw SystemError("write recv.glog", 28);
        }
        bytes_.insert(bytes_.end(), piece.begin(), piece.end());
    }
    void close() override {}
    [[nodiscard]] std::string describe() const override { return "memory"; }

private:
    std::vector<std::byte>& bytes_;
    std::size_t fails_at_;
    std::size_t pieces_ = 0;
};

struct Records : LogVisitor {
    void on_received(FlowId flow, std::span<const ReceivedRecord> found) override { count[flow] += found.size(); }
    void on_event(const LogEvent& event) override { events.push_back(event); }
    void on_totals(const LogTotals& found) override { totals.push_back(found); }
    std::unordered_map<FlowId, std::size_t> count;
    std::vector<LogEvent> events;
    std::vector<LogTotals> totals;
};

class SessionLogTest : public ::testing::Test {
protected:
    std::unique_ptr<SessionLog> open(std::size_t fails_at = 1'000'000) {
        RunMetadata metadata;
        metadata.run_id = "0123456789abcdef0123456789abcdef";
        metadata.role = LogRole::receiver;
        for (const std::uint32_t id : {1U, 2U}) {
            FlowSetup setup;
            setup.spec.id = FlowId{id};
            setup.spec.name = "flow-" + std::to_string(id);
            setup.spec.target.host = "beta";
            setup.spec.stop.packets = 1;
            metadata.flows.push_back(setup);
        }
        return std::make_unique<SessionLog>(std::make_unique<MemorySink>(bytes_, fails_at), metadata, clock_);
    }

    static LoggedArrival arrival(std::uint32_t flow, std::uint64_t seq) {
        return {FlowId{flow},
                {.seq = seq, .sent_at = wall_time_from_ns(1), .received_at = wall_time_from_ns(2), .size = 3}};
    }

    [[nodiscard]] Records read() const {
        Records records;
        read_log(bytes_, "memory", records);
        return records;
    }

    ManualClock clock_;
    std::vector<std::byte> bytes_;
};

TEST_F(SessionLogTest, WritesWhatIsInAllQueuesBeforeItEnds) {
    const auto log = open();
    ArrivalQueue& first = log->add_queue(16);
    ArrivalQueue& second = log->add_queue(16);
    ASSERT_TRUE(first.push(arrival(1, 0)) and first.push(arrival(2, 0)) and first.push(arrival(1, 1)));
    ASSERT_TRUE(second.push(arrival(2, 1)));
    log->stop();
    log->run();
    log->close({}, {.ended_at = {}, .end = "complete", .flows = {}});
    EXPECT_EQ(log->error(), "");
    const Records records = read();
    EXPECT_EQ(records.count.at(FlowId{1}), 2U);
    EXPECT_EQ(records.count.at(FlowId{2}), 2U);
    EXPECT_EQ(records.totals.size(), 1U);
}

TEST_F(SessionLogTest, CountsThePacketsThatFoundNoRoomInTheQueue) {
    const auto log = open();
    ArrivalQueue& queue = log->add_queue(4);
    std::uint64_t packets = 0;
    for (; packets < 10; ++packets) {
        (void)queue.push(arrival(1, packets));
    }
    log->stop();
    log->run();
    EXPECT_EQ(log->records_lost(FlowId{1}, packets), 6U);
    EXPECT_EQ(log->records_lost(FlowId{2}, 0), 0U);
}

TEST_F(SessionLogTest, KeepsTheFirstErrorOfItsSinkAndCountsTheRestAsLost) {
    const auto log = open(2);  // the file's header and the metadata get through
    ArrivalQueue& queue = log->add_queue(1 << 16);
    for (std::uint64_t seq = 0; seq < 60'000; ++seq) {
        ASSERT_TRUE(queue.push(arrival(1, seq)));
    }
    log->stop();
    log->run();
    log->close({}, {.ended_at = {}, .end = "complete", .flows = {}});
    EXPECT_THAT(log->error(), ::testing::HasSubstr("cannot write recv.glog"));
    EXPECT_GT(log->records_lost(FlowId{1}, 60'000), 0U);
}

TEST_F(SessionLogTest, WritesEventsAndTotalsAtItsEnd) {
    const auto log = open();
    log->stop();
    log->run();
    const LogEvent event{.at = wall_time_from_ns(5), .flow = std::nullopt, .kind = "peer-lost", .text = "gone"};
    log->close({event}, {.ended_at = wall_time_from_ns(6), .end = "peer lost: gone", .flows = {}});
    EXPECT_THAT(read().events, ::testing::ElementsAre(event));
    EXPECT_EQ(read().totals.at(0).end, "peer lost: gone");
}

}  // namespace
}  // namespace groma
