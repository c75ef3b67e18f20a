#!/usr/bin/env python3
"""--web: what a browser is told is what the reports of runs say; who is answered; what strangers send there hurts nothing."""
import csv
import io
import json
import signal
import sys

import lab
from flows import table
from web_page import Page

# Streams that nobody reads, and that are never closed.
STREAMS = """
import resource, socket, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
crowd = []
for _ in range(1000):
    one = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    try:
        one.sendall(b"GET /api/events?run=1 HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
    except OSError:
        pass
    crowd.append(one)
print("there", flush=True)
sys.stdin.read()
"""
SCRIPT = "<script>alert(1)</script>\"'&=cmd"


class WebTest(lab.LabTest):
    def report(self) -> dict:
        return json.loads((self.folder / "report.json").read_text())

    def send(self, *arguments) -> dict:
        self.a.groma("send", "--to", self.b.address, *arguments, "--json=report.json")
        return self.report()

    def check(self, page: Page, run: int, report: dict, figures: tuple):
        """Asserts that all that the page has of a run is what the report says."""
        detail = page.json(f"/api/runs/{run}")
        names = page.figures()
        lines = list(csv.DictReader(io.StringIO(page.text(f"/api/runs/{run}/rows.csv"))))
        shown = {0: detail["so_far"]} | {flow["flow"]: flow["so_far"] for flow in detail["flows"]}
        for flow in [report["total"] | {"flow": 0, "name": "total"}, *report["flows"]]:
            so_far = dict(zip(names, shown[flow["flow"]]))
            rows = page.json(f"/api/runs/{run}/rows.json?flow={flow['flow']}")["rows"] if flow["flow"] < 3 else []
            mine = [line for line in lines if line["flow"] == str(flow["flow"])]
            with self.subTest(flow=flow["flow"]):
                self.assertEqual(so_far["lost"], flow["lost"])
                self.assertEqual({line["name"] for line in mine}, {flow["name"]})
                for figure in figures:
                    self.assertEqual(so_far[figure], flow[figure], figure)
                    self.assertEqual(sum(int(line[figure] or 0) for line in mine), flow[figure], figure)
                    if rows:
                        self.assertEqual(sum(row[names.index(figure)] or 0 for row in rows), flow[figure], figure)

    def test_a_receivers_run_adds_up_to_its_report(self):
        self.b.receiver("--web", "9110")
        self.b.run("nft", "-f", "-", input="table ip losses { chain in { type filter hook input priority 0; "
                   "udp dport 40000 numgen inc mod 10 == 3 drop\n }\n}\n")
        page = Page(self.b, 9110)
        self.assertEqual(page.json("/api/runs")["runs"], [])
        self.send("--packets", "1")
        events = page.follow(2)
        events.wait_for("gone")
        events = page.follow(1)
        self.assertEqual(events.await_end()["network_text"], "all arrived")
        sender = self.a.start_groma("send", "--to", self.b.address, "--port", "40000", "--packets", "2500", "--idt", "const:1000pps",
                                    "--name", "lossy", "--json=report.json")
        run = lab.wait_until("the run to begin", lambda: next(iter(found for found in page.json("/api/runs")["runs"]
                                                                  if found["experiment"] == "lossy"), None))
        self.assertIsNone(run["ended_ns"])
        events = page.follow(run["number"])
        end = events.await_end()
        self.assertEqual(sender.wait(), 0, sender.said)
        report = self.report()
        self.assertEqual(report["total"]["lost"], 250)
        self.check(page, run["number"], report, ("received_packets", "received_bytes"))
        numbers = [rows["number"] for rows in events.of("rows")]
        self.assertEqual(numbers, [*range(numbers[0], end["rows"])])
        self.assertEqual((end["end"], end["network"], end["network_text"]), ("complete", "lossy", "lost 250 of 2500 (10 %)"))
        self.assertEqual((end["run_id"], end["flow_count"]), (report["run"]["run_id"], 1))
        self.assertEqual({host["role"] for host in end["hosts"]}, {"sender", "receiver"})
        delays = [row for row in events.rows(1) if row["delay_p50_ns"] is not None]
        self.assertTrue(delays)
        for row in delays:
            self.assertLessEqual(row["delay_min_ns"], row["delay_p50_ns"])
            self.assertLessEqual(row["delay_p50_ns"], row["delay_p99_ns"])
            self.assertLessEqual(row["delay_p99_ns"], row["delay_max_ns"])

    def test_200_flows_add_up_to_their_reports(self):
        self.b.receiver("--web", "9110")
        page = Page(self.b, 9110)
        sender = self.a.start_groma("send", "--to", self.b.address, "--flows", "200", "--idt", "const:20pps", "--packets", "50",
                                    "--web", "9111", "--web-hold", "1h", "--json=report.json")
        sender.wait_for("the page is at http://127.0.0.1:9111/")
        pages = {"sender": (Page(self.a, 9111), ("sent_packets", "sent_bytes", "received_packets")),
                 "receiver": (page, ("received_packets", "received_bytes"))}
        lab.wait_until("the run to begin", lambda: page.json("/api/runs")["runs"])
        followed = {who: one.follow(1) for who, (one, _) in pages.items()}
        for who, events in followed.items():
            end = events.await_end()
            self.assertEqual((end["end"], end["network_text"]), ("complete", "all arrived"), who)
            self.assertEqual(len(events.of("rows")[0]["rows"]), 201)
        sender.wait_for("the page stays")
        self.check(*pages["sender"][:1], 1, self.report(), pages["sender"][1])
        sender.send_signal(signal.SIGINT)
        self.assertEqual(sender.wait(), 0, sender.said)
        report = self.report()
        self.check(page, 1, report, pages["receiver"][1])

    def test_a_senders_page_has_the_report_when_the_run_is_over(self):
        self.b.receiver()
        sender = self.a.start_groma("send", "--to", self.b.address, "--packets", "500", "--idt", "const:1000pps", "--web", "9111",
                                    "--web-hold", "1h", "--interval", "100ms", "--json=report.json")
        sender.wait_for("the page stays for ")
        page = Page(self.a, 9111)
        run = page.json("/api/runs/1")
        self.assertEqual(page.text("/api/runs/1/report.json"), (self.folder / "report.json").read_text())
        self.assertIn("\nResult: ", page.text("/api/runs/1/report.txt"))
        report = self.report()
        self.assertEqual((run["verdict_text"], run["network"]), (report["verdict"]["text"], "all"))
        so_far = dict(zip(page.figures(), run["so_far"]))
        for figure in ("sent_packets", "sent_bytes", "received_packets", "received_bytes", "lost"):
            self.assertEqual(so_far[figure], report["total"][figure], figure)
        self.assertIn("missing", sender.said, "the rows of --interval are there as well")
        sender.send_signal(signal.SIGINT)
        self.assertEqual(sender.wait(), 0, sender.said)

    def test_a_run_that_cannot_begin_says_why_on_its_page(self):
        sender = self.a.start_groma("send", "--to", self.b.address, "--web", "9111", "--web-hold", "1h")
        sender.wait_for("the page stays for 3600s")
        page = Page(self.a, 9111)
        self.assertEqual(page.json("/api/runs/1")["end"], "failed")
        self.assertIn("refused", page.text("/api/runs/1/report.txt"))
        sender.send_signal(signal.SIGINT)
        self.assertEqual(sender.wait(), 1, sender.said)

    def test_a_daemons_page_has_its_runs(self):
        self.b.receiver()
        daemon = self.b.start_groma("send", "--daemon", "--open-to-anyone", "--web", "9113")
        daemon.wait_for("takes runs on")
        for packets in (100, 200):
            self.a.groma("send", "--via", self.b.address, "--to", self.b.address, "--packets", packets, "--idt", "const:1000pps",
                         "--name", f"run-of-{packets}")
        daemon.wait_for("the run is complete", times=2)
        page = Page(self.b, 9113)
        self.assertEqual([(run["experiment"], run["end"]) for run in page.json("/api/runs")["runs"]],
                         [("run-of-200", "complete"), ("run-of-100", "complete")])
        self.assertEqual(json.loads(page.text("/api/runs/2/report.json"))["total"]["sent_packets"], 200)

    def test_names_of_others_are_data(self):
        self.b.receiver("--web", "9110")
        (self.folder / "flows.toml").write_text(table("[[flow]]", {"name": SCRIPT, "to": self.b.address, "packets": 3}))
        self.a.groma("send", "flows.toml")
        page = Page(self.b, 9110)
        self.assertEqual(page.json("/api/runs/1")["flows"][0]["name"], SCRIPT)
        for path in ("/", "/page.js", "/api/runs", "/api/runs/1", "/api/runs/1/rows.json", "/api/runs/1/rows.csv", "/api/none"):
            status, fields, text = page.ask(path)
            self.assertTrue(path == "/" or path.endswith(".js") or "html" not in fields["Content-Type"], path)
            self.assertEqual(fields["X-Content-Type-Options"], "nosniff")
            if path != "/api/none":
                self.assertEqual(status, 200, path)
                self.assertTrue(fields["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self'"))
        lines = list(csv.DictReader(io.StringIO(page.text("/api/runs/1/rows.csv"))))
        self.assertEqual({line["name"] for line in lines}, {"total", SCRIPT})

    def test_only_this_hosts_browser_and_its_own_pages_are_answered(self):
        self.b.receiver("--web", "9110")
        page = Page(self.b, 9110)
        for path in ("/", "/api/runs", "/api/events", "/page.js"):
            for fields, wanted in (({"Host": "rebound.example"}, 421), ({"Host": self.b.address}, 421), ({"Host": "rebound.example:9110"}, 421),
                                   ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403),
                                   ({"Origin": "http://localhost:9111"}, 403)):
                self.assertEqual(page.ask(path, **fields)[0], wanted, (path, fields))
            self.assertEqual(page.ask(path, method="POST")[0], 405, path)
        self.assertEqual(page.ask("/api/runs", Host="localhost:9110", Origin="http://localhost:9110")[0], 200)
        for path in ("/../etc/passwd", "/%2e%2e/page.js", "/api/runs/1", "/api/runs/1/rows.csv", "//", "/dygraph.js"):
            self.assertEqual(page.ask(path)[0], 404, path)

    def test_a_thousand_streams_hurt_neither_runs_nor_readers(self):
        receiver = self.b.receiver("--web", "9110")
        page = Page(self.b, 9110)
        crowd = lab.Program(self.b.enter(sys.executable, "-c", STREAMS, "9110"), self.folder, "crowd", stdin=lab.subprocess.PIPE)
        self.lab.programs.callback(crowd.kill)
        crowd.wait_for("there")
        total = self.send("--packets", "1200", "--idt", "const:1000pps")["total"]
        self.assertEqual((total["received_packets"], total["lost"]), (1200, 0))
        self.assertEqual(page.json("/api/runs/1")["end"], "complete")
        self.assertEqual(page.follow(1).await_end()["end"], "complete")
        self.assertEqual(receiver.stop(), 0)

    def test_what_cannot_be_shown_is_refused(self):
        to = ("--to", self.b.address)
        for program, *more in (("recv",), ("send", "--daemon"), ("send", *to)):
            self.assertSaid(self.a.groma(program, *more, "--web", f"{self.a.address}:9110", check=False), 2, "other hosts", "ssh -L")
        for arguments, words in ((("--web-hold", "1min"), "--web-hold requires --web"),
                                 (("--web", "9110", "--dry-run"), "--dry-run sends nothing"),
                                 (("--web", "9110", "--reverse"), "all flows come from the receivers"),
                                 (("--web", "9110", "--search", "rate"), "--search makes many"),
                                 (("--web", "9110", "--via", self.b.address), "--via"),
                                 (("--web", "9110", "--web-hold", "0s"), "1s to 24h")):
            self.assertSaid(self.a.groma("send", *to, *arguments, check=False), 2, words)
        first = self.b.receiver("--web", "9110")
        second = self.b.groma("recv", "--open-to-anyone", "--port", "9009", "--web", "9110", check=False)
        self.assertSaid(second, 1, "--web PORT takes another port")
        self.assertEqual(first.stop(), 0)


if __name__ == "__main__":
    lab.main()
