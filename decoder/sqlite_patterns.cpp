#include "decoder/sqlite_patterns.hpp"

#include "decoder/sqlite_inserter.hpp"
#include "decoder/sqlite_rows.hpp"

namespace groma {

namespace {

/// The rows of one run in these tables.
class PatternWriter {
public:
    PatternWriter(SQLite::Database& database, std::int64_t run)
        : run_(run),
          losses_(database, "loss_patterns", 19),
          orders_(database, "reordering", 12),
          n_reordering_(database, "n_reordering", 5),
          times_(database, run),
          bins_(database, run) {}

    void write(const FlowResult& flow) {
        write_loss(flow, flow.loss_pattern);
        if (flow.received) {
            write_order(flow, *flow.received);
            write_times(flow, "pdv", flow.received->pdv_ns);
            write_times(flow, "ipdv", flow.received->ipdv_ns);
        }
    }

private:
    void write_loss(const FlowResult& flow, const LossPatternFigures& figures) {
        losses_ << run_ << flow.spec.id.value << flow.receiver_number;
        if (figures.counts) {
            const LossPatternCounts& it = *figures.counts;
            losses_ << it.packets << it.lost << it.periods.count();
            write_lengths(it.periods);
            losses_ << (it.distances.count() > 0 ? std::optional(it.distances.mean()) : std::nullopt);
            put(losses_, it.gilbert_p());
            put(losses_, it.gilbert_r());
            losses_ << it.good_followed << it.good_to_bad << it.bad_followed << it.bad_to_good
                    << std::int64_t{figures.to_the_end ? 1 : 0};
            bins_.write(flow, "loss_period", spread_of(it.periods));
            bins_.write(flow, "loss_distance", spread_of(it.distances));
        } else {
            losses_.skip(15) << figures.unknown_because;
        }
        losses_.end_row();
    }

    void write_lengths(const LogHistogram& periods) {
        if (periods.count() > 0) {
            losses_ << periods.mean() << periods.max();
        } else {
            losses_.skip(2);
        }
    }

    void write_order(const FlowResult& flow, const ReceivedFigures& it) {
        const LogHistogram& extents = it.reordering.extents;
        orders_ << run_ << flow.spec.id.value << flow.receiver_number << it.reordered << it.reordered_ratio();
        if (extents.count() > 0) {
            orders_ << extents.mean() << extents.percentile(0.5) << extents.percentile(0.99) << extents.max();
        } else {
            orders_.skip(4);
        }
        orders_ << it.reordering.beyond << it.reordering.n_reordered(3) << it.copied;
        orders_.end_row();
        bins_.write(flow, "reordering_extent", spread_of(extents));
        for (std::size_t n = 1; n <= ReorderingCounts::kMostN and it.reordering.n_reordered(n) > 0; ++n) {
            n_reordering_ << run_ << flow.spec.id.value << flow.receiver_number << std::uint64_t{n}
                          << it.reordering.n_reordered(n);
            n_reordering_.end_row();
        }
    }

    void write_times(const FlowResult& flow, std::string_view kind, const Spread& it) {
        times_.write(flow, kind, it);
        bins_.write(flow, kind, it);
    }

    std::int64_t run_;
    Inserter losses_;
    Inserter orders_;
    Inserter n_reordering_;
    MeasuredTimesWriter times_;
    HistogramWriter bins_;
};

}  // namespace

void write_patterns(SQLite::Database& database, std::int64_t run, const std::vector<FlowResult>& flows) {
    PatternWriter writer(database, run);
    for (const FlowResult& flow : flows) {
        writer.write(flow);
    }
}

}  // namespace groma
