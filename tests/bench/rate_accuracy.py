#!/usr/bin/env python3
"""How exactly packets leave on time, judged by tcpdump on the receiving host: Groma, and D-ITG beside it if installed.

Two hosts (network namespaces), 64-byte UDP payload, both logs on. For each asked rate: packets a second that the witness saw between
the first and the last, against the rate of the schedule itself (for D-ITG, whose schedule nobody knows, the rate asked for); for
constant rates also the error of each gap. Medians over the repetitions, which alternate between the tools.

usage: rate_accuracy.py [--seconds 10] [--repeat 3] [--groma-only]      (as root; GROMA_BIN names the programs' folder)
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
import lab  # noqa: E402

RATES = [("const", 1000), ("const", 2000), ("const", 10000), ("exp", 2000)]


def flow(kind, rate, seconds):
    return ["--to", "10.99.0.2", "--idt", f"{kind}:{rate}pps", "--size", "const:64", "--duration", f"{seconds}s", "--seed", "1"]


def groma(a, b, kind, rate, seconds):
    receiver = b.receiver()
    a.groma("send", *flow(kind, rate, seconds), "--log", "send.glog", "--receiver-log", "recv.glog", limit=seconds + 60)
    receiver.stop()
    lines = a.groma("send", *flow(kind, rate, seconds), "--dry-run=json").stdout.splitlines()
    offsets = [departure["offset_s"] for departure in map(json.loads, lines) if "seq" in departure]
    return (len(offsets) - 1) / (offsets[-1] - offsets[0])


def ditg(*extra):
    def send(a, b, kind, rate, seconds):
        receiver = b.start("ITGRecv", name="ITGRecv")
        lab.wait_until("ITGRecv to listen", lambda: ":9000" in b.run("ss", "-tln").stdout)
        option = "-C" if kind == "const" else "-E"
        with open(a.lab.folder / "itg.out", "wb") as out:
            subprocess.run(a.command("ITGSend", "-a", b.address, "-T", "UDP", option, rate, "-c", "64", "-t", seconds * 1000, "-l",
                                     "itg-send.log", "-x", "itg-recv.log", *extra), stdin=subprocess.DEVNULL, stdout=out,
                           stderr=out, cwd=a.lab.folder, timeout=seconds + 60, check=True)
        receiver.kill()
        return rate
    return send


def percentile(values, fraction):
    values = sorted(values)
    return values[min(len(values) - 1, int(fraction * len(values)))] if values else float("nan")


def measure(tool, kind, rate, seconds):
    with lab.Lab(2) as hosts:
        a, b = hosts.hosts
        witness = b.witness("udp")
        asked = tool(a, b, kind, rate, seconds)
        times = [p.time_ns for p in witness.packets() if p.payload == 64]
    gaps = [later - earlier for earlier, later in zip(times, times[1:])]
    achieved = len(gaps) * 1e9 / (times[-1] - times[0])
    errors = [abs(gap - 1e9 / rate) / 1000 for gap in gaps] if kind == "const" else []
    return len(times), asked, achieved, percentile(errors, 0.5), percentile(errors, 0.99)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=int, default=10)
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--groma-only", action="store_true")
    options = options.parse_args()
    if os.geteuid() != 0:
        sys.exit("this makes network namespaces, which needs root")
    tools = {"groma": groma}
    if shutil.which("ITGSend") and not options.groma_only:
        tools |= {"D-ITG": ditg(), "D-ITG -poll": ditg("-poll")}
    print(f"{os.uname().sysname} {os.uname().release}, {os.cpu_count()} cores, {options.seconds} s, {options.repeat} repetitions")
    print(f"{'asked':>12}  {'tool':<12} {'packets':>8} {'schedule/s':>11} {'achieved/s':>11} {'error':>10} {'gap error p50':>14} {'p99 [us]':>9}")
    for kind, rate in RATES:
        runs = {name: [] for name in tools}
        for _ in range(options.repeat):
            for name, tool in tools.items():
                runs[name].append(measure(tool, kind, rate, options.seconds))
        for name, measured in runs.items():
            packets, asked, achieved, median, tail = (statistics.median(column) for column in zip(*measured))
            print(f"{kind + ' ' + str(rate):>12}  {name:<12} {packets:>8.0f} {asked:>11.2f} {achieved:>11.2f} {achieved / asked - 1:>+10.4%} "
                  f"{median:>14.2f} {tail:>9.2f}", flush=True)


if __name__ == "__main__":
    main()
