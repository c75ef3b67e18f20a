// How late each packet left, by its number: the sender's half of delays that count from the schedule.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/time/instant.hpp"

namespace groma {

class DepartureLateness {
public:
    /// How many more packets all flows of a log can keep; below 0 none of them does, whichever came first.
    using Room = std::atomic<std::int64_t>;
    static constexpr std::int64_t kMost = 1 << 24;  ///< 64 MiB of memory, three times that while it grows

    /// `room`: null: no packet is kept.
    explicit DepartureLateness(std::shared_ptr<Room> room = nullptr) : room_(std::move(room)) {}

    /// Packets with consecutive numbers, above those before them; ns. Keeps 24 bits of each, so that below 16 ms they
    /// are exact.
    void add(std::uint64_t first, std::span<const std::int64_t> lateness);

    [[nodiscard]] std::optional<Nanos> find(std::uint64_t seq) const;
    /// Adds each packet's to its delay, up to kLongestSpan. Returns false, and changes nothing, where one is unknown.
    [[nodiscard]] bool add_to(std::uint64_t first, std::span<std::int64_t> delays) const;

    /// There was no room for all packets, or their numbers did not rise: nothing is known.
    [[nodiscard]] bool gave_up() const { return gave_up_ or (room_ != nullptr and *room_ < 0); }

private:
    void give_up();
    [[nodiscard]] std::span<const float> known() const { return gave_up() ? std::span<const float>() : values_; }

    std::shared_ptr<Room> room_;
    std::vector<float> values_;  ///< of consecutive numbers; not a number: there was no such packet
    std::uint64_t first_ = 0;
    bool gave_up_ = false;
};

}  // namespace groma
