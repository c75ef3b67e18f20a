#include "decoder/sqlite_patterns.hpp"

#include "decoder/sqlite_inserter.hpp"
#include "decoder/sqlite_rows.hpp"

namespace groma {

namespace {

/// The rows of one run in these tables.
class PatternWriter {
public:
    PatternWriter(SQLite::Database& database, std::int64_t run)
        : run_(run), n_reordering_(database, "n_reordering", 5), times_(database, run), bins_(database, run) {}

    void write(const FlowResult& flow) {
        if (flow.loss_pattern.counts) {
            write_losses(flow, *flow.loss_pattern.counts);
        }
        if (flow.received) {
            write_order(flow, flow.received->reordering);
            write_times(flow, "pdv", flow.received->pdv_ns);
            write_times(flow, "ipdv", flow.received->ipdv_ns);
        }
    }

private:
    void write_losses(const FlowResult& flow, const LossPatternCounts& it) {
        bins_.write(flow, "loss_period", spread_of(it.periods));
        bins_.write(flow, "loss_distance", spread_of(it.distances));
    }

    void write_order(const FlowResult& flow, const ReorderingCounts& it) {
        bins_.write(flow, "reordering_extent", spread_of(it.extents));
        for (std::size_t n = 1; n <= ReorderingCounts::kMostN and it.n_reordered(n) > 0; ++n) {
            n_reordering_ << run_ << flow.spec.id.value << flow.receiver_number << std::uint64_t{n}
                          << it.n_reordered(n);
            n_reordering_.end_row();
        }
    }

    void write_times(const FlowResult& flow, std::string_view kind, const Spread& it) {
        times_.write(flow, kind, it);
        bins_.write(flow, kind, it);
    }

    std::int64_t run_;
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
