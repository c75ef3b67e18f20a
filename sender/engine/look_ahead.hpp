// The next departures of a flow, drawn in advance: no draw comes between a deadline and its packet.
#pragma once

#include <cstddef>
#include <vector>

#include "common/model/flow/schedule.hpp"

namespace groma {

/// A window on a schedule: departures come in order, stay until dropped, and are drawn once. Packet path, except the
/// constructor. Thread: one.
class LookAhead {
public:
    /// `room`: size of the window, in departures.
    LookAhead(Schedule schedule, std::size_t room);

    /// The departure `place` places after the next one, drawn if necessary; null if the flow ends before it. Valid
    /// until drop(). Requires: place < room.
    [[nodiscard]] const Departure* peek(std::size_t place) noexcept;

    /// Size of the window, in departures.
    [[nodiscard]] std::size_t room() const noexcept { return ring_.size(); }

    /// Removes the first `count` departures. Requires: they were peeked at.
    void drop(std::size_t count) noexcept;

    /// Ends the flow: nothing departs any more, not even what was drawn.
    void end() noexcept {
        first_ = end_;
        exhausted_ = true;
    }

    /// Counts of all draws, including those in advance.
    [[nodiscard]] const DrawCounts& draw_counts() const noexcept { return schedule_.draw_counts(); }

private:
    Schedule schedule_;
    std::vector<Departure> ring_;  ///< size: a power of two
    std::size_t mask_;
    std::size_t first_ = 0;  ///< of the departures in the window; positions do not wrap
    std::size_t end_ = 0;
    bool exhausted_ = false;
};

}  // namespace groma
