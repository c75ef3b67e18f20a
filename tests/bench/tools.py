"""The programs that the benches compare: how each sends a load, and what it reports afterwards.

A program's own report gives only those figures of the tables that no other program can know: records that it lost,
bytes of its logs, packets that it took out of trains (GRO).
"""
from __future__ import annotations

import functools
import json
import re
import shutil
import signal
import subprocess
from typing import NamedTuple

import lab
from pair import Ended, Pair

PORT = 5001
AS_FAST_AS_POSSIBLE = 10_000_000  # packets/s: more than any of these programs can send one by one


class Load(NamedTuple):
    kind: str          # "const", "exp": gaps; "max": as fast as possible
    rate: int          # packets/s; not used for "max"
    size: int          # bytes of payload
    seconds: float
    transport: str = "udp"
    seed: int = 1      # for programs that have one

    def __str__(self):
        return f"{self.transport} of {self.size} bytes, as fast as possible" if self.kind == "max" else f"{self.kind} {self.rate} packets/s"


class Ran(NamedTuple):
    """The program's own results of a run; None: not reported."""
    ended: Ended
    taken: int | None = None         # packets that the receiving program took
    sent: int | None = None
    log_bytes: tuple[int, int] | None = None   # of the sender's log, of the receiver's
    records_lost: int | None = None
    remark: str = ""


class Tool:
    name = ""
    program = ""

    def missing(self) -> str:
        """Why it cannot be run here; empty if it can."""
        return "" if shutil.which(self.program) else f"{self.program} is not installed"

    def can(self, load: Load) -> bool:
        return load.transport == "udp"

    def version(self) -> str:
        raise NotImplementedError

    def run(self, pair: Pair, load: Load, **send) -> Ran:
        """Runs it, receiver and sender; `send` goes to Pair.send."""
        raise NotImplementedError


def said_by(*command) -> str:
    """The first line of a program's version output, for any exit status."""
    result = lab.run(*command, check=False, stdin=subprocess.DEVNULL)
    return next((line for line in (result.stdout + result.stderr).splitlines() if line.strip()), "").strip()


@functools.cache
def groma_help(program: str) -> str:
    return lab.run(lab.BIN / f"groma-{program}", "--help").stdout


class Groma(Tool):
    """`options` go to groma-send, `receiver_options` to groma-recv; an option that its --help does not list makes it
    missing."""

    def __init__(self, name="Groma", logs=True, options=(), receiver_options=()):
        self.name, self.logs, self.options, self.receiver_options = name, logs, options, receiver_options

    def missing(self):
        if not (lab.BIN / "groma-send").exists():
            return f"there is no groma-send in {lab.BIN}"
        unknown = [f"groma-{program} has no {option}" for program, options in (("send", self.options), ("recv", self.receiver_options))
                   for option in options if str(option).startswith("--") and not re.search(rf"{option}\b", groma_help(program))]
        return ", ".join(unknown)

    def can(self, load):
        return True

    def version(self):
        return said_by(lab.BIN / "groma-send", "--version")

    @staticmethod
    def flow(load: Load) -> list[str]:
        if load.kind == "max":
            rate = AS_FAST_AS_POSSIBLE if load.transport == "udp" else 1_000_000
            gaps = f"const:{rate}pps"
        else:
            gaps = f"{load.kind}:{load.rate}pps"
        return ["--to", "10.99.0.2", "--transport", load.transport, "--idt", gaps, "--size", f"const:{load.size}", "--duration",
                f"{load.seconds}s", "--seed", str(load.seed)]

    def run(self, pair, load, **send):
        start = functools.partial(pair.start_receiver, lab.BIN / "groma-recv", "--open-to-anyone", *self.receiver_options,
                                  ready=lambda program: "listening on" in program.said)
        receiver = start()
        logs = ["--log", "send.glog", "--receiver-log", "recv.glog"] if self.logs else []
        try:
            ended = pair.send(lab.BIN / "groma-send", *self.flow(load), *self.options, *logs, "--wait", "500ms", "--quiet",
                              "--json=send.json", limit=load.seconds + 20, **send)
        finally:
            receiver.stop()
        try:
            report = json.loads((pair.folder / "send.json").read_text())
        except OSError:
            raise AssertionError(f"groma-send made no report:\n{ended.said[-500:]}") from None
        return Ran(ended, **groma_figures(report), log_bytes=self._log_bytes(pair))

    def _log_bytes(self, pair):
        files = [pair.folder / name for name in ("send.glog", "recv.glog")]
        return tuple(file.stat().st_size for file in files) if self.logs and all(file.exists() for file in files) else None

    @staticmethod
    @functools.lru_cache(maxsize=4)
    def schedule(load: Load) -> list[float]:
        """The departures (s) of this load by `groma-send --dry-run`."""
        said = lab.run(lab.BIN / "groma-send", *Groma.flow(load), "--dry-run=json", limit=120).stdout
        return [float(offset) for offset in re.findall(r'"offset_s": ?([0-9.e+-]+)', said)]


def groma_figures(report: dict) -> dict:
    """Of groma-send's JSON report (docs/reference/report-json.md)."""
    total = report["total"]
    remark = "" if all(flow["end"] in ("complete", "cut_short") for flow in report["flows"]) else "; ".join(report["errors"])
    return {"sent": total["sent_packets"], "taken": total["received_packets"],
            "records_lost": total["sent_records_missing"] + (total["received_records_missing"] or 0), "remark": remark}


class Ditg(Tool):
    """D-ITG, both logs on, each written by its own side. Its receiver is restarted for each run: it may end with a
    session."""

    program = "ITGSend"
    record_bytes = 144

    def __init__(self, name="D-ITG", *options):
        self.name, self.options = name, options

    def version(self):
        return f"D-ITG: {said_by('ITGSend', '-h')}"

    def run(self, pair, load, **send):
        receiver = pair.start_receiver("ITGRecv", ready=lambda _: pair.listens("tcp", 9000))
        rate = AS_FAST_AS_POSSIBLE // 10 if load.kind == "max" else load.rate
        try:
            ended = pair.send("ITGSend", "-a", pair.receiver.address, "-T", "UDP", "-E" if load.kind == "exp" else "-C", rate, "-c",
                              load.size, "-t", round(load.seconds * 1000), "-l", "send.itg", "-x", "recv.itg", *self.options,
                              limit=load.seconds + 20, **send)
        finally:
            receiver.kill()
        files = [pair.folder / name for name in ("send.itg", "recv.itg")]
        if not all(file.exists() for file in files):
            raise AssertionError(f"ITGSend left no logs:\n{ended.said[-500:]}")
        sent, received = (file.stat().st_size for file in files)
        return Ran(ended, taken=received // self.record_bytes, sent=sent // self.record_bytes, log_bytes=(sent, received))


class KernelLimit(Tool):
    """One thread that only hands equal packets to the kernel in one way: the limit that any program can approach
    here."""

    WAYS = {"each": "send", "several": "sendmmsg", "segmented": "GSO"}

    def __init__(self, way: str, gro: bool = False):
        self.name, self.way, self.gro = f"kernel alone, {self.WAYS[way]}", way, gro

    def missing(self):
        return "" if (lab.BIN / "kernel_limit").exists() else f"there is no kernel_limit in {lab.BIN}: build with -DGROMA_BENCH=ON"

    def run(self, pair, load, **send):
        receiver = pair.start_receiver(lab.BIN / "kernel_limit", "receive", PORT, *(["gro"] if self.gro else []),
                                       ready=lambda _: pair.listens("udp", PORT))
        try:
            ended = pair.send(lab.BIN / "kernel_limit", "send", f"{pair.receiver.address}:{PORT}", self.way, load.size, load.seconds,
                              limit=load.seconds + 20, **send)
        finally:
            receiver.stop()
        sent, took = re.search(r"sent (\d+)", ended.said), re.search(r"took (\d+) bytes", receiver.said)
        return Ran(ended, sent=int(sent[1]) if sent else None, taken=int(took[1]) // load.size if took else None)


class Mgen(Tool):
    """MGEN with PRECISE ON, which spins; its receiver writes its log as text, its sender logs no packets."""

    name = "MGEN precise"
    program = "mgen"

    def version(self):
        said = lab.run("timeout", "-s", "INT", "1", "mgen", check=False, stdin=subprocess.DEVNULL)
        found = re.search(r"version (\S+)", said.stdout + said.stderr)
        return f"MGEN {found[1]}" if found else "MGEN, version unknown"

    def run(self, pair, load, **send):
        receiver = pair.start_receiver("mgen", "event", f"listen udp {PORT}", "output", "recv.mgen",
                                       ready=lambda _: pair.listens("udp", PORT))
        pattern = {"exp": "POISSON", "const": "PERIODIC", "max": "PERIODIC"}[load.kind]
        rate = -1 if load.kind == "max" else load.rate  # -1: as fast as possible
        (pair.folder / "send.mgn").write_text(f"0.0 ON 1 UDP DST {pair.receiver.address}/{PORT} {pattern} [{rate} {load.size}]\n"
                                              f"{load.seconds} OFF 1\n")
        # At full speed it checks neither its clock nor signals.
        end = {"limit": load.seconds, "stop_with": signal.SIGKILL} if load.kind == "max" else {"limit": load.seconds + 20}
        try:
            ended = pair.send("mgen", "precise", "on", "input", "send.mgn", "output", "send.mgen", **end, **send)
        finally:
            receiver.stop(signal.SIGINT)
        log = pair.folder / "recv.mgen"
        taken = lab.run("grep", "-c", " RECV ", log, check=False).stdout.strip()
        return Ran(ended, taken=int(taken or 0))


class Iperf3(Tool):
    """iperf3, without logs; over UDP only with constant rates."""

    name = "iperf3"
    program = "iperf3"

    def can(self, load):
        return load.kind != "exp"

    def version(self):
        return said_by("iperf3", "--version")

    def run(self, pair, load, **send):
        receiver = pair.start_receiver("iperf3", "--server", "--one-off", ready=lambda _: pair.listens("tcp", 5201))
        what = []
        if load.transport == "udp":
            bits = 0 if load.kind == "max" else load.rate * load.size * 8
            what = ["--udp", "--bitrate", bits, "--length", load.size]
        try:
            ended = pair.send("iperf3", "--client", pair.receiver.address, "--time", round(load.seconds), "--json", *what,
                              limit=load.seconds + 20, **send)
        finally:
            receiver.kill()
        return Ran(ended, **(iperf3_figures(ended.said, load.size) if load.transport == "udp" else {}))


def iperf3_figures(said: str, size: int) -> dict:
    """Of the JSON that a client of UDP prints."""
    end = json.loads(said[said.index("{"):])["end"]
    return {"sent": end["sum_sent"]["packets"], "taken": round(end["sum_received"]["bytes"] / size)}


class Sockperf(Tool):
    """sockperf's one-way throughput test, without logs; constant rates only."""

    name = "sockperf"
    program = "sockperf"

    def can(self, load):
        return load.kind != "exp" and load.transport == "udp"

    def version(self):
        return said_by("sockperf", "--version").replace(", version", "")

    def run(self, pair, load, **send):
        receiver = pair.start_receiver("sockperf", "server", "-i", pair.receiver.address, "-p", PORT,
                                       ready=lambda _: pair.listens("udp", PORT))
        rate = "max" if load.kind == "max" else load.rate
        try:
            ended = pair.send("sockperf", "throughput", "-i", pair.receiver.address, "-p", PORT, "-m", load.size, "-t", round(load.seconds),
                              "--mps", rate, "--dontwarmup", limit=load.seconds + 20, **send)
        finally:
            receiver.stop(signal.SIGINT)
        return Ran(ended, **sockperf_figures(ended.said, receiver.said))


def sockperf_figures(client: str, server: str) -> dict:
    sent = re.search(r"Total of (\d+) messages sent", client)
    taken = re.search(r"Total (\d+) messages received", server)
    return {"sent": int(sent[1]) if sent else None, "taken": int(taken[1]) if taken else None}
