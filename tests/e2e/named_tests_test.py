#!/usr/bin/env python3
"""Tests by their name: each runs to its end on two hosts, and the file that is printed is the one that runs. Rates over time:
what leaves is what the integral of the rate says."""
import json
import math

import lab

NAMES = "imix", "latency-under-load", "ramp", "rrul", "voip"


class NamedTests(lab.LabTest):
    def setUp(self):
        super().setUp()
        self.b.receiver()

    def report(self, *arguments) -> dict:
        return json.loads(self.a.groma("send", *arguments, "--json").stdout)

    def test_latency_under_load_tells_the_responsiveness(self):
        name = "--test", "latency-under-load", "--to", self.b.address
        self.assertIsNone(self.report(*name, "--duration", "300ms")["run"]["responsiveness_rpm"])  # the load was over
        text = self.a.groma("send", *name, "--print").stdout
        for long, short in ('duration = "10s"', 'duration = "8s"'), ('start = "11s"', 'start = "6s"'), ('duration = "4s"', 'duration = "1s"'):
            self.assertEqual(text.count(long), 1)
            text = text.replace(long, short)
        (self.folder / "short.toml").write_text(text)
        run = self.report("short.toml")["run"]
        foreign, loaded = run["responsiveness_foreign_rpm"], run["responsiveness_loaded_rpm"]
        self.assertGreater(min(foreign, loaded), 0)
        self.assertAlmostEqual(run["responsiveness_rpm"], (foreign + loaded) / 2)
        self.assertIsNone(self.report("--to", self.b.address, "--packets", 5, "--idt", "const:1ms")["run"]["responsiveness_rpm"])

    def flows(self, *arguments) -> dict[str, dict]:
        return {flow["name"]: flow for flow in self.report(*arguments)["flows"]}

    def test_each_goes_to_its_end_in_the_time_that_is_asked_for(self):
        for name in NAMES:
            with self.subTest(name):
                flows = self.flows("--test", name, "--to", self.b.address, "--duration", "300ms", "--seed", 5)
                for flow in flows.values():
                    self.assertEqual((flow["end"], flow["error"], flow["lost"]), ("complete", "", 0), flow["name"])
                    self.assertGreater(flow["sent_packets"], 0, flow["name"])
                    self.assertEqual(flow["received_packets"], flow["sent_packets"], flow["name"])
                if name == "voip":
                    self.assertEqual({flow["name"]: (flow["direction"], flow["sent_packets"]) for flow in flows.values()},
                                     {"call": ("forward", 15), "call-reverse": ("reverse", 15)})
                if name == "imix":
                    self.assertEqual(flows["mix"]["sent_packets"], math.ceil(0.3 * 3673))
                if name == "ramp":
                    # 1 Mbit/s, and 99 Mbit/s more in 30 s
                    self.assertEqual(flows["ramp"]["sent_packets"], math.ceil((1e6 * 0.3 + 3.3e6 * 0.3**2 / 2) / (8 * 1400)))
                if name in ("latency-under-load", "rrul"):
                    probes = [flow for flow in flows.values() if flow["round_trip"]]
                    self.assertEqual(len(probes), 2 + 4 if name == "latency-under-load" else 3)
                    self.assertEqual(len(flows) - len(probes), 8)
                    for probe in probes:
                        self.assertEqual(probe["round_trip"]["returned_packets"], probe["sent_packets"])

    def test_the_file_that_is_printed_is_the_one_that_runs(self):
        for name in NAMES:
            printed = self.a.groma("send", "--test", name, "--to", self.b.address, "--print").stdout
            (self.folder / "printed.toml").write_text(printed)
            plan = "--packets", 20, "--seed", 3, "--dry-run=json"
            self.assertEqual(self.a.groma("send", "printed.toml", *plan).stdout,
                             self.a.groma("send", "--test", name, "--to", self.b.address, *plan).stdout)
        flows = self.flows("printed.toml", "--packets", 20)
        self.assertEqual([flow["received_packets"] for flow in flows.values()], [20, 20])

    def test_a_name_that_is_none_lists_them(self):
        listed = self.a.groma("send", "--test", "list").stdout
        self.assertEqual([line.split()[0] for line in listed.splitlines()], list(NAMES))
        result = self.a.groma("send", "--test", "voib", "--to", self.b.address, check=False)
        self.assertSaid(result, 2, "did you mean 'voip'?", listed.splitlines()[0])
        result = self.a.groma("send", "--test", "voip", check=False)
        self.assertSaid(result, 2, "nowhere to send to")

    def test_the_logs_tell_what_rate_was_asked_for(self):
        rate = "steps:1kpps:100ms,0pps:100ms,4kpps:100ms"
        logs = "--log", "send.glog", "--receiver-log", "recv.glog"
        flow, = self.report("--to", self.b.address, "--rate", rate, "--duration", "300ms", *logs)["flows"]
        self.assertEqual((flow["sent_packets"], flow["received_packets"], flow["rate_over_time"]), (500, 500, rate))
        self.assertAlmostEqual(flow["nominal_pps"], 500 / 0.3)
        # From the first packet to the last: 499 gaps, the last packet 0.25 ms before the end.
        self.assertAlmostEqual(flow["scheduled_pps"], 499 / 0.29975)
        self.assertIn("asked: the rate " + rate, flow["notes"][0])
        decoded, = self.decoded("send.glog", "recv.glog")["runs"][0]["flows"]
        for figure in "rate_over_time", "nominal_pps", "scheduled_pps", "sent_packets", "received_packets":
            self.assertEqual(decoded[figure], flow[figure], figure)
        self.assertIn("rate changes with time", decoded["no_fit_because"])

    def test_rates_from_a_file(self):
        (self.folder / "day.txt").write_text("# seconds rate\n0 1kpps\n0.1 2kpps\n")
        (self.folder / "file.toml").write_text(
            f'duration = "200ms"\n[[flow]]\nto = "{self.b.address}"\nidt = "exp:1ms"\nrate = "file:day.txt"\n'
            f'[[flow]]\nto = "{self.b.address}"\nrate = "file:day.txt"\n')
        random, steady = self.report("file.toml", "--seed", 1)["flows"]
        self.assertEqual((steady["received_packets"], steady["rate_over_time"]), (300, "file:day.txt"))
        self.assertEqual(random["received_packets"], random["sent_packets"])
        (self.folder / "day.txt").write_text("0 1kpps\n0 2kpps\n")
        self.assertSaid(self.a.groma("send", "file.toml", check=False), 2, "file.toml:5:8: rate: ", "day.txt:2: the times must ascend")


if __name__ == "__main__":
    lab.main()
