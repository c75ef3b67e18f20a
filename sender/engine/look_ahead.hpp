// The next departures of a flow, drawn before they are needed, so that nothing is drawn between a deadline and its
// packet.
#pragma once

#include <cstddef>
#include <vector>

#include "common/model/flow/schedule.hpp"

namespace groma {

/// A window on a schedule: departures come in order, stay until they are dropped, and are never drawn twice.
/// Packet path, except the constructor. Thread: one.
class LookAhead {
public:
    /// `room`: departures that can be looked at together.
    LookAhead(Schedule schedule, std::size_t room);

    /// The departure `place` places behind the next one, drawn now if it was not before; null when the flow ends before
    /// it. Valid until drop(). Requires: place < room.
    [[nodiscard]] const Departure* peek(std::size_t place) noexcept;

    /// Departures that can be looked at together.
    [[nodiscard]] std::size_t room() const noexcept { return ring_.size(); }

    /// Forgets the first `count` departures. Requires: that they were peeked at.
    void drop(std::size_t count) noexcept;

    /// How the draws went, those that are drawn ahead among them.
    [[nodiscard]] const DrawCounts& draw_counts() const noexcept { return schedule_.draw_counts(); }

private:
    Schedule schedule_;
    std::vector<Departure> ring_;  ///< its size is a power of two
    std::size_t mask_;
    std::size_t first_ = 0;  ///< of the departures that are held; ring positions count on without wrapping
    std::size_t end_ = 0;
    bool exhausted_ = false;
};

}  // namespace groma
