"""The figures of groma-dec, computed once more: by the definitions of docs/reference/metrics.md, from the packets of
random_networks.py that have a record in what is left of the logs, and the totals that these name.

Numbers of packets, bytes and nanoseconds agree exactly, real numbers to 1e-9, with these exceptions, which are Near or
OneOf:
- percentiles: 1/128 of how far the value is from 0, or from the smallest of the first 64 delays, and 1 ns; in total
  twice (metrics.md);
- delays by probed clocks: 2 ns, because the reported offset is in whole ns, and so is a delay;
- the fit of the clocks: 5 ns and 0.01 ppm; it is a question of rounding which probes are corners of what is possible;
- the error of the mean delay: that of one of the lengths of batches that are allowed;
- what is made of delays (their correlation, MAPDV2, intervals of percentiles) likewise;
- times of arrival by probed clocks: 2 ns; those that totals name: as far as the clocks move apart in 100 ms, because it is
  not known when these packets left;
- a voice's rating: between those with all and with none of the delays late that are counted with the percentile;
- lambda2: gaps within 1/10000 of an edge of a bin may be in the next one; its error: 15 % (not derived), with one length of
  batches; KS: a cell; A2: 1 %, and in total between what the finest and the coarsest cell at the ends make of it. Where many gaps
  are 0, what their cell holds may be anywhere in it for KS of a total."""
from __future__ import annotations

import collections
import itertools
import json
import math

import numpy

import glog
import random_networks
from oracle_statistics import (BIN, FEWEST_GAPS, INTERVAL, SHARES, SOME_TEXT, Near, OneOf, cdf, covered, displacements, fit_figures, free_runs, gap_scales,
                               independent_values, interval_of, loss_figures, mapdv2, percentile, raised_mean, rate, ratio, spread, times)

DELIVER_ONCE = {"tcp", "mptcp", "sctp", "usrsctp"}
FIRST_DELAYS = 64  # delays are counted from the smallest of them
LONGEST_WAY = 100 * 10**6  # ns
HEADERS = {"udp": 8, "icmp": 8}
LEAST_ON_ETHERNET, AROUND_IP, MOST_OF_IP = 46, 38, 1500
# ms of voice in a packet and ahead of it, Ie, Bpl
VOICE = {"voip-g711.2-rtp": (20, 0, 4.3), "voip-g729.3-rtp": (30 + 5, 11, 19), "voip-g723.1-rtp": (30 + 7.5, 15, 16.1)}


class Side:
    """What one side's log still has of a flow."""

    def __init__(self, network, role: str, number: int):
        kind = glog.SENT if role == "sender" else glog.RECEIVED
        self.there = role in network.kept
        whole = list(glog.blocks(network.logs[role]))
        blocks = [it for it in whole if it.offset not in network.unreadable[role]] if self.there else []
        packets, self.records = iter(it for it in network.recorded[role] if it.flow == number), []
        for block in (it for it in whole if it.type == kind and it.flow == number):
            some = list(itertools.islice(packets, block.count))
            self.records += some if block in blocks else []
        totals = [json.loads(it.payload) for it in blocks if it.type == glog.TOTALS]
        self.totals = next((it for one in totals for it in one["flows"] if it["flow"] == number), None)
        counters = self.totals["counters"] if self.totals else []
        self.counters = {it["name"]: it["value"] for it in counters if not it["name"].startswith("process_")} if self.there else None
        self.packets, self.bytes = (self.totals["packets"], self.totals["bytes"]) if self.totals else (
            len(self.records), sum(it.size for it in self.records)) if self.there else (None, None)
        self.missing = self.packets - len(self.records) if self.there else None
        self.whole = self.totals is not None and self.missing == 0
        inner_holes = [at for at, size in network.holes[role] if at + size < len(network.kept[role])] if self.there else []
        self.pierced = bool(self.missing or (self.totals is None and inner_holes))  # records may be missing between others

    def copies(self) -> collections.Counter:
        return collections.Counter(it.seq for it in self.records if it.seq is not None)

    def ends(self, names=("first_ns", "last_ns"), of=lambda it: it.sent_at) -> tuple:
        """The times of the first and the last packet: of the records if all are there, else of the totals."""
        if self.missing:
            return tuple(self.totals.get(name) for name in names)
        at = [of(it) for it in self.records]
        return (min(at), max(at)) if at else (None, None)


class Part:
    """What the logs have of a flow."""

    def __init__(self, network, flow, clock):
        self.flow, self.spec, self.clock = flow, flow.spec, clock
        self.sent, self.received = (Side(network, role, flow.spec["id"]) for role in ("sender", "receiver"))
        self.first_copies, arrived = [], set()
        for it in self.received.records:
            if it.seq is None or it.seq not in arrived:
                self.first_copies.append(it)
                arrived.add(it.seq)
        self.numbers = [it.seq for it in self.first_copies if it.seq is not None]
        self.arrived, self.unnumbered = set(self.numbers), sum(it.seq is None for it in self.received.records)
        self.duplicates = self.received.counters["duplicates"] if self.received.missing else len(self.received.records) - len(self.first_copies)
        self.unique = (self.received.packets or 0) - self.duplicates
        self.find_delays()
        self.around = clock.around + (clock.drift if self.received.missing else 0)  # of times of arrival
        self.arrival_gaps = numpy.diff([self.moved(it) for it in self.received.records])
        self.find_loss()
        self.find_order()
        self.find_lateness()
        lateness = {it.seq: it.lateness for it in self.sent.records}
        self.scheduled = [delay + lateness[it.seq] for it, delay in self.dated if it.seq in lateness]

    def find_delays(self):
        """Of first copies, in order of arrival: (record, delay). Without a relation of the clocks they are less the smallest."""
        self.left_at = {it.seq: it.sent_at for it in self.sent.records}
        dated = [(it, it.sent_at if it.sent_at is not None else self.left_at.get(it.seq)) for it in self.first_copies]
        self.undated = sum(at is None for _, at in dated)
        self.without_times = self.spec["header"] != "full" and self.undated == len(dated) > 0
        dated = [(it, it.received_at - at - self.clock.offset_of_arrival(it.received_at, at)) for it, at in dated if at is not None]
        least = min((delay for _, delay in dated), default=0)
        self.dated = dated if self.clock.offset else [(it, delay - least) for it, delay in dated]
        self.delays = numpy.array([delay for _, delay in self.dated])
        self.base, self.least = (self.delays[:FIRST_DELAYS].min(), self.delays.min()) if dated else (0, 0)
        self.pdv, self.steps = self.delays - self.least, numpy.abs(numpy.diff(self.delays))
        of = {it.seq: delay for it, delay in self.dated if it.seq is not None}
        self.ipdv = numpy.array([delay - of[number - 1] for number, delay in of.items() if number - 1 in of])

    def find_loss(self):
        """`lost` by both logs' totals, and `pattern`: of each packet in the order of sending whether it was lost."""
        sent, received, below = self.sent, self.received, max(self.numbers, default=-1) + 1
        self.lost = self.lost_at_least = self.pattern = None
        if sent.totals and received.totals:
            lost = max(0, sent.packets - self.unique)
            bound = self.unnumbered and self.spec["transport"] not in DELIVER_ONCE  # copies of these are invisible
            self.lost, self.lost_at_least = (None, lost) if bound else (lost, None)
        elif received.totals:
            known = 0 if self.unnumbered else len({it.seq for it in sent.records} - self.arrived)
            self.lost_at_least = max(max(below, len(sent.records)) - len(self.first_copies), known)
        counted = self.lost is not None and not self.flow.shares_a_socket and received.counters["kernel_drops"] <= self.lost
        self.lost_before_host = self.lost - received.counters["kernel_drops"] if counted else None
        order = sorted(it.seq for it in sent.records) if sent.whole else list(range(below))
        self.ipdv_missed = sum(one in self.arrived and other in self.arrived for one, other in zip(order, order[1:])) - len(self.ipdv)
        if received.whole and not self.unnumbered and not sent.missing:
            self.pattern = numpy.array([number not in self.arrived for number in order], dtype=bool)

    def find_order(self):
        """Of first copies: the extents, how many packets are n-reordered, the runs in order, and the displacements."""
        numbers, self.extents, self.n_reordered, largest = numpy.array(self.numbers, dtype=int), [], {}, -1
        self.free_runs = free_runs(numbers < numpy.maximum.accumulate(numbers)) if len(numbers) else []
        self.displacements = displacements(numbers)
        for i, number in enumerate(numbers):
            if number < largest:
                self.extents.append(i - int(numpy.argmax(numbers[:i] > number)))
                smaller = numpy.flatnonzero(numbers[:i] < number)
                for n in range(1, min(128, i - (int(smaller[-1]) + 1 if len(smaller) else 0)) + 1):
                    self.n_reordered[n] = self.n_reordered.get(n, 0) + 1
            largest = max(largest, number)
        self.reordered = self.received.counters["reordered"] if self.received.missing else len(self.extents)

    def find_lateness(self):
        records, family = self.sent.records, self.spec["idt"]
        self.lateness, self.due = [it.lateness for it in records], [it.sent_at - it.lateness for it in records]
        pairs = [(one, other) for one, other in zip(records, records[1:]) if other.seq == one.seq + 1]
        self.gap_errors = numpy.array([abs(other.lateness - one.lateness) for one, other in pairs])
        self.sent_gaps = numpy.array([other.sent_at - one.sent_at for one, other in pairs])
        self.variation = float(self.sent_gaps.std(ddof=1) / self.sent_gaps.mean()) if len(pairs) > 1 else None
        self.late = sum(10 * late > due - before for late, before, due in zip(self.lateness[1:], self.due, self.due[1:]))
        self.behind = sum(max(0, it.sent_at - max(due, before)) for it, due, before in zip(records, self.due, [0, *(it.sent_at for it in records)]))
        calls = [(it.sent_at, it.batch) for it in records]
        self.calls = [call[1] for call, before in zip(calls, [None, *calls]) if call != before]
        holes = records[-1].seq - records[0].seq + 1 - len(records) if records else 0
        self.between = self.sent.counters["unsent_between"] if self.sent.totals else holes
        stayed = ("unsent_between", "missed_slots", "dropped", "too_big", "given_up", "missed_in_queue", "ended_early")
        self.all_due_left = not sum(self.sent.counters.get(name, 0) for name in stayed) if self.sent.totals else not holes
        self.fitted = [(self.sent_gaps, cdf(family))] if len(pairs) and family["family"] != "const" else []

    def wire(self):
        """Bytes of the packets as IP and on an Ethernet."""
        header, ip = HEADERS.get(self.spec["transport"]), 40 if "[" in self.flow.address else 20
        if self.received.missing or not header or any(it.size + ip + header > MOST_OF_IP for it in self.received.records):
            return None
        whole = [it.size + ip + header for it in self.received.records]
        return sum(whole), sum(max(it, LEAST_ON_ETHERNET) + AROUND_IP for it in whole)

    def bound(self, value: float) -> float:
        return BIN * abs(value - self.base) + 1

    def moved(self, it) -> int:
        """When it arrived, by a clock that is ahead of the sender's as much as the receiver's was at the run's start."""
        return self.moved_from(it.sent_at if it.sent_at is not None else self.left_at.get(it.seq), it.received_at)

    def moved_from(self, sent_at: int | None, received_at: int) -> int:
        if not self.clock.offset:
            return received_at
        return received_at - round(self.clock.offset_of_arrival(received_at, received_at - self.clock.begins if sent_at is None else sent_at) - self.clock.begins)

    def arrival_ends(self) -> tuple:
        first, last = self.received.ends(of=self.moved)
        return (first, last) if not self.received.missing or None in (first, last) else (self.moved_from(None, first), self.moved_from(None, last))

    def came_at(self, it) -> float:
        """From the start of the run; without a relation of the clocks from the start that the receiver's own log names."""
        return self.moved(it) - self.clock.arrivals_from


class Figures:
    """Of one flow, or of all of them together."""

    def __init__(self, parts, clock, together: bool):
        self.parts, self.clock, self.together = parts, clock, together
        self.there_sent, self.there = (all(getattr(part, side).there for part in parts) for side in ("sent", "received"))

    def sum(self, of):
        values = [of(part) for part in self.parts]
        return None if any(value is None for value in values) else sum(values)

    def joined(self, name: str):
        return numpy.concatenate([numpy.asarray(getattr(part, name)) for part in self.parts])

    def sent_ends(self, *how) -> tuple:
        return self.outermost([part.sent.ends(*how) for part in self.parts if part.sent.packets])

    @staticmethod
    def outermost(pairs) -> tuple:
        if not pairs or any(None in pair for pair in pairs):
            return None, None
        return min(first for first, _ in pairs), max(last for _, last in pairs)

    def common(self) -> dict:
        return (self.counts() | self.rates() | self.delay() | self.sender() | self.loss() | self.gaps() | {"series": self.series()}
                | spread("extent", self.joined("extents") if self.there else None, "")
                | spread("free_run", self.joined("free_runs") if self.there else None, ""))

    def counts(self) -> dict:
        parts, there = self.parts, self.there
        lost, packets = self.sum(lambda part: part.lost), self.sum(lambda part: part.sent.packets)
        arrived = {
            "duplicates": lambda part: part.duplicates, "reordered": lambda part: part.reordered,
            "packets_with_copies": lambda part: sum(n > 1 for n in part.received.copies().values()),
            "unnumbered": lambda part: part.unnumbered, "undated": lambda part: part.undated,
            "beyond_window": lambda part: 0, "extents_unknown": lambda part: 0, "reorder_density_beyond": lambda part: 0,  # no packet is that late
            "three_reordered": lambda part: part.n_reordered.get(3, 0), "ipdv_missed": lambda part: None if part.without_times else part.ipdv_missed}
        left = {"late_packets": lambda part: part.late, "packets_alone": lambda part: sum(it.batch == 1 for it in part.sent.records),
                "packets_in_batches": lambda part: sum(it.batch > 1 for it in part.sent.records), "behind_ns": lambda part: part.behind}
        figures = {name: self.sum(of) if there else None for name, of in arrived.items()} | {
            name: self.sum(of) if self.there_sent else None for name, of in left.items()}
        return figures | {
            "sent_packets": packets, "due_packets": packets, "sent_bytes": self.sum(lambda part: part.sent.bytes),
            "received_packets": self.sum(lambda part: part.received.packets), "received_bytes": self.sum(lambda part: part.received.bytes),
            "lost": lost, "lost_ratio": None if lost is None else ratio(lost, packets), "lost_unknown_because": SOME_TEXT if lost is None else None,
            "lost_at_least": self.lost_at_least() if lost is None else None, "lost_before_host": self.sum(lambda part: part.lost_before_host),
            "reordered_ratio": ratio(figures["reordered"] or 0, sum(part.unique for part in parts)),
            "sent_log_complete": all(part.sent.totals for part in parts) if self.there_sent else None,
            "received_log_complete": all(part.received.totals for part in parts) if there else None,
            "sent_records_missing": self.sum(lambda part: part.sent.missing),
            "received_records_missing": self.sum(lambda part: part.received.missing)}

    def lost_at_least(self):
        """In total what is known of some; nothing where that is 0 and nothing is known of another."""
        known = [part.lost_at_least if part.lost is None else part.lost for part in self.parts]
        return sum(it or 0 for it in known) or (None if None in known else 0)

    def rates(self) -> dict:
        parts, packets = self.parts, self.sum(lambda part: part.received.packets)
        first, last = self.outermost([part.arrival_ends() for part in parts if part.received.packets])
        pps = rate(packets or 0, first, last)
        bits = times(pps, ratio(8, packets or 0))
        wires = [part.wire() for part in parts if part.received.packets or (not self.together and part.spec["transport"] not in HEADERS)]
        ip, ethernet = (sum(them) for them in zip(*wires)) if self.there and wires and None not in wires else (None, None)
        once = None if any(part.received.missing for part in parts) else sum(it.size for part in parts for it in part.first_copies)

        def near(value):
            within = 1e-9 + (max(part.around for part in parts) / (last - first) if value else 0)
            return None if value is None else Near(value, value * within)
        return {"duration_s": near((last - first) / 1e9) if first is not None and packets > 1 else None, "packet_rate_pps": near(pps),
                "throughput_bps": near(times(bits, self.sum(lambda part: part.received.bytes))), "goodput_bps": near(times(bits, once)),
                "rates_unknown_because": SOME_TEXT if packets and first is None else None, "throughput_ip_bps": near(times(bits, ip)),
                "throughput_ethernet_bps": near(times(bits, ethernet)), "headers_unknown_because": SOME_TEXT if self.there and None in wires else None}

    def delay(self) -> dict:
        parts, around = self.parts, self.clock.around
        delays, steps = self.joined("delays"), self.joined("steps")
        dated = [part for part in parts if len(part.delays)]
        base = dated[0].base if dated else 0
        there = self.there and not any(part.without_times for part in parts)
        known = there and (self.clock.offset is not None or not self.together)
        again = 2 if self.together else 1  # distributions of flows are collected again

        def error(value):
            return BIN * (max(abs(value - part.base) for part in dated) + (abs(value - base) if self.together else 0)) + again

        def pdv_error(value):
            return again * BIN * (value + max(part.base - part.least for part in dated)) + again
        lost = self.sum(lambda part: part.lost)
        all_known = known and lost is not None and len(delays) and len(delays) + lost == self.sum(lambda part: part.sent.packets)
        due = numpy.concatenate([delays, numpy.full(lost, math.inf)]) if all_known else [math.inf]
        of_due = {f"delay_of_due_{name}_ns": percentile(due, share) for name, share in SHARES.items()}
        return ({name: None if math.isinf(wanted) else Near(wanted, error(wanted) + around) for name, wanted in of_due.items()}
                | spread("scheduled_delay", self.joined("scheduled") if known and self.there_sent and all(part.all_due_left for part in parts) else None, error=error, around=around)
                | {"jitter_ditg_ns": Near(float(steps.mean()), around + 0.01) if len(steps) else None}
                | spread("delay", delays if known else None, error=error, around=around)
                | spread("pdv", self.joined("pdv") if there else None, error=pdv_error, around=around)
                | spread("ipdv", self.joined("ipdv") if there else None, error=lambda value: again * BIN * abs(value) + 1, around=around))

    def sender(self) -> dict:
        parts, there = self.parts, self.there_sent
        packets, size, between = (self.sum(of) for of in (lambda part: part.sent.packets, lambda part: part.sent.bytes, lambda part: part.between))
        first, last = self.sent_ends()
        due = self.sent_ends(("first_due_ns", "last_due_ns"), lambda it: it.sent_at - it.lateness)
        asked, left = (rate(packets + between, *due), rate(packets, first, last)) if there else (None, None)
        mean, errors = ratio(8 * size, packets) if there else None, self.joined("gap_errors")
        return {"sent_duration_s": (last - first) / 1e9 if first is not None and packets > 1 else None, "scheduled_pps": asked, "sent_pps": left,
                "scheduled_bps": times(asked, mean), "sent_bps": times(left, mean), "rate_error": abs(left / asked - 1) if asked and left else None,
                "gap_variation": max((part.variation for part in parts if part.variation is not None), default=None),
                **{f"gaps_within_{us}us": int((errors <= us * 1000).sum()) if len(errors) else None for us in (1, 10, 100)}} | (
                    spread("lateness", self.joined("lateness") if there else None) | spread("batch_size", self.joined("calls") if there else None, "")
                    | spread("gap_error", errors if there else None)
                    | fit_figures(self.fitted(), SOME_TEXT if there else None))

    def fitted(self) -> list:
        """Gaps with their distributions; none, if a flow with gaps enough to compare has no distribution."""
        known = all(part.fitted or len(part.sent_gaps) < FEWEST_GAPS for part in self.parts)
        return [one for part in self.parts for one in part.fitted] if known else []

    def gaps(self) -> dict:
        there_sent, there, around = self.there_sent, self.there, max(part.around for part in self.parts)
        known = there and not any(part.received.pierced for part in self.parts)
        return (spread("sent_gap", self.joined("sent_gaps") if there_sent else None)
                | spread("arrival_gap", self.joined("arrival_gaps") if known else None, around=around)
                | spread("sent_size", [it.size for part in self.parts for it in part.sent.records] if there_sent else None, "_bytes")
                | spread("received_size", [it.size for part in self.parts for it in part.received.records] if there else None, "_bytes"))

    def loss(self) -> dict:
        known = all(part.pattern is not None for part in self.parts)
        return loss_figures([part.pattern for part in self.parts]) | {
            "loss_pattern_to_the_end": all(part.sent.whole for part in self.parts) if known else None,
            "loss_pattern_unknown_because": None if known else SOME_TEXT}

    def series(self) -> list:
        parts, clock, sent, received = self.parts, self.clock, self.there_sent, self.there
        left = numpy.sort([it.sent_at - clock.started for part in parts for it in part.sent.records] if sent else [])
        came = numpy.array(sorted((part.came_at(it), it.size) for part in parts for it in part.received.records) if received else []).reshape(-1, 2)
        delays = [(part.came_at(it), delay) for part in parts for it, delay in part.dated] if (clock.offset or not self.together) and not any(it.without_times for it in parts) else []
        steps = [(part.came_at(it), abs(delay - before)) for part in parts for (_, before), (it, delay) in zip(part.dated, part.dated[1:])]
        delays, steps = (numpy.array(pairs).reshape(-1, 2) for pairs in (delays, steps))
        known_loss = all(part.pattern is not None and part.sent.whole and part.received.whole for part in parts)
        lost = [it.sent_at - clock.started for part in parts for it in part.sent.records if it.seq not in part.arrived] if known_loss else []
        sent_rates = sent and not any(part.sent.missing for part in parts)
        rates = received and not any(part.received.missing for part in parts)
        departed = left[-1:] if sent_rates else []
        end, around = max([*left[-1:], *came[-1:, 0]], default=-1), max(part.around for part in parts)
        rows = []
        for start in range(0, math.floor(end) + 1, INTERVAL):
            def inside(at):
                return (start <= at) & (at < start + INTERVAL)

            def near(value):
                return Near(float(value), clock.around + 1e-9 * abs(float(value)))
            mine, ways, jitters = (pairs[inside(pairs[:, 0]), 1] for pairs in (came, delays, steps))
            sent_covered, sent_pps, _ = covered(left, numpy.zeros(len(left)), start, *left[-1:])
            covered_s, pps, bps = covered(came[:, 0], came[:, 1], start, *(max([last, *departed]) for last in came[-1:, 0]), around=around)
            rows.append({
                "t_s": start / 1e9, "sent_packets": int(inside(left).sum()) if sent else None, "received_packets": len(mine) if received else None,
                "received_bytes": int(mine.sum()) if received else None, "throughput_bps": bps if rates else None,
                "packet_rate_pps": pps if rates else None, "sent_rate_pps": sent_pps if sent_rates else None,
                "delay_mean_ns": near(ways.mean()) if len(ways) else None,
                "delay_min_ns": near(ways.min()) if len(ways) else None, "delay_max_ns": near(ways.max()) if len(ways) else None,
                "jitter_ns": near(jitters.mean()) if len(jitters) else None, "lost": int(inside(numpy.array(lost)).sum()) if known_loss else None,
                "returned_packets": None, "rtt_mean_ns": None, "rtt_min_ns": None, "rtt_max_ns": None,
                "sent_covered_s": sent_covered if sent_rates else None, "covered_s": covered_s if rates else None})
        return rows


class FlowFigures(Figures):
    def __init__(self, part, clock):
        super().__init__([part], clock, together=False)

    def all(self, found: dict) -> dict:
        return self.common() | self.about() | self.scales() | self.jitter() | self.independent(found) | self.voice(found)

    def voice(self, found: dict) -> dict:
        """By the E-model; played after the best of the percentiles that were found (and are checked by themselves)."""
        part, = self.parts
        codec = VOICE.get(part.spec["profile"])
        if (not codec or part.lost is None or part.pattern is None or not self.clock.offset or len(part.delays) == 0
                or found["clock_bound_ns"] > 10e6):
            return {"voice_rating": None, "voice_mos": None}
        ahead_ms, ie, bpl = codec
        burst = max(1 / (found["gilbert_p"] + found["gilbert_r"]), 1) if None not in (found["gilbert_p"], found["gilbert_r"]) else 1
        ratings = {-1: [], 1: []}  # with the delays that are counted with the percentile as later, and as in time
        for name, side in itertools.product((*SHARES, "max"), ratings):
            played = found[f"delay_{name}_ns"]
            late = int((part.delays > played + side * (part.bound(played) + self.clock.around)).sum()) if name != "max" else 0
            percent = 100 * (part.lost + late) / part.sent.packets
            d = played / 1e6 + ahead_ms
            ratings[side].append(93.2 - 0.024 * d - 0.11 * max(d - 177.3, 0) - ie - (95 - ie) * percent / (percent / burst + bpl))
        least, most = (max(them) for them in ratings.values())

        def mos(rating):
            return max(1, 1 + 0.035 * rating + rating * (rating - 60) * (100 - rating) * 7e-6) if 0 < rating < 100 else 1
        return {name: Near((of(least) + of(most)) / 2, abs(of(most) - of(least)) / 2 + 1e-4) for name, of in (("voice_rating", float), ("voice_mos", mos))}

    def about(self) -> dict:
        part, = self.parts
        spec, idt, duration = part.spec, part.spec["idt"], part.spec["stop"].get("duration_ns")
        mean = {"const": lambda: idt["value"], "exp": lambda: idt["mean"], "unif": lambda: (idt["low"] + idt["high"]) / 2,
                "weibull": lambda: idt["scale"] * math.gamma(1 + 1 / idt["shape"]), "cauchy": lambda: None,
                "normal": lambda: raised_mean(idt["mean"], idt["deviation"])}[idt["family"]]()
        target = f"[{spec['target']['host']}]" if ":" in spec["target"]["host"] else spec["target"]["host"]
        clock = self.clock.figures
        return {"flow": spec["id"], "receiver": 1, "receivers": 1, "receiver_host": "receiver" if self.there else None, "name": spec["name"],
                "transport": spec["transport"], "profile": spec["profile"], "on_periods": None, "off_periods": None,
                "rate_over_time": None, "response": None, "in_flight": None, "think": None, "response_timeout_ns": None, "requests_per_connection": None, "nominal_pps": 1e9 / mean if mean else None,
                "realised_pps": part.sent.packets * 1e9 / duration if duration and part.sent.totals else None,
                "target": f"{target}:{spec['target']['control_port']}", "sent_counters": part.sent.counters, "received_counters": part.received.counters,
                "round_trip": None, "transmit": None, "connections": [], "arrival_headers": [], "clock_steps": [],
                "n_reordering": [{"n": n, "packets": count, "degree": count / len(part.first_copies)} for n, count in sorted(part.n_reordered.items())],
                "reorder_density": [{"displacement": off, "packets": count, "share": count / len(part.numbers)}
                                    for off, count in sorted(part.displacements.items()) if part.extents]} | clock

    def scales(self) -> dict:
        part, = self.parts
        left, numbers, came = part.sent.records, numpy.array([it.seq for it in part.sent.records], dtype=int), part.received
        constant = part.spec["idt"]["family"] == "const"
        rows = gap_scales("sender", numpy.array([it.sent_at for it in left]), numpy.array(part.lateness) if constant else None,
                          numpy.flatnonzero(numpy.diff(numbers) != 1) + 1)
        return {"gap_scales": rows + ([] if came.pierced else gap_scales("receiver", numpy.array([part.moved(it) for it in came.records]), around=part.around))}

    def independent(self, found: dict) -> dict:
        """By the error of the mean that was found (and is checked by itself)."""
        part, = self.parts
        delays, around = part.delays, self.clock.around
        count = independent_values(delays, found["delay_mean_error_ns"])
        sd = float(delays.std(ddof=1)) if len(delays) > 1 else 0
        correlation = 1 - float((part.ipdv**2.0).mean()) / (2 * sd**2) if sd > 0 and len(part.ipdv) >= max(64, len(delays) / 2) else None
        correlation = None if correlation is None else min(max(correlation, -1), 1)
        figures = {"delay_independent_packets": None if count is None else Near(count, count * (1e-9 + 4 * around / sd)),
                   "delay_autocorrelation": None if correlation is None else Near(correlation, 1e-9 + 8 * around / sd)}
        for name, share in SHARES.items():
            for end, value in zip(("low", "high"), interval_of(delays, share, count)):
                figures[f"delay_{name}_{end}_ns"] = None if value is None else Near(value, part.bound(value) + around)
        deviation = mapdv2(delays) if part.spec["profile"] in VOICE else None
        return figures | {"mapdv2_ns": None if deviation is None else Near(deviation, 1e-9 * deviation + 2 * around)}

    def jitter(self) -> dict:
        """RFC 3550's; and the error of the mean delay by 32 to 64 batches of equal length: which length is not said."""
        part, = self.parts
        jitters, smooth, errors, n = [], 0.0, [], len(part.delays)
        for step in part.steps:
            smooth += (step - smooth) / 16
            jitters.append(smooth)
        for length in range(1, n // 32 + 1):
            if 32 <= n // length <= 64:
                means = part.delays[:n // length * length].reshape(-1, length).mean(axis=1)
                errors.append(Near(float(means.std(ddof=1)) / math.sqrt(len(means)), 1e-6 * float(means.std()) + 1e-6 + self.clock.around))
        ends = {"": jitters[-1], "_mean": numpy.mean(jitters), "_max": max(jitters)} if jitters else {"": None, "_mean": None, "_max": None}
        return {f"jitter_rfc3550{name}_ns": None if value is None else Near(float(value), self.clock.around + 0.01) for name, value in ends.items()} | {
            "delay_mean_error_ns": OneOf(errors) if n > 64 else None}


class TotalFigures(Figures):
    def __init__(self, parts, clock, flows):
        super().__init__(parts, clock, together=True)
        self.flows = flows  # their figures as found, and checked

    def all(self) -> dict:
        errors = [(len(part.delays), flow["delay_mean_error_ns"]) for part, flow in zip(self.parts, self.flows) if len(part.delays)]
        known = (self.there and self.clock.offset and errors and all(error is not None for _, error in errors)
                 and not any(part.without_times for part in self.parts))
        return self.common() | self.clock.figures | dict.fromkeys(f"jitter_rfc3550{name}_ns" for name in ("", "_mean", "_max")) | {
            "delay_mean_error_ns": math.sqrt(sum((n * error) ** 2 for n, error in errors)) / sum(n for n, _ in errors) if known else None,
            "flows": len(self.parts)}


class Clock:
    """How the sides' clocks are related: `offset` at a time of the sender's clock, if known; delays are right to `around` then."""

    def __init__(self, network, run: dict):
        names = ["clock", "clock_offset_ns", "clock_bound_ns", "clock_probes", "clock_skew_ppm", "clock_skew_error_ppm"]
        both = len(network.kept) == 2
        self.offset, self.corners, self.around, self.drift, self.started, self.begins = None, None, 0, 0, run["started_ns"], 0
        if both and network.clock == "one":
            self.offset, self.arrivals_from = (lambda at: 0), run["started_ns"]
            self.figures = dict(zip(names, ["one clock", 0, 0, 0, None, None]))
        elif both and network.clock == "probed":
            begins, skew = self.begins, skew = run["clock_offset_ns"], run["clock_skew_ppm"] / 1e6
            self.offset, self.arrivals_from = (lambda at: begins + skew * (at - self.started)), self.started + begins
            self.around = 2  # of the offset, which is in whole ns, and of the delay
            self.drift = abs(skew) * LONGEST_WAY  # in the arrivals that totals name: it is not known when these packets left
            self.fit(network.probes, begins, run["clock_skew_ppm"])
            self.figures = dict(zip(names, ["probed", Near(begins + self.middle, 5), Near(self.bound(self.probed), 5), len(network.probes),
                                            Near(self.skew, 0.01), Near(self.skew_error, 0.01)]))
            assert abs(network.ahead - begins) <= self.bound([0]) + 5 and abs(network.ppm - self.skew) <= self.skew_error
        else:
            self.arrivals_from = glog.metadata(network.logs["receiver"])["started_at_ns"]
            self.figures = dict(zip(names, ["relative", None, None, 0, None, None] if "receiver" in network.kept else ["unknown"] + [None] * 5))

    def fit(self, probes, begins: int, skew: float):
        """The corners of the (offset less `begins`, skew in ns/s) that no probe contradicts, by all pairs of limits."""
        rows, limits = [(0, 1), (0, -1)], [500e3, 500e3]
        for it in probes:
            rows += [(1, (it["sent_ns"] - self.started) / 1e9), (-1, -(it["returned_ns"] - self.started) / 1e9)]
            limits += [it["received_ns"] - it["sent_ns"] - begins, it["returned_ns"] - it["answered_ns"] + begins]
        rows, limits = numpy.array(rows, dtype=float), numpy.array(limits, dtype=float)
        one, other = numpy.triu_indices(len(rows), 1)
        det = rows[one, 0] * rows[other, 1] - rows[one, 1] * rows[other, 0]
        one, other, det = (it[abs(det) > 1e-9] for it in (one, other, det))
        corners = numpy.stack([(limits[one] * rows[other, 1] - limits[other] * rows[one, 1]) / det,
                               (rows[one, 0] * limits[other] - rows[other, 0] * limits[one]) / det], axis=1)
        self.corners = corners[(corners @ rows.T <= limits + 1e-2).all(axis=1)]
        least, most = self.corners[:, 1].min() / 1e3, self.corners[:, 1].max() / 1e3
        self.skew, self.skew_error = (least + most) / 2, (most - least) / 2
        ranges = limits - rows[:, 1] * skew * 1e3
        self.middle = (ranges[rows[:, 0] == 1].min() - ranges[rows[:, 0] == -1].min()) / 2
        self.probed = [(probes[0]["sent_ns"] - self.started) / 1e9, (probes[-1]["returned_ns"] - self.started) / 1e9]

    def offset_of_arrival(self, received_at: int, sent_at: int):
        """The offset when a packet arrived; 0 without a relation of the clocks."""
        return self.offset(received_at - round(self.offset(sent_at))) if self.offset else 0

    def bound(self, at_s) -> float:
        """The largest distance of any possible line from the chosen one, at these times."""
        return float(max(numpy.abs(self.corners[:, 0] - self.middle + (self.corners[:, 1] - self.skew * 1e3) * at).max() for at in at_s))


def run_figures(network, clock) -> dict:
    return {"run_id": 32 * "3", "experiment": "drawn", "started_ns": glog.metadata(next(iter(network.kept.values())))["started_at_ns"], "seed": 7,
            "interval_ns": INTERVAL, "from_s": None, "until_s": None, "size_least": None, "size_most": None, "clock_steps": [], "groups": [],
            "requirements": []} | clock.figures


def log_figures(network):
    """For each log."""
    for role in network.kept:
        sides = [Side(network, role, flow.spec["id"]) for flow in network.flows]
        complete = sides[0].totals is not None
        usage = list(random_networks.USAGE.values()) if complete else [None] * 4
        packets = sum(side.packets for side in sides)
        yield {"log": f"{role}.glog", "role": role, "host": role, "program": f"a test's {role}", "timestamps": "user", "events": [],
               "wait_ns": random_networks.WAIT_NS if role == "sender" else None,
               "records": sum(len(side.records) for side in sides), "end": "complete" if complete else None, "gaps": network.holes[role],
               "clock_synchronised": True, "clock_estimated_error_ns": 1500, "clock_maximum_error_ns": 9000, "clock_frequency_ppm": 1.5,
               "cpu_user_s": times(usage[0], 1e-9), "cpu_system_s": times(usage[1], 1e-9),
               "voluntary_switches": usage[2], "involuntary_switches": usage[3], "cpu_ns_per_packet": ratio(usage[0] + usage[1], packets) if complete else None}
