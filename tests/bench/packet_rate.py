"""Tables 2 and 4: the highest packet rate, and what logs cost; judged by the counters of the receiving host's interface."""
from __future__ import annotations

import functools

from figures import payload_rate
from pair import HostCounters, Pair
from plan import Part, Run
from tables import Table, figure, grouped, number, ratios
from figures import spread
from tools import Ditg, Groma, Iperf3, KernelLimit, Load, Mgen, Sockperf, Tool

SIZE = 64
GRO_OFF, GRO_ON = ("--gro", "off"), ("--gro", "on")
ONE_BY_ONE, SEGMENTED, JOINED = "one by one", "trains, receiver without GRO", "trains, receiver with GRO"


def tools() -> dict[str, list[Tool]]:
    return {ONE_BY_ONE: [Groma(), Groma("Groma, no logs", logs=False), Ditg(), Iperf3(), Sockperf(), Mgen(),
                         *(KernelLimit(way) for way in KernelLimit.WAYS)],
            SEGMENTED: [Groma(receiver_options=GRO_OFF), Groma("Groma, no logs", logs=False, receiver_options=GRO_OFF), Ditg(),
                        KernelLimit("segmented")],
            JOINED: [Groma(receiver_options=GRO_ON), Groma("Groma, no logs", logs=False, receiver_options=GRO_ON), Ditg(),
                     KernelLimit("segmented", gro=True)]}


def part(quick: bool, seconds: float) -> Part:
    load = Load("max", 0, SIZE, seconds)
    groups = [[Run({"setup": setup, "tool": tool.name}, f"highest rate, {setup}, {tool.name}", seconds + 4,
                   functools.partial(measure, tool, load, setup != ONE_BY_ONE), tool.missing())
               for tool in of_setup if not quick or tool.name not in ("sockperf", "MGEN precise")]
              for setup, of_setup in tools().items()]
    return Part("packet-rate", "Highest packet rate", groups, tables)


def measure(tool: Tool, load: Load, trains: bool, pair: Pair) -> dict:
    pair.segment_by_device(trains)
    with HostCounters(pair.receiver) as counters:
        ran = tool.run(pair, load)
    total = counters.total()
    arrived = total.payloads(load.size)
    if arrived < 1000:
        raise AssertionError(f"{arrived:.0f} packets arrived; {tool.name} said:\n{ran.ended.said[-500:]}")
    taken = ran.taken if ran.taken is not None else total.datagrams
    logs = [ran.log_bytes[side] / packets if ran.log_bytes and packets else None for side, packets in ((0, ran.sent), (1, ran.taken))]
    return {"pps": payload_rate(counters.samples, load.size), "arrived": arrived, "taken_share": taken / arrived, "taken": taken,
            "reads": total.datagrams, "dropped": total.dropped, "cpu": ran.ended.cpu_s / ran.ended.elapsed_s,
            "records_lost": ran.records_lost, "log_bytes_sent": logs[0], "log_bytes_received": logs[1], "remark": ran.remark}


def tables(rows: list[dict]) -> list[Table]:
    groups = grouped(rows, "setup", "tool")
    cells = []
    for (setup, tool), runs in groups.items():
        peers = [groups.get((setup, peer)) or groups.get((ONE_BY_ONE, peer), []) for peer in ("D-ITG", "iperf3", "kernel alone, GSO")]
        cells.append([setup, tool, figure(runs, "pps", ",.0f", 1e-3, limits=True), *(_ratio(runs, peer) for peer in peers),
                      figure(runs, "taken_share", ".1%"), figure(runs, "records_lost", ",.0f")])
    rate = Table(f"Highest packet rate, {SIZE}-byte payload, one core a side",
                 ["on the cable", "program", "1000 packets/s", "to D-ITG", "to iperf3", "to kernel alone", "taken by the receiver", "records lost"], cells,
                 ["Packets that reached the receiving host's interface, in the steady part of the run. With trains, packets do not cross the "
                  "cable one by one: it is the rate at which they are delivered. iperf3's rate is always that of one by one. *Kernel alone* is one "
                  "thread that hands over equal packets without schedule, header, record or log, as far as possible in one call (GSO): what a "
                  "program can come close to on this machine, not beyond."])
    return [rate, costs(groups)]


def costs(groups) -> Table:
    cells = []
    for setup in (ONE_BY_ONE, SEGMENTED, JOINED):
        with_logs, without = groups.get((setup, "Groma"), []), groups.get((setup, "Groma, no logs"), [])
        if with_logs or without:
            cells.append([f"Groma, {setup}", figure(without, "pps", ",.0f", 1e-3), figure(with_logs, "pps", ",.0f", 1e-3),
                          _ratio(with_logs, without), figure(with_logs, "log_bytes_sent", ".2f"),
                          figure(with_logs, "log_bytes_received", ".2f")])
    ditg = groups.get((ONE_BY_ONE, "D-ITG"), [])
    if ditg:
        cells.append(["D-ITG, one by one", "-", figure(ditg, "pps", ",.0f", 1e-3), "-", figure(ditg, "log_bytes_sent", ".2f"),
                      figure(ditg, "log_bytes_received", ".2f")])
    return Table("What both logs cost at the highest rate",
                 ["program", "without logs, 1000/s", "with both, 1000/s", "ratio", "sender's log, bytes a packet", "receiver's"], cells)


def _ratio(runs, others) -> str:
    of = spread(ratios(runs, others, "pps"))
    return number(of.median, ".2f") if of else "-"
