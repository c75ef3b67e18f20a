"""Table 3: bits a second with large packets over UDP, and over TCP; judged by the counters of the receiving host's interface."""
from __future__ import annotations

import functools

from figures import bit_rate, payload_rate, spread
from pair import HostCounters, Pair
from plan import Part, Run
from tables import Table, figure, grouped, number, ratios
from tools import Groma, Iperf3, Load, Tool

UDP_SIZE, TCP_SIZE = 1472, 65536


def part(quick: bool, seconds: float) -> Part:
    udp, tcp = Load("max", 0, UDP_SIZE, seconds), Load("max", 0, TCP_SIZE, seconds, "tcp")
    setups = [("UDP, one by one", udp, False, [Groma(), Iperf3()]),
              ("UDP, trains, receiver with GRO", udp, True, [Groma(receiver_options=("--gro", "on"))]),
              ("TCP", tcp, True, [Groma(), Groma("Groma, no logs", logs=False), Iperf3()])]
    groups = [[Run({"setup": setup, "tool": tool.name}, f"{setup}, {tool.name}", seconds + 3, functools.partial(measure, tool, load, trains),
                   tool.missing()) for tool in tools if not quick or tool.name != "Groma, no logs"]
              for setup, load, trains, tools in setups]
    return Part("bandwidth", "Bits a second", groups, tables)


def measure(tool: Tool, load: Load, trains: bool, pair: Pair) -> dict:
    pair.segment_by_device(trains)
    with HostCounters(pair.receiver) as counters:
        ran = tool.run(pair, load)
    arrived = counters.total().payloads(load.size)
    bps = payload_rate(counters.samples, load.size) * load.size * 8 if load.transport == "udp" else bit_rate(counters.samples)
    return {"bps": bps, "cpu": ran.ended.cpu_s / ran.ended.elapsed_s, "records_lost": ran.records_lost, "remark": ran.remark,
            "taken_share": ran.taken / arrived if ran.taken is not None and load.transport == "udp" else None}


def tables(rows: list[dict]) -> list[Table]:
    groups = grouped(rows, "setup", "tool")
    cells = []
    for (setup, tool), runs in groups.items():
        iperf3 = groups.get((setup, "iperf3")) or groups.get(("UDP, one by one", "iperf3"), [])
        of = spread(ratios(runs, iperf3, "bps"))
        cells.append([setup, tool, figure(runs, "bps", ".2f", 1e-9, limits=True), number(of.median, ".2f") if of else "-",
                      figure(runs, "cpu", ".2f")])
    return [Table(f"Bits a second: UDP of {UDP_SIZE} bytes, TCP of {TCP_SIZE} bytes a message; one core a side",
                  ["traffic", "program", "Gbit/s", "to iperf3", "sender's CPU s/s"], cells,
                  ["Payload of UDP, and of TCP all that reached the receiving host's interface. Groma with both logs unless it says otherwise; "
                   "iperf3 has none."])]
