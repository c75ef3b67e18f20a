#include "sender/engine/send_stamps.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <utility>

namespace groma {
namespace {

using namespace std::chrono_literals;

/// Each reading of either clock takes as long as the test says; both run alike.
class CostlyClock final : public Clock {
public:
    explicit CostlyClock(std::deque<Nanos> costs) : costs_(std::move(costs)) {}

    MonoTime now() noexcept override { return MonoTime{read()}; }
    WallTime wall_now() noexcept override { return wall_time_from_ns(read().count()); }
    void sleep_until(MonoTime /*deadline*/) noexcept override {}

    [[nodiscard]] std::size_t left() const { return costs_.size(); }

private:
    Nanos read() noexcept {
        elapsed_ += costs_.front();
        costs_.pop_front();
        return elapsed_;
    }

    std::deque<Nanos> costs_;
    Nanos elapsed_{0};
};

TEST(SendStamps, ReadTheWallClockLast) {
    CostlyClock clock({1us, 20us});
    const SendStamps stamps = read_clocks(clock);
    EXPECT_EQ(stamps.mono, MonoTime{1us});
    EXPECT_EQ(stamps.wall, wall_time_from_ns(21'000));
}

TEST(SendStamps, AreThoseOfTheTightestReading) {
    CostlyClock clock({1us, 50us, 1us,   // the thread lost its core between the clocks
                       1us, 40ns, 60ns,  //
                       1us, 30ns, 90ns});
    const SendStamps stamps = read_clocks_closely(clock);
    EXPECT_EQ(stamps.mono, MonoTime{53us + 50ns}) << "halfway between the two readings around that of the wall clock";
    EXPECT_EQ(stamps.wall, wall_time_from_ns(53'040));
    EXPECT_EQ(clock.left(), 0U);
}

TEST(SendStamps, TellWhatTheWallClockWillShow) {
    CostlyClock clock({1us, 5ms, 1us,    // the thread lost its core between the clocks
                       1us, 40ns, 40ns,  //
                       1us, 5ms, 1us});
    EXPECT_EQ(wall_time_at(clock, MonoTime{1s}), wall_time_from_ns(1'000'000'000)) << "both clocks run alike";
}

}  // namespace
}  // namespace groma
