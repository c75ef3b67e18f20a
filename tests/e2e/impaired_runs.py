#!/usr/bin/env python3
"""Runs of Groma and of iperf3 over a network that loses, delays, doubles and reorders packets (netem), with all their
outputs: logs, captures on both hosts, iperf3's own results. Runs in user-mode Linux, as this machine's kernel may have
no netem; made() starts this file there and returns the folder.
"""
from __future__ import annotations

import json
import os
import pathlib
import sys

import lab
import quiet
import uml

GUEST_STOOD_STILL_NS = 100_000_000
KEPT = 128  # bytes of a frame that captures keep
IPERF_SIZE = 600  # bytes of payload: iperf3's other packets are smaller
STAMPS = lab.BIN / "libreceive_stamps.so"


def netem(hosts: lab.Lab, *what):
    """netem on the switch, towards host b: for UDP packets of at least 256 bytes in total."""
    def tc(*command, check=True):
        lab.run("ip", "netns", "exec", hosts.switch, "tc", *command, check=check)
    tc("qdisc", "del", "dev", "port2", "root", check=False)
    tc("qdisc", "add", "dev", "port2", "root", "handle", "1:", "prio", "bands", "2", "priomap", *["0"] * 16)
    for size in (0x0100, 0x0200, 0x0400):  # the highest bit of the length
        tc("filter", "add", "dev", "port2", "parent", "1:", "protocol", "ip", "u32", "match", "ip", "protocol", "17", "0xff",
           "match", "u16", hex(size), hex(0xFFFF & -size), "at", "2", "flowid", "1:2")
    tc("qdisc", "add", "dev", "port2", "parent", "1:2", "netem", "limit", "100000", *what)


def groma(hosts: lab.Lab, folder: pathlib.Path):
    a, b = hosts.hosts
    netem(hosts, "delay", "20ms", "4ms", "distribution", "normal", "loss", "3%", "duplicate", "2%")
    (hosts.folder / "run.toml").write_text(f"""
        [defaults]
        to = "{b.address}"
        duration = "2s"
        [[flow]]
        name = "steady"
        port = 5601
        idt = "const:2ms"
        size = "unif:240:900"
        [[flow]]
        name = "bursty"
        port = 5602
        idt = "exp:4ms"
        size = 300
        """)
    b.receiver()

    def once(attempt: int):
        logs = f"send-{attempt}.glog", f"recv-{attempt}.glog"
        leaving, arriving = (host.witness("udp portrange 5601-5602", KEPT, direction=way) for host, way in ((a, "out"), (b, "in")))
        report = json.loads(a.groma("send", "run.toml", "--log", logs[0], "--receiver-log", logs[1], "--quiet", "--json").stdout)
        made_of_it = {"a.pcap": leaving.captured(), "b.pcap": arriving.captured(),
                      **{name: (hosts.folder / log).read_bytes() for name, log in zip(("send.glog", "recv.glog"), logs)}}
        return max(flow["lateness_max_ns"] for flow in report["flows"]), made_of_it

    for name, content in quiet.calmest(once, GUEST_STOOD_STILL_NS).items():
        (folder / name).write_bytes(content)


def iperf(hosts: lab.Lab, folder: pathlib.Path):
    """Without doubled packets: iperf3 counts each of them against a lost one."""
    a, b = hosts.hosts
    netem(hosts, "delay", "15ms", "3ms", "distribution", "normal", "loss", "3%")
    lab.run("sysctl", "-qw", "net.core.rmem_default=16777216")  # room for all that it sends at once after the guest stood still
    server = b.start("env", f"LD_PRELOAD={STAMPS}", f"RECEIVE_STAMPS={folder / 'stamps'}", "iperf3", "--server", "--one-off", "--json",
                     "--forceflush", name="iperf3")
    lab.wait_until("iperf3 to listen", lambda: "5201" in b.run("ss", "-tln").stdout)
    arriving = b.witness("udp port 5201", KEPT)
    a.run("iperf3", "--client", b.address, "--udp", "--length", IPERF_SIZE, "--bitrate", "2M", "--time", 2)
    server.wait()
    (folder / "iperf.pcap").write_bytes(arriving.captured())
    (folder / "server.json").write_bytes(server.output.read_bytes())


def made(folder: pathlib.Path):
    """Makes the runs, and puts their outputs into the folder."""
    names = ("GROMA_BIN", "GROMA_ROOT", "GROMA_BUILD")
    status, said = uml.run([sys.executable, "-B", pathlib.Path(__file__).resolve(), folder],
                           {name: os.environ[name] for name in names if name in os.environ})
    if status != 0:
        raise AssertionError(f"the runs could not be made:\n{said}")


if __name__ == "__main__":
    with lab.Lab(2) as hosts_of_the_runs:
        groma(hosts_of_the_runs, pathlib.Path(sys.argv[1]))
        iperf(hosts_of_the_runs, pathlib.Path(sys.argv[1]))
