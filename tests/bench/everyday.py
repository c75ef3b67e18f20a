"""Table 6: what people do every day, by Groma and by the program that they would take for it: bulk over TCP and UDP, up, down and both
ways, with 1 and 8 streams; requests and responses; round-trip times.

Bulk is judged by the counters of the receiving hosts' interfaces. Transactions and round-trip times are the programs' own.
"""
from __future__ import annotations

import functools
import json
import re
import shutil
from typing import Callable, NamedTuple

import lab
from figures import bit_rate, spread
from pair import Ended, HostCounters, Pair
from plan import Part, Run
from tables import Table, figure, grouped, number, ratios
from tools import PORT

UDP_SIZE, MESSAGE, PROBE, PROBES_A_SECOND = 1452, 100, 64, 1000
IRTT_PORT = 2112


class Way(NamedTuple):
    """In which direction bulk goes, and how each program is told."""
    name: str
    groma: tuple[str, ...]
    iperf3: tuple[str, ...]


WAYS = (Way("up", (), ()), Way("down", ("--reverse",), ("--reverse",)), Way("both ways", ("--bidir",), ("--bidir",)))


class Task(NamedTuple):
    """`of`: the measurement of each program, Groma's first. `better`: whether "more" or "less" is better."""
    name: str
    unit: str
    better: str
    of: dict[str, Callable[[Pair, float], float]]
    scale: float = 1.0


def groma(pair: Pair, seconds: float, *options) -> dict:
    """The report of groma-send, without logs."""
    receiver = pair.start_receiver(lab.BIN / "groma-recv", "--open", ready=lambda program: "listening on" in program.said)
    try:
        ended = pair.send(lab.BIN / "groma-send", "--to", pair.receiver.address, "--duration", f"{seconds}s", "--wait", "500ms", "--quiet",
                          "--json=send.json", *options, limit=seconds + 20)
    finally:
        receiver.stop()
    if ended.status != 0:
        raise AssertionError(f"groma-send ended with {ended.status}:\n{ended.said[-500:]}")
    return json.loads((pair.folder / "send.json").read_text())


def peer(pair: Pair, server, ready, client, seconds: float) -> Ended:
    receiver = pair.start_receiver(*server, ready=ready)
    try:
        ended = pair.send(*client, limit=seconds + 20)
    finally:
        receiver.kill()
    if ended.status != 0:
        raise AssertionError(f"{client[0]} ended with {ended.status}:\n{ended.said[-500:]}")
    return ended


def arrived(way: Way, pair: Pair, send: Callable[[], object]) -> float:
    """Bits a second at the interfaces of the hosts that receive."""
    pair.segment_by_device(True)
    with HostCounters(pair.receiver) as there, HostCounters(pair.sender) as here:
        send()
    hosts = {"up": [there], "down": [here], "both ways": [there, here]}[way.name]
    return sum(bit_rate(host.samples) for host in hosts)


def bulk_by_groma(transport: str, way: Way, streams: int, pair: Pair, seconds: float) -> float:
    size = ["--size", UDP_SIZE] if transport == "udp" else []
    return arrived(way, pair, lambda: groma(pair, seconds, "--transport", transport, "--idt", "max", "--parallel", streams, *size, *way.groma))


def bulk_by_iperf3(transport: str, way: Way, streams: int, pair: Pair, seconds: float) -> float:
    udp = ["--udp", "--bitrate", 0, "--length", UDP_SIZE] if transport == "udp" else []
    client = ["iperf3", "--client", pair.receiver.address, "--time", round(seconds), "--parallel", streams, *udp, *way.iperf3]
    return arrived(way, pair, lambda: peer(pair, ["iperf3", "--server", "--one-off"], lambda _: pair.listens("tcp", 5201), client, seconds))


def requests_by_groma(transport: str, pair: Pair, seconds: float) -> float:
    report = groma(pair, seconds, "--transport", transport, "--request", MESSAGE, "--response", MESSAGE)
    return report["run"]["transactions_per_s"]


def requests_by_sockperf(transport: str, pair: Pair, seconds: float) -> float:
    tcp = ["--tcp"] if transport == "tcp" else []
    at = ["-i", pair.receiver.address, "-p", PORT]
    ended = peer(pair, ["sockperf", "server", *at, *tcp], lambda _: pair.listens(transport, PORT),
                 ["sockperf", "ping-pong", *at, "-m", MESSAGE, "-t", round(seconds), *tcp], seconds)
    return sockperf_transactions(ended.said)


def sockperf_transactions(said: str) -> float:
    time, messages = re.findall(r"RunTime=([0-9.]+) sec; .*ReceivedMessages=(\d+)", said)[-1]
    return int(messages) / float(time)


def round_trip_by_groma(pair: Pair, seconds: float) -> float:
    report = groma(pair, seconds, "--meter", "round-trip", "--idt", f"const:{PROBES_A_SECOND}pps", "--size", PROBE)
    return report["flows"][0]["round_trip"]["rtt_p50_ns"]


def round_trip_by_irtt(pair: Pair, seconds: float) -> float:
    ended = peer(pair, ["irtt", "server", "-b", f"{pair.receiver.address}:{IRTT_PORT}", "-i", "0"], lambda _: pair.listens("udp", IRTT_PORT),
                 ["irtt", "client", "-i", f"{1000 // PROBES_A_SECOND}ms", "-d", f"{round(seconds)}s", "-l", PROBE, "-Q", "-o", "-",
                  f"{pair.receiver.address}:{IRTT_PORT}"], seconds)
    return irtt_median(ended.said)


def irtt_median(said: str) -> float:
    return json.loads(said[said.index("{"):])["stats"]["rtt"]["median"]


def tasks(quick: bool) -> list[Task]:
    bulk = [Task(f"{transport.upper()} {way.name}, {streams} stream{'s' if streams > 1 else ''}", "Gbit/s", "more",
                 {"Groma": functools.partial(bulk_by_groma, transport, way, streams),
                  "iperf3": functools.partial(bulk_by_iperf3, transport, way, streams)}, 1e-9)
            for transport in ("tcp", "udp") for way in WAYS for streams in ((1,) if quick else (1, 8))]
    transactions = [Task(f"{transport.upper()} requests, {MESSAGE} bytes each way", "transactions/s", "more",
                         {"Groma": functools.partial(requests_by_groma, transport), "sockperf": functools.partial(requests_by_sockperf, transport)})
                    for transport in ("tcp", "udp")]
    times = [Task(f"UDP round trips, {PROBES_A_SECOND} a second, p50", "us", "less",
                  {"Groma": round_trip_by_groma, "irtt": round_trip_by_irtt}, 1e-3)]
    return bulk + transactions + times


def part(quick: bool, seconds: float) -> Part:
    def measure(one, pair):
        return {"value": one(pair, seconds), "remark": ""}

    def missing(tool):
        return "" if tool == "Groma" or shutil.which(tool) else f"{tool} is not installed"
    groups = [[Run({"task": task.name, "tool": tool}, f"{task.name}, {tool}", seconds + 2, functools.partial(measure, one), missing(tool))
               for tool, one in task.of.items()] for task in tasks(quick)]
    return Part("everyday", "Everyday tasks", groups, functools.partial(tables, tasks(quick)))


def tables(all_tasks: list[Task], rows: list[dict]) -> list[Table]:
    groups = grouped(rows, "task", "tool")
    cells = []
    for task in all_tasks:
        (ours, theirs), (mine, yours) = task.of, (groups.get((task.name, tool), []) for tool in task.of)
        of = spread(ratios(mine, yours, "value") if task.better == "more" else ratios(yours, mine, "value"))
        cells.append([task.name, theirs, task.unit, figure(mine, "value", 4, task.scale, limits=True),
                      figure(yours, "value", 4, task.scale, limits=True),
                      f"{number(of.median, '.2f')} ({number(of.least, '.2f')} to {number(of.most, '.2f')})" if of else "-"])
    return [Table("Everyday tasks: Groma and a peer in turns, one core a side", ["task", "peer", "unit", "Groma", "the peer", "ratio"], cells,
                  ["No logs. Ratios are of runs of one repetition; above 1 Groma does better. Bulk is what reached the receiving hosts' "
                   "interfaces, of both directions together; transactions and round-trip times are each program's own."])]
