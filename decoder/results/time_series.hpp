// A flow's figures per interval, aligned to the start of the run. Memory: one cell for each interval in which something
// happened, however far apart they are; a SeriesInterval bounds their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "common/base/int128.hpp"
#include "common/stats/histograms/stretches.hpp"
#include "common/time/instant.hpp"
#include "common/time/time_span.hpp"
#include "decoder/results/series_cells.hpp"
#include "decoder/results/series_edges.hpp"
#include "decoder/results/series_interval.hpp"

namespace groma {

/// Sums of an interval that few flows have.
struct RareSums {
    std::uint64_t sent_further = 0;  ///< packets that left, once more for each further receiver of the flow
    std::uint64_t returned = 0;      ///< every copy, by time of return
    std::uint64_t rtts = 0;          ///< first copies with a round-trip time, by time of return
    Int128 rtt_sum_ns = 0;
    Nanos rtt_min = Nanos::max();
    Nanos rtt_max = Nanos::min();

    void add_rtt(Nanos rtt) noexcept;
    void merge(const RareSums& other);
};

/// Sums over one interval.
struct SeriesCell {
    std::uint64_t sent_packets = 0;
    std::uint64_t received_packets = 0;  ///< every copy, by time of arrival
    std::uint64_t received_bytes = 0;
    std::uint64_t got = 0;     ///< first copies, by time of departure
    std::uint64_t delays = 0;  ///< first copies with a delay, by time of arrival
    std::uint64_t jitters = 0;
    Int128 delay_sum_ns = 0;
    Int128 jitter_sum_ns = 0;
    Nanos delay_min = Nanos::max();
    Nanos delay_max = Nanos::min();

    void add_delay(Nanos delay) noexcept {
        const std::int64_t ns = delay.count();
        add_delays(std::span(&ns, 1));
    }
    void add_delays(std::span<const std::int64_t> delays_ns) noexcept;
    void add_jitter(Nanos change) noexcept {
        const std::int64_t ns = change.count();
        add_jitters(std::span(&ns, 1));
    }
    void add_jitters(std::span<const std::int64_t> changes_ns) noexcept;
    void merge(const SeriesCell& other);
};

/// An interval as printed. Empty: unknown, or without values to average.
struct SeriesRow {
    double t_s = 0;  ///< start of the interval, from the start of the run
    std::optional<std::uint64_t> sent_packets;
    std::optional<std::uint64_t> received_packets;
    std::optional<std::uint64_t> received_bytes;
    std::optional<double> throughput_bps;
    std::optional<double> packet_rate_pps;
    std::optional<double> sent_rate_pps;
    std::optional<double> delay_mean_ns;
    std::optional<std::int64_t> delay_min_ns;
    std::optional<std::int64_t> delay_max_ns;
    std::optional<double> jitter_ns;    ///< mean |D(i)|
    std::optional<std::uint64_t> lost;  ///< of the packets that left in this interval
    std::optional<std::uint64_t> returned_packets;
    std::optional<double> rtt_mean_ns;
    std::optional<std::int64_t> rtt_min_ns;
    std::optional<std::int64_t> rtt_max_ns;
    std::optional<double> sent_covered_s;  ///< from the first departure to the last, within the interval
    std::optional<double> covered_s;       ///< from the first arrival to the last arrival or departure, likewise
};

/// The most empty intervals in all series of a run's flows, in all those of its groups, and in the total's. Without a
/// limit, those of 10,000 flows of hours would take most of the memory.
inline constexpr std::int64_t kMostEmptyIntervals = 1'000'000;

/// What is known of a flow, and so which columns are filled.
struct SeriesKnowledge {
    bool sent = false;
    bool received = false;
    bool delay = false;
    bool lost = false;
    bool returned = false;
    /// Of all packets, from the start of the run; empty: unknown, and so are rates.
    std::optional<TimeSpan> departures{};
    std::optional<TimeSpan> arrivals{};
    Nanos delay_shift{0};  ///< taken off every delay
    Nanos from{0};         ///< what was before is not selected: empty intervals there are omitted
    std::int64_t most_empty = kMostEmptyIntervals;  ///< this series' share of them
};

class TimeSeries {
public:
    /// Requires: interval > 0.
    explicit TimeSeries(Nanos interval) : TimeSeries(std::make_shared<SeriesInterval>(interval)) {}
    /// One of several series of a run.
    explicit TimeSeries(std::shared_ptr<SeriesInterval> of_run)
        : of_run_(std::move(of_run)), doublings_(of_run_->doublings()), interval_(of_run_->length(doublings_)) {}
    TimeSeries(TimeSeries&&) = default;
    TimeSeries& operator=(TimeSeries&&) = default;
    TimeSeries(const TimeSeries&) = delete;  // latest_ points into cells_
    TimeSeries& operator=(const TimeSeries&) = delete;
    ~TimeSeries() = default;

    /// An interval, and its cell.
    class Slot {
    public:
        Slot() = default;
        Slot(SeriesCell& cell, Nanos begin, Nanos interval) : cell_(&cell), begin_(begin), interval_(interval) {}

        [[nodiscard]] bool has(Nanos since_start) const {
            const auto since_begin =
                static_cast<std::uint64_t>(since_start.count()) - static_cast<std::uint64_t>(begin_.count());
            return since_begin < static_cast<std::uint64_t>(interval_.count());
        }
        [[nodiscard]] SeriesCell& cell() const { return *cell_; }
        [[nodiscard]] Nanos begin() const { return begin_; }

    private:
        SeriesCell* cell_ = nullptr;
        Nanos begin_{0};
        Nanos interval_{0};  ///< 0: it has no instant
    };

    /// The interval of an instant, counted from the start of the run. Valid until the next call for another.
    [[nodiscard]] const Slot& slot(Nanos since_start) {
        if (not latest_.has(since_start)) {
            find(since_start);
        }
        return latest_;
    }
    [[nodiscard]] SeriesCell& at(Nanos since_start) { return slot(since_start).cell(); }
    [[nodiscard]] RareSums& rare_at(Nanos since_start);

    /// When the flow begins, from the start of the run.
    void begin_flow_at(Nanos since_start) { flow_begins_ = since_start; }
    /// When a packet left. None leaves before its flow begins: a stamp that is earlier by up to kEarly has the errors
    /// of reading two clocks, and the packet belongs to the interval in which the flow begins.
    [[nodiscard]] Nanos departure(Nanos stamp) const {
        return stamp < flow_begins_ and stamp >= flow_begins_ - kEarly ? flow_begins_ : stamp;
    }

    /// Of all packets that left, and that arrived.
    [[nodiscard]] SeriesEdges& departures() { return departures_; }
    [[nodiscard]] SeriesEdges& arrivals() { return arrivals_; }
    /// Likewise, for a packet of which `ends` are to know.
    [[nodiscard]] SeriesCell& at(Nanos since_start, SeriesEdges& ends) {
        const Slot& here = slot(since_start);
        ends.add(here.begin(), {since_start, since_start});
        return here.cell();
    }

    /// Calls visit(SeriesCell&, first, count) for all stretches of instants (in ns, as `start` of the run) that are
    /// within one interval, and tells them to `ends` (may be null). Requires: `extent` is that of the instants; none is
    /// further from the start than kLongestSpan.
    template <typename Visit>
    void for_each_stretch(std::span<const std::int64_t> instants_ns, const Extent& extent, std::int64_t start,
                          SeriesEdges* ends, Visit visit) {
        const auto since = [start](std::int64_t instant) { return Nanos{instant - start}; };
        const auto span = [since](const Extent& some) { return TimeSpan{since(some.least), since(some.most)}; };
        if (slot(since(extent.least)).has(since(extent.most))) {
            if (ends != nullptr) {
                ends->add(latest_.begin(), span(extent));
            }
            visit(latest_.cell(), std::size_t{0}, instants_ns.size());
            return;
        }
        std::size_t first = 0;
        while (first < instants_ns.size()) {
            const Slot& here = slot(since(instants_ns[first]));
            std::size_t end = first + 1;
            while (end < instants_ns.size() and here.has(since(instants_ns[end]))) {
                ++end;
            }
            if (ends != nullptr) {
                ends->add(here.begin(), span(extent_of(instants_ns.subspan(first, end - first))));
            }
            visit(here.cell(), first, end - first);
            first = end;
        }
    }

    void merge(const TimeSeries& other);
    /// Only what left: for the series of a flow at a further receiver.
    void merge_departures(const TimeSeries& other);
    /// A series of a flow at a further receiver, whose departures are in this one already.
    void merge_further_receiver(const TimeSeries& other);

    [[nodiscard]] Nanos interval() const { return interval_; }
    /// Doubles the intervals as often as those of the run were.
    void keep_up();

    /// All intervals from the start of the run to the last one in which something happened; a hole of more than
    /// kLongestHole empty intervals is left out, and so is one that does not fit into what is left of `most_empty`.
    void for_each_row(const SeriesKnowledge& known, const std::function<void(const SeriesRow&)>& visit) const;
    [[nodiscard]] std::vector<SeriesRow> rows(const SeriesKnowledge& known) const;

    static constexpr std::int64_t kLongestHole = 100'000;
    static constexpr Nanos kEarly = std::chrono::milliseconds(1);

private:
    static constexpr Nanos kEarliest = -kLongestSpan;  // no flow: nothing is before it

    /// Makes the cell of an interval of a series of the run that was doubled so often. Returns: its number here.
    std::int64_t made(std::int64_t index, unsigned doublings);
    [[nodiscard]] SeriesEdges lengthened(SeriesEdges edges) const;
    void find(Nanos since_start);
    [[nodiscard]] const RareSums& rare_of(std::int64_t index) const;
    [[nodiscard]] SeriesRow row(std::int64_t index, const SeriesCell& cell, const SeriesKnowledge& known) const;
    /// Packets of a series: from the first to the last of all, or to `until` where packets could still come.
    struct Covered {
        TimeSpan packets;
        Nanos until{0};
        const SeriesEdges& ends;
    };
    /// The part of an interval that is covered, and packets per second over it. Where the first or the last of all
    /// packets is in the interval, n packets count as their n - 1 gaps and that part of the gap to the neighbouring
    /// interval which is within; half of it if that is unknown. Outside the rate is 0.
    struct CoveredRate {
        Nanos covered{0};
        std::optional<double> pps;
    };
    [[nodiscard]] CoveredRate rate_of(std::int64_t index, std::uint64_t packets, const Covered& of) const;

    std::shared_ptr<SeriesInterval> of_run_;
    unsigned doublings_;  ///< of its interval, by now
    Nanos interval_;
    Nanos flow_begins_ = kEarliest;
    SeriesCells<SeriesCell> cells_;
    std::map<std::int64_t, RareSums> rare_;  ///< of some of the cells
    SeriesEdges departures_;
    SeriesEdges arrivals_;
    Slot latest_;  ///< the last result: consecutive instants are usually in one interval
};

/// A series with what is known of it: its rows are made when they are wanted.
class KnownSeries {
public:
    KnownSeries() = default;
    KnownSeries(std::shared_ptr<TimeSeries> series, const SeriesKnowledge& known)
        : series_(std::move(series)), known_(known) {}

    void for_each_row(const std::function<void(const SeriesRow&)>& visit) const;
    [[nodiscard]] std::vector<SeriesRow> rows() const;

private:
    std::shared_ptr<TimeSeries> series_;
    SeriesKnowledge known_;
};

}  // namespace groma
