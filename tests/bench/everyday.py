"""Table 6: what people do every day, by Groma and by the program that they would take for it: bulk over TCP and UDP, up, down and both
ways, with 1 and 8 streams; requests and responses, over one connection and over a connection each; round-trip times.

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
# Bytes of HTTP, heads and bodies: a head of ab has 81 and its path, one of nginx 136 with a body of two digits' length.
HTTP_REQUEST, HTTP_RESPONSE, HTTP_PORT = 100, 200, 8080
HTTP_PATH, HTTP_BODY = "/".ljust(HTTP_REQUEST - 81, "x"), "x" * (HTTP_RESPONSE - 136)
# One process, as one worker is, and nothing outside of the pair's folder.
NGINX = """daemon off; master_process off; user root; pid nginx.pid;
events {{}}
http {{
    access_log off; server_tokens off; default_type text/plain;
    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
    server {{ listen {address}:{port}; location / {{ return 200 {body}; }} }}
}}
"""


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
    receiver = pair.start_receiver(lab.BIN / "groma-recv", "--open-to-anyone", ready=lambda program: "listening on" in program.said)
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


def connections_by_groma(pair: Pair, seconds: float) -> float:
    report = groma(pair, seconds, "--transport", "tcp", "--connect-each", "--request", HTTP_REQUEST, "--response", HTTP_RESPONSE)
    return report["run"]["transactions_per_s"]


def connections_by_ab(pair: Pair, seconds: float) -> float:
    (pair.folder / "nginx.conf").write_text(NGINX.format(address=pair.receiver.address, port=HTTP_PORT, body=HTTP_BODY))
    most = round(seconds * 100_000)  # without it ab stops at 50,000
    ended = peer(pair, ["nginx", "-p", pair.folder, "-c", "nginx.conf", "-e", "stderr"], lambda _: pair.listens("tcp", HTTP_PORT),
                 ["ab", "-q", "-c", 1, "-t", round(seconds), "-n", most, f"http://{pair.receiver.address}:{HTTP_PORT}{HTTP_PATH}"], seconds)
    return ab_transactions(ended.said)


def ab_transactions(said: str) -> float:
    """Transactions/s. Raises AssertionError if some failed, or their responses had another size than Groma's."""
    complete, failed, transferred = (int(re.search(rf"^{name}: +(\d+)", said, re.MULTILINE)[1])
                                     for name in ("Complete requests", "Failed requests", "Total transferred"))
    # At its end ab drops a response that it did not read to the end, whose bytes it counts.
    if failed or "Non-2xx" in said or not 0 <= transferred - complete * HTTP_RESPONSE <= HTTP_RESPONSE:
        raise AssertionError(f"ab: {complete} requests, {failed} of them failed, {transferred} bytes of responses")
    return float(re.search(r"^Requests per second: +([0-9.]+)", said, re.MULTILINE)[1])


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
    connections = [Task("TCP connections, one request each", "transactions/s", "more",
                        {"Groma": connections_by_groma, "ab and nginx": connections_by_ab})]
    times = [Task(f"UDP round trips, {PROBES_A_SECOND} a second, p50", "us", "less",
                  {"Groma": round_trip_by_groma, "irtt": round_trip_by_irtt}, 1e-3)]
    return bulk + transactions + connections + times


def part(quick: bool, seconds: float) -> Part:
    def measure(one, pair):
        return {"value": one(pair, seconds), "remark": ""}

    def missing(tool):
        absent = [program for program in tool.split(" and ") if tool != "Groma" and not shutil.which(program)]
        return f"{' and '.join(absent)} {'are' if absent[1:] else 'is'} not installed" if absent else ""
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
                   "interfaces, of both directions together; transactions and round-trip times are each program's own.",
                  f"Connections: {HTTP_REQUEST} bytes there and {HTTP_RESPONSE} back. Those of ab and nginx are HTTP/1.0, head and body; Groma's have a "
                  "head of 21 bytes. Groma closes with a reset, ab and nginx with a FIN each."])]
