#!/usr/bin/env python3
"""Targets as users write them: literals of both families, names, ports. And names of flows and runs with special
meaning for terminals, people, spreadsheets, browsers or gnuplot."""
import base64
import csv
import html
import json
import pathlib
import re
import shutil
import xml.etree.ElementTree

import lab
from flows import table

AWKWARD = ("''", "'a", "a''''b", "javascript:", "=1+1", "-2+3", "@SUM(A1)", "<b>&amp;", "50 % `id`", "a\u202eb")


def shown(name: str) -> str:
    return name.replace("\u202e", r"\xe2\x80\xae")


class Names(lab.LabTest):
    def send(self, to: str, *arguments):
        result = self.a.groma("send", "--to", to, "--idt", "const:1000pps", "--size", "const:100", "--packets", "100", "--json",
                              "--quiet", *arguments)
        self.assertEqual(json.loads(result.stdout)["flows"][0]["received_packets"], 100)

    def test_ipv4_and_ipv6_literals_with_and_without_a_port(self):
        self.b.receiver()
        for to in (self.b.address, f"{self.b.address}:9000", self.b.address6, f"[{self.b.address6}]:9000"):
            for transport in ("udp", "tcp"):
                with self.subTest(to=to, transport=transport):
                    self.send(to, "--transport", transport)

    def test_a_name(self):
        folder = pathlib.Path("/etc/netns") / self.a.namespace
        self.lab.stack.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "hosts").write_text(f"{self.b.address} beta\n{self.b.address6} beta6\n")
        self.b.receiver()
        self.send("beta")
        self.send("beta6:9000")

    def test_another_control_port(self):
        self.b.receiver("--port", "9555")
        self.send(f"{self.b.address}:9555")

    def test_a_receiver_on_the_same_host_needs_no_open(self):
        self.a.receiver(where=())
        self.send("127.0.0.1")
        self.send("::1")
        self.send("localhost")

    def test_a_receiver_without_open_cannot_be_reached_from_elsewhere(self):
        self.b.receiver(where=())
        result = self.a.groma("send", "--to", self.b.address, "--idt", "const:1000pps", "--packets", "10", check=False)
        self.assertSaid(result, 1, self.b.address, "groma-recv")

    def made_of_logs(self, program: str, *arguments) -> str:
        return lab.run(lab.BIN / f"groma-{program}", *arguments, cwd=self.folder).stdout

    def assertAllShown(self, text: str):
        """gnuplot writes non-breaking spaces into an SVG."""
        for name in AWKWARD:
            self.assertIn(shown(name), text.replace("\u00a0", " "))

    def test_names_that_mean_something_are_shown_and_never_obeyed(self):
        self.b.receiver()
        flows = (table("[[flow]]", {"name": name, "to": self.b.address, "idt": "exp:1000pps", "packets": 100}) for name in AWKWARD)
        (self.folder / "names.toml").write_text("name = \"''\"\n" + "".join(flows))
        sent = self.a.groma("send", "names.toml", "--log", "send.glog", "--receiver-log", "recv.glog")
        self.assertAllShown(sent.stdout)
        self.assertIn("'''', run ", self.made_of_logs("dec", "send.glog", "recv.glog", "--sqlite", "results.sqlite"))
        self.assertIn("experiment '''',", self.made_of_logs("dec", "send.glog", "recv.glog", "--verbose"))

        self.made_of_logs("dec", "send.glog", "recv.glog", "--csv=series.csv", "--quiet")
        with open(self.folder / "series.csv", newline="") as file:
            names = {row["name"] for row in csv.DictReader(file)}
        self.assertEqual(names, {"'" + name if name[0] in "=+-@" else shown(name) for name in AWKWARD} | {"total"})

        kinds = {"throughput": "", "delay-cdf": ""}
        numbers = [str(number) for number in range(1, len(AWKWARD) + 1)]
        for some in (numbers[::2], numbers[1::2]):  # of many flows, pictures show their spread
            self.made_of_logs("dec", "send.glog", "recv.glog", "--flow", ",".join(some), "--sqlite", "some.sqlite", "--force")
            for picture in self.made_of_logs("plot", "some.sqlite", "-o", "it's ''drawn''").splitlines():
                root = xml.etree.ElementTree.fromstring((self.folder / picture).read_bytes())
                kind = pathlib.Path(picture).stem
                kinds[kind] = kinds.get(kind, "") + "\n".join(root.itertext())
        self.assertAllShown(kinds["throughput"])
        self.assertAllShown(kinds["delay-cdf"])

        reported = ""
        for some in (numbers[::2], numbers[1::2]):
            self.made_of_logs("dec", "report", "send.glog", "recv.glog", "--flow", ",".join(some), "-o", "some.html", "--force")
            drawn = dict(re.findall(r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]*)">', (self.folder / "some.html").read_text()))
            reported += "\n".join(xml.etree.ElementTree.fromstring(base64.b64decode(drawn["throughput"])).itertext())
        self.assertAllShown(reported)
        self.made_of_logs("dec", "report", "send.glog", "recv.glog", "-o", "report.html")
        page = (self.folder / "report.html").read_text()
        self.assertNotIn("\u202e", page)
        figures = dict(re.findall(r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]*)">', page))
        self.assertLessEqual({"throughput", "delay", "delay-cdf", "gap-qq"}, set(figures))
        self.assertAllShown(html.unescape(page.partition("<figure ")[0]))


if __name__ == "__main__":
    lab.main()
