// The thread is the kernel's; the worker and what it sends are in virtual time.
#include "sender/engine/worker_thread.hpp"

#include <gmock/gmock.h>

#include <cerrno>

#include "common/base/errors.hpp"
#include "tests/sender/fake_channel.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class WorkerThreadTest : public testing::Test {
protected:
    /// All packets are due.
    void run(WorkerThread& thread) {
        thread.start(clock_.now() - 1s, make_thread, [this] {
            ++ends_;
            ended_before_ = flow_.ended();
        });
        thread.join();
    }

    static constexpr std::uint64_t kPackets = 3;
    ManualClock clock_;
    FakeWire wire_;
    FlowSender flow_{{steady_flow(1, kPackets), std::make_unique<FakeChannel>(wire_, clock_), &any_payload()}, 0, 8};
    PollWatch watch_;
    SendWorker worker_{{&flow_}, {.queue_records = 16, .largest_batch = 8}, clock_, watch_};
    int ends_ = 0;
    bool ended_before_ = false;
};

TEST_F(WorkerThreadTest, SendsToTheEndAndThenSaysSoOnce) {
    WorkerThread thread(worker_, clock_, {});
    run(thread);
    EXPECT_EQ(wire_.packets.size(), kPackets);
    EXPECT_EQ(ends_, 1);
    EXPECT_TRUE(ended_before_);
    EXPECT_FALSE(thread.realtime());
    EXPECT_THAT(thread.warnings(), IsEmpty());
}

TEST_F(WorkerThreadTest, SendsElsewhereWhenItsCoreIsNotThereAndSaysSo) {
    WorkerThread thread(worker_, clock_, {.core = 1'000'000});
    run(thread);
    EXPECT_EQ(wire_.packets.size(), kPackets);
    EXPECT_THAT(thread.warnings(), ElementsAre(HasSubstr("a thread that sends cannot run on core 1000000: ")));
}

TEST_F(WorkerThreadTest, WarnsOfRealTimeThatItWasNotGiven) {
    WorkerThread thread(worker_, clock_, {.realtime = Realtime::on});
    run(thread);
    EXPECT_EQ(wire_.packets.size(), kPackets);
    EXPECT_EQ(thread.realtime(), thread.warnings().empty()) << "whether this process may have it or not";
}

TEST_F(WorkerThreadTest, IsSilentOfRealTimeThatItTookOnlyIfItMay) {
    WorkerThread thread(worker_, clock_, {.realtime = Realtime::automatic});
    run(thread);
    EXPECT_EQ(wire_.packets.size(), kPackets);
    EXPECT_THAT(thread.warnings(), IsEmpty());
}

TEST_F(WorkerThreadTest, SendsNothingWhenThereIsNoThread) {
    WorkerThread thread(worker_, clock_, {});
    const ThreadMaker none = [](const std::function<void()>& /*body*/) -> std::thread {
        throw SystemError("start one more thread", EAGAIN);
    };
    EXPECT_THROW(thread.start(clock_.now(), none, [this] { ++ends_; }), SystemError);
    thread.join();
    EXPECT_THAT(wire_.packets, IsEmpty());
    EXPECT_EQ(ends_, 0);
}

}  // namespace
}  // namespace groma
