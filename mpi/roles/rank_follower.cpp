#include "mpi/roles/rank_follower.hpp"

#include <array>
#include <optional>

#include "mpi/world/rank_line.hpp"

namespace groma {

namespace {

using std::chrono::milliseconds;

constexpr Nanos kFollowerNap = milliseconds(1);
/// After a ping the next one is answered without a nap, for naps would make the clocks look apart.
constexpr Nanos kAttention = milliseconds(5);

/// mpirun gives a rank a second between SIGTERM and SIGKILL. In it flows end, their receivers tell their counts, and
/// all logs are closed, in this order; rank 0 prints what it has by then.
constexpr std::array kLastSteps = {milliseconds(0), milliseconds(250), milliseconds(400), milliseconds(600),
                                   milliseconds(800)};

class Follower {
public:
    Follower(MpiWorld& world, RankWorker& worker, SignalSet& signals, Clock& clock)
        : line_(world, clock), worker_(worker), signals_(signals), clock_(clock) {}

    Farewell follow() {
        while (true) {
            // Open MPI ends a process that talks to a dead one: once told to end, this rank leaves its words in a file.
            if (not told_to_end_ and hear()) {
                return Farewell::dismissed;
            }
            while (const auto message = worker_.next()) {
                if (told_to_end_) {
                    worker_.leave_behind(*message);
                } else {
                    line_.say(0, *message);
                }
            }
            if (take_last_steps()) {
                return Farewell::interrupted;
            }
            if (clock_.now() > attentive_until_) {
                clock_.sleep_until(clock_.now() + kFollowerNap);
            }
        }
    }

private:
    /// Returns: true when this rank may leave.
    bool hear() {
        while (const auto heard = line_.hear()) {
            if (heard->second.kind == "leave") {
                return true;
            }
            worker_.on_message(heard->second);
            if (heard->second.kind == "ping") {
                attentive_until_ = clock_.now() + kAttention;
            }
        }
        return false;
    }

    /// Returns: true when the last one has been taken.
    bool take_last_steps() {
        if (not told_to_end_ and signals_.take()) {
            told_to_end_ = clock_.now();
        }
        while (told_to_end_ and steps_ < kLastSteps.size() and clock_.now() >= *told_to_end_ + kLastSteps[steps_]) {
            switch (steps_++) {
                case 0:
                    worker_.stop_sending(1);
                    break;
                case 1:
                    worker_.stop_sending(2);
                    break;
                case 2:
                    worker_.stop_receiving();
                    break;
                case 3:
                    worker_.stop_log_server();
                    break;
                default:
                    return true;
            }
        }
        return false;
    }

    RankLine line_;
    RankWorker& worker_;
    SignalSet& signals_;
    Clock& clock_;
    MonoTime attentive_until_{};
    std::optional<MonoTime> told_to_end_;
    std::size_t steps_ = 0;
};

}  // namespace

Farewell follow(MpiWorld& world, RankWorker& worker, SignalSet& signals, Clock& clock) {
    return Follower(world, worker, signals, clock).follow();
}

}  // namespace groma
