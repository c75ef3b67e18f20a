"""Table 6: a hundred thousand flows over UDP, and ten thousand over TCP, of one process to one other: set-up, memory, rates; both logs on."""
from __future__ import annotations

import functools
import json
import time

import lab
from figures import capture_flows, rate_of
from many_flows import BYTES_KEPT, FLOW_AT
from many_flows import _resident_kb as resident_kb
from pair import Pair
from plan import Part, Run
from tables import Table, figure, grouped, median, number
from tools import Groma, groma_figures

SIZE = 64
#        name: (transport, flows, packets/s of each)
SETUPS = {"UDP, few": ("udp", 100, 1000), "UDP, 10,000": ("udp", 10_000, 10), "UDP, 100,000": ("udp", 100_000, 1),
          "TCP, few": ("tcp", 100, 100), "TCP, 10,000": ("tcp", 10_000, 1)}
# the reference for the memory of a setup: flows that send as many packets in total
FEW = {"UDP, 10,000": "UDP, few", "UDP, 100,000": "UDP, few", "TCP, 10,000": "TCP, few"}


def part(quick: bool, seconds: float) -> Part:
    names = [name for name in SETUPS if not quick or name != "UDP, 100,000"]
    groups = [[Run({"setup": name}, name, seconds + 20, functools.partial(measure, name, seconds), Groma().missing())] for name in names]
    return Part("scale", "Very many flows", groups, tables)


def measure(name: str, seconds: float, pair: Pair) -> dict:
    transport, flows, rate = SETUPS[name]
    pair.segment_by_device(False)
    receiver = pair.start_receiver(lab.BIN / "groma-recv", "--open-to-anyone", ready=lambda program: "listening on" in program.said, pinned=False)
    witness = pair.witness(SIZE, bytes_kept=BYTES_KEPT) if transport == "udp" else None
    memory: dict[str, int | None] = {}
    began = time.monotonic()

    def look_at_memory(pid):
        # A log that is being written has another name until it is complete.
        log = pair.folder / "send.glog.part"
        lab.wait_until("the run to begin", lambda: resident_kb(pid) is None or (log.exists() and "begins:" in receiver.said), 60)
        time.sleep(max(seconds - 1, 1))
        memory["sender"], memory["receiver"] = resident_kb(pid), resident_kb(receiver.process.pid)

    started_ns = time.time_ns()
    try:
        ended = pair.send(lab.BIN / "groma-send", "--to", pair.receiver.address, "--transport", transport, "--flows", flows, "--idt",
                          f"const:{rate}pps", "--size", f"const:{SIZE}", "--duration", f"{seconds}s", "--start-spread", f"{1e9 / rate:.0f}ns",
                          "--log", "send.glog", "--receiver-log", "recv.glog", "--quiet", "--json=send.json", limit=seconds + 90,
                          while_it_runs=look_at_memory, pinned=False)
    finally:
        receiver.stop()
    report = json.loads((pair.folder / "send.json").read_text())
    total = report["total"]
    said = groma_figures(report)
    row = {"setup_s": (report["run"]["started_ns"] - started_ns) / 1e9, "elapsed_s": time.monotonic() - began,
           "lateness_p50_us": total["lateness_p50_ns"] / 1000, "lateness_p99_us": total["lateness_p99_ns"] / 1000,
           "lost": total["lost"], "packets": total["sent_packets"], "cpu": ended.cpu_s / seconds,
           "sender_kb": memory["sender"], "receiver_kb": memory["receiver"], "records_lost": said["records_lost"], "remark": said["remark"]}
    if witness:
        rates = [rate_of(times) for times in capture_flows(witness.captured(), FLOW_AT, BYTES_KEPT).values()]
    else:
        rates = [flow["sent_pps"] for flow in report["flows"]]
    if len(rates) != flows:
        raise AssertionError(f"{len(rates)} of {flows} flows were seen; groma-send said:\n{ended.said[-500:]}")
    row["worst_rate_error"] = max(abs(each / rate - 1) for each in rates)
    return row


def memory_a_flow(groups: dict[str, list[dict]], setup: str, side: str) -> float | None:
    """KB of `side` ("sender_kb", "receiver_kb") for each flow more; None if it is unknown."""
    few = FEW[setup]
    grown, before = median(groups.get(setup, []), side), median(groups.get(few, []), side)
    return None if grown is None or before is None else (grown - before) / (SETUPS[setup][1] - SETUPS[few][1])


def tables(rows: list[dict]) -> list[Table]:
    groups = {setup: runs for (setup,), runs in grouped(rows, "setup").items()}

    def a_flow(setup, side):
        return "-" if setup not in FEW else number(memory_a_flow(groups, setup, side), ".2f")

    cells = [[setup, f"{SETUPS[setup][2]}", figure(runs, "setup_s", ".2f", limits=True), a_flow(setup, "sender_kb"),
              a_flow(setup, "receiver_kb"), figure(runs, "worst_rate_error", ".3%", limits=True),
              figure(runs, "lateness_p50_us", ".1f"), figure(runs, "lateness_p99_us", ".1f", limits=True), figure(runs, "lost", ".0f"),
              figure(runs, "records_lost", ".0f"), figure(runs, "cpu", ".2f")] for setup, runs in groups.items()]
    return [Table(f"Very many flows of one Groma to one other, {SIZE}-byte payload, starts spread over a gap, on all cores, both logs",
                  ["flows", "packets/s each", "start of the program to start of the run [s]", "sender KB a flow", "receiver KB a flow",
                   "worst flow's rate error", "lateness p50 [us]", "lateness p99 [us]", "lost", "records lost", "sender's CPU s/s"], cells,
                  ["Rates over UDP by tcpdump, over TCP by groma-send's report, as lateness is. Memory: resident, in user space, more than with "
                   "100 flows of the same packet rate in all, over the number of flows."])]
