// How the lost packets of a flow lie among the others: loss periods, loss distances, and the simple Gilbert model.
#pragma once

#include <cstdint>
#include <optional>

#include "common/stats/histograms/log_histogram.hpp"
#include "common/stats/sequence/sequence_holes.hpp"

namespace groma {

/// A share with its standard error.
struct Proportion {
    double value = 0;
    /// sqrt(p (1 - p) / n); nothing where the share is 0 or 1, of which this says nothing.
    std::optional<double> error;
};

/// Loss as a sequence of packets in the order in which they were sent, each received ("good") or lost ("bad"). Counts
/// of several flows can be added up.
struct LossPatternCounts {
    std::uint64_t packets = 0;
    std::uint64_t lost = 0;
    /// Loss periods (RFC 3357, 4): runs of lost packets; how many packets each has.
    LogHistogram periods;
    /// Loss distances (RFC 3357, 4): how far each lost packet is from the one lost before it, 1 within a period.
    LogHistogram distances;
    std::uint64_t good_followed = 0;  ///< received packets that were not the last to be sent
    std::uint64_t good_to_bad = 0;    ///< of them, those that a lost one follows
    std::uint64_t bad_followed = 0;
    std::uint64_t bad_to_good = 0;

    void merge(const LossPatternCounts& other);

    /// The simple Gilbert model: P(bad | good before), P(good | bad before), by maximum likelihood: the transitions
    /// over the packets that something follows. Nothing where there are none of those.
    [[nodiscard]] std::optional<Proportion> gilbert_p() const;
    [[nodiscard]] std::optional<Proportion> gilbert_r() const;
};

/// Collects them from runs of lost numbers in rising order; everything between is received. As an observer of a
/// BasicSequenceTracker it costs nothing while nothing is lost.
class LossPattern {
public:
    static constexpr bool kWatches = true;

    /// `first`: the first number that was sent; nothing: nobody knows, and the pattern begins with the first that was
    /// received. `holes` are numbers that were not sent; they outlive the pattern; null: there are none.
    explicit LossPattern(std::optional<std::uint64_t> first = 0, const SequenceHoles* holes = nullptr);

    void lost(std::uint64_t first, std::uint64_t count);

    /// `end`: one more than the last number that was sent, as far as that is known. Requires: no lost number is above.
    [[nodiscard]] LossPatternCounts counts(std::uint64_t end) const;

private:
    [[nodiscard]] std::uint64_t position(std::uint64_t seq);
    void close_period(LossPatternCounts& counts) const;

    HolesPassed holes_;
    bool begins_with_received_;
    std::uint64_t first_;   ///< number of the first packet
    std::uint64_t origin_;  ///< its place among all that were sent
    // The period that may go on; places count sent packets from the first one.
    std::uint64_t open_first_ = 0;
    std::uint64_t open_end_ = 0;              ///< equal: none is open
    std::optional<std::uint64_t> last_lost_;  ///< before that period
    LossPatternCounts closed_;                ///< lost, periods, distances and good_to_bad of the periods before it
};

}  // namespace groma
