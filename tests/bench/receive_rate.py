#!/usr/bin/env python3
"""How many packets a second groma-recv receives on one core, from a sender without a schedule (receive_flood) on
another one.

Two hosts (network namespaces) joined by a veth pair, packets of one flow, sent 64 at a time as one message of the
kernel: split by the sender's device, so that each crosses the wire by itself ("each"), or not split ("whole"). With and
without a log.

usage: receive_rate.py [--seconds 2] [--repeat 3] [--size 64] [--flows 1]   (as root; GROMA_BIN names the programs' folder, built with
GROMA_BENCH; needs two cores)
"""
import argparse
import json
import os
import pathlib
import signal
import statistics
import subprocess
import tempfile
import time

BIN = pathlib.Path(os.environ.get("GROMA_BIN", "build/release/bin")).resolve()
CASES = [(way, gro, log) for way, gro in (("each", "off"), ("whole", "off"), ("whole", "on"), ("whole", "auto")) for log in (False, True)]


def ip(*command):
    subprocess.run(["ip", *command], check=True)


class Pair:
    """Two hosts at the ends of a veth pair."""

    def __enter__(self):
        self.names = [f"groma-bench{os.getpid()}{end}" for end in "ab"]
        for name in self.names:
            ip("netns", "add", name)
        ip("-n", self.names[0], "link", "add", "eth0", "type", "veth", "peer", "name", "eth0", "netns", self.names[1])
        for number, name in enumerate(self.names, 1):
            ip("-n", name, "addr", "add", f"10.98.0.{number}/24", "dev", "eth0")
            ip("-n", name, "link", "set", "eth0", "up")
        return self

    def __exit__(self, *_):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False)

    def command(self, end: int, core: int, *command):
        return ["ip", "netns", "exec", self.names[end], "taskset", "-c", str(core), *map(str, command)]


def measure(way, gro, log, arguments) -> dict:
    with Pair() as pair, tempfile.TemporaryDirectory() as folder:
        subprocess.run(pair.command(0, 0, "ethtool", "-K", "eth0", "tx-udp-segmentation", "off" if way == "each" else "on"), check=True,
                       stdout=subprocess.DEVNULL)
        port_file = pathlib.Path(folder) / "port"
        receiver = subprocess.Popen(pair.command(1, 1, BIN / "groma-recv", "--open-to-anyone", "--log-dir", folder, "--gro", gro, "--threads", 1,
                                                 "--port-file", port_file), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while not port_file.exists():
                time.sleep(0.05)
            said = subprocess.run(pair.command(0, 0, BIN / "receive_flood", "10.98.0.2:9000", f"seconds={arguments.seconds}",
                                               f"size={arguments.size}", f"flows={arguments.flows}",
                                               *(["log=recv.glog"] if log else [])),
                                  check=True, capture_output=True, text=True, timeout=arguments.seconds + 60).stdout
        finally:
            receiver.send_signal(signal.SIGTERM)
            receiver.wait(30)
        found = json.loads(said)
        found["log_bytes"] = sum(path.stat().st_size for path in pathlib.Path(folder).glob("*.glog"))
        return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--flows", type=int, default=1)
    arguments = parser.parse_args()
    print("on the wire | GRO | log | sent [kpkt/s] | received [kpkt/s] | not received [%] | records lost | log bytes a packet")
    for way, gro, log in CASES:
        runs = [measure(way, gro, log, arguments) for _ in range(arguments.repeat)]

        def median(key):
            return statistics.median(run[key] for run in runs)
        lost = statistics.median(100 * (1 - run["received"] / run["sent"]) for run in runs)
        size = statistics.median(run["log_bytes"] / max(1, run["received"]) for run in runs)
        print(f"{way} | {gro} | {'on' if log else 'off'} | {median('sent_pps') / 1e3:.0f} | {median('received_pps') / 1e3:.0f} | "
              f"{lost:.2f} | {median('records_lost'):.0f} | {size:.2f}", flush=True)


if __name__ == "__main__":
    main()
