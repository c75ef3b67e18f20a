// How far reordered packets are from their place: reordering extent and n-reordering (RFC 4737).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/stats/histograms/log_histogram.hpp"

namespace groma {

/// Sums over the reordered packets of a flow; those of several flows can be added.
struct ReorderingCounts {
    static constexpr std::size_t kMostN = 128;

    /// RFC 4737, 4.2.2: how many packets before a reordered packet the earliest one with a larger number arrived, in
    /// order of arrival, without duplicates.
    LogHistogram extents;
    std::uint64_t beyond = 0;  ///< reordered packets whose extent is no longer known
    /// RFC 4737, 4.6: how many packets arrived in order between reordered ones, before the first and after the last;
    /// runs of at least one.
    LogHistogram free_runs;
    /// RFC 4737, 5.3: a packet is n-reordered if the n packets that arrived right before it all have larger numbers.
    /// Number of packets by their largest n; the last entry is for kMostN and more, the first for reordered packets
    /// without any n.
    std::array<std::uint64_t, kMostN + 1> largest_n{};

    /// How many packets are n-reordered. Requires: 1 <= n <= kMostN.
    [[nodiscard]] std::uint64_t n_reordered(std::size_t n) const;
    void merge(const ReorderingCounts& other);
};

/// Keeps arrivals as runs of consecutive numbers: one run while all is in order. Memory: 32 bytes per run, for the
/// latest ones. n is always exact; an extent is known as long as at most kMostRuns runs of packets in order arrived
/// since.
class ReorderingMeter {
public:
    static constexpr std::size_t kMostRuns = 256;

    /// The next packet, in its first copy, has the largest number so far.
    void add_in_order(std::uint64_t seq) { add_in_order(seq, 1); }
    /// This number of packets with consecutive numbers, starting with `first`. Requires: count > 0.
    void add_in_order(std::uint64_t first, std::uint64_t count) {
        if (first != latest_.end() or not latest_.leads) {
            begin_run(first, true);
            --count;
        }
        latest_.count += count;
    }
    /// Its number is smaller than an earlier one.
    void add_late(std::uint64_t seq);

    [[nodiscard]] ReorderingCounts counts() const;
    [[nodiscard]] std::size_t memory() const;  ///< of the runs, in bytes

private:
    /// Packets with consecutive numbers that arrived one after the other.
    struct Run {
        std::uint64_t first = 0;  ///< sequence number
        std::uint64_t index = 0;  ///< of its arrival
        std::uint64_t count = 0;
        bool leads = false;  ///< each was the largest number when it arrived
        [[nodiscard]] std::uint64_t end() const { return first + count; }
    };
    /// The latest runs; grows up to `most` and then wraps.
    class Ring {
    public:
        explicit Ring(std::size_t most) : most_(most) {}
        void push(const Run& run);
        /// 0 is the latest.
        [[nodiscard]] const Run& back(std::size_t how_far) const;
        [[nodiscard]] std::size_t size() const { return runs_.size(); }
        [[nodiscard]] bool forgot() const { return forgot_; }
        [[nodiscard]] std::size_t memory() const { return runs_.capacity() * sizeof(Run); }

    private:
        std::size_t most_;
        std::vector<Run> runs_;
        std::size_t next_ = 0;
        bool forgot_ = false;
    };

    [[nodiscard]] std::uint64_t arrived() const { return latest_.index + latest_.count; }
    void begin_run(std::uint64_t seq, bool leads);
    void add_free_run(LogHistogram& runs) const;
    void add_extent(std::uint64_t seq, std::uint64_t index);
    void add_n(std::uint64_t seq);
    [[nodiscard]] const Run& leading(std::size_t how_far) const;

    Run latest_;
    Ring runs_{ReorderingCounts::kMostN};  ///< without the latest
    Ring leads_{kMostRuns};                ///< those that lead
    std::uint64_t in_order_from_ = 0;      ///< arrivals up to the last one that was late
    ReorderingCounts counts_;
};

}  // namespace groma
