#include "sender/report/report_figures.hpp"

#include <functional>

#include "common/log/host_figures.hpp"
#include "common/os/cpu_conditions.hpp"
#include "common/stats/fidelity/fidelity_figures.hpp"
#include "common/stats/histograms/spread_figures.hpp"
#include "common/time/time_span.hpp"
#include "sender/report/responsiveness.hpp"
#include "sender/report/transactions.hpp"

namespace groma {

namespace {

auto of_receiver(std::uint64_t ReceivedFlow::*count) {
    return [count](const ReceivedCounts& it) {
        return it.received != nullptr ? std::optional(it.received->*count) : std::nullopt;
    };
}

auto of_sender(std::uint64_t SendCounts::*count) {
    return [count](const OutcomeCounts& it) { return it.sent->counts.*count; };
}

auto of_fidelity(std::uint64_t Fidelity::*count) {
    return [count](const OutcomeCounts& it) { return it.sent->fidelity.*count; };
}

auto of_draws(std::uint64_t DrawCounts::*count) {
    return [count](const OutcomeCounts& it) { return it.sent->draws.*count; };
}

template <typename Value>
auto of_connection(std::optional<Value> ConnectionSample::*figure) {
    return [figure](const OutcomeCounts& it) {
        return it.sent->connection ? (*it.sent->connection).*figure : std::nullopt;
    };
}

/// Seconds.
template <typename Figure>
auto of_limits(Figure figure) {
    return [figure](const OutcomeCounts& it) {
        return it.sent->limits ? std::optional(to_seconds(std::invoke(figure, *it.sent->limits))) : std::nullopt;
    };
}

auto of_replies(std::uint64_t RoundTrip::*count) {
    return [count](const OutcomeCounts& it) { return (*it.sent->round_trip).*count; };
}

auto of_replier(std::uint64_t ReceivedFlow::*count) {
    return [of = of_receiver(count)](const OutcomeCounts& it) { return of(it.received); };
}

/// Unknown of fewer delays than `least`.
template <typename Value>
auto of_delays(Value ArrivalDelays::*figure, std::uint64_t least = 1) {
    return [figure, least](const ReceivedCounts& it) {
        return it.received != nullptr and it.received->delays and it.received->delays->packets >= least
                   ? std::optional(*it.received->delays.*figure)
                   : std::nullopt;
    };
}

/// Of a percentile, which is told less the smallest delay.
auto of_percentile(Nanos ArrivalDelays::*percentile) {
    return [of = of_delays(percentile), least = of_delays(&ArrivalDelays::min)](const ReceivedCounts& it) {
        const auto above = of(it);
        return above ? std::optional(*above + *least(it)) : std::nullopt;
    };
}

auto if_received(std::optional<std::uint64_t> OutcomeCounts::*count) {
    return [count](const OutcomeCounts& it) { return it.received.received != nullptr ? it.*count : std::nullopt; };
}

auto of_lost(std::optional<std::uint64_t> LostPackets::*count) {
    return [count](const ReceivedCounts& it) { return it.received != nullptr ? it.lost.*count : std::nullopt; };
}

void add_sender(FigureTable<OutcomeCounts>& table) {
    using O = SendCounts;
    table.add("gaps_raised", "gaps that were drawn negative and became 0", of_draws(&DrawCounts::gaps_raised))
        .add("gaps_redrawn", "gaps that were drawn too large and drawn again", of_draws(&DrawCounts::gaps_redrawn))
        .add("sizes_raised", "sizes that were drawn too small for the transport", of_draws(&DrawCounts::sizes_raised))
        .add("sizes_lowered", "sizes that were drawn too large for the transport", of_draws(&DrawCounts::sizes_lowered))
        .add("dropped", "packets that the kernel refused because memory was short: not sent", of_sender(&O::dropped))
        .add("too_big", "packets that the path cannot carry: not sent", of_sender(&O::too_big))
        .add("given_up", "packets given up after two reports in a row that no program listens: not sent",
             of_sender(&O::given_up))
        .add("missed_slots", "departures whose slot was over (lateness policy `skip`): not sent",
             of_sender(&O::missed_slots))
        .add("unsent_between", "departures between the first and the last packet sent that were not sent",
             of_sender(&O::unsent_between))
        .add("shifted_s", "by how much the schedule was shifted (lateness policy `shift`); in the total the largest",
             [](const OutcomeCounts& it) { return to_seconds(it.sent->counts.shifted); })
        .add("refused", "reports that no program listens on the port", of_sender(&O::refused))
        .add("blocked", "times that the socket's buffer was full", of_sender(&O::blocked))
        .add("retransmitted", "segments or chunks that the transport sent again (TCP, MPTCP, SCTP)",
             [](const OutcomeCounts& it) { return it.sent->counts.retransmitted; })
        .add("cwnd", "congestion window when the flow ended, bytes", of_connection(&ConnectionSample::cwnd))
        .add("rtt_transport_ns", "smoothed round-trip time of the transport when the flow ended",
             of_connection(&ConnectionSample::rtt))
        .add("min_rtt_transport_ns", "smallest round-trip time of the transport in the last minutes, when it ended",
             of_connection(&ConnectionSample::min_rtt))
        .add("busy_s", "time that the connection had data that waited or were not acknowledged (TCP, MPTCP)",
             of_limits(&SendLimits::busy))
        .add("network_limited_s", "of it, the congestion window or pacing was the limit",
             of_limits(&SendLimits::by_network))
        .add("receive_window_limited_s", "of it, the receiver's window was full",
             of_limits(&SendLimits::by_receive_window))
        .add("send_buffer_limited_s", "of it, the socket's buffer was too small, or not filled in time",
             of_limits(&SendLimits::by_send_buffer))
        .add("sent_records_missing", "packets that were sent and have no record in the log",
             of_sender(&O::records_lost))
        .add("unstamped", "packets without the time of departure that was asked for", of_sender(&O::unstamped))
        .add("sent_unnumbered", "packets that left without a sequence number", of_sender(&O::unnumbered))
        .add("held_by_kernel", "packets handed to a kernel queue ahead of their departures",
             of_sender(&O::held_by_kernel))
        .add("missed_in_queue", "packets that the queue dropped because their times were over; they count as sent",
             of_sender(&O::missed_in_queue));
}

FigureTable<OutcomeCounts> make_returned() {
    using R = RoundTrip;
    FigureTable<OutcomeCounts> table;
    table.add("replied_packets", "packets that the receiver sent back", of_replier(&ReceivedFlow::replies))
        .add("unreplied_packets", "packets that the receiver could not send back",
             of_replier(&ReceivedFlow::replies_lost))
        .add("forward_lost", "packets that left and did not reach the receiver",
             if_received(&OutcomeCounts::forward_lost))
        .add("backward_lost", "packets that the receiver sent back and that did not arrive",
             if_received(&OutcomeCounts::backward_lost))
        .add("returned_packets", "replies that came back, every copy", of_replies(&R::returned))
        .add("returned_bytes", "their payload, bytes", of_replies(&R::bytes))
        .add("duplicates", "further copies of replies", of_replies(&R::duplicates))
        .add("reordered", "replies with a smaller number than one that came before", of_replies(&R::reordered))
        .add("untimed", "first copies whose round-trip time is unknown, negative, or longer than the run",
             of_replies(&R::untimed))
        .add("odd_residence", "first copies with a residence that is negative or longer than the round-trip time",
             of_replies(&R::odd_residence))
        .add("foreign_packets", "packets from other hosts on the flow's socket", of_replies(&R::foreign))
        .add("malformed_packets", "packets on the flow's socket that are not its replies", of_replies(&R::malformed))
        .add("forged_packets", "replies of a sealed flow whose seal is wrong, or lacks; none of the others",
             of_replies(&R::forged))
        .add("kernel_drops", "replies that the kernel dropped because a socket's buffer was full",
             of_replies(&R::kernel_drops))
        .add("refused", "reports that no program listens on the port, among the replies", of_replies(&R::refused))
        .add("records_missing", "replies that have no record in the log", of_replies(&R::records_lost))
        .add("timed_out", "requests of closed loops that were given up without a response (`response_timeout`)",
             of_replies(&R::timed_out))
        .add("connections", "connections made, of flows that make one after the other (`requests_per_connection`)",
             of_replies(&R::connections))
        .add("connections_failed", "connections that could not be made, or were closed before an awaited response",
             of_replies(&R::connections_failed));
    add_spread(table, "connect_time", "ns", "the time from the beginning of connecting to the connection",
               [](const OutcomeCounts& it) { return &it.sent->round_trip->connect_ns; });
    add_spread(table, "rtt", "ns", "the round-trip time",
               [](const OutcomeCounts& it) { return &it.sent->round_trip->rtt_ns; });
    add_spread(table, "rtt_network", "ns", "the round-trip time less the residence",
               [](const OutcomeCounts& it) { return &it.sent->round_trip->rtt_less_residence_ns; });
    return table;
}

template <typename Value>
auto of_offset(Value OffsetReport::*figure) {
    return
        [figure](const ReceiverReport& it) { return it.offset ? std::optional((*it.offset).*figure) : std::nullopt; };
}

FigureTable<CpuConditions> make_conditions() {
    const auto if_told = [](std::uint64_t CpuConditions::*khz) {
        return [khz](const CpuConditions& it) { return it.*khz > 0 ? std::optional(it.*khz) : std::nullopt; };
    };
    return FigureTable<CpuConditions>()
        .add("throttled_times", "periods in which the CPU quota of a control group was used up",
             &CpuConditions::throttled_times)
        .add("throttled_s", "for how long its threads were stopped then",
             [](const CpuConditions& it) { return to_seconds(it.throttled); })
        .add("stolen_s", "time that a hypervisor took from all cores",
             [](const CpuConditions& it) { return to_seconds(it.stolen); })
        .add("fastest_core_min_khz", "lowest frequency of the fastest core", if_told(&CpuConditions::lowest_khz))
        .add("fastest_core_max_khz", "highest frequency of the fastest core", if_told(&CpuConditions::highest_khz));
}

}  // namespace

OutcomeCounts counts_of(const FlowReport& flow) {
    return {.sent = &flow.outcome,
            .received = {flow.received ? &*flow.received : nullptr, flow.lost(), flow.delay_bound},
            .forward_lost = flow.lost().number,
            .backward_lost = flow.lost_on_the_way_back()};
}

const FigureTable<ReceivedCounts>& received_figures() {
    using R = ReceivedFlow;
    using D = ArrivalDelays;
    static const FigureTable<ReceivedCounts> kTable =
        FigureTable<ReceivedCounts>()
            .add("received_packets", "packets that arrived, every copy", of_receiver(&R::packets))
            .add("received_bytes", "their payload, bytes", of_receiver(&R::bytes))
            .add("lost", "packets that left and never arrived", of_lost(&LostPackets::number))
            .add("lost_at_least", "packets that are known to be lost, where `lost` is unknown",
                 of_lost(&LostPackets::at_least))
            .add("duplicates", "further copies of packets that had arrived", of_receiver(&R::duplicates))
            .add("reordered", "packets with a smaller number than one that arrived before (RFC 4737)",
                 of_receiver(&R::reordered))
            .add("foreign_packets", "packets from other hosts on the flow's socket", of_receiver(&R::foreign))
            .add("malformed_packets", "packets on the flow's socket that are not the flow's",
                 of_receiver(&R::malformed))
            .add("forged_packets", "packets of a sealed flow whose seal is wrong, or lacks; none of the others",
                 of_receiver(&R::forged))
            .add("kernel_drops", "packets that the kernel dropped because the socket's buffer was full",
                 of_receiver(&R::kernel_drops))
            .add("received_records_missing", "packets that arrived and have no record in the log",
                 of_receiver(&R::records_lost))
            .add("packet_rate_pps", "packets that arrived per second, every copy, between the first and the last",
                 [](const ReceivedCounts& it) {
                     return it.received != nullptr ? arrival_rate(*it.received) : std::nullopt;
                 })
            .add("throughput_bps", "bits of payload that arrived per second: packet_rate_pps times the mean payload",
                 [](const ReceivedCounts& it) {
                     return it.received != nullptr
                                ? bit_rate(arrival_rate(*it.received), it.received->packets, it.received->bytes)
                                : std::nullopt;
                 })
            .add("delay_count", "first copies whose one-way delay (RFC 7679) is known", of_delays(&D::packets))
            .add("delay_min_ns", "smallest of the one-way delay of packets that arrived", of_delays(&D::min))
            .add("delay_mean_ns", "mean of it",
                 [](const ReceivedCounts& it) {
                     const auto above = of_delays(&D::mean_ns)(it);
                     const auto least = of_delays(&D::min)(it);
                     return above ? std::optional(*above + static_cast<double>(least->count())) : std::nullopt;
                 })
            .add("delay_sd_ns", "its standard deviation (n - 1)", of_delays(&D::deviation_ns, 2))
            .add("delay_p025_ns", "its percentile 2.5", of_percentile(&D::p025))
            .add("delay_p50_ns", "its median", of_percentile(&D::p50))
            .add("delay_p90_ns", "its 90th percentile", of_percentile(&D::p90))
            .add("delay_p975_ns", "its percentile 97.5", of_percentile(&D::p975))
            .add("delay_p99_ns", "its 99th percentile", of_percentile(&D::p99))
            .add("delay_p999_ns", "its 99.9th percentile", of_percentile(&D::p999))
            .add("delay_max_ns", "largest of it", of_percentile(&D::max))
            .add("delay_clock_bound_ns", "largest error that the clocks make in a delay", &ReceivedCounts::delay_bound)
            .add("jitter_rfc3550_mean_ns", "interarrival jitter (RFC 3550, 6.4.1), its mean over the flow",
                 of_delays(&D::jitter_ns));
    return kTable;
}

const FigureTable<OutcomeCounts>& outcome_figures() {
    static const FigureTable<OutcomeCounts> kTable = [] {
        FigureTable<OutcomeCounts> table;
        table.add("sent_packets", "packets that left", of_fidelity(&Fidelity::packets))
            .add("sent_bytes", "their payload, bytes", of_fidelity(&Fidelity::bytes))
            .add_all(received_figures(), [](const OutcomeCounts& it) { return &it.received; })
            .add_all(fidelity_figures(), [](const OutcomeCounts& it) { return &it.sent->fidelity; });
        add_sender(table);
        return table;
    }();
    return kTable;
}

const FigureTable<OutcomeCounts>& returned_figures() {
    static const FigureTable<OutcomeCounts> kTable = make_returned();
    return kTable;
}

const FigureTable<SendReport>& send_run_figures() {
    static const FigureTable<CpuConditions> kConditions = make_conditions();
    static const FigureTable<Transactions> kTransactions =
        FigureTable<Transactions>()
            .add("transactions", "requests whose responses came", &Transactions::count)
            .add("transactions_per_s", "them, per second, while requests were sent", &Transactions::per_s)
            .add("sender_cpu_per_transaction_ns", "CPU time of the sender's process for each",
                 &Transactions::sender_cpu)
            .add("receiver_cpu_per_transaction_ns", "CPU time of the receivers' processes for each",
                 &Transactions::receiver_cpu);
    static const FigureTable<Responsiveness> kResponsiveness =
        FigureTable<Responsiveness>()
            .add("responsiveness_rpm",
                 "round trips a minute beside streams as fast as possible (draft-ietf-ippm-responsiveness-08, without "
                 "TLS): the mean of the next two",
                 &Responsiveness::rpm)
            .add("responsiveness_foreign_rpm", "those on connections made for a request each",
                 &Responsiveness::foreign_rpm)
            .add("responsiveness_loaded_rpm", "those on the streams' connections, by the kernel's round-trip times",
                 &Responsiveness::loaded_rpm);
    static const FigureTable<SendReport> kTable =
        FigureTable<SendReport>()
            .add("run_id", "32 hex digits, the same in all logs of a run", &SendReport::run_id)
            .add("experiment", "the experiment's name", &SendReport::experiment)
            .add("seed", "from which all random draws of the run come", &SendReport::seed)
            .add("host", "the sender's host", &SendReport::host)
            .add("serves",
                 "whom it serves, if receivers call it, or its daemon: who proves a key, anyone, programs of its host; "
                 "empty: it is neither",
                 &SendReport::serves)
            .add("started_ns", "when the run began, on this host's clock, since 1970", &SendReport::started_at)
            .add("elapsed_s", "from the start of the run to the end of the last flow",
                 [](const SendReport& it) { return to_seconds(it.elapsed); })
            .add("interrupted", "it was told to end", &SendReport::interrupted)
            .add_all(clock_health_figures(), &SendReport::clock, "clock_")
            .add_all(usage_figures(), &SendReport::usage)
            .add_all(kTransactions, [](const SendReport& it) { return transactions(it); })
            .add_all(kResponsiveness, [](const SendReport& it) { return responsiveness(it); })
            .add_all(kConditions, &SendReport::conditions);
    return kTable;
}

const FigureTable<OwnStep>& own_step_figures() {
    static const FigureTable<OwnStep> kTable =
        FigureTable<OwnStep>()
            .add("at_ns", "when it was noticed, on this host's clock as it was then, since 1970", &OwnStep::at)
            .add("size_ns", "by how much this host's clock was set; positive: forward", &OwnStep::size);
    return kTable;
}

const FigureTable<QueueDrops>& queue_drop_figures() {
    static const FigureTable<QueueDrops> kTable =
        FigureTable<QueueDrops>()
            .add("queue", "the outermost queueing discipline of a device of the sender's host, such as \"tbf on eth0\"",
                 &QueueDrops::queue)
            .add("packets", "that it dropped until the receivers told their results, of all programs",
                 &QueueDrops::packets);
    return kTable;
}

const FigureTable<ReceiverReport>& receiver_figures() {
    using R = ReceiverReport;
    static const FigureTable<R> kTable =
        FigureTable<R>()
            .add("address", "its control address", &R::address)
            .add("host", "its host", &R::host)
            .add("serves", "whom it serves: who proves a key, anyone, programs of its host", &R::serves)
            .add("session_error", "why its session ended before the run did; empty: it did not", &R::lost)
            .add("log_file", "its log: the path on its host, or here if it was fetched (--logs)", &R::log_file)
            .add("log_error", "why its log is not complete; empty: it is", &R::log_error)
            .add("same_clock", "both programs run on one kernel: the offset is exactly 0", &R::same_clock)
            .add("clock_offset_ns", "its clock less the sender's when the run began", of_offset(&OffsetReport::offset))
            .add("clock_bound_ns", "largest error of the offset at any time of the run",
                 of_offset(&OffsetReport::bound))
            .add("clock_probes", "probes of the clocks", of_offset(&OffsetReport::probes))
            .add("clock_skew_ppm", "how much faster its clock runs", of_offset(&OffsetReport::skew_ppm))
            .add("clock_skew_error_ppm", "largest error of it that the probes leave open",
                 of_offset(&OffsetReport::skew_error_ppm))
            .add_all(clock_health_figures(), &R::clock, "clock_")
            .add_all(usage_figures(), &R::usage);
    return kTable;
}

}  // namespace groma
