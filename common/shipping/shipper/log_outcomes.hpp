// What has become of each log of a shipper, from the news of its conversation: opened, held, over or failed, and when
// the server last made progress. Tells a log's pieces what the server has. No thread, no clock.
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/shipping/shipper/shipping_conversation.hpp"
#include "common/shipping/spool/kept_log.hpp"
#include "common/time/instant.hpp"

namespace groma {

class LogOutcomes {
public:
    struct Outcome {
        KeptLog* kept = nullptr;
        bool opened = false;
        bool held = false;
        bool over = false;
        std::exception_ptr failure;
        std::string held_because;     ///< the last time, even if it is not held any more
        std::string put_off_because;  ///< empty: it is not put off
        MonoTime progress{};
        std::uint64_t connections_before = 0;
        std::uint64_t furthest = 0;               ///< pieces that the server was known to have
        std::optional<std::uint64_t> resumed_at;  ///< of these when it went on the last time
    };

    /// `peer`: the server, in messages.
    explicit LogOutcomes(std::string peer) : peer_(std::move(peer)) {}

    /// `kept` stays until forget(). `connections`: those made so far.
    void add(LogId log, KeptLog& kept, std::uint64_t connections, MonoTime now);
    void forget(LogId log) { logs_.erase(log); }
    /// Stays where it is until forget().
    [[nodiscard]] const Outcome& of(LogId log) const { return logs_.at(log); }

    /// What news mean for others than the log.
    struct Change {
        bool progress = false;   ///< the server may be waited for again
        bool held = false;       ///< the log has to wait
        bool none_held = false;  ///< no log has to wait for the server any more
    };
    Change take(const LogNews& news, MonoTime now);

    /// The server has made progress with this log, and so with all that are not held: it may be busy with one.
    void progress(LogId log, MonoTime now);
    /// A log fails once, and not after its end.
    void fail(LogId log, const std::exception_ptr& why);
    /// Fails the logs that were never opened, or all. Returns: which.
    std::vector<LogId> fail_logs(const std::exception_ptr& why, bool all);

    /// Why the server did not confirm the log, by the news of it; empty: unknown.
    [[nodiscard]] std::string why_not(LogId log) const;

private:
    void progress(Outcome& log, MonoTime now);
    static void fail(Outcome& log, const std::exception_ptr& why);
    [[nodiscard]] static bool take_opened(Outcome& log, std::uint64_t pieces);
    [[nodiscard]] static bool take_durable(Outcome& log, std::uint64_t pieces);
    [[nodiscard]] static bool go_on(Outcome& log);
    /// Returns: whether it has to wait.
    [[nodiscard]] bool put_off(Outcome& log, const std::string& reason) const;
    [[nodiscard]] bool none_held() const;

    std::string peer_;
    std::map<LogId, Outcome> logs_;
};

}  // namespace groma
