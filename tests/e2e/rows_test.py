#!/usr/bin/env python3
"""groma-send --interval: rows while a run goes on, with what the receivers saw. Their sums are the report's figures."""
import json
import re
import signal

import lab
from flows import table

COUNTS = ("sent_packets", "sent_bytes", "received_packets", "received_bytes")
ROW = re.compile(r"^ *\d+\.\d\d s  ", re.MULTILINE)


def parsed(lines: str) -> list[dict]:
    return [json.loads(line) for line in lines.splitlines()]


class Rows(lab.LabTest):
    def check(self, rows: list[dict], report: dict):
        """Asserts that rows of each flow follow one another, and add up to the report."""
        for flow in [report["total"] | {"flow": 0}, *report["flows"]]:
            mine = [row for row in rows if row["flow"] == flow["flow"]]
            with self.subTest(flow=flow["flow"]):
                self.assertEqual([row["type"] for row in mine], ["interval"] * (len(mine) - 1) + ["last"])
                at = 0
                for row in mine:
                    self.assertAlmostEqual(row["t_s"], at, places=6)
                    at = row["t_s"] + row["interval_s"]
                for count in COUNTS:
                    self.assertEqual(sum(row[count] or 0 for row in mine), flow[count], count)
                self.assertEqual(mine[-1]["lost"], flow["lost"])
                if flow["retransmitted"] is not None:
                    self.assertEqual(sum(row["retransmitted"] or 0 for row in mine), flow["retransmitted"])
                self.assertIsNotNone(mine[-2]["received_packets"], "the receiver was heard")

    def file(self, *flows: dict) -> str:
        (self.folder / "flows.toml").write_text("".join(table("[[flow]]", flow) for flow in flows))
        return "flows.toml"

    def test_rows_add_up_to_the_report(self):
        self.b.receiver()
        flows = [{"name": name, "to": self.b.address, "idt": "const:1000pps", "size": "unif:64:1400", "packets": 500, **more}
                 for name, more in (("udp", {}), ("tcp", {"transport": "tcp"}), ("back", {"meter": "round-trip"}))]
        result = self.a.groma("send", self.file(*flows), "--interval", "100ms", "--jsonl", "--json=report.json")
        rows = parsed(result.stdout)
        report = json.loads((self.folder / "report.json").read_text())
        self.check(rows, report)
        self.assertEqual([row["name"] for row in rows[:4]], ["udp", "tcp", "back", "total"])
        back = [row["returned_packets"] for row in rows if row["flow"] == 3]
        self.assertEqual(sum(back), report["flows"][2]["round_trip"]["returned_packets"])
        self.assertIsNone(rows[0]["returned_packets"])
        self.assertEqual([row["rtt_transport_ns"] is not None for row in rows[:4]], [False, True, False, False])

    def test_what_was_lost_is_missing_in_rows_and_lost_in_the_last(self):
        self.b.receiver()
        self.b.run("nft", "-f", "-", input="table ip losses { chain in { type filter hook input priority 0; "
                   "udp dport 40000 numgen inc mod 10 == 3 drop\n }\n}\n")
        result = self.a.groma("send", "--to", self.b.address, "--port", "40000", "--packets", "300", "--idt", "const:1000pps",
                              "--interval", "100ms", "--jsonl", "--json=report.json")
        rows = [row for row in parsed(result.stdout) if row["flow"] == 0]
        self.check(parsed(result.stdout), json.loads((self.folder / "report.json").read_text()))
        self.assertEqual(rows[-1]["lost"], 30)
        self.assertIn(rows[-2]["missing_packets"], range(20, 31))

    def test_rows_of_a_run_come_in_a_pipe_while_it_goes_on(self):
        self.b.receiver()
        sender = self.a.start_groma("send", "--to", self.b.address, "--flows", "2", "--idt", "const:200pps", "--duration", "1h",
                                    "--interval", "100ms", "--jsonl=rows.jsonl", "--json=report.json")
        lab.wait_until("rows", lambda: len(ROW.findall(sender.said)) > 6)
        self.assertTrue((self.folder / "rows.jsonl.part").read_text())
        sender.send_signal(signal.SIGINT)
        self.assertEqual(sender.wait(), 1, sender.said)
        text = sender.output.read_text()
        rows, _, report = text.partition("after the end: ")
        self.assertIn("0 lost in all\n", report)
        self.assertEqual(len(re.findall(r"^ *time +flow +sent", rows, re.MULTILINE)), 1, "one heading")
        self.assertEqual(len(re.findall(r" s  all ", rows)) * 3, len(ROW.findall(rows)))
        lines = parsed((self.folder / "rows.jsonl").read_text())
        self.check(lines, json.loads((self.folder / "report.json").read_text()))
        self.assertEqual(len(lines), len(ROW.findall(rows)) + 3)

    def test_rows_add_up_what_several_receivers_tell(self):
        self.b.receiver()
        self.b.receiver("--port", "9005")
        flows = [{"name": f"to-{port}", "to": f"{self.b.address}:{port}", "idt": "const:500pps", "packets": 150}
                 for port in (9000, 9005)]
        result = self.a.groma("send", self.file(*flows), "--interval", "100ms", "--jsonl=-", "--json=report.json")
        self.check(parsed(result.stdout), json.loads((self.folder / "report.json").read_text()))

    def test_in_both_directions_rows_are_of_the_flows_from_here(self):
        self.b.receiver()
        result = self.a.groma("send", "--to", self.b.address, "--bidir", "--packets", "100", "--idt", "const:500pps",
                              "--interval", "100ms", "--jsonl", "--json=report.json")
        rows = parsed(result.stdout)
        self.assertEqual({row["flow"] for row in rows}, {0, 1})
        self.assertEqual(sum(row["received_packets"] or 0 for row in rows if row["flow"] == 0), 100)


if __name__ == "__main__":
    lab.main()
