#!/usr/bin/env python3
"""Pictures of loss and order of a network whose faults are known (netem), in user-mode Linux: this machine's kernel may have no netem."""
import math
import os
import pathlib
import re
import sqlite3

import lab
import uml
from flows import FlowsTest

SIGMAS = 5
KINDS = ["loss-periods", "loss-free-runs", "reordering-extent", "n-reordering"]


class LossPictures(FlowsTest):
    """Half of the packets of the second flow overtake others; the first loses packets in bursts (Gilbert's model)."""
    P, R, PACKETS = 0.05, 0.4, 6000

    def netem(self, band: int, port: int, *what):
        def tc(*command):
            lab.run("ip", "netns", "exec", self.lab.switch, "tc", *command)
        if band == 2:
            tc("qdisc", "add", "dev", "port2", "root", "handle", "1:", "prio", "bands", "3", "priomap", *["0"] * 16)
        tc("filter", "add", "dev", "port2", "parent", "1:", "protocol", "ip", "u32", "match", "ip", "protocol", "17", "0xff",
           "match", "ip", "dport", str(port), "0xffff", "flowid", f"1:{band}")
        tc("qdisc", "add", "dev", "port2", "parent", f"1:{band}", "netem", "limit", "100000", *what)

    def test_of_a_gilbert_channel_and_a_jumping_delay(self):
        self.netem(2, 5601, "loss", "gemodel", f"{100 * self.P}%", f"{100 * self.R}%")
        self.netem(3, 5602, "delay", "20ms", "8ms", "distribution", "normal")
        self.b.receiver()
        self.send([{"name": "bursts", "port": 5601}, {"name": "jumps", "port": 5602}], "--log", "send.glog", "--receiver-log",
                  "recv.glog", to=self.b.address, idt="const:2ms", size=100, packets=self.PACKETS)
        lab.run(lab.BIN / "groma-dec", "send.glog", "recv.glog", "--sqlite", "results.sqlite", "--quiet", cwd=self.folder)
        drawn = lab.run(lab.BIN / "groma-plot", "results.sqlite", "-o", "pictures", "--only", ",".join(KINDS),
                        "--format", os.environ.get("GROMA_PICTURES", "svg"), cwd=self.folder)
        self.assertEqual([pathlib.Path(path).stem for path in drawn.stdout.split() if path.endswith("svg")], KINDS, drawn.stderr)
        if keep := os.environ.get("GROMA_KEEP"):
            lab.run("cp", "-r", self.folder, keep)
        # The channel's own probabilities, within the error of chance of what it was drawn from.
        lost = self.PACKETS * self.P / (self.P + self.R)
        self.assertParameter("loss-periods", "r", self.R, lost)
        self.assertParameter("loss-free-runs", "p", self.P, self.PACKETS - lost)
        database = sqlite3.connect(self.folder / "results.sqlite")
        self.assertGreater(database.execute("SELECT reordered FROM reordering WHERE flow = 2").fetchone()[0], 500)
        text = (self.folder / "pictures/n-reordering.svg").read_text()
        self.assertIn("jumps", text)
        self.assertNotIn("bursts", text)  # that flow is in order

    def assertParameter(self, kind: str, name: str, wanted: float, packets: float):
        text = (self.folder / f"pictures/{kind}.svg").read_text()
        found = float(re.search(rf"bursts, Gilbert, {name} ([0-9.]+)", text)[1])
        error = math.sqrt(wanted * (1 - wanted) / packets)
        print(f"{name}: {found}, wanted {wanted} +- {SIGMAS} x {error:.2g}", flush=True)
        self.assertLessEqual(abs(found - wanted), SIGMAS * error + 0.0005)


load_tests = uml.load_tests_inside(__file__, LossPictures)


if __name__ == "__main__":
    lab.main()
