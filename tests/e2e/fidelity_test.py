#!/usr/bin/env python3
"""The sender's own error is the same in its report, in the decoder's figures from its log, and in SQLite;
requirements of a run, and what happens when one is not met."""
import json
import sqlite3

import lab

FIGURES = ("gap_error_mean_ns", "gap_error_p99_ns", "gap_error_max_ns", "gap_variation", "gaps_within_10us", "behind_ns",
           "packets_alone", "batch_size_p50", "batch_size_max", "lambda2", "ks", "a2", "fit_gaps", "late_packets", "rate_error",
           "lateness_mean_ns", "lateness_p50_ns", "lateness_p99_ns", "lateness_max_ns")


class FidelityTest(lab.LabTest):
    def setUp(self):
        super().setUp()
        self.b.receiver()

    def send(self, *arguments, status=0) -> dict:
        result = self.a.groma("send", "--to", self.b.address, "--json", "--log", "send.glog", *arguments, check=False)
        self.assertEqual(result.returncode, status, result.stderr)
        self.said = result.stderr
        return json.loads(result.stdout)


class Fidelity(FidelityTest):
    def test_report_decoder_and_sqlite_say_the_same(self):
        for idt in ("exp:2000pps", "pareto:1.5:0.4ms", "const:1000pps"):
            report = self.send("--idt", idt, "--packets", 3000, "--seed", 5)
            (self.folder / "results.sqlite").unlink(missing_ok=True)
            decoded = self.decoded("send.glog", arguments=("--sqlite", "results.sqlite"))["runs"][0]
            for ours, theirs in ((report["flows"][0], decoded["flows"][0]), (report["total"], decoded["total"])):
                self.assertEqual({name: ours[name] for name in FIGURES}, {name: theirs[name] for name in FIGURES}, idt)
            row = sqlite3.connect(self.folder / "results.sqlite").execute(
                "select gap_error_p99_ns, lambda2, ks, a2, behind_ns, gaps from fidelity where flow = 1").fetchone()
            flow = report["flows"][0]
            self.assertEqual(flow["lambda2"] is None, idt.startswith("const"))
            self.assertEqual(row[:5], (flow["gap_error_p99_ns"], flow["lambda2"], flow["ks"], flow["a2"], flow["behind_ns"]))
            self.assertEqual(row[5], 2999)

    def test_what_arrived_is_told_over_the_session_as_the_logs_tell_it(self):
        (self.folder / "flows.toml").write_text("".join(f"""
[[flow]]
to = "{self.b.address}"
transport = "{transport}"
idt = "exp:1000pps"
size = "unif:100:600"
packets = 1500
""" for transport in ("udp", "udp", "tcp")))
        result = self.a.groma("send", "flows.toml", "--json", "--log", "send.glog", "--receiver-log", "recv.glog")
        report = json.loads(result.stdout)
        decoded = self.decoded("send.glog", "recv.glog")["runs"][0]
        for ours, theirs in zip([*report["flows"], report["total"]], [*decoded["flows"], decoded["total"]]):
            for name in ("count", "min_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns"):
                self.assertEqual(ours["delay_" + name], theirs["delay_" + name], name)
            for name in ("packet_rate_pps", "throughput_bps", "delay_mean_ns", "delay_sd_ns"):
                self.assertAlmostEqual(ours[name] / theirs[name], 1, 6, name)
            self.assertEqual(ours["delay_clock_bound_ns"], 0, "one kernel")
        for ours, theirs in zip(report["flows"], decoded["flows"]):
            self.assertAlmostEqual(ours["jitter_rfc3550_mean_ns"] / theirs["jitter_rfc3550_mean_ns"], 1, 6)
            self.assertLessEqual(ours["delay_p025_ns"], ours["delay_p50_ns"])
            self.assertLessEqual(ours["delay_p50_ns"], ours["delay_p975_ns"])

    def test_a_requirement_that_is_met_changes_nothing(self):
        report = self.send("--idt", "exp:500pps", "--packets", 300, "--require",
                           "rate=10000000%,lateness-p99=1h,loss=0,unsent=0,missed=0,delay-max=1h,jitter=1h")
        self.assertEqual([one["met"] for one in report["requirements"]], [True] * 7)
        self.assertEqual(report["errors"], [])

    def test_a_requirement_that_is_not_met_fails_the_run_and_the_old_log(self):
        report = self.send("--idt", "exp:500pps", "--packets", 300, "--require", "lateness-max=0ns,loss=0", status=1)
        self.assertEqual([(one["what"], one["met"]) for one in report["requirements"]], [("lateness-max", False), ("loss", True)])
        self.assertEqual(report["verdict"]["result"], "not_as_asked")
        self.assertIn("the largest lateness of flow", self.said)
        decoded = self.a.groma("dec", "send.glog", "--require", "lateness-max=0ns", check=False)
        self.assertSaid(decoded, 1, "required, and not met: the largest lateness of flow")
        self.assertEqual(self.a.groma("dec", "send.glog", "--require", "lateness-max=1h").returncode, 0)

    def test_a_file_can_require_and_the_command_line_wins(self):
        (self.folder / "flows.toml").write_text(f"""
[require]
lateness-max = "0ns"
[[flow]]
to = "{self.b.address}"
idt = "500pps"
packets = 50
""")
        self.assertSaid(self.a.groma("send", "flows.toml", check=False), 1, "the largest lateness of flow")
        self.a.groma("send", "flows.toml", "--require", "lateness-max=1h")
        self.assertSaid(self.a.groma("send", "flows.toml", "--require", "speed=1", check=False), 2, "not a figure that can be required")


if __name__ == "__main__":
    lab.main()
