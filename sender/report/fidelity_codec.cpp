#include "sender/report/fidelity_codec.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "common/json/json_record.hpp"

namespace groma {

namespace {

constexpr Most kMostBins{100'000};
/// Packets of a flow, so that sums over all flows of a job are exact: three months at ten million per second.
constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 46U;

struct CountedBin {
    std::int64_t middle = 0;
    std::uint64_t count = 0;
};

struct HistogramCounts {
    std::int64_t min = 0;
    std::int64_t max = 0;
    std::vector<CountedBin> bins;
};

HistogramCounts counts_of(const LogHistogram& histogram) {
    HistogramCounts counts{histogram.min(), histogram.max(), {}};
    for (const LogHistogram::Bin& bin : histogram.bins()) {
        counts.bins.push_back({bin.low + (bin.high - bin.low) / 2, bin.count});
    }
    return counts;
}

LogHistogram histogram_of(const HistogramCounts& counts) {
    const auto [least, most] = std::minmax(counts.min, counts.max);
    LogHistogram histogram;
    std::uint64_t room = kMostCounted;
    for (std::size_t i = 0; i < counts.bins.size(); ++i) {
        auto [middle, count] = counts.bins[i];
        if (count > room) {
            throw UsageError("'bins' must count at most " + std::to_string(kMostCounted) + " values");
        }
        room -= count;
        if (i == 0 and count > 0) {
            histogram.add(counts.min);
            --count;
        }
        if (i + 1 == counts.bins.size() and count > 0) {
            histogram.add(counts.max);
            --count;
        }
        histogram.add(std::clamp(middle, least, most), count);
    }
    return histogram;
}

struct CountedCell {
    std::uint64_t cell = 0;
    std::uint64_t count = 0;
};

std::vector<CountedCell> counts_of(const GapCounts& gaps) {
    std::vector<CountedCell> counts;
    for (const std::uint16_t cell : gaps.few()) {
        counts.push_back({cell, 1});  // in their order, from which their batches are made again
    }
    const std::vector<std::uint64_t> cells = gaps.few().empty() ? gaps.cells() : std::vector<std::uint64_t>();
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        if (cells[cell] > 0) {
            counts.push_back({cell, cells[cell]});
        }
    }
    return counts;
}

/// Gaps of a bin in one of the batches of a flow with many gaps.
struct CountedBatch {
    std::uint64_t batch = 0;
    std::uint64_t bin = 0;
    std::uint64_t count = 0;
};

std::vector<CountedBatch> batches_of(const GapCounts& gaps) {
    std::vector<CountedBatch> counts;
    if (not gaps.few().empty()) {
        return counts;
    }
    const GapBatches batches = gaps.batches();
    for (std::size_t batch = 0; batch < batches.batches().size(); ++batch) {
        for (std::size_t bin = 0; bin < kLambda2Bins; ++bin) {
            if (const std::uint64_t count = batches.batches()[batch][bin]; count > 0) {
                counts.push_back({batch, bin, count});
            }
        }
    }
    return counts;
}

GapBatches batches_of(const std::vector<CountedBatch>& counts, std::uint64_t length) {
    std::vector<GapBatches::Counts> batches;
    for (const CountedBatch& one : counts) {
        batches.resize(std::max<std::size_t>(batches.size(), one.batch + 1));
        batches[one.batch][one.bin] = one.count;
    }
    return {length, std::move(batches)};
}

GapCounts gaps_of(const std::vector<CountedCell>& counts, std::shared_ptr<const GapModel> asked) {
    GapCounts gaps(std::move(asked));
    if (not counts.empty() and not gaps.has_model()) {
        throw UsageError("'gap_cells' must be of a flow whose gaps have a model");
    }
    for (const CountedCell& one : counts) {
        gaps.add_to_cell(one.cell, one.count);
    }
    return gaps;
}

}  // namespace

template <typename Fields>
void describe(Fields& fields, As<Fields, CountedBin>& bin) {
    fields("middle", bin.middle);
    fields("count", bin.count);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, CountedCell>& cell) {
    fields("cell", cell.cell, Within<std::uint64_t>{0, GapModel::kCells - 1});
    fields("count", cell.count);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, CountedBatch>& batch) {
    fields("batch", batch.batch, Within<std::uint64_t>{0, GapBatches::kMost - 1});
    fields("bin", batch.bin, Within<std::uint64_t>{0, kLambda2Bins - 1});
    fields("count", batch.count, Within<std::uint64_t>{0, kMostCounted});
}

template <typename Fields>
void describe(Fields& fields, As<Fields, TimeSpan>& span) {
    constexpr Within kSpans{-kLongestSpan.count(), kLongestSpan.count()};
    fields("first_ns", span.first, kSpans);
    fields("last_ns", span.last, kSpans);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, LogHistogram>& histogram) {
    HistogramCounts counts = counts_of(histogram);
    fields("min", counts.min);
    fields("max", counts.max);
    fields.rows("bins", counts.bins, kMostBins);
    if constexpr (Fields::kReads) {
        histogram = histogram_of(counts);
    }
}

template <typename Fields>
void describe_fidelity(Fields& fields, As<Fields, Fidelity>& f, std::shared_ptr<const GapModel> asked) {
    fields("packets", f.packets);
    fields("bytes", f.bytes);
    fields.unless(false, "greedy", f.greedy);
    fields("departures", f.departures);
    fields("scheduled", f.scheduled);
    fields("sent", f.sent);
    fields("lateness_ns", f.lateness_ns);
    fields("late_packets", f.late_packets);
    fields("alone", f.alone);
    fields("batched", f.batched);
    fields("largest_batch", f.largest_batch);
    fields("batch_sizes", f.batch_sizes);
    fields("behind_ns", f.behind);
    fields("gap_error_ns", f.gap_error_ns);
    fields("gap_variation", f.gap_variation);
    fields("gaps_within_1us", f.gaps_within_1us);
    fields("gaps_within_10us", f.gaps_within_10us);
    fields("gaps_within_100us", f.gaps_within_100us);
    std::vector<CountedCell> cells = counts_of(f.gap_counts);
    fields.rows("gap_cells", cells, Most{GapModel::kCells});
    std::vector<CountedBatch> batches = batches_of(f.gap_counts);
    std::uint64_t batch_length = f.gap_counts.batches().length();
    fields("gap_batch_length", batch_length, Within<std::uint64_t>{1, kMostCounted});
    fields.rows("gap_batches", batches, Most{GapBatches::kMost * kLambda2Bins});
    if constexpr (Fields::kReads) {
        f.gap_counts = gaps_of(cells, std::move(asked));
        if (not batches.empty()) {
            if (not f.gap_counts.has_model()) {
                throw UsageError("'gap_batches' must be of a flow whose gaps have a model");
            }
            f.gap_counts.set_batches(batches_of(batches, batch_length));
        }
        PooledGaps gaps;
        gaps.add(f.gap_counts);
        f.fit = gaps.fit();
    }
}

template void describe(JsonWriter&, const LogHistogram&);
template void describe(JsonReader&, LogHistogram&);
template void describe_fidelity(JsonWriter&, const Fidelity&, std::shared_ptr<const GapModel>);
template void describe_fidelity(JsonReader&, Fidelity&, std::shared_ptr<const GapModel>);

}  // namespace groma
