#!/usr/bin/env python3
"""What logging costs: no logs, local logs, and a log server over TCP, UDP and MPI (docs/design/log-cost.md).

Three hosts (network namespaces): sender, receiver, log server. One UDP flow of constant rate; in all but the first mode both sides log.
Varied one at a time: records per block of the logs, payload size, asked rate. Modes take turns; figures are medians over the repetitions,
ratios are to the run without logs of the same repetition. Received packets are counted by nftables on the receiving host, not by us.

usage: log_cost.py [--out DIR] [--quick] [--seconds 5] [--repeat 5] [--modes none,local,tcp,udp,mpi] [--sweeps buffer,size,rate]
       (as root; GROMA_BIN names the programs' folder)
"""
import argparse
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections import namedtuple

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "e2e")]
import lab  # noqa: E402
from figures import spread  # noqa: E402
from progress import Progress, about_this_machine  # noqa: E402

try:
    import mpirun
except ImportError:
    mpirun = None

DATA_PORT = 5001
MODES = {"none": "no logs", "local": "local", "tcp": "log server, TCP", "udp": "log server, UDP", "mpi": "log server, MPI"}

Sweep = namedtuple("Sweep", "name key axis values quick log_scale")
SWEEPS = [
    Sweep("buffer", "block", "records per block", [1, 10, 50, 200, 1000, 4096], [10, 4096], True),
    Sweep("size", "size", "payload [bytes]", [64, 128, 256, 512, 1024, 1400], [64, 1400], False),
    Sweep("rate", "rate", "asked rate [packets/s]", [10000, 25000, 50000, 75000, 100000, 150000], [5000, 20000], False),
]
FIGURES = [("generated_pps", "generated [packets/s]"), ("received_pps", "received [packets/s]"),
           ("not_generated", "packets not generated [%]")]
PICTURES = [*FIGURES, ("generated_pps_ratio", "generated packets, as a ratio to no logs")]
COLUMNS = ["sweep", "x", "mode", "repetition", "rate", "size", "block", "seconds", "asked_packets", "sent_packets", "witness_packets",
           "generated_pps", "received_pps", "not_generated", "records_lost", "lateness_p99_ns", "failures"]


class Point(namedtuple("Point", "rate size block")):
    """The settings of one run."""

    def flow(self, seconds):
        return ["--idt", f"const:{self.rate}pps", "--size", f"const:{self.size}", "--duration", f"{seconds}s"]


class Counter:
    """nftables on a host counts the packets that come in for the data port."""

    def __init__(self, host):
        self.host = host
        host.run("nft", "add table inet witness; add chain inet witness in { type filter hook prerouting priority -300; }; "
                        f"add rule inet witness in iifname {host.device} udp dport {DATA_PORT} counter")

    def packets(self):
        return int(re.search(r"counter packets (\d+)", self.host.run("nft", "list", "table", "inet", "witness").stdout)[1])


class Bench:
    def __init__(self, hosts, seconds, known_options):
        self.sender, self.receiver, self.server = hosts.hosts
        self.folder = hosts.folder
        self.seconds = seconds
        self.known = known_options
        self.counter = Counter(self.receiver)

    def run(self, mode, point):
        """One run; the figures of its row."""
        for old in ("kept", "spool", "job", "send.json"):
            target = self.folder / old
            shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)
        before = self.counter.packets()
        report, said = self.run_mpi(point) if mode == "mpi" else self.run_programs(mode, point)
        witness = self.counter.packets() - before
        for log in self.folder.glob("*.glog*"):
            log.unlink()
        total = report["total"]
        generated = total["sent_pps"]
        sending_s = total["sent_packets"] / generated if generated else self.seconds
        lost = total["sent_records_missing"] + (total["received_records_missing"] or 0)
        return {"rate": point.rate, "size": point.size, "block": point.block, "seconds": self.seconds,
                "asked_packets": point.rate * self.seconds, "sent_packets": total["sent_packets"], "witness_packets": witness,
                "generated_pps": generated, "received_pps": witness / sending_s,
                "not_generated": max(0.0, 1 - generated / point.rate), "records_lost": lost,
                "lateness_p99_ns": total["lateness_p99_ns"], "failures": " ".join(report["errors"]) or said}

    def run_programs(self, mode, point):
        block = ["--log-block", point.block] if self.known["--log-block"] else []
        receiver = self.receiver.receiver(*block, *self.receiver_spool(), keep_logs=True)
        server = self.server.log_server("--dir", "kept") if mode in ("tcp", "udp") else None
        logs = {"none": [], "local": ["--log", "send.glog", "--receiver-log", "recv.glog", *block]}.get(mode)
        if logs is None:
            logs = ["--log-server", self.server.address, *block]
            logs += ["--log-transport", mode] if self.known["--log-transport"] else []
            logs += ["--spool-dir", "spool"] if self.known["--spool-dir"] else []
        result = self.sender.groma("send", "--to", self.receiver.address, "--port", DATA_PORT, *point.flow(self.seconds), *logs, "--wait",
                                   "500ms", "--quiet", "--json=send.json", keep_logs=True, check=False, limit=self.seconds * 3 + 90)
        receiver.stop()
        if server:
            server.stop()
        if not (self.folder / "send.json").exists():
            sys.exit(f"groma-send did not run in mode '{mode}':\n{result.stderr}")
        return json.loads((self.folder / "send.json").read_text()), result.stderr.strip().splitlines()[0] if result.stderr.strip() else ""

    def receiver_spool(self):
        return ["--spool-dir", "receiver-spool"] if "--spool-dir" in programs_help("recv") else []

    def run_mpi(self, point):
        """A sender, a receiver and a log server as ranks; logs go over MPI."""
        (self.folder / "cost.toml").write_text(f"""
            [hosts]
            receiver = "{self.receiver.address}"
            [[flow]]
            to = "receiver"
            port = {DATA_PORT}
            idt = "const:{point.rate}pps"
            size = {point.size}
            duration = "{self.seconds}s"
        """)
        block = ["--log-block", point.block] if self.known["groma-mpi --log-block"] else []
        job = mpirun.over([self.sender, self.receiver, self.server], "cost.toml", "--log-transport", "mpi", "--out", "job", "--wait", "500ms",
                          "--quiet", "--json=send.json", *block)
        result = lab.run(*self.sender.command(*job), cwd=self.folder, env=mpirun.environment(self.folder), check=False,
                         limit=self.seconds * 3 + 90)
        if not (self.folder / "send.json").exists():
            sys.exit(f"groma-mpi did not run:\n{result.stderr}")
        return json.loads((self.folder / "send.json").read_text()), result.stderr.strip()


def programs_help(program):
    return lab.run(lab.BIN / f"groma-{program}", "--help").stdout


def measure(options, out):
    known = {name: name in programs_help("send") for name in ("--log-transport", "--log-block", "--spool-dir")}
    known["groma-mpi --log-block"] = (lab.BIN / "groma-mpi").exists() and "--log-block" in programs_help("mpi")
    modes = usable_modes(options.modes, known)
    plan = []
    for sweep in options.sweeps:
        for value in sweep.quick if options.quick else sweep.values:
            plan.append((sweep, value, options.point._replace(**{sweep.key: value})))
    if not known["--log-block"] and any(sweep.name == "buffer" for sweep, *_ in plan):
        print("groma-send has no --log-block here: the sweep of records per block is left out")
        plan = [step for step in plan if step[0].name != "buffer"]
    progress = Progress(len(plan) * len(modes) * options.repeat)
    rows = []
    with lab.Lab(3) as hosts, open(out / "runs.csv", "w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        bench = Bench(hosts, options.seconds, known)
        for repetition in range(1, options.repeat + 1):
            for number, (sweep, value, point) in enumerate(plan):
                turn = (number + repetition) % len(modes)
                for mode in modes[turn:] + modes[:turn]:
                    if mode == "mpi" and sweep.name == "buffer" and not known["groma-mpi --log-block"]:
                        continue
                    progress.step(f"{sweep.name} {value}, {MODES[mode]}")
                    row = {"sweep": sweep.name, "x": value, "mode": mode, "repetition": repetition} | bench.run(mode, point)
                    rows.append(row)
                    table.writerow(row)
                    file.flush()
    progress.end()
    return rows


def usable_modes(asked, known):
    modes = []
    for mode in asked:
        if mode == "udp" and not known["--log-transport"]:
            print("groma-send has no --log-transport here: UDP is left out")
        elif mode == "mpi" and (mpirun is None or not (lab.BIN / "groma-mpi").exists() or not shutil.which("mpirun")):
            print("there is no groma-mpi or no mpirun here: MPI is left out")
        else:
            modes.append(mode)
    return modes


def summarize(rows):
    """A row for each sweep, value and mode: medians, smallest and largest, and the median ratio to no logs."""
    groups = {}
    for row in rows:
        groups.setdefault((row["sweep"], row["x"], row["mode"]), []).append(row)
    summary = []
    for (sweep, x, mode), runs in groups.items():
        baseline = {run["repetition"]: run for run in groups.get((sweep, x, "none"), [])}
        entry = {"sweep": sweep, "x": x, "mode": mode, "runs": len(runs)}
        for key, _ in FIGURES:
            entry[key], entry[key + "_min"], entry[key + "_max"] = spread([run[key] for run in runs])
        for key in ("generated_pps", "received_pps"):
            ratios = [run[key] / baseline[run["repetition"]][key] for run in runs
                      if run["repetition"] in baseline and baseline[run["repetition"]][key]]
            for suffix, value in zip(("", "_min", "_max"), spread(ratios) if ratios else (None,) * 3):
                entry[key + "_ratio" + suffix] = value
        entry["records_lost"] = max(run["records_lost"] for run in runs)
        entry["failed_runs"] = sum(bool(run["errors"]) for run in runs)
        summary.append(entry)
    order = list(MODES)
    return sorted(summary, key=lambda entry: (entry["sweep"], entry["x"], order.index(entry["mode"])))


def print_tables(summary, sweeps):
    for sweep in sweeps:
        entries = [entry for entry in summary if entry["sweep"] == sweep.name]
        if not entries:
            continue
        print(f"\n{sweep.axis}: packets a second, median (smallest to largest); ratio to no logs\n")
        print(f"{sweep.axis:>24}  {'mode':<16} {'generated':>10} {'(range)':>19} {'ratio':>7} {'received':>10} {'(range)':>19} {'ratio':>7} "
              f"{'not generated':>14} {'records lost':>13}")
        for entry in entries:
            def ratio(key):
                return f"{entry[key + '_ratio']:.4f}" if entry[key + "_ratio"] is not None else "-"

            def limits(key):
                return f"{entry[key + '_min']:.0f} to {entry[key + '_max']:.0f}"
            print(f"{entry['x']:>24}  {MODES[entry['mode']]:<16} {entry['generated_pps']:>10.0f} {limits('generated_pps'):>19} "
                  f"{ratio('generated_pps'):>7} {entry['received_pps']:>10.0f} {limits('received_pps'):>19} {ratio('received_pps'):>7} "
                  f"{entry['not_generated']:>13.3%} {entry['records_lost']:>13}")
    failed = sum(entry["failed_runs"] for entry in summary)
    if failed:
        print(f"\n{failed} runs say that something went wrong: column 'failures' of runs.csv")


def draw(summary, sweeps, out):
    """Each figure against each sweep, as in the paper's figures 25 to 34."""
    colours = {"none": "#000000", "local": "#0072B2", "tcp": "#D55E00", "udp": "#009E73", "mpi": "#CC79A7"}
    ranges = {"not_generated": "[0:0.1<*]", "generated_pps_ratio": "[*<0.9:1.02<*]"}
    points = {"none": 7, "local": 4, "tcp": 8, "udp": 2, "mpi": 12}
    for sweep in sweeps:
        entries = [entry for entry in summary if entry["sweep"] == sweep.name]
        modes = [mode for mode in MODES if any(entry["mode"] == mode for entry in entries)]
        for key, title in PICTURES if entries else []:
            factor = 100 if key == "not_generated" else 1
            script = ["set encoding utf8", "set border 3 lc rgb '#444444'", "set tics nomirror out scale 0.6",
                      "set grid lc rgb '#dddddd' lt 1 lw 0.7", "set key outside top horizontal", f"set yrange {ranges.get(key, '[0:*]')}",
                      f"set xlabel '{sweep.axis}'", f"set ylabel '{title}'", f"set format y '{'%.4g' if key in ranges else '%.0f'}'", "set offsets graph 0.03, graph 0.03"]
            script += ["set logscale x"] if sweep.log_scale else []
            script.append("set xtics (" + ", ".join(f"'{x}' {x}" for x in sorted({e["x"] for e in entries})) + ")")
            for mode in modes:
                lines = [f"{e['x']} " + " ".join(f"{e.get(k, e[key]) * factor}" for k in (key, key + "_min", key + "_max"))
                         for e in entries if e["mode"] == mode and e[key] is not None]
                script += [f"${mode} << EOD", *lines, "EOD"]
            curves = ", ".join(f"${m} using 1:2:3:4 with yerrorlines lw 1.5 lc rgb '{colours[m]}' pt {points[m]} title '{MODES[m]}'"
                               for m in modes)
            for terminal, suffix in (("svg size 960,540 dynamic background rgb 'white' font 'sans-serif,13'", "svg"),
                                     ("pngcairo size 1280,720 font 'sans,13'", "png")):
                picture = out / f"{sweep.name}-{key}.{suffix}"
                text = "\n".join([f"set terminal {terminal} noenhanced", f"set output '{picture}'", *script, f"plot {curves}", ""])
                subprocess.run(["gnuplot"], input=text, text=True, check=True)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("log-cost"), help="folder for tables and pictures")
    parser.add_argument("--quick", action="store_true", help="shows that the bench works: short runs, few values; not for figures")
    parser.add_argument("--seconds", type=int, help="of each run (default 5)")
    parser.add_argument("--repeat", type=int, help="repetitions of each run (default 5)")
    parser.add_argument("--modes", default=",".join(MODES), help=f"some of {','.join(MODES)}")
    parser.add_argument("--sweeps", default=",".join(sweep.name for sweep in SWEEPS), help="some of buffer,size,rate")
    parser.add_argument("--rate", type=int, default=50000, help="packets a second where it is not varied")
    parser.add_argument("--size", type=int, default=512, help="bytes of payload where it is not varied")
    parser.add_argument("--block", type=int, default=4096, help="records per block where it is not varied")
    options = parser.parse_args()
    options.seconds = options.seconds or (1 if options.quick else 5)
    options.repeat = options.repeat or (1 if options.quick else 5)
    options.rate = min(options.rate, 10000) if options.quick else options.rate
    options.point = Point(options.rate, options.size, options.block)
    options.modes = options.modes.split(",")
    names = options.sweeps.split(",")
    options.sweeps = [sweep for sweep in SWEEPS if sweep.name in names]
    if set(options.modes) - set(MODES) or set(names) - {sweep.name for sweep in SWEEPS}:
        parser.error(f"modes are {','.join(MODES)}; sweeps are {','.join(sweep.name for sweep in SWEEPS)}")
    return options


def main():
    options = read_options()
    if os.geteuid() != 0:
        sys.exit("this makes network namespaces, which needs root")
    if not shutil.which("nft") or not shutil.which("gnuplot"):
        sys.exit("this needs nft and gnuplot: apt-get install nftables gnuplot-nox")
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    heading = about_this_machine() + [f"{options.seconds} s a run, {options.repeat} repetitions; where not varied: {options.point.rate} "
                                      f"packets/s of {options.point.size} bytes, {options.point.block} records per block"]
    print("\n".join(heading), flush=True)
    rows = measure(options, out)
    summary = summarize(rows)
    (out / "about.txt").write_text("\n".join(heading) + "\n")
    with open(out / "summary.csv", "w", newline="") as file:
        table = csv.DictWriter(file, summary[0].keys())
        table.writeheader()
        table.writerows(summary)
    print_tables(summary, options.sweeps)
    draw(summary, options.sweeps, out)
    print(f"\ntables and pictures are in {out}")


if __name__ == "__main__":
    main()
