#!/usr/bin/env python3
"""The examples for programs of others (docs/guide/other-tools.md) do what they say: GNU Octave draws, every query of Grafana's dashboard has an
answer in a results file, and tshark takes the profile."""
import json
import os
import pathlib
import re
import shutil
import sqlite3
import struct
import unittest

import ending
import lab
import wireshark

EXAMPLES = lab.ROOT / "examples"
START = 1_700_000_000_000_000_000  # of wireshark.capture()
EXPERIMENT = """
    seed = 3
    defaults = {to = "TO", duration = "1s"}
    [[flow]]
    name = "voice"
    idt = "exp:500pps"
    size = "unif:64:200"
    [[flow]]
    name = "it's a stream"
    transport = "tcp"
    idt = "const:200pps"
    size = 800
"""


def decode_a_run(test: lab.LabTest, *arguments) -> dict:
    """Two flows that were sent, decoded with these options in intervals of 100 ms. Returns the run as JSON has it."""
    test.b.receiver()
    (test.folder / "run.toml").write_text(EXPERIMENT.replace("TO", test.b.address))
    test.a.groma("send", "run.toml", "--logs", "run", "--force", "--quiet")
    return test.decoded("run", arguments=("--interval", "100ms", *arguments))["runs"][0]


class Results(lab.LabTest):
    def test_octave_draws_the_delays_of_each_flow(self):
        run = decode_a_run(self, "--octave", "results.m")
        said = lab.run("octave-cli", "--quiet", "--no-gui", "--path", EXAMPLES / "octave", "--eval", "groma_delays('results.m', 'delays.svg')",
                       cwd=self.folder).stdout.splitlines()
        self.assertEqual(said, [f"{flow['name']}: {flow['lost']} lost, delay {flow['delay_p50_ns'] / 1e6:.3f} ms (median), "
                                f"{flow['delay_p99_ns'] / 1e6:.3f} ms (99 %)" for flow in run["flows"]])
        picture = (self.folder / "delays.svg").read_text()
        for text in ("voice", "stream", "time in the run (s)"):
            self.assertIn(text, picture)

    def test_each_query_of_grafanas_dashboard_has_an_answer(self):
        run = decode_a_run(self, "--sqlite", "results.sqlite")
        dashboard = json.loads((EXAMPLES / "grafana-sqlite/dashboard.json").read_text())
        results = self.enterContext(sqlite3.connect(f"file:{self.folder}/results.sqlite?mode=ro", uri=True))
        variable = next(one for one in dashboard["templating"]["list"] if one["name"] == "run")
        (number,), = results.execute(variable["query"])
        for panel in dashboard["panels"]:
            with self.subTest(panel["title"]):
                target, = panel["targets"]
                self.assertEqual(target["queryText"], target["rawQueryText"])
                asked = results.execute(re.sub(r"\$run\b", str(number), target["rawQueryText"]))
                columns = [column[0] for column in asked.description]
                rows = asked.fetchall()
                self.assertLessEqual({*target["timeColumns"]} | {one["matcher"]["options"] for one in panel["fieldConfig"]["overrides"]}, {*columns})
                if target["queryType"] == "time series":
                    # The plugin makes a line of each name from rows in the order of time.
                    self.assertEqual((columns[:2], len(columns)), (["time", "name"], 3))
                    self.assertEqual([row[0] for row in rows], sorted(row[0] for row in rows))
                    self.assertEqual({row[1] for row in rows}, {"voice", "it's a stream"})
                    self.assertTrue(all(0 <= row[0] - run["started_ns"] / 1e9 < 60 for row in rows))
                    self.assertTrue(any(row[2] is not None for row in rows))
                else:
                    self.assertEqual(len(rows), 1 if "Runs" in panel["title"] else 2)
        # What a click on a run takes.
        shown, = results.execute(dashboard["panels"][0]["targets"][0]["rawQueryText"]).fetchall()
        self.assertLess(shown[-2], shown[-1])


class Profile(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(self.enterContext(ending.TemporaryFolder()))
        shutil.copytree(EXAMPLES / "wireshark", self.home / ".config/wireshark/profiles")
        shutil.copytree(wireshark.PLUGINS, self.home / ".local/lib/wireshark/plugins")
        slow, late = wireshark.packet(100, 8, START - 50_000_000, 3), wireshark.header(9, START - 5_000_000, 3, flags=1)
        stamps = struct.pack(">qq", START - 3_000_000, START - 2_000_000)
        hello = b'{"type":"keep_alive"}'
        self.file = wireshark.capture(self.home / "hand.pcap", [
            wireshark.udp(wireshark.packet(100, 7, START - 5_000_000, 3)), wireshark.udp(slow), wireshark.udp(late + stamps, back=True),
            wireshark.udp(wireshark.packet(100, 9, flow=1, magic=0x1111)), wireshark.tcp(struct.pack(">I", len(hello)) + hello, 0, ports=(43000, 9000))])

    def tshark(self, *arguments) -> list[str]:
        seen = lab.run("tshark", "-C", "Groma", "-o", "groma.udp:42000", "-r", self.file, *arguments,
                       env={**{k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "WIRESHARK_"))}, "HOME": str(self.home)})
        # It names a filter that it cannot read, and goes on.
        self.assertNotRegex(seen.stderr, "WARNING|Lua|neither")
        return seen.stdout.splitlines()

    def test_packets_have_the_profiles_colours_and_columns(self):
        self.assertEqual(self.tshark("--color", "-T", "fields", "-e", "frame.coloring_rule.name"), [
            "Groma: packet", "Groma: delay or round trip of 10 ms or more", "Groma: reply", "Groma: broken or foreign", "Groma: control session"])
        first, slow, reply, *_ = (line.split("\t") for line in self.tshark("-T", "tabs"))
        self.assertEqual([first[6:10], slow[6:10], reply[6:11]],
                         [["3", "7", "100", "0.005000000"], ["3", "8", "100", "0.050001000"], ["3", "9", "36", "", "0.005002000"]])

    def test_each_filter_of_the_profile_finds_its_packets(self):
        found = {}
        for line in (self.home / ".config/wireshark/profiles/Groma/dfilters").read_text().splitlines():
            name, text = re.fullmatch(r'"Groma: (.*)" (.*)', line).groups()
            found[name] = [int(number) for number in self.tshark("-Y", text, "-T", "fields", "-e", "frame.number")]
        self.assertEqual(found, {"packets of flows": [1, 2], "packets of flow 1": [4], "replies of the round-trip meter": [3],
                                 "delay or round trip of 10 ms or more": [2], "broken or foreign": [4], "control sessions": [5],
                                 "logs on their way": []})


if __name__ == "__main__":
    for program, package in (("octave-cli", "octave"), ("tshark", "tshark")):
        if not shutil.which(program):
            lab.skip(f"{package} is not installed: scripts/setup test installs it")
    lab.main()
