#include "common/log/host_figures.hpp"
#include "decoder/results/figures.hpp"

namespace groma {

namespace {

template <typename Value>
auto if_absolute(Value ClockState::*figure) {
    return [figure](const ClockState& it) { return it.absolute() ? std::optional(it.*figure) : std::nullopt; };
}

auto if_probed(double ClockPiece::*figure) {
    return [figure](const ClockState& it) {
        return it.kind == ClockState::Kind::probed ? std::optional(it.fit.pieces.front().*figure * 1e6) : std::nullopt;
    };
}

std::optional<double> seconds(const std::optional<Nanos>& span) {
    return span ? std::optional(to_seconds(*span)) : std::nullopt;
}

auto of_sizes(std::uint32_t SizeRange::*end) {
    return [end](const RunResult& it) {
        const auto& sizes = it.selection.sizes;
        return sizes ? std::optional((*sizes).*end) : std::nullopt;
    };
}

template <typename Value>
auto of_metadata(Value RunMetadata::*value) {
    return [value](const LogResult& it) { return it.metadata.*value; };
}

}  // namespace

const FigureTable<ClockState>& clock_figures() {
    static const FigureTable<ClockState> kTable =
        FigureTable<ClockState>()
            .add("clock", "how the two sides' clocks are related",
                 [](const ClockState& it) { return to_string(it.kind); })
            .add("clock_offset_ns", "the receiver's clock less the sender's when the run began",
                 if_absolute(&ClockState::offset))
            .add("clock_bound_ns", "largest error of the offset, and so of every one-way delay",
                 if_absolute(&ClockState::bound))
            .add("clock_probes", "probes of the clocks",
                 [](const ClockState& it) {
                     const bool known = it.kind != ClockState::Kind::unknown and it.kind != ClockState::Kind::several;
                     return known ? std::optional(it.probes) : std::nullopt;
                 })
            .add("clock_skew_ppm", "how much faster the receiver's clock runs", if_probed(&ClockPiece::skew))
            .add("clock_skew_error_ppm", "largest error of it that the probes leave open",
                 if_probed(&ClockPiece::skew_error));
    return kTable;
}

const FigureTable<RunResult>& run_figures() {
    static const FigureTable<RunResult> kTable =
        FigureTable<RunResult>()
            .add("run_id", "32 hex digits, the same in all logs of a run", &RunResult::run_id)
            .add("experiment", "the experiment's name", &RunResult::experiment)
            .add("started_ns", "when the run began, on the first log's clock, since 1970", &RunResult::started_at)
            .add("seed", "from which all random draws of the run come", &RunResult::seed)
            .add("interval_ns", "length of the intervals of series", &RunResult::interval)
            .add_all(clock_figures(), [](const RunResult& it) { return &it.clock; })
            .add("from_s", "only packets that left from then on",
                 [](const RunResult& it) { return seconds(it.selection.from); })
            .add("until_s", "only packets that left before then",
                 [](const RunResult& it) { return seconds(it.selection.until); })
            .add("size_least", "only payloads of at least as many bytes", of_sizes(&SizeRange::least))
            .add("size_most", "only payloads of at most as many bytes", of_sizes(&SizeRange::most));
    return kTable;
}

const FigureTable<LogResult>& log_figures() {
    static const FigureTable<LogResult> kTable =
        FigureTable<LogResult>()
            .add("log", "its file", &LogResult::path)
            .add("role", "who wrote it: `sender` or `receiver`",
                 [](const LogResult& it) { return to_string(it.metadata.role); })
            .add("host", "on which host", of_metadata(&RunMetadata::host))
            .add("program", "the program and its version", of_metadata(&RunMetadata::program))
            .add("timestamps", "what the records' times are", of_metadata(&RunMetadata::timestamps))
            .add("wait_ns",
                 "the sender's: for how long packets could arrive after the last one left, at least; those later are "
                 "lost (Tmax of RFC 7680)",
                 of_metadata(&RunMetadata::wait))
            .add("records", "records that were read", &LogResult::records)
            .add("end", "how it ended; unknown: the log was cut short",
                 [](const LogResult& it) { return it.totals ? std::optional(it.totals->end) : std::nullopt; })
            .add_all(
                clock_health_figures(), [](const LogResult& it) -> const auto& { return it.metadata.clock; }, "clock_")
            .add_all(usage_figures(), &LogResult::cpu)
            .add("cpu_ns_per_packet", "CPU time for each packet that the log counts", &LogResult::cpu_ns_per_packet);
    return kTable;
}

const FigureTable<LogGap>& log_gap_figures() {
    static const FigureTable<LogGap> kTable = FigureTable<LogGap>()
                                                  .add("offset", "where in the file", &LogGap::offset)
                                                  .add("bytes", "its length", &LogGap::bytes)
                                                  .add("reason", "why it cannot be read", &LogGap::reason);
    return kTable;
}

const FigureTable<LogEvent>& log_event_figures() {
    static const FigureTable<LogEvent> kTable =
        FigureTable<LogEvent>()
            .add("at_ns", "when, since 1970, on the clock of the log's host", &LogEvent::at)
            .add("flow", "which flow; unknown: all",
                 [](const LogEvent& it) { return it.flow ? std::optional(it.flow->value) : std::nullopt; })
            .add("kind", "one word", &LogEvent::kind)
            .add("text", "a sentence", &LogEvent::text);
    return kTable;
}

const FigureTable<SeriesRow>& series_figures() {
    using Row = SeriesRow;
    static const FigureTable<Row> kTable =
        FigureTable<Row>()
            .add("t_s", "start of the interval, from the start of the run", &Row::t_s)
            .add("sent_packets", "packets that left", &Row::sent_packets)
            .add("received_packets", "packets that arrived, every copy", &Row::received_packets)
            .add("received_bytes", "their payload, bytes", &Row::received_bytes)
            .add("throughput_bps", "payload that arrived, in bits, per second of covered_s", &Row::throughput_bps)
            .add("packet_rate_pps", "packets that arrived per second of covered_s", &Row::packet_rate_pps)
            .add("sent_rate_pps", "packets that left per second of sent_covered_s", &Row::sent_rate_pps)
            .add("delay_mean_ns", "mean one-way delay of what arrived", &Row::delay_mean_ns)
            .add("delay_min_ns", "smallest one-way delay", &Row::delay_min_ns)
            .add("delay_max_ns", "largest one-way delay", &Row::delay_max_ns)
            .add("jitter_ns", "mean difference between the delays of packets that arrived one after the other",
                 &Row::jitter_ns)
            .add("lost", "packets that left in this interval and never arrived", &Row::lost)
            .add("returned_packets", "replies that arrived, every copy", &Row::returned_packets)
            .add("rtt_mean_ns", "mean round-trip time of the replies", &Row::rtt_mean_ns)
            .add("rtt_min_ns", "smallest round-trip time", &Row::rtt_min_ns)
            .add("rtt_max_ns", "largest round-trip time", &Row::rtt_max_ns)
            .add("sent_covered_s", "time of the interval from the first departure of all to the last",
                 &Row::sent_covered_s)
            .add("covered_s", "likewise of arrivals", &Row::covered_s);
    return kTable;
}

}  // namespace groma
