#!/usr/bin/env python3
"""Pictures of loss and order of a network whose faults are drawn with a seed: glog_writer.py writes the logs.
guest_loss_pictures_test.py has a network of the kernel."""
import math
import os
import pathlib
import random
import re
import sqlite3
import unittest

import ending
import glog
import glog_writer
import lab

SIGMAS = 5
KINDS = ["loss-periods", "loss-free-runs", "reordering-extent", "n-reordering"]
START, GAP = 1_700_000_000_000_000_000, 2_000_000


class PicturesTest:
    """A folder with logs of two flows: packets of `bursts` were lost by a Gilbert channel, and about a hundred
    packets of `jumps` overtake others."""
    P, R, PACKETS = 0.05, 0.4, 6000

    def check_pictures(self, folder: pathlib.Path):
        lab.run(lab.BIN / "groma-dec", "send.glog", "recv.glog", "--sqlite", "results.sqlite", "--quiet", cwd=folder)
        drawn = lab.run(lab.BIN / "groma-plot", "results.sqlite", "-o", "pictures", "--only", ",".join(KINDS),
                        "--format", os.environ.get("GROMA_PICTURES", "svg"), cwd=folder)
        self.assertEqual([pathlib.Path(path).stem for path in drawn.stdout.split() if path.endswith("svg")], KINDS, drawn.stderr)
        if keep := os.environ.get("GROMA_KEEP"):
            lab.run("cp", "-r", folder, keep)
        # The channel's own probabilities, within the error of chance of the drawn sample.
        lost = self.PACKETS * self.P / (self.P + self.R)
        self.assertParameter(folder, "loss-periods", "r", self.R, lost)
        self.assertParameter(folder, "loss-free-runs", "p", self.P, self.PACKETS - lost)
        database = sqlite3.connect(folder / "results.sqlite")
        self.assertGreater(database.execute("SELECT reordered FROM reordering WHERE flow = 2").fetchone()[0], 500)
        text = (folder / "pictures/n-reordering.svg").read_text()
        self.assertIn("jumps", text)
        self.assertNotIn("bursts", text)  # that flow is in order

    def assertParameter(self, folder: pathlib.Path, kind: str, name: str, wanted: float, packets: float):
        text = (folder / f"pictures/{kind}.svg").read_text()
        found = float(re.search(rf"bursts, Gilbert, {name} ([0-9.]+)", text)[1])
        error = math.sqrt(wanted * (1 - wanted) / packets)
        print(f"{name}: {found}, wanted {wanted} +- {SIGMAS} x {error:.2g}", flush=True)
        self.assertLessEqual(abs(found - wanted), SIGMAS * error + 0.0005)


def metadata(role: str) -> dict:
    def flow(number: int, name: str) -> dict:
        ends = (f"10.0.0.1:500{number}", f"10.0.0.2:560{number}")
        local, remote = ends if role == "sender" else ends[::-1]
        return {"local_address": local, "remote_address": remote, "spec": {
            "header": "full", "id": number, "idt": {"family": "const", "value": float(GAP)}, "name": name, "profile": "", "seed": number,
            "size": {"family": "const", "value": 100.0}, "start_delay_ns": 0, "stop": {"packets": PicturesTest.PACKETS},
            "target": {"control_port": 9000, "data_port": 5600 + number, "host": "10.0.0.2"}, "transport": "udp"}}
    return {"boot_id": "one", "experiment": "drawn", "host": role, "program": f"a test's {role}", "role": role, "run_id": 32 * "7", "seed": 1,
            "started_at_ns": START, "timestamps": "user", "flows": [flow(1, "bursts"), flow(2, "jumps")]}


class LossPictures(PicturesTest, unittest.TestCase):
    def test_of_a_gilbert_channel_and_a_jumping_delay(self):
        draw = random.Random(7)
        sent = [glog.Sent(flow, seq, START + seq * GAP, 0, 100, 1) for flow in (1, 2) for seq in range(self.PACKETS)]
        received, bad = [], False
        for it in sent:
            if it.flow == 1:
                bad = draw.random() >= self.R if bad else draw.random() < self.P
                delay = 1_000_000
            else:
                bad, delay = False, max(0, round(draw.gauss(20e6, 8e6)))
            if not bad:
                received.append(glog.Received(it.flow, it.seq, it.sent_at, it.sent_at + delay, 100, None, None))
        received.sort(key=lambda it: it.received_at)
        end = START + (self.PACKETS + 100) * GAP
        with ending.TemporaryFolder(prefix="groma-pictures-") as name:
            folder = pathlib.Path(name)
            (folder / "send.glog").write_bytes(glog_writer.log(metadata("sender"), sent, end))
            (folder / "recv.glog").write_bytes(glog_writer.log(metadata("receiver"), received, end))
            self.check_pictures(folder)


if __name__ == "__main__":
    lab.main(root=False)
