#include "decoder/results/flow_tables.hpp"

namespace groma {

namespace {

class HistogramCollector {
public:
    void add(std::string_view kind, const Spread& spread) {
        for (const LogHistogram::Bin& bin : spread.bins()) {
            rows_.push_back({kind, bin});
        }
    }
    void add(std::string_view kind, const LogHistogram& values) { add(kind, spread_of(values)); }

    [[nodiscard]] std::vector<HistogramRow> take() { return std::move(rows_); }

private:
    std::vector<HistogramRow> rows_;
};

void add_sent(HistogramCollector& rows, const SentFigures& sent) {
    rows.add("sent_gap", sent.gaps_ns);
    rows.add("lateness", sent.lateness_ns);
    rows.add("gap_error", sent.fidelity.gap_error_ns);
    rows.add("batch", sent.fidelity.batch_sizes);
}

void add_received(HistogramCollector& rows, const ReceivedFigures& received) {
    rows.add("delay", received.delay_ns);
    rows.add("scheduled_delay", received.scheduled_delay_ns);
    rows.add("arrival_gap", received.gaps_ns);
    rows.add("reordering_extent", received.reordering.extents);
    rows.add("free_run", received.reordering.free_runs);
    rows.add("pdv", received.pdv_ns);
    rows.add("ipdv", received.ipdv_ns);
}

void add_round_trip(HistogramCollector& rows, const RoundTripFigures& it) {
    rows.add("rtt", it.rtt_ns);
    rows.add("scheduled_rtt", it.scheduled_rtt_ns);
    rows.add("rtt_network", it.network_ns);
    rows.add("residence", it.residence_ns);
    rows.add("forward", it.forward_ns);
    rows.add("backward", it.backward_ns);
}

}  // namespace

std::vector<HistogramRow> histogram_rows(const FlowResult& flow) {
    HistogramCollector rows;
    const bool first = flow.receiver_number == 1;  // the sender's rows appear once
    if (flow.sent and first) {
        add_sent(rows, *flow.sent);
    }
    if (flow.received) {
        add_received(rows, *flow.received);
    }
    if (flow.round_trip) {
        add_round_trip(rows, *flow.round_trip);
    }
    if (flow.transmit) {
        rows.add("stack", flow.transmit->stack_ns);
        rows.add("transmit_delay", flow.transmit->delay_ns);
    }
    if ((flow.sent or flow.received) and first) {
        rows.add("size", flow.sent ? flow.sent->sizes : flow.received->sizes);
    }
    if (const auto& losses = flow.loss_pattern.counts) {
        rows.add("loss_period", losses->periods);
        rows.add("loss_distance", losses->distances);
    }
    return rows.take();
}

std::vector<SideSample> side_samples(const FlowResult& flow) {
    std::vector<SideSample> rows;
    for (const ConnectionFigures& connection : flow.connections) {
        for (const TimedSample& sample : connection.samples) {
            rows.push_back({connection.side, &sample});
        }
    }
    return rows;
}

std::vector<CounterRow> counter_rows(const FlowResult& flow) {
    std::vector<CounterRow> rows;
    if (flow.sent) {
        for (const auto& [name, count] : flow.sent->counters) {
            rows.push_back({LogRole::sender, name, count});
        }
    }
    if (flow.received) {
        for (const auto& [name, count] : flow.received->counters) {
            rows.push_back({LogRole::receiver, name, count});
        }
    }
    return rows;
}

std::vector<HeaderCount> header_counts(const FlowResult& flow) {
    const ArrivalHeaderFigures& header = flow.arrival_header;
    std::vector<HeaderCount> rows;
    rows.reserve(header.ttl.size() + header.ds_byte.size());
    for (const auto& [value, packets] : header.ttl) {
        rows.push_back({"ttl", value, packets});
    }
    for (const auto& [value, packets] : header.ds_byte) {
        rows.push_back({"ds_byte", value, packets});
    }
    return rows;
}

std::vector<NReorderingRow> n_reordering_rows(const FlowResult& flow) {
    std::vector<NReorderingRow> rows;
    if (flow.received) {
        const ReorderingCounts& it = flow.received->reordering;
        for (std::size_t n = 1; n <= ReorderingCounts::kMostN and it.n_reordered(n) > 0; ++n) {
            const std::uint64_t packets = it.n_reordered(n);
            rows.push_back({n, packets, static_cast<double>(packets) / static_cast<double>(flow.received->unique)});
        }
    }
    return rows;
}

std::vector<ReorderDensityRow> reorder_density_rows(const FlowResult& flow) {
    std::vector<ReorderDensityRow> rows;
    // Of records with late packets; all others have the displacement 0.
    if (flow.received and (flow.received->density.displacements.size() > 1 or flow.received->density.beyond > 0)) {
        const ReorderDensityCounts& density = flow.received->density;
        const auto all = static_cast<double>(density.packets());
        for (const auto& [displacement, packets] : density.displacements) {
            rows.push_back({displacement, packets, static_cast<double>(packets) / all});
        }
    }
    return rows;
}

std::vector<SideScale> gap_scale_rows(const FlowResult& flow) {
    std::vector<SideScale> rows;
    if (flow.sent and flow.receiver_number == 1) {  // the sender's rows appear once
        for (const GapScale& scale : flow.sent->scales) {
            rows.push_back({LogRole::sender, scale});
        }
    }
    if (flow.received) {
        for (const GapScale& scale : flow.received->arrival_scales) {
            rows.push_back({LogRole::receiver, scale});
        }
    }
    return rows;
}

const FigureTable<SideScale>& gap_scale_figures() {
    const auto of = [](auto GapScale::*member) { return [member](const SideScale& it) { return it.scale.*member; }; };
    static const FigureTable<SideScale> kTable =
        FigureTable<SideScale>()
            .add("side", "`sender`: of departures; `receiver`: of arrivals, every copy",
                 [](const SideScale& it) { return to_string(it.side); })
            .add("gaps", "gaps of a stretch", of(&GapScale::gaps))
            .add("stretches", "how many stretches", of(&GapScale::stretches))
            .add("mean_ns", "mean time of a stretch", of(&GapScale::mean_ns))
            .add("dispersion", "index of dispersion for intervals: 1 for a Poisson process, 0 for a constant rate",
                 of(&GapScale::dispersion))
            .add("allan_deviation", "Allan deviation of the departures of a constant rate (IEEE 1139)",
                 of(&GapScale::allan_deviation));
    return kTable;
}

const FigureTable<HistogramRow>& histogram_figures() {
    static const FigureTable<HistogramRow> kTable =
        FigureTable<HistogramRow>()
            .add("kind", "which figure", &HistogramRow::kind)
            .add("low", "smallest value of the bin", [](const HistogramRow& it) { return it.bin.low; })
            .add("high", "largest value of the bin", [](const HistogramRow& it) { return it.bin.high; })
            .add("count", "values in the bin", [](const HistogramRow& it) { return it.bin.count; });
    return kTable;
}

const FigureTable<SideSample>& side_sample_figures() {
    static const FigureTable<SideSample> kTable =
        FigureTable<SideSample>()
            .add("side", "`sender` or `receiver`", [](const SideSample& it) { return to_string(it.side); })
            .add_all(sample_figures(), &SideSample::sample);
    return kTable;
}

const FigureTable<CounterRow>& counter_figures() {
    static const FigureTable<CounterRow> kTable =
        FigureTable<CounterRow>()
            .add("side", "who counted: `sender` or `receiver`", [](const CounterRow& it) { return to_string(it.side); })
            .add("name", "what was counted", &CounterRow::name)
            .add("count", "how often", &CounterRow::count);
    return kTable;
}

const FigureTable<std::string>& note_figures() {
    static const FigureTable<std::string> kTable = FigureTable<std::string>().add(
        "text", "a sentence to know about the flow", [](const std::string& text) { return text; });
    return kTable;
}

const FigureTable<CdfPoint>& asked_gap_figures() {
    static const FigureTable<CdfPoint> kTable =
        FigureTable<CdfPoint>()
            .add("gap_ns", "a gap between departures", &CdfPoint::value)
            .add("cdf", "P(gap <= gap_ns) as it was asked for, within ON periods", &CdfPoint::share);
    return kTable;
}

}  // namespace groma
