#!/usr/bin/env python3
"""groma-log --web: experiments while their logs come and when they have ended are as the reports say; the log server does not feel
who looks."""
import json
import shutil
import signal

import lab
from web_page import Page


class LogPage(lab.LabTest):
    def setUp(self):
        super().setUp()
        self.b.receiver()
        self.server = self.b.log_server("--dir", "kept", "--web", "9112")
        self.page = Page(self.b, 9112)

    def send(self, *arguments):
        return self.a.start_groma("send", "--to", self.b.address, "--log-server", self.b.address, "--receiver-log-server", self.b.address,
                                  "--json=report.json", *arguments)

    def runs(self) -> list[dict]:
        return self.page.json("/api/runs")["runs"]

    def ended(self, count: int = 1) -> dict:
        """The latest, when so many have ended."""
        lab.wait_until(f"{count} ended experiments", lambda: sum(run["end"] is not None for run in self.runs()) == count)
        return self.page.json(f"/api/runs/{self.runs()[0]['number']}")

    def test_what_it_shows_of_a_run_adds_up_to_the_report(self):
        sender = self.send("--idt", "const:400pps", "--size", "200", "--duration", "8s", "--name", "voip")
        run = lab.wait_until("the experiment to be there", lambda: next(iter(self.runs()), None))
        self.assertIsNone(run["end"])
        events = self.page.follow(run["number"])
        lab.wait_until("rows while it goes on", lambda: [row for row in events.rows(0) if row["received_packets"]])
        self.assertIsNone(self.runs()[0]["end"])
        self.assertEqual(sender.wait(), 0, sender.said)
        detail = self.ended()
        report = json.loads((self.folder / "report.json").read_text())
        self.assertTrue(detail["experiment"].startswith("voip"))
        self.assertEqual(detail["end"], "complete")
        so_far = dict(zip(self.page.figures(), detail["so_far"]))
        for figure in ("sent_packets", "sent_bytes", "received_packets", "received_bytes"):
            self.assertEqual(so_far[figure], report["total"][figure], figure)
        self.assertLessEqual(so_far["delay_min_ns"], so_far["delay_p50_ns"])
        decoded = json.loads(self.page.text(f"/api/runs/{detail['number']}/report.json"))
        self.assertEqual(decoded["runs"][0]["flows"][0]["sent_packets"], report["total"]["sent_packets"])
        logs = [file for file in detail["files"] if file["name"].endswith(".glog")]
        self.assertEqual(len(logs), 2)
        for file in logs:
            kept = next((self.folder / "kept").rglob(file["name"]))
            fetched = self.folder / f"fetched-{file['name']}"
            self.b.run("curl", "-sf", f"http://localhost:9112{file['path']}", "-o", fetched)
            self.assertEqual(fetched.read_bytes(), kept.read_bytes())
        if shutil.which("gnuplot"):
            lab.wait_until("pictures", lambda: any(file["picture"] for file in self.page.json(f"/api/runs/{detail['number']}")["files"]))

    def test_what_is_pruned_cannot_be_fetched(self):
        self.assertEqual(self.send("--packets", "100", "--idt", "const:1000pps").wait(), 0)
        detail = self.ended()
        self.b.groma("log", "prune", "kept", detail["experiment"])
        log = next(file for file in detail["files"] if file["name"].endswith(".glog"))
        self.assertEqual(self.page.ask(log["path"])[0], 404)
        for path in ("/files/1/99", "/files/", "/files/../kept/catalogue.sqlite", "/files/1/../../catalogue.sqlite"):
            self.assertEqual(self.page.ask(path)[0], 404, path)

    def test_experiments_of_before_are_there_after_a_restart(self):
        for name in ("first", "second"):
            self.assertEqual(self.send("--packets", "100", "--idt", "const:1000pps", "--name", name).wait(), 0)
        self.ended(2)
        self.assertEqual(self.server.stop(), 0)
        self.server = self.b.log_server("--dir", "kept", "--web", "9112")
        self.ended(2)
        self.assertEqual([run["experiment"].partition("-")[0] for run in self.runs()], ["second", "first"])

    def test_it_ends_while_somebody_looks_at_a_run_that_goes_on(self):
        sender = self.send("--idt", "const:200pps", "--duration", "1h")
        run = lab.wait_until("the experiment to be there", lambda: next(iter(self.runs()), None))
        events = self.page.follow(run["number"])
        lab.wait_until("rows while it goes on", lambda: events.rows(0))
        self.assertEqual(self.server.stop(signal.SIGTERM), 0)
        self.assertEqual(self.b.run("pgrep", "--ns", str(self.server.process.pid), "-f", "groma-dec --follow", check=False).stdout, "")
        sender.kill()  # it would wait for the log server

    def test_without_the_decoder_it_says_so(self):
        self.assertEqual(self.server.stop(), 0)
        alone = self.folder / "alone"
        alone.mkdir()
        shutil.copy(lab.BIN / "groma-log", alone)
        server = self.b.start("env", "PATH=/nonexistent", alone / "groma-log", "--open-to-anyone", "--dir", "kept", "--web", "9112", name="groma-log")
        server.wait_for("groma-dec is not installed")
        server.wait_for("listening on")
        self.assertEqual(self.send("--packets", "100", "--idt", "const:1000pps").wait(), 0)
        detail = self.ended()
        self.assertIn("groma-dec is not installed", detail["note"])
        self.assertEqual(len(detail["files"]), 2)


if __name__ == "__main__":
    lab.main()
