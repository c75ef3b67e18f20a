#include "decoder/sqlite_measured.hpp"

#include "common/sqlite/figure_rows.hpp"
#include "decoder/figures.hpp"
#include "decoder/sqlite_inserter.hpp"
#include "decoder/sqlite_rows.hpp"

namespace groma {

namespace {

std::string_view name_of(LogRole side) {
    return side == LogRole::sender ? "sender" : "receiver";
}

/// The rows of one run in these tables.
class MeasuredWriter {
public:
    MeasuredWriter(SQLite::Database& database, std::int64_t run)
        : run_(run),
          round_trips_(database, "round_trips", 11),
          times_(database, run),
          transmits_(database, "transmits", 5),
          samples_(database, "connection", {"run", "flow", "receiver", "side"}, sample_figures()),
          connections_(database, "connections", 20),
          headers_(database, "arrival_headers", 6) {}

    void write(const FlowResult& flow) {
        if (flow.round_trip) {
            write_round_trip(flow, *flow.round_trip);
        }
        if (flow.transmit) {
            write_transmit(flow, *flow.transmit);
        }
        for (const ConnectionFigures& connection : flow.connections) {
            write_connection(flow, connection);
        }
        write_counts(flow, "ttl", flow.arrival_header.ttl);
        write_counts(flow, "ds_byte", flow.arrival_header.ds_byte);
    }

private:
    void write_round_trip(const FlowResult& flow, const RoundTripFigures& it) {
        round_trips_ << run_ << flow.spec.id.value << it.replies << it.duplicates << it.unnumbered << it.undated
                     << it.lost << flow.loss.packets << it.backward_lost << it.backward_from
                     << std::string(it.one_way_is_relative ? "relative" : "absolute");
        round_trips_.end_row();
        times_.write(flow, "rtt", it.rtt_ns);
        times_.write(flow, "rtt_network", it.network_ns);
        times_.write(flow, "residence", it.residence_ns);
        times_.write(flow, "forward", it.forward_ns);
        times_.write(flow, "backward", it.backward_ns);
    }

    void write_transmit(const FlowResult& flow, const TransmitFigures& it) {
        transmits_ << run_ << flow.spec.id.value << it.stamps << it.packets << it.unmatched;
        transmits_.end_row();
        times_.write(flow, "stack", it.stack_ns);
        times_.write(flow, "transmit_delay", it.delay_ns);
    }

    void write_connection(const FlowResult& flow, const ConnectionFigures& it) {
        for (const TimedSample& sample : it.samples) {
            samples_.add({run_, figure_value(flow.spec.id.value), figure_value(flow.receiver_number),
                          std::string(name_of(it.side))},
                         sample);
        }
        write_summary(flow, it);
    }

    void write_summary(const FlowResult& flow, const ConnectionFigures& it) {
        connections_ << run_ << flow.spec.id.value << flow.receiver_number << name_of(it.side)
                     << std::uint64_t{it.samples.size() + it.left_out};
        put_range(it.rtt_ns);
        put_range(it.cwnd);
        connections_ << it.retransmitted << it.retransmitted_bytes << it.delivery_rate_min_bps
                     << it.delivery_rate_max_bps << it.pacing_rate_max_bps << it.efficiency << it.buffer_delay
                     << it.transfer_time_ratio << it.left_out;
        connections_.end_row();
    }

    void put_range(const Spread& spread) {
        if (spread.count > 0) {
            connections_ << spread.min << spread.mean << spread.max;
        } else {
            connections_.skip(3);
        }
    }

    void write_counts(const FlowResult& flow, std::string_view field,
                      const std::map<std::uint8_t, std::uint64_t>& counts) {
        for (const auto& [value, packets] : counts) {
            headers_ << run_ << flow.spec.id.value << flow.receiver_number << field << std::uint32_t{value} << packets;
            headers_.end_row();
        }
    }

    std::int64_t run_;
    Inserter round_trips_;
    MeasuredTimesWriter times_;
    Inserter transmits_;
    FigureRows<TimedSample> samples_;
    Inserter connections_;
    Inserter headers_;
};

}  // namespace

void write_measured(SQLite::Database& database, std::int64_t run, const std::vector<FlowResult>& flows) {
    MeasuredWriter writer(database, run);
    for (const FlowResult& flow : flows) {
        writer.write(flow);
    }
}

}  // namespace groma
