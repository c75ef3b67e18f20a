// How a flow's lost packets are distributed among the others: loss periods, loss distances, and the simple Gilbert
// model.
#pragma once

#include <cstdint>
#include <optional>

#include "common/stats/histograms/log_histogram.hpp"
#include "common/stats/sequence/sequence_holes.hpp"

namespace groma {

/// A share with its standard error.
struct Proportion {
    double value = 0;
    /// sqrt(p (1 - p) / n); empty if the share is 0 or 1, where the formula does not apply, and of few.
    std::optional<double> error;
};

/// Loss in the order of sending; each packet is received ("good") or lost ("bad"). Counts of several flows can be
/// added.
struct LossPatternCounts {
    std::uint64_t packets = 0;
    std::uint64_t lost = 0;
    /// Loss periods (RFC 3357, 4): runs of lost packets; the number of packets in each.
    LogHistogram periods;
    /// Loss distances (RFC 3357, 4): the distance of each lost packet from the one lost before it, 1 within a period.
    LogHistogram distances;
    std::uint64_t good_followed = 0;  ///< received packets that were not the last to be sent
    std::uint64_t good_to_bad = 0;    ///< those followed by a lost one
    std::uint64_t bad_followed = 0;
    std::uint64_t bad_to_good = 0;

    /// Packets of a state that another packet followed, by how many packets of that state came before them: none, or
    /// some. Without the very first packet, of which nobody knows.
    struct Ends {
        std::uint64_t first = 0;
        std::uint64_t first_ended = 0;  ///< the next one was of the other state
        std::uint64_t later = 0;
        std::uint64_t later_ended = 0;
        void merge(const Ends& other);
    };
    Ends good;
    Ends bad;

    void merge(const LossPatternCounts& other);

    /// Runs of received packets.
    [[nodiscard]] std::uint64_t good_periods() const;
    /// Of fewer than kFewestPeriods runs of lost or of received packets it is unknown how long such a run lasts, and so
    /// how far the share of losses may be off.
    [[nodiscard]] bool has_few_periods() const;
    static constexpr std::uint64_t kFewestPeriods = 10;

    /// The simple Gilbert model: P(bad | good before), P(good | bad before), by maximum likelihood: transitions over
    /// packets that have a successor. Empty without such packets; without errors where there are few periods.
    [[nodiscard]] std::optional<Proportion> gilbert_p() const;
    [[nodiscard]] std::optional<Proportion> gilbert_r() const;

    /// The chance that a Gilbert channel would be as far as these packets from what defines it: that the end of a state
    /// does not depend on how long it has lasted, one packet or more (a chain of the second order against one of the
    /// first [Anderson and Goodman 1957]). Empty where not even one end and one continuation is expected after either
    /// [Campbell 2007].
    [[nodiscard]] std::optional<double> gilbert_chance() const;

    /// The share of losses that are noticeable (RFC 3357, 6.1): at most kNoticeable packets after the one before. Empty
    /// without losses.
    [[nodiscard]] std::optional<double> noticeable() const;
    static constexpr std::int64_t kNoticeable = 99;

    /// Of the share lost, with a confidence of 95 %, for a simple Gilbert channel: the interval of [Wilson 1927] for
    /// the number of independent packets that tell as much, packets (p + r) / (2 - p - r), but no more than there are.
    struct Interval {
        double low = 0;
        double high = 0;
        double independent_packets = 0;
    };
    /// Empty where there are few periods, and so where all packets are lost, or none.
    [[nodiscard]] std::optional<Interval> interval() const;
};

/// Collects the pattern from ascending runs of lost numbers; all between are received. As an observer of a
/// BasicSequenceTracker it costs nothing while no packet is lost.
class LossPattern {
public:
    static constexpr bool kWatches = true;

    /// `first`: the first number sent; empty: unknown, and the pattern begins with the first received one. `holes`:
    /// numbers that were not sent; outlive the pattern; null: none.
    explicit LossPattern(std::optional<std::uint64_t> first = 0, const SequenceHoles* holes = nullptr);

    void lost(std::uint64_t first, std::uint64_t count);

    /// `end`: one more than the last number known to be sent. Requires: no lost number is above.
    [[nodiscard]] LossPatternCounts counts(std::uint64_t end) const;

private:
    [[nodiscard]] std::uint64_t position(std::uint64_t seq);
    void close_period(LossPatternCounts& counts) const;
    /// Of counts that have everything else.
    void count_ends(LossPatternCounts& counts) const;

    HolesPassed holes_;
    bool begins_with_received_;
    std::uint64_t first_;   ///< number of the first packet
    std::uint64_t origin_;  ///< its position among all sent packets
    // The period that may continue; positions count sent packets from the first one.
    std::uint64_t open_first_ = 0;
    std::uint64_t open_end_ = 0;              ///< equal: none is open
    std::optional<std::uint64_t> last_lost_;  ///< before that period
    std::uint64_t first_lost_ = 0;            ///< the first of all periods
    std::uint64_t first_end_ = 0;
    LossPatternCounts closed_;  ///< lost, periods, distances and good_to_bad of the periods before it
};

}  // namespace groma
