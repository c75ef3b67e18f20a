"""Table 5: ten thousand flows of one sender: their rates, their set-up, and the memory that each takes; both logs on."""
from __future__ import annotations

import functools
import json
import pathlib
import re
import time

import lab
from figures import HEADERS, capture_flows, gap_errors, gaps_of, percentile, rate_of
from pair import Pair
from plan import Part, Run
from tables import Table, figure, grouped, median, number
from tools import Groma, groma_figures, groma_help

SIZE = 64
PACKETS_PER_S = 100_000   # of all flows together, for any number of them
FLOW_AT = HEADERS + 12          # of a flow's number, in a packet (docs/reference/wire-format.md): very many flows share sockets, and with them ports
BYTES_KEPT = FLOW_AT + 4        # of each packet
BYTES_IN_CAPTURE = BYTES_KEPT + 16
FLOWS = [100, 10_000]     # the memory of the second is compared with the first


def part(quick: bool, seconds: float) -> Part:
    groups = [[Run({"flows": flows}, f"{flows} flows", seconds + 8, functools.partial(measure, flows, seconds), Groma().missing())]
              for flows in FLOWS]
    return Part("flows", "Many flows", groups, tables)


def experiment(flows: int, seconds: float) -> str:
    """Flows of one constant rate whose first packets are spread over their gap, like those of independent sources."""
    rate = PACKETS_PER_S // flows
    one = "[[flow]]\nstart = \"{}ns\"\n"
    return (f'duration = "{seconds}s"\nseed = 1\n[defaults]\nto = "10.99.0.2"\nidt = "const:{rate}pps"\nsize = {SIZE}\n'
            + "".join(one.format(number * 1_000_000_000 // PACKETS_PER_S) for number in range(flows)))


def measure(flows: int, seconds: float, pair: Pair) -> dict:
    pair.segment_by_device(False)
    (pair.folder / "flows.toml").write_text(experiment(flows, seconds))
    threads = ["--threads", "auto"] if re.search(r"--threads N\|auto", groma_help("send")) else []
    receiver = pair.start_receiver(lab.BIN / "groma-recv", "--open-to-anyone", ready=lambda program: "listening on" in program.said, pinned=False)
    witness = pair.witness(SIZE, bytes_kept=BYTES_KEPT)
    memory: dict[str, int | None] = {}
    enough = PACKETS_PER_S * seconds * 0.8 * BYTES_IN_CAPTURE

    def look_at_memory(pid):
        # Both ends have allocated all memory when the flows have sent for a while.
        lab.wait_until("packets of all flows", lambda: _resident_kb(pid) is None or witness.file.stat().st_size > enough, seconds + 30)
        memory["sender"], memory["receiver"] = _resident_kb(pid), _resident_kb(receiver.process.pid)

    started_ns = time.time_ns()
    try:
        ended = pair.send(lab.BIN / "groma-send", "flows.toml", *threads, "--log", "send.glog", "--receiver-log", "recv.glog", "--quiet",
                          "--json=send.json", limit=seconds + 40, while_it_runs=look_at_memory, pinned=False)
    finally:
        receiver.stop()
    times = capture_flows(witness.captured(), FLOW_AT, BYTES_KEPT)
    if len(times) != flows:
        raise AssertionError(f"the witness saw {len(times)} of {flows} flows; groma-send said:\n{ended.said[-500:]}")
    report = json.loads((pair.folder / "send.json").read_text())
    rate = PACKETS_PER_S / flows
    deviations = [abs(rate_of(of_flow) / rate - 1) for of_flow in times.values()]
    errors = [error for of_flow in times.values() for error in gap_errors(gaps_of(of_flow), [1e9 / rate] * (len(of_flow) - 1))]
    said = groma_figures(report)
    return {"worst_rate_error": max(deviations), "gap_error_p99_us": percentile(errors, 0.99) / 1000,
            "lateness_p99_us": report["total"]["lateness_p99_ns"] / 1000, "cpu": ended.cpu_s / seconds,
            "setup_s": (min(of_flow[0] for of_flow in times.values()) - started_ns) / 1e9, "sender_kb": memory["sender"],
            "receiver_kb": memory["receiver"], "packets": sum(map(len, times.values())), "records_lost": said["records_lost"],
            "remark": said["remark"]}


def _resident_kb(pid: int) -> int | None:
    """None if the program has ended."""
    found = re.search(r"VmRSS:\s*(\d+) kB", pathlib.Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) if found else None


def memory_a_flow(few: list[dict], many: list[dict], side: str) -> float | None:
    """KB of `side` ("sender_kb", "receiver_kb") for each flow more; None if it is unknown."""
    grown, before = median(many, side), median(few, side)
    return None if grown is None or before is None else (grown - before) / (FLOWS[-1] - FLOWS[0])


def tables(rows: list[dict]) -> list[Table]:
    groups = grouped(rows, "flows")
    few = groups.get((FLOWS[0],), [])

    def a_flow(runs, flows, side):
        return "-" if flows == FLOWS[0] else number(memory_a_flow(few, runs, side), ".2f")

    cells = [[f"{flows:,}", f"{PACKETS_PER_S // flows}", figure(runs, "worst_rate_error", ".3%", limits=True),
              figure(runs, "lateness_p99_us", ".1f", limits=True), figure(runs, "gap_error_p99_us", ".1f"),
              figure(runs, "setup_s", ".2f", limits=True), a_flow(runs, flows, "sender_kb"), a_flow(runs, flows, "receiver_kb"),
              figure(runs, "cpu", ".2f"), figure(runs, "records_lost", ".0f")] for (flows,), runs in groups.items()]
    return [Table(f"Many flows of one Groma, {PACKETS_PER_S:,} packets/s in all, {SIZE}-byte payload, on all cores, both logs",
                  ["flows", "packets/s each", "worst flow's rate error", "lateness p99 [us]", "gap error p99 [us]", "start to first packet [s]",
                   "sender KB a flow", "receiver KB a flow", "sender's CPU s/s", "records lost"], cells,
                  ["Rates and gaps by tcpdump; lateness by groma-send's report. Memory: resident, more than with "
                   f"{FLOWS[0]} flows of the same packet rate in all, over the number of flows."])]
