#include "common/shipping/shipper/spool_delivery.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/patience.hpp"
#include "tests/silent_names.hpp"

namespace groma {
namespace {

class SpoolDeliveryTest : public testing::Test {
protected:
    std::unique_ptr<Spool> spool(char token, const std::string& program,
                                 const std::string& server = "127.0.0.1:1") {  // a closed port
        return Spool::create(directory_.path(),
                             {.server = server,
                              .experiment = "e",
                              .name = "sender",
                              .token = token_from_hex(std::string(32, token)),
                              .program = program},
                             budget_);
    }
    DeliveryOrder order() {
        return {.folder = directory_.path(), .program = "test", .say = [this](const std::string& line) {
                    said_.push_back(line);
                }};
    }

    TemporaryFolder directory_;
    SpoolBudget budget_{1U << 20U};
    std::vector<std::string> said_;
};

TEST_F(SpoolDeliveryTest, AServerThatCannotBeReachedIsNamedAndTheSpoolStays) {
    spool('a', "groma-send 1");
    const DeliveryCounts counts = SpoolDelivery(order(), kernel_clock()).run();
    EXPECT_EQ(counts.failed, 1U);
    EXPECT_FALSE(counts.all());
    ASSERT_EQ(said_.size(), 1U);
    EXPECT_NE(said_[0].find("127.0.0.1:1"), std::string::npos) << said_[0];
    EXPECT_EQ(waiting_spools(directory_.path()), 1U);
}

TEST_F(SpoolDeliveryTest, TheSpoolOfAProgramThatLivesIsLeftAlone) {
    const auto mine = spool('a', "groma-send 1");
    const DeliveryCounts counts = SpoolDelivery(order(), kernel_clock()).run();
    EXPECT_EQ(counts.left_alone, 1U);
    EXPECT_FALSE(counts.all());
    EXPECT_EQ(waiting_spools(directory_.path()), 0U);
}

TEST_F(SpoolDeliveryTest, AReceiverDeliversWhatReceiversLeft) {
    spool('a', "groma-send 1");
    DeliveryOrder receivers = order();
    receivers.of_program = "groma-recv";
    const DeliveryCounts counts = SpoolDelivery(receivers, kernel_clock()).run();
    EXPECT_TRUE(counts.all());
    EXPECT_TRUE(said_.empty());
}

TEST_F(SpoolDeliveryTest, AServerWhoseNameHasNoAnswerDoesNotKeepItFromStopping) {
    spool('a', "groma-send 1", "slow.example.org:9001");
    SilentNames names;
    DeliveryOrder silent = order();
    silent.lookup = kPatience;
    silent.look_up = names.look_up();
    SpoolDelivery it(silent, kernel_clock());
    std::thread stopper([&] {
        names.wait_for(1);
        it.stop();
    });
    EXPECT_EQ(it.run().failed, 1U);
    stopper.join();
    ASSERT_EQ(said_.size(), 1U);
    EXPECT_NE(said_[0].find("stopped before there was an answer"), std::string::npos) << said_[0];
}

TEST_F(SpoolDeliveryTest, NoFolderIsNothingToDeliver) {
    DeliveryOrder nowhere = order();
    nowhere.folder = directory_.path() / "none";
    EXPECT_TRUE(SpoolDelivery(nowhere, kernel_clock()).run().all());
}

TEST_F(SpoolDeliveryTest, GoesOnWhenTheFolderCanBeReadAgain) {
    const auto folder = directory_.path() / "spool";
    std::ofstream(folder) << "in the way";
    DeliveryOrder order = this->order();
    order.folder = folder;
    SpoolDelivery* delivery = nullptr;
    order.say = [&](const std::string& line) {
        said_.push_back(line);
        if (said_.size() > 1) {
            return delivery->stop();
        }
        std::filesystem::remove(folder);
        const auto left = spool('a', "groma-recv 1");
        std::filesystem::create_directory(folder);
        std::filesystem::rename(directory_.path() / std::string(32, 'a'), folder / std::string(32, 'a'));
    };
    SpoolDelivery it(order, kernel_clock());
    delivery = &it;
    it.run_until_stopped(std::chrono::milliseconds(1));
    ASSERT_EQ(said_.size(), 2U);
    EXPECT_NE(said_[0].find("Not a directory"), std::string::npos) << said_[0];
    EXPECT_NE(said_[1].find("127.0.0.1:1"), std::string::npos) << said_[1];
}

/// Virtual time that a name server advances.
class SharedClock final : public Clock {
public:
    [[nodiscard]] MonoTime now() noexcept override { return MonoTime{Nanos{now_.load()}}; }
    [[nodiscard]] WallTime wall_now() noexcept override { return wall_time_from_ns(now_); }
    void sleep_until(MonoTime deadline) noexcept override { now_ = deadline.time_since_epoch().count(); }
    void advance(Nanos span) noexcept { now_ += span.count(); }

private:
    std::atomic<std::int64_t> now_{1};
};

TEST_F(SpoolDeliveryTest, ServersThatTakeTimeDelayTheSpoolOfAnotherByOneTurn) {
    using std::chrono::seconds;
    for (const char token : {'1', '2', '3', '4', '5', '6', '7', '8', '9'}) {
        spool(token, "groma-recv 1", std::string("slow") + token + ".example.org:9001");
    }
    spool('a', "groma-recv 1", "honest.example.org:9001");
    SharedClock clock;
    std::vector<MonoTime> turns;
    DeliveryOrder order = this->order();
    order.lookup = std::chrono::hours(1);
    order.look_up = [&](const std::string& host) -> SocketAddress {
        if (host.starts_with("slow")) {
            clock.advance(seconds(20));
        } else {
            turns.push_back(clock.now());
        }
        throw RunError("cannot find the host " + host);
    };
    SpoolDelivery* delivery = nullptr;
    order.say = [&](const std::string& line) {
        if (line.find("honest") != std::string::npos and turns.size() == 5) {
            delivery->stop();
        }
    };
    SpoolDelivery it(order, clock);
    delivery = &it;
    it.run_until_stopped(seconds(60));
    ASSERT_EQ(turns.size(), 5U);
    for (std::size_t i = 1; i < turns.size(); ++i) {
        EXPECT_GE(turns[i] - turns[i - 1], seconds(60));
        EXPECT_LE(turns[i] - turns[i - 1], seconds(60 + 20));
    }
}

TEST(UserSpoolFolder, FollowsTheUsersHabits) {
    EXPECT_EQ(user_spool_folder("/state", "/home/ada", 7), "/state/groma/spool");
    EXPECT_EQ(user_spool_folder(nullptr, "/home/ada", 7), "/home/ada/.local/state/groma/spool");
    EXPECT_EQ(user_spool_folder("relative", "", 7), "/var/tmp/groma-spool-7");
}

}  // namespace
}  // namespace groma
