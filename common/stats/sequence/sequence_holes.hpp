// Sequence numbers that were never sent: the sender's own host refused their packets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace groma {

/// Runs of such numbers. Memory: 16 bytes per run, for at most kMostRuns.
class SequenceHoles {
public:
    static constexpr std::size_t kMostRuns = 65536;

    struct Run {
        std::uint64_t first = 0;
        std::uint64_t count = 0;
    };

    /// Runs must ascend; others are ignored.
    void add(std::uint64_t first, std::uint64_t count);
    /// For a sender that cannot report the numbers.
    void give_up() { complete_ = false; }

    [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
    [[nodiscard]] std::uint64_t numbers() const { return numbers_; }  ///< in all runs
    /// Whether these are all: all were added in order, and there was room.
    [[nodiscard]] bool complete() const { return complete_; }

private:
    std::vector<Run> runs_;
    std::uint64_t numbers_ = 0;
    std::uint64_t end_ = 0;
    bool complete_ = true;
};

/// How many of them are below a number that only increases from call to call. The holes outlive this; null: none.
class HolesPassed {
public:
    explicit HolesPassed(const SequenceHoles* holes = nullptr) : holes_(holes) {}

    [[nodiscard]] std::uint64_t before(std::uint64_t seq);

private:
    const SequenceHoles* holes_;
    std::size_t next_ = 0;      ///< the first run that is not completely below
    std::uint64_t passed_ = 0;  ///< numbers in the runs before it
};

}  // namespace groma
