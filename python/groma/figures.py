"""The report of groma-send, and rows of a run while it goes on. Made by make_figures.py: do not edit."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SCHEMA = "groma-send 2"


@dataclass(slots=True, kw_only=True)
class ClockStep:
    """This host's clock was set during the run."""

    at_ns: int | None
    """when it was noticed, on this host's clock as it was then, since 1970"""
    size_ns: int | None
    """by how much this host's clock was set; positive: forward"""


@dataclass(slots=True, kw_only=True)
class QueueDrop:
    """Packets that a queue of the sender's host dropped."""

    queue: str | None
    """the outermost queueing discipline of a device of the sender's host, such as "tbf on eth0\""""
    packets: int | None
    """that it dropped until the receivers told their results, of all programs"""


@dataclass(slots=True, kw_only=True)
class Pacing:
    """The threads that sent."""

    threads: int
    pinned: list[int]
    realtime: bool
    warnings: list[str]


@dataclass(slots=True, kw_only=True)
class RunFigures:
    """Figures of the run, and of this host."""

    run_id: str | None
    """32 hex digits, the same in all logs of a run"""
    experiment: str | None
    """the experiment's name"""
    seed: int | None
    """from which all random draws of the run come"""
    host: str | None
    """the sender's host"""
    serves: str | None
    """whom it serves, if receivers call it, or its daemon: who proves a key, anyone, programs of its host; empty: it is
    neither"""
    started_ns: int | None
    """when the run began, on this host's clock, since 1970"""
    elapsed_s: float | None
    """from the start of the run to the end of the last flow"""
    interrupted: bool | None
    """it was told to end"""
    clock_synchronised: bool | None
    """the kernel says that something disciplines the host's clock"""
    clock_estimated_error_ns: int | None
    """the kernel's estimate of its error"""
    clock_maximum_error_ns: int | None
    """the kernel's bound of its error"""
    clock_frequency_ppm: float | None
    """correction of its rate that is in force"""
    cpu_user_s: float | None
    """CPU time of the program in user mode during the run"""
    cpu_system_s: float | None
    """CPU time of the program in the kernel during the run"""
    voluntary_switches: int | None
    """context switches because the program waited"""
    involuntary_switches: int | None
    """context switches because another program took the core"""
    transactions: int | None
    """requests whose responses came"""
    transactions_per_s: float | None
    """them, per second, while requests were sent"""
    sender_cpu_per_transaction_ns: int | None
    """CPU time of the sender's process for each"""
    receiver_cpu_per_transaction_ns: int | None
    """CPU time of the receivers' processes for each"""
    responsiveness_rpm: float | None
    """round trips a minute beside streams as fast as possible (draft-ietf-ippm-responsiveness-08, without TLS): the mean of the
    next two"""
    responsiveness_foreign_rpm: float | None
    """those on connections made for a request each"""
    responsiveness_loaded_rpm: float | None
    """those on the streams' connections, by the kernel's round-trip times"""
    throttled_times: int | None
    """periods in which the CPU quota of a control group was used up"""
    throttled_s: float | None
    """for how long its threads were stopped then"""
    stolen_s: float | None
    """time that a hypervisor took from all cores"""
    fastest_core_min_khz: int | None
    """lowest frequency of the fastest core"""
    fastest_core_max_khz: int | None
    """highest frequency of the fastest core"""
    clock_steps: list[ClockStep]
    queue_drops: list[QueueDrop]
    pacing: Pacing


@dataclass(slots=True, kw_only=True)
class Verdict:
    """Whether all was sent as it was asked for."""

    text: str
    result: Literal["as_asked", "within", "not_as_asked"]
    causes: list[str]


@dataclass(slots=True, kw_only=True)
class Network:
    """What the network did."""

    text: str
    result: Literal["unknown", "all", "lossy", "nothing"]


@dataclass(slots=True, kw_only=True)
class Requirement:
    """What the user required, and whether it was met."""

    what: str | None
    """the required figure's word"""
    limit: float | None
    """largest value allowed: a share of 1, nanoseconds, or a number"""
    worst: float | None
    """largest value of any flow"""
    flow: str | None
    """name of the flow that has it, or of which it is unknown"""
    met: bool | None
    """no flow's value is larger than the limit"""


@dataclass(slots=True, kw_only=True)
class Coalescing:
    """Packets that the receiver's kernel put together, so that they share times of arrival."""

    packets: int
    since_ns: int
    why: str


@dataclass(slots=True, kw_only=True)
class RoundTrip:
    """Figures of the packets that came back."""

    replied_packets: int | None
    """packets that the receiver sent back"""
    unreplied_packets: int | None
    """packets that the receiver could not send back"""
    forward_lost: int | None
    """packets that left and did not reach the receiver"""
    backward_lost: int | None
    """packets that the receiver sent back and that did not arrive"""
    returned_packets: int | None
    """replies that came back, every copy"""
    returned_bytes: int | None
    """their payload, bytes"""
    duplicates: int | None
    """further copies of replies"""
    reordered: int | None
    """replies with a smaller number than one that came before"""
    untimed: int | None
    """first copies whose round-trip time is unknown, negative, or longer than the run"""
    odd_residence: int | None
    """first copies with a residence that is negative or longer than the round-trip time"""
    foreign_packets: int | None
    """packets from other hosts on the flow's socket"""
    malformed_packets: int | None
    """packets on the flow's socket that are not its replies"""
    forged_packets: int | None
    """replies of a sealed flow whose seal is wrong, or lacks; none of the others"""
    kernel_drops: int | None
    """replies that the kernel dropped because a socket's buffer was full"""
    refused: int | None
    """reports that no program listens on the port, among the replies"""
    records_missing: int | None
    """replies that have no record in the log"""
    timed_out: int | None
    """requests of closed loops that were given up without a response (`response_timeout`)"""
    connections: int | None
    """connections made, of flows that make one after the other (`requests_per_connection`)"""
    connections_failed: int | None
    """connections that could not be made, or were closed before an awaited response"""
    connect_time_count: int | None
    """number of values of the time from the beginning of connecting to the connection"""
    connect_time_min_ns: int | None
    """smallest of the time from the beginning of connecting to the connection"""
    connect_time_mean_ns: float | None
    """mean of the time from the beginning of connecting to the connection"""
    connect_time_sd_ns: float | None
    """standard deviation (n - 1) of the time from the beginning of connecting to the connection"""
    connect_time_p50_ns: int | None
    """median of the time from the beginning of connecting to the connection"""
    connect_time_p90_ns: int | None
    """90th percentile of the time from the beginning of connecting to the connection"""
    connect_time_p99_ns: int | None
    """99th percentile of the time from the beginning of connecting to the connection"""
    connect_time_p999_ns: int | None
    """99.9th percentile of the time from the beginning of connecting to the connection"""
    connect_time_max_ns: int | None
    """largest of the time from the beginning of connecting to the connection"""
    rtt_count: int | None
    """number of values of the round-trip time"""
    rtt_min_ns: int | None
    """smallest of the round-trip time"""
    rtt_mean_ns: float | None
    """mean of the round-trip time"""
    rtt_sd_ns: float | None
    """standard deviation (n - 1) of the round-trip time"""
    rtt_p50_ns: int | None
    """median of the round-trip time"""
    rtt_p90_ns: int | None
    """90th percentile of the round-trip time"""
    rtt_p99_ns: int | None
    """99th percentile of the round-trip time"""
    rtt_p999_ns: int | None
    """99.9th percentile of the round-trip time"""
    rtt_max_ns: int | None
    """largest of the round-trip time"""
    rtt_network_count: int | None
    """number of values of the round-trip time less the residence"""
    rtt_network_min_ns: int | None
    """smallest of the round-trip time less the residence"""
    rtt_network_mean_ns: float | None
    """mean of the round-trip time less the residence"""
    rtt_network_sd_ns: float | None
    """standard deviation (n - 1) of the round-trip time less the residence"""
    rtt_network_p50_ns: int | None
    """median of the round-trip time less the residence"""
    rtt_network_p90_ns: int | None
    """90th percentile of the round-trip time less the residence"""
    rtt_network_p99_ns: int | None
    """99th percentile of the round-trip time less the residence"""
    rtt_network_p999_ns: int | None
    """99.9th percentile of the round-trip time less the residence"""
    rtt_network_max_ns: int | None
    """largest of the round-trip time less the residence"""


@dataclass(slots=True, kw_only=True)
class Total:
    """Figures of all flows together (docs/reference/metrics.md)."""

    flows: int
    sent_packets: int | None
    """packets that left"""
    sent_bytes: int | None
    """their payload, bytes"""
    received_packets: int | None
    """packets that arrived, every copy"""
    received_bytes: int | None
    """their payload, bytes"""
    lost: int | None
    """packets that left and never arrived"""
    lost_at_least: int | None
    """packets that are known to be lost, where `lost` is unknown"""
    duplicates: int | None
    """further copies of packets that had arrived"""
    reordered: int | None
    """packets with a smaller number than one that arrived before (RFC 4737)"""
    foreign_packets: int | None
    """packets from other hosts on the flow's socket"""
    malformed_packets: int | None
    """packets on the flow's socket that are not the flow's"""
    forged_packets: int | None
    """packets of a sealed flow whose seal is wrong, or lacks; none of the others"""
    kernel_drops: int | None
    """packets that the kernel dropped because the socket's buffer was full"""
    received_records_missing: int | None
    """packets that arrived and have no record in the log"""
    packet_rate_pps: float | None
    """packets that arrived per second, every copy, between the first and the last"""
    throughput_bps: float | None
    """bits of payload that arrived per second: packet_rate_pps times the mean payload"""
    delay_count: int | None
    """first copies whose one-way delay (RFC 7679) is known"""
    delay_min_ns: int | None
    """smallest of the one-way delay of packets that arrived"""
    delay_mean_ns: float | None
    """mean of it"""
    delay_sd_ns: float | None
    """its standard deviation (n - 1)"""
    delay_p025_ns: int | None
    """its percentile 2.5"""
    delay_p50_ns: int | None
    """its median"""
    delay_p90_ns: int | None
    """its 90th percentile"""
    delay_p975_ns: int | None
    """its percentile 97.5"""
    delay_p99_ns: int | None
    """its 99th percentile"""
    delay_p999_ns: int | None
    """its 99.9th percentile"""
    delay_max_ns: int | None
    """largest of it"""
    delay_clock_bound_ns: int | None
    """largest error that the clocks make in a delay"""
    jitter_rfc3550_mean_ns: float | None
    """interarrival jitter (RFC 3550, 6.4.1), its mean over the flow"""
    scheduled_pps: float | None
    """packets per second of the schedule: gaps over the time from the first departure to the last"""
    sent_pps: float | None
    """the same as sent"""
    scheduled_bps: float | None
    """scheduled_pps times the mean payload, bits"""
    sent_bps: float | None
    """sent_pps times the mean payload, bits"""
    rate_error: float | None
    """|sent_pps / scheduled_pps - 1|"""
    lateness_count: int | None
    """number of values of lateness: actual less scheduled departure"""
    lateness_min_ns: int | None
    """smallest of lateness: actual less scheduled departure"""
    lateness_mean_ns: float | None
    """mean of lateness: actual less scheduled departure"""
    lateness_sd_ns: float | None
    """standard deviation (n - 1) of lateness: actual less scheduled departure"""
    lateness_p50_ns: int | None
    """median of lateness: actual less scheduled departure"""
    lateness_p90_ns: int | None
    """90th percentile of lateness: actual less scheduled departure"""
    lateness_p99_ns: int | None
    """99th percentile of lateness: actual less scheduled departure"""
    lateness_p999_ns: int | None
    """99.9th percentile of lateness: actual less scheduled departure"""
    lateness_max_ns: int | None
    """largest of lateness: actual less scheduled departure"""
    late_packets: int | None
    """packets that were late by more than a tenth of the gap before them"""
    packets_alone: int | None
    """packets that had a send call of their own"""
    packets_in_batches: int | None
    """packets that shared one"""
    behind_ns: int | None
    """time during which a packet was due and had not left"""
    batch_size_count: int | None
    """number of values of the packets in a send call"""
    batch_size_min: int | None
    """smallest of the packets in a send call"""
    batch_size_mean: float | None
    """mean of the packets in a send call"""
    batch_size_sd: float | None
    """standard deviation (n - 1) of the packets in a send call"""
    batch_size_p50: int | None
    """median of the packets in a send call"""
    batch_size_p90: int | None
    """90th percentile of the packets in a send call"""
    batch_size_p99: int | None
    """99th percentile of the packets in a send call"""
    batch_size_p999: int | None
    """99.9th percentile of the packets in a send call"""
    batch_size_max: int | None
    """largest of the packets in a send call"""
    gap_error_count: int | None
    """number of values of the gap error: |gap as sent - gap as scheduled|"""
    gap_error_min_ns: int | None
    """smallest of the gap error: |gap as sent - gap as scheduled|"""
    gap_error_mean_ns: float | None
    """mean of the gap error: |gap as sent - gap as scheduled|"""
    gap_error_sd_ns: float | None
    """standard deviation (n - 1) of the gap error: |gap as sent - gap as scheduled|"""
    gap_error_p50_ns: int | None
    """median of the gap error: |gap as sent - gap as scheduled|"""
    gap_error_p90_ns: int | None
    """90th percentile of the gap error: |gap as sent - gap as scheduled|"""
    gap_error_p99_ns: int | None
    """99th percentile of the gap error: |gap as sent - gap as scheduled|"""
    gap_error_p999_ns: int | None
    """99.9th percentile of the gap error: |gap as sent - gap as scheduled|"""
    gap_error_max_ns: int | None
    """largest of the gap error: |gap as sent - gap as scheduled|"""
    gap_variation: float | None
    """coefficient of variation of the gaps as sent"""
    gaps_within_1us: int | None
    """gaps whose error is at most 1 us"""
    gaps_within_10us: int | None
    """gaps whose error is at most 10 us"""
    gaps_within_100us: int | None
    """gaps whose error is at most 100 us"""
    fit_gaps: int | None
    """gaps that were compared with the distribution asked for"""
    fit_bins: int | None
    """bins that lambda2 counts them in"""
    lambda2: float | None
    """lambda squared: the size of the misfit"""
    lambda2_error: float | None
    """its standard error"""
    ks: float | None
    """Kolmogorov-Smirnov distance: its lower bound"""
    ks_within: float | None
    """what the cells leave open of it: the upper bound is ks + ks_within"""
    a2: float | None
    """Anderson-Darling A squared"""
    gaps_raised: int | None
    """gaps that were drawn negative and became 0"""
    gaps_redrawn: int | None
    """gaps that were drawn too large and drawn again"""
    sizes_raised: int | None
    """sizes that were drawn too small for the transport"""
    sizes_lowered: int | None
    """sizes that were drawn too large for the transport"""
    dropped: int | None
    """packets that the kernel refused because memory was short: not sent"""
    too_big: int | None
    """packets that the path cannot carry: not sent"""
    given_up: int | None
    """packets given up after two reports in a row that no program listens: not sent"""
    missed_slots: int | None
    """departures whose slot was over (lateness policy `skip`): not sent"""
    unsent_between: int | None
    """departures between the first and the last packet sent that were not sent"""
    shifted_s: float | None
    """by how much the schedule was shifted (lateness policy `shift`); in the total the largest"""
    refused: int | None
    """reports that no program listens on the port"""
    blocked: int | None
    """times that the socket's buffer was full"""
    retransmitted: int | None
    """segments or chunks that the transport sent again (TCP, MPTCP, SCTP)"""
    cwnd: int | None
    """congestion window when the flow ended, bytes"""
    rtt_transport_ns: int | None
    """smoothed round-trip time of the transport when the flow ended"""
    min_rtt_transport_ns: int | None
    """smallest round-trip time of the transport in the last minutes, when it ended"""
    busy_s: float | None
    """time that the connection had data that waited or were not acknowledged (TCP, MPTCP)"""
    network_limited_s: float | None
    """of it, the congestion window or pacing was the limit"""
    receive_window_limited_s: float | None
    """of it, the receiver's window was full"""
    send_buffer_limited_s: float | None
    """of it, the socket's buffer was too small, or not filled in time"""
    sent_records_missing: int | None
    """packets that were sent and have no record in the log"""
    unstamped: int | None
    """packets without the time of departure that was asked for"""
    sent_unnumbered: int | None
    """packets that left without a sequence number"""
    held_by_kernel: int | None
    """packets handed to a kernel queue ahead of their departures"""
    missed_in_queue: int | None
    """packets that the queue dropped because their times were over; they count as sent"""
    gro: Coalescing | None
    no_fit_because: str | None
    round_trip: RoundTrip | None


@dataclass(slots=True, kw_only=True)
class FlowVerdict:
    """Whether the flow was sent as it was asked for."""

    text: str
    result: Literal["as_asked", "within", "not_as_asked"]


@dataclass(slots=True, kw_only=True)
class FlowReceiver:
    """A receiver of a flow to several."""

    address: str
    state: str | None
    gro: Coalescing | None
    received_packets: int | None
    """packets that arrived, every copy"""
    received_bytes: int | None
    """their payload, bytes"""
    lost: int | None
    """packets that left and never arrived"""
    lost_at_least: int | None
    """packets that are known to be lost, where `lost` is unknown"""
    duplicates: int | None
    """further copies of packets that had arrived"""
    reordered: int | None
    """packets with a smaller number than one that arrived before (RFC 4737)"""
    foreign_packets: int | None
    """packets from other hosts on the flow's socket"""
    malformed_packets: int | None
    """packets on the flow's socket that are not the flow's"""
    forged_packets: int | None
    """packets of a sealed flow whose seal is wrong, or lacks; none of the others"""
    kernel_drops: int | None
    """packets that the kernel dropped because the socket's buffer was full"""
    received_records_missing: int | None
    """packets that arrived and have no record in the log"""
    packet_rate_pps: float | None
    """packets that arrived per second, every copy, between the first and the last"""
    throughput_bps: float | None
    """bits of payload that arrived per second: packet_rate_pps times the mean payload"""
    delay_count: int | None
    """first copies whose one-way delay (RFC 7679) is known"""
    delay_min_ns: int | None
    """smallest of the one-way delay of packets that arrived"""
    delay_mean_ns: float | None
    """mean of it"""
    delay_sd_ns: float | None
    """its standard deviation (n - 1)"""
    delay_p025_ns: int | None
    """its percentile 2.5"""
    delay_p50_ns: int | None
    """its median"""
    delay_p90_ns: int | None
    """its 90th percentile"""
    delay_p975_ns: int | None
    """its percentile 97.5"""
    delay_p99_ns: int | None
    """its 99th percentile"""
    delay_p999_ns: int | None
    """its 99.9th percentile"""
    delay_max_ns: int | None
    """largest of it"""
    delay_clock_bound_ns: int | None
    """largest error that the clocks make in a delay"""
    jitter_rfc3550_mean_ns: float | None
    """interarrival jitter (RFC 3550, 6.4.1), its mean over the flow"""


@dataclass(slots=True, kw_only=True)
class Flow:
    """A flow: what was asked for, what was sent, what arrived (docs/reference/metrics.md)."""

    name: str
    transport: str
    profile: str
    idt: str
    size: str
    target: str
    from_host: str
    direction: str
    local_address: str
    remote_address: str
    departure: str
    lateness_policy: str
    error: str
    flow: int
    sealed: bool
    end: Literal["complete", "cut_short", "interrupted", "failed"]
    warnings: list[str]
    verdict: FlowVerdict
    rate_over_time: str | None
    off_periods: str | None
    on_periods: str | None
    state: str | None
    requests_per_connection: str | None
    think: str | None
    response: str | None
    response_timeout_ns: int | None
    in_flight: int | None
    realised_pps: float | None
    nominal_pps: float | None
    no_schedule_because: str | None
    notes: list[str]
    receivers: list[FlowReceiver]
    sent_packets: int | None
    """packets that left"""
    sent_bytes: int | None
    """their payload, bytes"""
    received_packets: int | None
    """packets that arrived, every copy"""
    received_bytes: int | None
    """their payload, bytes"""
    lost: int | None
    """packets that left and never arrived"""
    lost_at_least: int | None
    """packets that are known to be lost, where `lost` is unknown"""
    duplicates: int | None
    """further copies of packets that had arrived"""
    reordered: int | None
    """packets with a smaller number than one that arrived before (RFC 4737)"""
    foreign_packets: int | None
    """packets from other hosts on the flow's socket"""
    malformed_packets: int | None
    """packets on the flow's socket that are not the flow's"""
    forged_packets: int | None
    """packets of a sealed flow whose seal is wrong, or lacks; none of the others"""
    kernel_drops: int | None
    """packets that the kernel dropped because the socket's buffer was full"""
    received_records_missing: int | None
    """packets that arrived and have no record in the log"""
    packet_rate_pps: float | None
    """packets that arrived per second, every copy, between the first and the last"""
    throughput_bps: float | None
    """bits of payload that arrived per second: packet_rate_pps times the mean payload"""
    delay_count: int | None
    """first copies whose one-way delay (RFC 7679) is known"""
    delay_min_ns: int | None
    """smallest of the one-way delay of packets that arrived"""
    delay_mean_ns: float | None
    """mean of it"""
    delay_sd_ns: float | None
    """its standard deviation (n - 1)"""
    delay_p025_ns: int | None
    """its percentile 2.5"""
    delay_p50_ns: int | None
    """its median"""
    delay_p90_ns: int | None
    """its 90th percentile"""
    delay_p975_ns: int | None
    """its percentile 97.5"""
    delay_p99_ns: int | None
    """its 99th percentile"""
    delay_p999_ns: int | None
    """its 99.9th percentile"""
    delay_max_ns: int | None
    """largest of it"""
    delay_clock_bound_ns: int | None
    """largest error that the clocks make in a delay"""
    jitter_rfc3550_mean_ns: float | None
    """interarrival jitter (RFC 3550, 6.4.1), its mean over the flow"""
    scheduled_pps: float | None
    """packets per second of the schedule: gaps over the time from the first departure to the last"""
    sent_pps: float | None
    """the same as sent"""
    scheduled_bps: float | None
    """scheduled_pps times the mean payload, bits"""
    sent_bps: float | None
    """sent_pps times the mean payload, bits"""
    rate_error: float | None
    """|sent_pps / scheduled_pps - 1|"""
    lateness_count: int | None
    """number of values of lateness: actual less scheduled departure"""
    lateness_min_ns: int | None
    """smallest of lateness: actual less scheduled departure"""
    lateness_mean_ns: float | None
    """mean of lateness: actual less scheduled departure"""
    lateness_sd_ns: float | None
    """standard deviation (n - 1) of lateness: actual less scheduled departure"""
    lateness_p50_ns: int | None
    """median of lateness: actual less scheduled departure"""
    lateness_p90_ns: int | None
    """90th percentile of lateness: actual less scheduled departure"""
    lateness_p99_ns: int | None
    """99th percentile of lateness: actual less scheduled departure"""
    lateness_p999_ns: int | None
    """99.9th percentile of lateness: actual less scheduled departure"""
    lateness_max_ns: int | None
    """largest of lateness: actual less scheduled departure"""
    late_packets: int | None
    """packets that were late by more than a tenth of the gap before them"""
    packets_alone: int | None
    """packets that had a send call of their own"""
    packets_in_batches: int | None
    """packets that shared one"""
    behind_ns: int | None
    """time during which a packet was due and had not left"""
    batch_size_count: int | None
    """number of values of the packets in a send call"""
    batch_size_min: int | None
    """smallest of the packets in a send call"""
    batch_size_mean: float | None
    """mean of the packets in a send call"""
    batch_size_sd: float | None
    """standard deviation (n - 1) of the packets in a send call"""
    batch_size_p50: int | None
    """median of the packets in a send call"""
    batch_size_p90: int | None
    """90th percentile of the packets in a send call"""
    batch_size_p99: int | None
    """99th percentile of the packets in a send call"""
    batch_size_p999: int | None
    """99.9th percentile of the packets in a send call"""
    batch_size_max: int | None
    """largest of the packets in a send call"""
    gap_error_count: int | None
    """number of values of the gap error: |gap as sent - gap as scheduled|"""
    gap_error_min_ns: int | None
    """smallest of the gap error: |gap as sent - gap as scheduled|"""
    gap_error_mean_ns: float | None
    """mean of the gap error: |gap as sent - gap as scheduled|"""
    gap_error_sd_ns: float | None
    """standard deviation (n - 1) of the gap error: |gap as sent - gap as scheduled|"""
    gap_error_p50_ns: int | None
    """median of the gap error: |gap as sent - gap as scheduled|"""
    gap_error_p90_ns: int | None
    """90th percentile of the gap error: |gap as sent - gap as scheduled|"""
    gap_error_p99_ns: int | None
    """99th percentile of the gap error: |gap as sent - gap as scheduled|"""
    gap_error_p999_ns: int | None
    """99.9th percentile of the gap error: |gap as sent - gap as scheduled|"""
    gap_error_max_ns: int | None
    """largest of the gap error: |gap as sent - gap as scheduled|"""
    gap_variation: float | None
    """coefficient of variation of the gaps as sent"""
    gaps_within_1us: int | None
    """gaps whose error is at most 1 us"""
    gaps_within_10us: int | None
    """gaps whose error is at most 10 us"""
    gaps_within_100us: int | None
    """gaps whose error is at most 100 us"""
    fit_gaps: int | None
    """gaps that were compared with the distribution asked for"""
    fit_bins: int | None
    """bins that lambda2 counts them in"""
    lambda2: float | None
    """lambda squared: the size of the misfit"""
    lambda2_error: float | None
    """its standard error"""
    ks: float | None
    """Kolmogorov-Smirnov distance: its lower bound"""
    ks_within: float | None
    """what the cells leave open of it: the upper bound is ks + ks_within"""
    a2: float | None
    """Anderson-Darling A squared"""
    gaps_raised: int | None
    """gaps that were drawn negative and became 0"""
    gaps_redrawn: int | None
    """gaps that were drawn too large and drawn again"""
    sizes_raised: int | None
    """sizes that were drawn too small for the transport"""
    sizes_lowered: int | None
    """sizes that were drawn too large for the transport"""
    dropped: int | None
    """packets that the kernel refused because memory was short: not sent"""
    too_big: int | None
    """packets that the path cannot carry: not sent"""
    given_up: int | None
    """packets given up after two reports in a row that no program listens: not sent"""
    missed_slots: int | None
    """departures whose slot was over (lateness policy `skip`): not sent"""
    unsent_between: int | None
    """departures between the first and the last packet sent that were not sent"""
    shifted_s: float | None
    """by how much the schedule was shifted (lateness policy `shift`); in the total the largest"""
    refused: int | None
    """reports that no program listens on the port"""
    blocked: int | None
    """times that the socket's buffer was full"""
    retransmitted: int | None
    """segments or chunks that the transport sent again (TCP, MPTCP, SCTP)"""
    cwnd: int | None
    """congestion window when the flow ended, bytes"""
    rtt_transport_ns: int | None
    """smoothed round-trip time of the transport when the flow ended"""
    min_rtt_transport_ns: int | None
    """smallest round-trip time of the transport in the last minutes, when it ended"""
    busy_s: float | None
    """time that the connection had data that waited or were not acknowledged (TCP, MPTCP)"""
    network_limited_s: float | None
    """of it, the congestion window or pacing was the limit"""
    receive_window_limited_s: float | None
    """of it, the receiver's window was full"""
    send_buffer_limited_s: float | None
    """of it, the socket's buffer was too small, or not filled in time"""
    sent_records_missing: int | None
    """packets that were sent and have no record in the log"""
    unstamped: int | None
    """packets without the time of departure that was asked for"""
    sent_unnumbered: int | None
    """packets that left without a sequence number"""
    held_by_kernel: int | None
    """packets handed to a kernel queue ahead of their departures"""
    missed_in_queue: int | None
    """packets that the queue dropped because their times were over; they count as sent"""
    gro: Coalescing | None
    no_fit_because: str | None
    round_trip: RoundTrip | None


@dataclass(slots=True, kw_only=True)
class ReceiverClockStep:
    """The receiver's clock was set during the run."""

    at_ns: int | None
    """when, on the sender's clock, since 1970"""
    within_ns: int | None
    """largest error of `at_ns`"""
    size_ns: int | None
    """positive: the receiver's clock jumped ahead of the sender's"""
    error_ns: int | None
    """largest error of the size"""


@dataclass(slots=True, kw_only=True)
class Shipment:
    """How a log travelled to its log server."""

    to: str
    last_error: str
    reconnections: int
    largest_backlog_bytes: int
    not_spooled_pieces: int


@dataclass(slots=True, kw_only=True)
class Receiver:
    """A receiver's host, and its log."""

    address: str | None
    """its control address"""
    host: str | None
    """its host"""
    serves: str | None
    """whom it serves: who proves a key, anyone, programs of its host"""
    session_error: str | None
    """why its session ended before the run did; empty: it did not"""
    log_file: str | None
    """its log: the path on its host, or here if it was fetched (--logs)"""
    log_error: str | None
    """why its log is not complete; empty: it is"""
    same_clock: bool | None
    """both programs run on one kernel: the offset is exactly 0"""
    clock_offset_ns: int | None
    """its clock less the sender's when the run began"""
    clock_bound_ns: int | None
    """largest error of the offset at any time of the run"""
    clock_probes: int | None
    """probes of the clocks"""
    clock_skew_ppm: float | None
    """how much faster its clock runs"""
    clock_skew_error_ppm: float | None
    """largest error of it that the probes leave open"""
    clock_synchronised: bool | None
    """the kernel says that something disciplines the host's clock"""
    clock_estimated_error_ns: int | None
    """the kernel's estimate of its error"""
    clock_maximum_error_ns: int | None
    """the kernel's bound of its error"""
    clock_frequency_ppm: float | None
    """correction of its rate that is in force"""
    cpu_user_s: float | None
    """CPU time of the program in user mode during the run"""
    cpu_system_s: float | None
    """CPU time of the program in the kernel during the run"""
    voluntary_switches: int | None
    """context switches because the program waited"""
    involuntary_switches: int | None
    """context switches because another program took the core"""
    clock_steps: list[ReceiverClockStep]
    shipment: Shipment | None


@dataclass(slots=True, kw_only=True)
class OwnLog:
    """A log that this host kept."""

    name: str
    error: str
    records: int
    bytes: int
    shipment: Shipment | None


@dataclass(slots=True, kw_only=True)
class Report:
    """The report of a run (docs/reference/report-json.md). What is unknown is None."""

    schema: Literal["groma-send 2"]
    program: str
    run: RunFigures
    verdict: Verdict
    network: Network
    result: str
    requirements: list[Requirement]
    errors: list[str]
    total: Total
    flows: list[Flow]
    receivers: list[Receiver]
    log: OwnLog | None
    remote_logs: list[OwnLog]


@dataclass(slots=True, kw_only=True)
class Row:
    """What one flow, or all together (flow 0), sent in an interval, and what arrived (docs/reference/rows.md)."""

    type: Literal["interval", "last"]
    """"last": the last row of the flow"""
    flow: int
    """the flow's number; 0: all together"""
    name: str
    t_s: float
    """start of the interval, from the start of the run"""
    interval_s: float
    """its length"""
    sent_packets: int | None
    """packets that left in the interval"""
    sent_bytes: int | None
    """their payload, bytes"""
    sent_pps: float | None
    """sent_packets per second"""
    sent_bps: float | None
    """sent_bytes per second, bits"""
    received_packets: int | None
    """packets that arrived since the receivers told last, every copy; unknown where one has not told"""
    received_bytes: int | None
    """their payload, bytes"""
    packet_rate_pps: float | None
    """received_packets per second, over the time by the receivers' clocks"""
    throughput_bps: float | None
    """received_bytes per second, bits, likewise"""
    missing_packets: int | None
    """sequence numbers below the highest that have not arrived since the start of the run: some may be on their way; unknown
    with `header = "none"` and in the last row"""
    lost: int | None
    """as in the report; only in the last row"""
    returned_packets: int | None
    """replies that came back in the interval; unknown without the round-trip meter"""
    retransmitted: int | None
    """segments or chunks that the transport sent again in the interval (TCP, MPTCP, SCTP)"""
    rtt_transport_ns: int | None
    """smoothed round-trip time of the transport at the end of the interval, of one flow"""
