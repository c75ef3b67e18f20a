#include "mpi/fidelity_codec.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "common/base/errors.hpp"
#include "common/control/json_fields.hpp"

namespace groma {

namespace {

using nlohmann::json;

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kMostEntries = 100'000;
/// Packets of a flow, so that sums over all flows of a job are exact: three months at ten million per second.
constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 46U;

json encode(const GapCounts& gaps) {
    json cells = json::array();
    const std::vector<std::uint64_t> counts = gaps.cells();
    for (std::size_t cell = 0; cell < counts.size(); ++cell) {
        if (counts[cell] > 0) {
            cells.push_back({cell, counts[cell]});
        }
    }
    return cells;
}

GapCounts decode_gap_counts(const json& cells, std::shared_ptr<const GapModel> asked) {
    GapCounts gaps(std::move(asked));
    for (const json& one : cells) {
        if (not one.is_array() or one.size() != 2 or not gaps.has_model()) {
            throw UsageError("'gap_cells' must be pairs of whole numbers, of a flow whose gaps have a model");
        }
        const std::uint64_t cell = number_at(one, 0, "gap_cells");
        if (cell >= GapModel::kCells) {
            throw UsageError("'gap_cells' has no cell " + std::to_string(cell));
        }
        gaps.add_to_cell(cell, number_at(one, 1, "gap_cells"));
    }
    return gaps;
}

}  // namespace

json encode(const LogHistogram& histogram) {
    json bins = json::array();
    for (const LogHistogram::Bin& bin : histogram.bins()) {
        bins.push_back({bin.low + (bin.high - bin.low) / 2, bin.count});
    }
    return {{"min", histogram.min()}, {"max", histogram.max()}, {"bins", std::move(bins)}};
}

LogHistogram decode_histogram(const json& object) {
    const JsonFields fields(object);
    const std::int64_t min = fields.signed_number("min");
    const std::int64_t max = fields.signed_number("max");
    const json& bins = fields.array("bins", kMostEntries);
    LogHistogram histogram;
    std::uint64_t room = kMostCounted;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        if (not bins[i].is_array() or bins[i].size() != 2 or not bins[i][0].is_number_integer()) {
            throw UsageError("'bins' must be pairs of whole numbers");
        }
        const auto middle = std::clamp(bins[i][0].get<std::int64_t>(), std::min(min, max), std::max(min, max));
        std::uint64_t count = number_at(bins[i], 1, "bins");
        if (count > room) {
            throw UsageError("'bins' must count at most " + std::to_string(kMostCounted) + " values");
        }
        room -= count;
        if (i == 0 and count > 0) {
            histogram.add(min);
            --count;
        }
        if (i + 1 == bins.size() and count > 0) {
            histogram.add(max);
            --count;
        }
        histogram.add(middle, count);
    }
    return histogram;
}

json encode(const Fidelity& f) {
    return {{"packets", f.packets},
            {"bytes", f.bytes},
            {"scheduled_pps", f.scheduled_pps},
            {"sent_pps", f.sent_pps},
            {"scheduled_bps", f.scheduled_bps},
            {"sent_bps", f.sent_bps},
            {"lateness_ns", encode(f.lateness_ns)},
            {"late_packets", f.late_packets},
            {"alone", f.alone},
            {"batched", f.batched},
            {"largest_batch", f.largest_batch},
            {"batch_sizes", encode(f.batch_sizes)},
            {"behind_ns", f.behind.count()},
            {"gap_error_ns", encode(f.gap_error_ns)},
            {"gap_variation", f.gap_variation},
            {"gaps_within_1us", f.gaps_within_1us},
            {"gaps_within_10us", f.gaps_within_10us},
            {"gaps_within_100us", f.gaps_within_100us},
            {"gap_cells", encode(f.gap_counts)}};
}

Fidelity decode_fidelity(const json& object, std::shared_ptr<const GapModel> asked) {
    const JsonFields fields(object);
    const auto count = [&](const char* name) { return fields.number(name, 0, kMost); };
    Fidelity f;
    f.packets = count("packets");
    f.bytes = count("bytes");
    f.scheduled_pps = fields.real("scheduled_pps");
    f.sent_pps = fields.real("sent_pps");
    f.scheduled_bps = fields.real("scheduled_bps");
    f.sent_bps = fields.real("sent_bps");
    f.lateness_ns = decode_histogram(fields.at("lateness_ns"));
    f.late_packets = count("late_packets");
    f.alone = count("alone");
    f.batched = count("batched");
    f.largest_batch =
        static_cast<std::uint32_t>(fields.number("largest_batch", 0, std::numeric_limits<std::uint32_t>::max()));
    f.batch_sizes = decode_histogram(fields.at("batch_sizes"));
    f.behind = Nanos(fields.signed_number("behind_ns"));
    f.gap_error_ns = decode_histogram(fields.at("gap_error_ns"));
    f.gap_variation = fields.real("gap_variation");
    f.gaps_within_1us = count("gaps_within_1us");
    f.gaps_within_10us = count("gaps_within_10us");
    f.gaps_within_100us = count("gaps_within_100us");
    f.gap_counts = decode_gap_counts(fields.array("gap_cells", GapModel::kCells), std::move(asked));
    PooledGaps gaps;
    gaps.add(f.gap_counts);
    f.fit = gaps.fit();
    return f;
}

}  // namespace groma
