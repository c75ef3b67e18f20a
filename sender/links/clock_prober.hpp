// Asks one receiver for its clock: many probes in a row before and after a run, some all the while. A probe's T4 is
// taken when its answer is read, whoever waits for it.
//
// Thread: the control sessions' one.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "common/control/messages.hpp"
#include "common/control/timer.hpp"
#include "common/time/clock.hpp"
#include "sender/links/kept_probes.hpp"

namespace groma {

class ClockProber {
public:
    /// Sends a request to the receiver. Throws when the session is over.
    using Ask = std::function<boost::asio::awaitable<void>(ProbeRequest)>;

    /// `clock` gives T1 and T4; it outlives the prober, which outlives its coroutines. `limit`: for an answer.
    ClockProber(boost::asio::io_context& io, Clock& clock, Nanos limit, Ask ask);

    /// Twenty probes, each after the answer to the one before. Returns: false when an answer did not come in time.
    /// Throws: what `ask` throws.
    boost::asio::awaitable<bool> take_many();
    /// Four a second until pause() or close(); ends quietly when the session does.
    boost::asio::awaitable<void> go_on();
    void pause() noexcept;
    /// The session is over: whoever waits for an answer need not.
    void close() noexcept;

    void on_reply(const ProbeReply& reply);

    /// In the order in which they were taken.
    [[nodiscard]] std::vector<ProbeTimes> probes() const;

private:
    boost::asio::awaitable<std::uint32_t> ask_once();

    Clock& clock_;
    Nanos limit_;
    Ask ask_;
    std::uint32_t next_number_ = 0;
    std::map<std::uint32_t, WallTime> asked_;  ///< not answered yet: when
    std::vector<ProbeTimes> before_;
    KeptProbes during_;
    std::vector<ProbeTimes> after_;
    enum class Phase : std::uint8_t { before, during, after };
    Phase phase_ = Phase::before;
    bool closed_ = false;
    Timer answer_;  ///< cancelled when an answer came
    Timer pause_;   ///< cancelled by pause()
};

}  // namespace groma
