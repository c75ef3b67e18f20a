#include "decoder/logs/record_merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <random>

#include "common/os/temporary_folder.hpp"
#include "tests/common/log/log_samples.hpp"

namespace groma {
namespace {

constexpr std::int64_t kStart = 1'700'000'000'000'000'000;

/// A packet in the list of all packets.
struct Event {
    std::int64_t at = 0;
    std::size_t log = 0;
    std::uint32_t flow = 0;
    std::uint64_t seq = 0;
    auto operator<=>(const Event&) const = default;
};

class Merge : public testing::Test {
protected:
    /// Logs of flows whose packets come at random times; every packet is in `all_`.
    void write(std::size_t logs, std::uint32_t flows, std::size_t packets, std::size_t block) {
        std::mt19937_64 random(logs * 1000 + flows);
        for (std::size_t log = 0; log < logs; ++log) {
            MemorySink sink;
            LogWriter writer(sink, sample_metadata(log % 2 == 0 ? LogRole::sender : LogRole::receiver), block);
            std::vector<std::int64_t> now(flows);
            for (std::uint32_t flow = 0; flow < flows; ++flow) {
                now[flow] = kStart + static_cast<std::int64_t>(random() % 1'000'000);
            }
            for (std::uint64_t seq = 0; seq < packets; ++seq) {
                for (std::uint32_t flow = 0; flow < flows; ++flow) {
                    now[flow] += 1 + static_cast<std::int64_t>(random() % 100'000);
                    add(writer, log, flow + 1, seq, now[flow]);
                }
                if (random() % 10 == 0) {
                    writer.flush();
                }
            }
            writer.close(sample_totals());
            keep(sink.log);
        }
    }

    void add(LogWriter& writer, std::size_t log, std::uint32_t flow, std::uint64_t seq, std::int64_t at) {
        const WallTime time = wall_time_from_ns(at);
        all_.push_back({at, log, flow, seq});
        if (log % 2 == 0) {
            const SentRecord record{.seq = seq, .sent_at = time, .size = 100};
            writer.add(FlowId{flow}, std::span(&record, 1));
            const RoundTripRecord back{.seq = seq, .sent_at = time, .returned_at = time + Nanos{77}, .size = 100};
            writer.add(FlowId{flow}, std::span(&back, 1));
            all_.push_back({at + 77, log, flow, seq});
        } else {
            const ReceivedRecord record{.seq = seq, .sent_at = time, .received_at = time, .size = 100};
            writer.add(FlowId{flow}, std::span(&record, 1));
        }
    }

    void keep(const LogText& bytes) {
        const std::string file = folder_.file(std::to_string(logs_.size()) + ".glog");
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        logs_.push_back(std::make_unique<IndexedLog>(file));
    }

    std::vector<Event> merged(const std::set<FlowId>& flows = {}) {
        std::vector<IndexedLog*> logs;
        for (const auto& log : logs_) {
            logs.push_back(log.get());
        }
        RecordMerge merge(logs, flows);
        std::vector<Event> found;
        while (const auto packet = merge.next()) {
            const auto seq = std::visit([](const auto& record) { return record.seq; }, packet->record);
            found.push_back({ns_since_epoch(packet->at), packet->log, packet->flow.value, seq});
        }
        unreadable_ = merge.unreadable();
        return found;
    }

    TemporaryFolder folder_;
    std::vector<std::unique_ptr<IndexedLog>> logs_;
    std::vector<Event> all_;
    std::uint64_t unreadable_ = 0;
};

TEST_F(Merge, GivesEveryPacketOfAllLogsInTheOrderOfTime) {
    write(4, 7, 300, 16);
    auto found = merged();
    EXPECT_TRUE(std::ranges::is_sorted(found, {}, &Event::at));
    std::ranges::sort(found);
    std::ranges::sort(all_);
    EXPECT_EQ(found, all_);
    EXPECT_EQ(unreadable_, 0U);
}

TEST_F(Merge, OfSomeFlowsLeavesOutTheOthers) {
    write(2, 5, 100, 8);
    auto found = merged({FlowId{2}, FlowId{5}});
    std::ranges::sort(found);
    std::erase_if(all_, [](const Event& event) { return event.flow != 2 and event.flow != 5; });
    std::ranges::sort(all_);
    EXPECT_EQ(found, all_);
}

TEST_F(Merge, GoesOnBehindATimeThatGoesBack) {
    MemorySink sink;
    LogWriter writer(sink, sample_metadata(LogRole::receiver));
    const std::vector<std::int64_t> times{100, 200, 50, 300};
    for (std::uint64_t seq = 0; seq < times.size(); ++seq) {
        add(writer, 1, 1, seq, times[seq]);
    }
    writer.close(sample_totals());
    keep(sink.log);
    std::vector<std::int64_t> found;
    for (const Event& event : merged()) {
        found.push_back(event.at);
    }
    EXPECT_EQ(found, times);
}

TEST_F(Merge, CountsBlocksThatHaveGone) {
    write(1, 1, 100, 10);
    std::filesystem::resize_file(folder_.file("0.glog"), 1000);
    const auto found = merged();
    EXPECT_LT(found.size(), all_.size());
    EXPECT_GT(unreadable_, 0U);
}

TEST_F(Merge, OfNoLogIsEmpty) {
    EXPECT_TRUE(merged().empty());
}

}  // namespace
}  // namespace groma
