#!/usr/bin/env python3
"""--metrics: what a scraper sees is what the reports of runs say; who may see it; what strangers send there hurts nothing."""
import json
import signal
import sys

import lab
from openmetrics import Metrics

OPENMETRICS = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5"
ASK = """
import http.client, json, sys
port, method, path, fields = json.loads(sys.argv[1])
connection = http.client.HTTPConnection("127.0.0.1", port)
connection.putrequest(method, path, skip_host="Host" in fields)
for name, value in fields.items():
    connection.putheader(name, value)
connection.endheaders()
answer = connection.getresponse()
print(json.dumps([answer.status, dict(answer.getheaders()), answer.read().decode()]))
"""
# Connections that say nothing, break off, and never end; they stay until the script is told to end.
CROWD = """
import socket, sys
port = int(sys.argv[1])
crowd = []
for begin in [b"", b"GET /metrics HT", b"GET /metrics HTTP/1.1\\r\\nHost: ", b"\\x16\\x03\\x01\\x02\\x00", b"GET / HTTP/1.1\\r\\nX: " + 20000 * b"y"] * 10:
    one = socket.create_connection(("127.0.0.1", port))
    try:
        one.sendall(begin)
    except OSError:
        pass
    crowd.append(one)
for one in crowd[1:30:5] + crowd[2:30:5] + crowd[3:30:5]:
    one.close()
print("there", flush=True)
sys.stdin.read()
"""
REACH = """
import socket, sys
try:
    socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=240)
    print("reached")
except ConnectionRefusedError:
    print("refused")
"""


class MetricsTest(lab.LabTest):
    def ask(self, host: lab.Host, path="/metrics", port=9100, method="GET", **fields) -> tuple[int, dict, str]:
        return json.loads(host.run(sys.executable, "-c", ASK, json.dumps([port, method, path, fields])).stdout)

    def scrape(self, host: lab.Host, port=9100) -> Metrics:
        status, fields, text = self.ask(host, port=port, Accept=OPENMETRICS)
        self.assertEqual((status, fields["Content-Type"]), (200, "application/openmetrics-text; version=1.0.0; charset=utf-8"))
        return Metrics(text)

    def send(self, *arguments) -> dict:
        self.a.groma("send", "--to", self.b.address, *arguments, "--json=report.json")
        return json.loads((self.folder / "report.json").read_text())

    def test_a_receivers_counters_are_those_of_the_reports(self):
        self.b.receiver("--metrics", "9100")
        self.b.run("nft", "-f", "-", input="table ip losses { chain in { type filter hook input priority 0; "
                   "udp dport 40000 numgen inc mod 10 == 3 drop\n }\n}\n")
        before = self.scrape(self.b)
        self.assertEqual(before["groma_receiver_packets_total"], 0)
        reports = [self.send("--port", "40000", "--packets", "300", "--idt", "const:1000pps", "--size", "unif:64:1400"),
                   self.send("--transport", "tcp", "--packets", "200", "--idt", "const:1000pps", "--receiver-log", "recv.glog")]
        after = self.scrape(self.b)
        totals = [report["total"] for report in reports]
        self.assertEqual(totals[0]["lost"], 30)
        for name, figure in (("packets", "received_packets"), ("payload_bytes", "received_bytes"), ("lost_packets", "lost")):
            self.assertEqual(after[f"groma_receiver_{name}_total"], sum(total[figure] for total in totals), name)
        self.assertEqual(after["groma_receiver_runs_total"], 2)
        self.assertEqual(after["groma_receiver_open_flows"], 0)
        delays = after["groma_receiver_one_way_delay_seconds_count"] + after["groma_receiver_negative_delays_total"]
        self.assertEqual(delays, sum(total["received_packets"] for total in totals))
        self.assertEqual(after["groma_receiver_log_bytes_total"], (self.folder / "recv.glog").stat().st_size)
        self.assertEqual(before["groma_start_time_seconds"], after["groma_start_time_seconds"])
        self.assertGreaterEqual(after["groma_cpu_seconds_total", "mode", "user"], before["groma_cpu_seconds_total", "mode", "user"])

    def test_both_formats_have_the_same_samples(self):
        self.b.receiver("--metrics", "9100")
        self.send("--packets", "50", "--idt", "const:1000pps")
        samples = []
        for accept in (OPENMETRICS, "text/plain", None):
            status, fields, text = self.ask(self.b, **({"Accept": accept} if accept else {}))
            self.assertEqual(status, 200)
            self.assertEqual(fields["Content-Type"].startswith("text/plain; version=0.0.4"), accept != OPENMETRICS)
            samples.append([line for line in text.splitlines() if not line.startswith(("#", "groma_cpu"))])
        self.assertEqual(samples[0], samples[1])
        self.assertEqual(samples[0], samples[2])
        self.assertIn('groma_receiver_refused_sessions_total{cause="room"} 0', samples[0])

    def test_what_goes_on_is_seen_while_it_does(self):
        self.b.receiver("--metrics", "9100")
        sender = self.a.start_groma("send", "--to", self.b.address, "--flows", "3", "--idt", "const:100pps", "--duration", "1h",
                                    "--metrics", "9104", "--json=report.json")
        sender.wait_for("metrics are at http://127.0.0.1:9104/metrics, http://[::1]:9104/metrics")
        sent = lab.wait_until("packets to be sent", lambda: (now := self.scrape(self.a, 9104))["groma_sender_packets_total"] > 50 and now)
        seen = lab.wait_until("packets to arrive", lambda: (now := self.scrape(self.b))["groma_receiver_packets_total"] > 50 and now)
        self.assertEqual((sent["groma_sender_open_flows"], seen["groma_receiver_open_flows"]), (3, 3))
        self.assertEqual(seen["groma_receiver_open_sessions"], 1)
        sender.send_signal(signal.SIGINT)
        self.assertEqual(sender.wait(), 1, sender.said)
        total = json.loads((self.folder / "report.json").read_text())["total"]
        self.assertGreaterEqual(total["sent_packets"], sent["groma_sender_packets_total"])
        self.assertEqual(self.scrape(self.b)["groma_receiver_packets_total"], total["received_packets"])

    def test_only_programs_of_this_host_are_answered(self):
        self.b.receiver("--metrics", "9100")
        for path, method, fields, wanted in (("/metrics", "GET", {"Host": "localhost"}, 200), ("/metrics", "GET", {"Host": "[::1]:9100"}, 200),
                                             ("/metrics?a=b", "GET", {}, 200), ("/", "GET", {}, 200), ("/metrics", "HEAD", {}, 200),
                                             ("/metrics", "GET", {"Host": "rebound.example"}, 421), ("/metrics", "GET", {"Host": "rebound.example:9100"}, 421),
                                             ("/metrics", "GET", {"Host": self.b.address}, 421), ("/other", "GET", {}, 404),
                                             ("/metrics", "POST", {}, 405), ("/metrics", "POST", {"Content-Length": "3"}, 413)):
            status, answered, text = self.ask(self.b, path, method=method, **fields)
            self.assertEqual(status, wanted, (path, method, fields, text))
            self.assertEqual("groma_receiver" in text, wanted == 200 and method == "GET" and path != "/", path)
        for address in (self.b.address, self.b.address6):
            self.assertEqual(self.a.run(sys.executable, "-c", REACH, address, "9100").stdout.strip(), "refused")

    def test_a_crowd_of_strangers_hurts_neither_sessions_nor_scrapers(self):
        receiver = self.b.receiver("--metrics", "9100")
        crowd = lab.Program(self.b.enter(sys.executable, "-c", CROWD, "9100"), self.folder, "crowd", stdin=lab.subprocess.PIPE)
        self.lab.programs.callback(crowd.kill)
        crowd.wait_for("there")
        lab.wait_until("an answer among the crowd", lambda: self.answered(self.b))
        total = self.send("--packets", "100", "--idt", "const:1000pps")["total"]
        self.assertEqual((total["received_packets"], total["lost"]), (100, 0))
        lab.wait_until("an answer among the crowd", lambda: self.answered(self.b))
        self.assertEqual(self.scrape(self.b)["groma_receiver_packets_total"], 100)
        self.assertEqual(receiver.stop(), 0)

    def answered(self, host: lab.Host) -> bool:
        """Requests that began and do not end keep a place for ten seconds."""
        return host.run(sys.executable, "-c", ASK, json.dumps([9100, "GET", "/", {}]), check=False).returncode == 0

    def test_a_log_servers_counters_are_those_of_its_logs(self):
        self.b.receiver()
        self.b.log_server("--dir", "kept", "--metrics", "9101")
        report = self.send("--packets", "500", "--idt", "const:2000pps", "--log-server", self.b.address, "--receiver-log-server", "none")
        metrics = self.scrape(self.b, 9101)
        self.assertEqual(metrics["groma_log_server_completed_logs_total"], 1)
        self.assertEqual(metrics["groma_log_server_received_bytes_total"], report["log"]["bytes"])
        self.assertEqual(metrics["groma_log_server_not_durable_bytes"], 0)
        self.assertGreater(metrics["groma_log_server_room_bytes"], 0)
        kept = lab.wait_until("the catalogue to be counted", lambda: (now := self.scrape(self.b, 9101))
                              ["groma_log_server_catalogue_logs", "state", "complete"] == 1 and now)
        self.assertEqual(kept["groma_log_server_kept_bytes"], next((self.folder / "kept").rglob("*.glog")).stat().st_size)
        self.assertEqual(kept["groma_log_server_udp_dropped_datagrams_total", "cause", "stranger"], 0)

    def test_a_daemons_counters_are_those_of_its_runs(self):
        self.b.receiver()
        daemon = self.b.start_groma("send", "--daemon", "--open-to-anyone", "--metrics", "9103")
        daemon.wait_for("takes runs on")
        totals = []
        for packets in (100, 200):
            self.a.groma("send", "--via", self.b.address, "--to", self.b.address, "--packets", packets, "--idt", "const:1000pps",
                         "--meter", "round-trip", "--json=report.json")
            totals.append(json.loads((self.folder / "report.json").read_text())["total"])
        daemon.wait_for("the run is complete", times=2)
        metrics = self.scrape(self.b, 9103)
        self.assertEqual(metrics["groma_daemon_runs_total"], 2)
        self.assertEqual(metrics["groma_daemon_ended_runs_total", "end", "complete"], 2)
        self.assertEqual(metrics["groma_daemon_open_runs"], 0)
        self.assertEqual(metrics["groma_sender_packets_total"], 300)
        self.assertEqual(metrics["groma_sender_payload_bytes_total"], sum(total["sent_bytes"] for total in totals))
        self.assertEqual(metrics["groma_sender_returned_packets_total"], 300)
        self.assertEqual(metrics["groma_daemon_round_trip_seconds_count"], 300)
        self.assertEqual(metrics["groma_daemon_late_packets_total"], sum(total["late_packets"] for total in totals))
        self.assertEqual(metrics["groma_daemon_lateness_seconds_count"], 300)


if __name__ == "__main__":
    lab.main()
