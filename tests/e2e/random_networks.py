"""Networks that are drawn with a seed: what their flows sent, what arrived, and the logs that both sides would have
written (by glog_writer.py). random_networks_test.py has the figures."""
from __future__ import annotations

import itertools
import math
import random
from typing import NamedTuple

import glog
import glog_writer

START = 1_700_000_000_000_000_000
MS, SECOND = 10**6, 10**9
SEQ_FROM, TIME_FROM, HEADER = 4, 12, 20  # bytes of payload (docs/reference/wire-format.md)
IN_BLOCK = 61
DAMAGE = ["", "receiver cut out", "receiver overwritten", "receiver torn", "sender cut out", "sender torn", "sender only",
          "receiver only", "receiver's records lost", "sender's records lost"]  # of networks with odd seeds
CLOCKS = ["one", "probed", "unrelated"]
VOICE = {"voip-g711.2-rtp": (50, 172), "voip-g729.3-rtp": (33, 42), "voip-g723.1-rtp": (26, 42)}  # packets/s, bytes
WAIT_NS = 2_000_000_000
USAGE = {"process_user_ns": 1_230_000_000, "process_system_ns": 45_000_000, "process_voluntary_switches": 12, "process_involuntary_switches": 3}
TRANSPORTS = ["udp", "udp", "udp", "icmp", "tcp"]


class Flow(NamedTuple):
    spec: dict
    sent: list  # glog.Sent
    received: list  # glog.Received, in order of arrival
    counters: dict
    address: str  # of the sender
    shares_a_socket: bool  # with other flows, at the receiver


class Network(NamedTuple):
    flows: list[Flow]
    clock: str
    damage: str
    ahead: int
    ppm: float
    probes: list[dict]
    logs: dict[str, bytes]  # undamaged
    kept: dict[str, bytes]  # as groma-dec reads them
    holes: dict[str, list[tuple[int, int]]]  # (offset, bytes) of what cannot be read there
    unreadable: dict[str, set[int]]  # offsets of the blocks, in the undamaged log, that are gone
    recorded: dict[str, list]  # the packets that have a record
    whole: bool  # nothing is missing in what is read


def family(draw: random.Random, mean: float) -> tuple[dict, object]:
    kind = draw.choice(["const", "exp", "exp", "unif", "weibull", "normal", "cauchy"])
    if kind == "const":
        return {"family": kind, "value": mean}, lambda: mean
    if kind == "exp":
        return {"family": kind, "mean": mean}, lambda: draw.expovariate(1 / mean)
    if kind == "unif":
        return {"family": kind, "low": mean / 2, "high": mean * 3 / 2}, lambda: draw.uniform(mean / 2, mean * 3 / 2)
    if kind == "normal":
        return {"family": kind, "mean": mean, "deviation": mean}, lambda: max(0.0, draw.gauss(mean, mean))
    if kind == "cauchy":
        return {"family": kind, "location": mean, "scale": mean / 4}, lambda: max(0.0, mean + mean / 4 * math.tan(math.pi * (draw.random() - 0.5)))
    return {"family": kind, "shape": 1.5, "scale": mean}, lambda: draw.weibullvariate(mean, 1.5)


def size_family(draw: random.Random) -> tuple[dict, object]:
    low, high = draw.choice([(20, 20), (64, 64), (30, 900), (1, 60), (8, 40), (200, 1600), (1452, 1452), (1472, 1472), (1473, 1473)])
    if low == high:
        return {"family": "const", "value": float(low)}, lambda: low
    return {"family": "unif", "low": float(low), "high": float(high)}, lambda: draw.randint(low, high)


def departures(draw: random.Random, number: int, packets: int, profile: str):
    """The packets that leave, and the counters of those that the host refused. A sender that stands still for a while
    catches up: what is due then leaves in one call."""
    spec_of_gaps, gap = family(draw, draw.choice([0.3, 1, 4]) * MS)
    spec_of_sizes, size = size_family(draw)
    if profile:
        pps, payload = VOICE[profile]
        spec_of_gaps, gap = {"family": "const", "value": 1e9 / pps}, lambda: 1e9 / pps
        spec_of_sizes, size = {"family": "const", "value": float(payload)}, lambda: payload
    begins = draw.choice([0, 0, draw.randrange(2 * SECOND)])
    offsets = [0.0]
    for _ in range(packets - 1):
        offsets.append(offsets[-1] + gap())
    due = [START + begins + round(offset) for offset in offsets]
    refuse, stall = draw.choice([0, 0, 0.03]), draw.choice([0, 0.01])
    sent, refused, at, seq = [], [], 0, 0
    while seq < packets:
        at = max(at, due[seq]) + 50 + round(draw.expovariate(1 / 20_000)) + (draw.randrange(8 * MS) if draw.random() < stall else 0)
        together = [seq]
        while together[-1] + 1 < packets and due[together[-1] + 1] <= at and len(together) < 64:
            together.append(together[-1] + 1)
        leave = [one for one in together if draw.random() >= refuse]
        refused += sorted(set(together) - set(leave))
        sent += [glog.Sent(number, one, at, at - due[one], size(), len(leave)) for one in leave]
        seq = together[-1] + 1
    numbers = [it.seq for it in sent]
    between = sum(numbers[0] < one < numbers[-1] for one in refused) if numbers else 0
    kind = draw.choice(["dropped", "too_big"])
    counters = {"dropped": 0, "too_big": 0, "given_up": 0, "missed_slots": 0, "unsent_between": between, "ended_early": 0, "blocked": 0,
                kind: len(refused)}
    spec = {"idt": spec_of_gaps, "size": spec_of_sizes, "start_delay_ns": begins}
    return spec, sent, counters


def losses(draw: random.Random, packets: int) -> list[bool]:
    kind = draw.choice(["none", "random", "gilbert", "ends", "even", "all"] if draw.random() < 0.3 else ["random", "gilbert", "ends"])
    if kind == "none":
        return [False] * packets
    if kind == "all":
        return [True] * packets
    if kind == "even":
        return [index % 199 in (7, 106) for index in range(packets)]  # 99 and 100 apart
    p, r = (draw.uniform(0.005, 0.1), draw.uniform(0.1, 0.7)) if kind == "gilbert" else (0.03, 0.97)
    bad, lost = False, []
    for _ in range(packets):
        bad = draw.random() >= r if bad else draw.random() < p
        lost.append(bad)
    if kind == "ends":
        first, last = draw.randrange(9), draw.randrange(9)
        lost = [one or index < first or index >= packets - last for index, one in enumerate(lost)]
    return lost


def arrivals(draw: random.Random, sent, header: str, clock) -> list[glog.Received]:
    least = draw.randrange(100_000, 40 * MS)
    jitter, jump, copy = draw.choice([0, 20_000, 2 * MS]), draw.choice([0, 0.05, 0.3]), draw.choice([0, 0.02, 0.1])

    def way() -> int:
        return least + (round(draw.gammavariate(2, jitter)) if jitter else 0) + (draw.randrange(12 * MS) if draw.random() < jump else 0)
    came = []
    for it, lost in zip(sent, losses(draw, len(sent))):
        copies = 0 if lost else 1 + (draw.random() < copy) + (draw.random() < copy / 3)
        for _ in range(copies):
            at = clock(it.sent_at + way())
            has_seq, has_time = it.size >= SEQ_FROM and header != "none", it.size >= TIME_FROM and header == "full"
            came.append(glog.Received(it.flow, it.seq if has_seq else None, it.sent_at if has_time else None, at, it.size, None, None))
    return sorted(came, key=lambda it: it.received_at)


def with_shared_sockets(flows: list[Flow]) -> list[Flow]:
    """Those come to one port whose packets all have room for a header."""
    large = [all(it.size >= HEADER for it in flow.sent) for flow in flows]
    return [flow._replace(spec=flow.spec | {"target": flow.spec["target"] | {"data_port": 5600}}, shares_a_socket=True)
            if one and sum(large) > 1 else flow for flow, one in zip(flows, large)]


def metadata(role: str, flows, boot_id: str, started: int) -> dict:
    def ends(flow: Flow) -> dict:
        number = flow.spec["id"]
        there = flow.spec["target"]["host"]
        mine, other = f"{flow.address}:{5000 + number}", f"{there}:{flow.spec['target']['data_port']}"
        addresses = (mine, other) if role == "sender" else (other, flow.address.strip("[]"))
        return dict(zip(("local_address", "remote_address"), addresses))
    return {"boot_id": boot_id, "experiment": "drawn", "host": role, "program": f"a test's {role}", "role": role, "run_id": 32 * "3", "seed": 7,
            "started_at_ns": started, "timestamps": "user", "clock": {"synchronised": True, "estimated_error_ns": 1500, "maximum_error_ns": 9000,
                                                                      "frequency_ppm": 1.5},
            "flows": [ends(flow) | {"spec": flow.spec} for flow in flows]} | ({"wait_ns": WAIT_NS} if role == "sender" else {})


def probe(draw: random.Random, at: int, clock) -> dict:
    there = at + 100_000 + round(draw.expovariate(1 / 50_000))
    answered = there + 20_000
    return {"sent_ns": at, "received_ns": clock(there), "answered_ns": clock(answered),
            "returned_ns": answered + 100_000 + round(draw.expovariate(1 / 50_000)), "peer_host": "receiver", "peer_boot_id": "two"}


def drops(draw: random.Random, flow: Flow) -> dict:
    """Of a full socket: mostly a part of what was lost."""
    most = len(flow.sent) - len({it.seq for it in flow.received}) + 2 if flow.spec["transport"] == "udp" else 0
    return {"kernel_drops": draw.choice([0, draw.randint(0, most)])}


def copies_and_late(received) -> dict:
    seen, following, copies, late = set(), 0, 0, 0
    for it in received:
        if it.seq is None:
            continue
        copies += it.seq in seen
        late += it.seq not in seen and it.seq < following
        seen.add(it.seq)
        following = max(following, it.seq + 1)
    return {"duplicates": copies, "reordered": late, "foreign_packets": 0, "malformed_packets": 0}


def damaged(draw: random.Random, log: bytes, how: str):
    """The log as it is read, the (offset, bytes) of it that cannot be, and the offsets of the blocks that are gone."""
    blocks = [it for it in glog.blocks(log) if it.type in (glog.SENT, glog.RECEIVED, glog.TOTALS)]
    ends = [it.offset + glog.BLOCK_HEADER + len(it.payload) for it in blocks]
    first = draw.randrange(max(1, len(blocks) - 1))
    start = blocks[first].offset
    if "torn" in how:
        rest = draw.choice([0, 30])
        return log[:start + rest], [(start, rest)] if rest else [], {it.offset for it in blocks[first:]}
    last = min(first + draw.randrange(3), len(blocks) - 2)  # the totals stay
    if last < first:
        return log, [], set()
    gone = {it.offset for it in blocks[first:last + 1]}
    if "cut out" in how:
        return log[:start + 40] + log[ends[last] - 9:], [(start, 49)], gone
    filler = bytes(draw.randrange(256) for _ in range(ends[last] - start - 40))
    return log[:start + 20] + filler + log[ends[last] - 20:], [(start, ends[last] - start)], gone


def quiet_time(network: Network) -> int:
    """The middle of the longest time in which no packet is under way, by the sender's clock."""
    def left_and_came(it):
        since = it.received_at - network.ahead - START
        return it.sent_at, START + since - round(since * network.ppm / 10**6)
    ways = sorted([(it.sent_at, it.sent_at) for flow in network.flows for it in flow.sent]
                  + [left_and_came(it) for flow in network.flows for it in flow.received])
    ends = itertools.accumulate((came for _, came in ways), max)
    return max((left - end, (left + end) // 2) for end, (left, _) in zip(ends, ways[1:]))[1]


def drawn(seed: int, step: int = 0, step_at: int = 0) -> Network:
    """The receiver's clock makes a step, if clocks are probed."""
    draw = random.Random(seed)
    damage, clock_kind = DAMAGE[seed // 2 % len(DAMAGE)] if seed % 2 else "", CLOCKS[seed // 2 % 3]
    ahead, ppm = (0, 0) if clock_kind == "one" else (draw.randrange(-10**13, 10**13), draw.choice([0, 40, -170]))

    def clock(at: int) -> int:
        return at + ahead + round((at - START) * ppm / 10**6) + (step if at >= step_at else 0)
    flows, alike = [], draw.random() < 0.25
    for number in range(1, draw.randint(1, 4) + 1):
        packets = draw.choice([draw.randint(1, 40), draw.randint(60, 400), draw.randint(400, 1200)])
        profile = draw.choice([*VOICE] + 12 * [""])
        spec, sent, counters = departures(draw, number, packets, profile)
        header, transport = ("full", "udp") if alike else (draw.choice(["full", "full", "full", "full", "sequence", "none"]), draw.choice(TRANSPORTS))
        stop = {"packets": packets} if draw.random() < 0.7 else {"duration_ns": sent[-1].sent_at - START - spec["start_delay_ns"] + 10 * MS}
        address, host = draw.choice([("10.0.0.1", "10.0.0.2"), ("[fd00::1]", "fd00::2")][:1 if alike else 2])
        spec |= {"header": header, "id": number, "name": f"drawn-{number}", "profile": profile, "seed": 7, "stop": stop,
                 "target": {"control_port": 9000, "data_port": 5600 + number, "host": host}, "transport": transport}
        flows.append(Flow(spec, sent, arrivals(draw, sent, header, clock), counters, address, False))
    flows = with_shared_sockets(flows) if alike else flows
    end = max(it.sent_at for flow in flows for it in flow.sent) + SECOND
    probes = [] if clock_kind == "unrelated" else [probe(draw, at, clock) for at in range(START - 50 * MS, end, 100 * MS)]
    around = random.Random(seed)
    probes += [probe(around, at, clock) for at in range(step_at - 20 * MS, step_at + 20 * MS, MS) if step]
    probes.sort(key=lambda it: it["sent_ns"])
    boots = {"sender": "one", "receiver": "one" if clock_kind == "one" else "two"}
    counters = {"sender": {flow.spec["id"]: flow.counters for flow in flows},
                "receiver": {flow.spec["id"]: copies_and_late(flow.received) | drops(draw, flow) for flow in flows}}
    logs, kept, holes, unreadable, recorded = {}, {}, {}, {}, {}
    for role in ("sender", "receiver"):
        counters[role][1] |= USAGE
        records = [it for flow in flows for it in (flow.sent if role == "sender" else flow.received)]
        unrecorded = {index for index in range(len(records)) if draw.random() < 0.05} if damage == f"{role}'s records lost" else set()
        recorded[role] = [it for index, it in enumerate(records) if index not in unrecorded]
        logs[role] = glog_writer.log(metadata(role, flows, boots[role], START if role == "sender" else clock(START) - 3 * MS), records,
                                     end if role == "sender" else clock(end), probes=probes if role == "sender" else (), in_block=IN_BLOCK,
                                     counters=counters[role], unrecorded=unrecorded, times=draw.random() < 0.7)
        kept[role], holes[role], unreadable[role] = logs[role], [], set()
        if damage in (f"{role} {how}" for how in ("cut out", "overwritten", "torn")):
            kept[role], holes[role], unreadable[role] = damaged(draw, logs[role], damage)
    whole = not any(unreadable.values()) and not any(totals["records_lost"] for log in logs.values() for totals in glog.totals(log)["flows"])
    if damage.endswith("only"):
        kept = {damage.split()[0]: kept[damage.split()[0]]}
    return Network(flows, clock_kind, damage, ahead, ppm, probes, logs, kept, holes, unreadable, recorded, whole)
