#!/usr/bin/env python3
"""Flows that go as fast as possible: they end, what was written arrives, and the reports say that nothing was scheduled."""
import json

import lab

WHY = "it was sent as fast as possible: no times between departures were asked for"


class Bulk(lab.LabTest):
    def setUp(self):
        super().setUp()
        self.b.receiver()

    def send(self, *arguments) -> dict:
        return json.loads(self.a.groma("send", *arguments, "--json").stdout)

    def send_to_b(self, *arguments) -> dict:
        return self.send("--to", self.b.address, *arguments)

    def assertUnscheduled(self, flow: dict):
        self.assertEqual((flow["idt"], flow["verdict"]["text"], flow["end"]), ("max", "as fast as possible", "complete"))
        self.assertEqual((flow["no_schedule_because"], flow["no_fit_because"]), (WHY, WHY))
        self.assertEqual([flow[name] for name in ("scheduled_pps", "rate_error", "lateness_max_ns", "lambda2", "ks")], [None] * 5)
        self.assertEqual((flow["late_packets"], flow["missed_slots"], flow["behind_ns"]), (0, 0, 0))

    def test_what_tcp_has_written_by_the_end_arrives(self):
        logs = "--log", "send.glog", "--receiver-log", "recv.glog"
        report = self.send_to_b("--transport", "tcp", "--idt", "max", "--parallel", 3, "--duration", "300ms", *logs)
        self.assertEqual([flow["name"] for flow in report["flows"]], ["flow-1", "flow-2", "flow-3"])
        for flow in report["flows"]:
            self.assertUnscheduled(flow)
            self.assertEqual(flow["size"], "const:131072")
            self.assertGreater(flow["sent_bytes"], 0)
            self.assertEqual((flow["received_bytes"], flow["lost"]), (flow["sent_bytes"], 0))
            limited = sum(flow[name] for name in ("network_limited_s", "receive_window_limited_s", "send_buffer_limited_s"))
            self.assertAlmostEqual(limited, flow["busy_s"])
            self.assertIsNotNone(flow["cwnd"])
            self.assertIn("asked: as fast as possible", flow["notes"][0])
        self.assertEqual(report["total"]["received_bytes"], sum(flow["sent_bytes"] for flow in report["flows"]))
        self.assertEqual(report["verdict"]["text"], "as fast as possible")
        self.assertTrue(report["result"].endswith("; sent as fast as possible"), report["result"])
        run, = self.decoded("send.glog", "recv.glog")["runs"]
        for flow in run["flows"]:
            self.assertEqual((flow["no_schedule_because"], flow["scheduled_pps"], flow["lambda2"]), (WHY, None, None))
        self.assertEqual(run["total"]["received_bytes"], report["total"]["received_bytes"])

    def test_packets_and_bytes_end_it_too(self):
        for transport in "tcp", "udp":
            flow, = self.send_to_b("--transport", transport, "--idt", "max", "--packets", 100)["flows"]
            self.assertUnscheduled(flow)
            self.assertEqual(flow["sent_packets"], 100)
        flow, = self.send_to_b("--transport", "tcp", "--idt", "max", "--bytes", "1MiB")["flows"]
        self.assertEqual((flow["sent_bytes"], flow["received_bytes"]), (1 << 20, 1 << 20))

    def test_a_flow_on_schedule_beside_it_is_sent_as_scheduled(self):
        (self.folder / "mixed.toml").write_text(
            f'[defaults]\nto = "{self.b.address}"\nduration = "300ms"\n[[flow]]\nname = "bulk"\ntransport = "tcp"\nidt = "max"\n'
            '[[flow]]\nname = "steady"\nidt = "const:1000pps"\n')
        bulk, steady = self.send("mixed.toml")["flows"]
        self.assertUnscheduled(bulk)
        self.assertEqual(bulk["received_bytes"], bulk["sent_bytes"])
        self.assertEqual((steady["sent_packets"], steady["no_schedule_because"]), (300, None))
        self.assertIsNotNone(steady["scheduled_pps"])

    def test_the_screen_says_what_limited_tcp(self):
        said = self.a.groma("send", "--to", self.b.address, "--transport", "tcp", "--idt", "max", "--duration", "200ms").stdout
        self.assertIn("Sent as fast as possible.", said)
        self.assertRegex(said, r"TCP was limited by: \w+")

    def test_what_needs_a_schedule_is_refused(self):
        for arguments in ("--rate", "1Mbps"), ("--meter", "round-trip"), ("--lateness", "skip"), ("--on", "1s", "--off", "1s"):
            result = self.a.groma("send", "--to", self.b.address, "--idt", "max", *arguments, check=False)
            self.assertSaid(result, 2, "as fast as possible")


if __name__ == "__main__":
    lab.main()
