// Turns of the sessions of a carrier: of those that were woken, and of those whose deadline has come. A session that is
// woken during a round, perhaps from within another's turn, has its turn in the next round, after other carriers.
//
// Thread: the one of the io_context.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "common/control/timer.hpp"
#include "common/time/clock.hpp"

namespace groma {

class SessionTurns {
public:
    struct Actions {
        /// The turn of a session. Returns: its deadline; empty if the session has ended.
        std::function<std::optional<MonoTime>(std::uint64_t)> serve;
        std::function<void()> end_round;
    };

    /// io_context and clock outlive it, and what waits on the io_context does not run after its end.
    SessionTurns(boost::asio::io_context& io, Clock& clock, Actions actions);

    /// The session has its turn in the next round, whenever that is.
    void wake(std::uint64_t id) { woken_.insert(id); }
    /// The same, and a round comes soon.
    void wake_soon(std::uint64_t id);
    /// One round: all that were woken before.
    void serve();
    /// No session has another turn.
    void stop();

private:
    void set_deadline(std::uint64_t id, std::optional<MonoTime> due);
    void set_timer();
    void wake_those_due();

    boost::asio::io_context& io_;
    Clock& clock_;
    Actions actions_;
    Timer timer_;
    MonoTime timer_due_ = MonoTime::min();
    std::map<std::uint64_t, MonoTime> due_;  ///< of each session
    std::set<std::pair<MonoTime, std::uint64_t>> deadlines_;
    std::unordered_set<std::uint64_t> woken_;
    bool is_serve_posted_ = false;
};

}  // namespace groma
