// Which requests of a closed loop wait for their responses, and when the next ones may leave. Pure.
//
// As many requests as the loop allows are on their way, or their responses have come and the time to think is not over.
// A request without a response counts as lost after a while, and the next one may leave at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/model/flow/draws.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// Thread: one. Nothing allocates but the constructor.
class RequestWindow {
public:
    /// Unless the flow has its own (FlowSpec::response_timeout): of transports that repeat what is lost, and of others.
    static constexpr Nanos kPatience{10'000'000'000};
    static constexpr Nanos kPatienceWithDatagrams{1'000'000'000};
    /// After a connection that failed.
    static constexpr Nanos kPause{100'000'000};

    /// Requires: spec.in_flight > 0.
    explicit RequestWindow(const FlowSpec& spec);

    /// Times pass: responses that were thought about, and requests without one, make room.
    void advance(MonoTime now) noexcept;
    /// How many requests may leave since the last advance().
    [[nodiscard]] std::size_t room() const noexcept { return room_; }

    /// Requests with the numbers from `first` on left. Requires: `count` is at most room(); numbers rise.
    void sent(std::uint64_t first, std::size_t count, MonoTime at) noexcept;
    /// One came that has not come before, and in time.
    void answered(std::uint64_t seq, MonoTime at) noexcept;

    /// The connection of those that wait is gone: they are given up, and the next ones leave after a pause.
    void cut(MonoTime at) noexcept;
    /// Requests whose time was over. A response that comes later is one all the same.
    [[nodiscard]] std::uint64_t timed_out() const noexcept { return timed_out_; }
    [[nodiscard]] bool waits() const noexcept { return not waiting_.empty(); }
    /// The next time at which advance() may make room, if no response comes before; beyond all times: none.
    [[nodiscard]] MonoTime next() const noexcept;

private:
    struct Request {
        std::uint64_t seq = 0;
        MonoTime at{};
    };

    Nanos patience_;
    std::optional<GapProcess> think_;
    DrawCounts draws_;
    std::size_t room_;
    std::uint64_t timed_out_ = 0;
    std::vector<Request> waiting_;    ///< the oldest first
    std::vector<MonoTime> thinking_;  ///< a heap: the earliest end on top
};

}  // namespace groma
