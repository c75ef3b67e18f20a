// Sequence numbers that were never sent: of packets that the sender's own host refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace groma {

/// Runs of such numbers. Memory: 16 bytes a run, for kMostRuns of them.
class SequenceHoles {
public:
    static constexpr std::size_t kMostRuns = 65536;

    struct Run {
        std::uint64_t first = 0;
        std::uint64_t count = 0;
    };

    /// In rising order; what is not is left out.
    void add(std::uint64_t first, std::uint64_t count);
    /// Nobody can say which numbers were sent.
    void give_up() { complete_ = false; }

    [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
    [[nodiscard]] std::uint64_t numbers() const { return numbers_; }  ///< in all runs
    /// These are all: they were in order, and no more than there is room for.
    [[nodiscard]] bool complete() const { return complete_; }

private:
    std::vector<Run> runs_;
    std::uint64_t numbers_ = 0;
    std::uint64_t end_ = 0;
    bool complete_ = true;
};

/// How many of them are below a number that only rises from call to call. Outlived by the holes; null: there are none.
class HolesPassed {
public:
    explicit HolesPassed(const SequenceHoles* holes = nullptr) : holes_(holes) {}

    [[nodiscard]] std::uint64_t before(std::uint64_t seq);

private:
    const SequenceHoles* holes_;
    std::size_t next_ = 0;      ///< the first run that is not wholly below
    std::uint64_t passed_ = 0;  ///< numbers in the runs before it
};

}  // namespace groma
