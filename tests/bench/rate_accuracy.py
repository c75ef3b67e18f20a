#!/usr/bin/env python3
"""How exactly packets leave on time, judged by tcpdump on the receiving host: Groma, and D-ITG beside it if installed.

Two hosts (network namespaces), 64-byte UDP payload, both logs on. For each asked rate: packets a second that the witness saw between
the first and the last, against the rate of the schedule itself (for D-ITG, whose schedule nobody knows, the rate asked for); the error
of each gap against the schedule's (for D-ITG with constant rates only); the part of a core that the sending program used. Medians over
the repetitions, which alternate between the tools.

usage: rate_accuracy.py [--seconds 10] [--repeat 3] [--only const:2000,exp:2000] [--groma-only] [--options="--realtime"]
(as root; GROMA_BIN names the programs' folder; --options are groma-send's)
"""
import argparse
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
import lab  # noqa: E402

RATES = ["const:1000", "const:2000", "const:10000", "const:50000", "exp:1000", "exp:2000", "exp:10000", "exp:50000"]


def flow(kind, rate, seconds):
    return ["--to", "10.99.0.2", "--idt", f"{kind}:{rate}pps", "--size", "const:64", "--duration", f"{seconds}s", "--seed", "1"]


def cpu_of_children():
    """Seconds of all children that have ended and were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def groma(*extra):
    """Returns what a sender returns: (rate of the schedule, its gaps in ns or None, the sender's CPU seconds)."""
    def send(a, b, kind, rate, seconds):
        receiver = b.receiver()
        before = cpu_of_children()
        a.groma("send", *flow(kind, rate, seconds), "--log", "send.glog", "--receiver-log", "recv.glog", *extra, limit=seconds + 60)
        cpu = cpu_of_children() - before
        receiver.stop()
        lines = a.groma("send", *flow(kind, rate, seconds), "--dry-run=json").stdout.splitlines()
        offsets = [departure["offset_s"] for departure in map(json.loads, lines) if "seq" in departure]
        gaps = [(later - earlier) * 1e9 for earlier, later in zip(offsets, offsets[1:])]
        return (len(offsets) - 1) / (offsets[-1] - offsets[0]), gaps, cpu
    return send


def ditg(*extra):
    def send(a, b, kind, rate, seconds):
        receiver = b.start("ITGRecv", name="ITGRecv")
        lab.wait_until("ITGRecv to listen", lambda: ":9000" in b.run("ss", "-tln").stdout)
        option = "-C" if kind == "const" else "-E"
        before = cpu_of_children()
        with open(a.lab.folder / "itg.out", "wb") as out:
            subprocess.run(a.command("ITGSend", "-a", b.address, "-T", "UDP", option, rate, "-c", "64", "-t", seconds * 1000, "-l",
                                     "itg-send.log", "-x", "itg-recv.log", *extra), stdin=subprocess.DEVNULL, stdout=out,
                           stderr=out, cwd=a.lab.folder, timeout=seconds + 60, check=True)
        cpu = cpu_of_children() - before
        receiver.kill()
        return rate, [1e9 / rate] if kind == "const" else None, cpu
    return send


def percentile(values, fraction):
    values = sorted(values)
    return values[min(len(values) - 1, int(fraction * len(values)))] if values else float("nan")


def gap_errors(times, gaps):
    """|seen - scheduled| in microseconds; nothing when the schedule is not known or packets are missing."""
    seen = [later - earlier for earlier, later in zip(times, times[1:])]
    if gaps is None or len(gaps) not in (1, len(seen)):
        return []
    gaps = gaps * len(seen) if len(gaps) == 1 else gaps
    return [abs(one - other) / 1000 for one, other in zip(seen, gaps)]


def measure(tool, kind, rate, seconds):
    with lab.Lab(2) as hosts:
        a, b = hosts.hosts
        witness = b.witness("udp")
        asked, gaps, cpu = tool(a, b, kind, rate, seconds)
        times = [p.time_ns for p in witness.packets() if p.payload == 64]
    achieved = (len(times) - 1) * 1e9 / (times[-1] - times[0])
    errors = gap_errors(times, gaps)
    return len(times), asked, achieved, percentile(errors, 0.5), percentile(errors, 0.99), cpu / seconds


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=int, default=10)
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--groma-only", action="store_true")
    options.add_argument("--only", default=",".join(RATES))
    options.add_argument("--options", default="")
    options = options.parse_args()
    if os.geteuid() != 0:
        sys.exit("this makes network namespaces, which needs root")
    tools = {"groma": groma(*options.options.split())}
    if shutil.which("ITGSend") and not options.groma_only:
        tools |= {"D-ITG": ditg(), "D-ITG -poll": ditg("-poll")}
    print(f"{os.uname().sysname} {os.uname().release}, {os.cpu_count()} cores, {options.seconds} s, {options.repeat} repetitions")
    print(f"{'asked':>12}  {'tool':<12} {'packets':>8} {'schedule/s':>11} {'achieved/s':>11} {'error':>10} {'gap error p50':>14} {'p99 [us]':>9} {'core':>6}")
    for kind, rate in (asked.split(":") for asked in options.only.split(",")):
        runs = {name: [] for name in tools}
        for _ in range(options.repeat):
            for name, tool in tools.items():
                runs[name].append(measure(tool, kind, int(rate), options.seconds))
        for name, measured in runs.items():
            packets, asked, achieved, median, tail, core = (statistics.median(column) for column in zip(*measured))
            print(f"{kind + ' ' + rate:>12}  {name:<12} {packets:>8.0f} {asked:>11.2f} {achieved:>11.2f} {achieved / asked - 1:>+10.4%} "
                  f"{median:>14.2f} {tail:>9.2f} {core:>6.1%}", flush=True)


if __name__ == "__main__":
    main()
