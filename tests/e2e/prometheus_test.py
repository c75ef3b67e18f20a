#!/usr/bin/env python3
"""A real Prometheus scrapes the programs, with the files of examples/monitoring: what it has is what the report says,
and its own checks find nothing to complain of."""
import json
import shutil
import sys

import lab

EXAMPLES = lab.ROOT / "examples/monitoring"
FETCH = "import sys, urllib.request\nprint(urllib.request.urlopen(sys.argv[1]).read().decode())"
PORTS = {"recv": 9100, "log": 9101, "send": 9103}  # of examples/monitoring/prometheus.yml


class PrometheusTest(lab.LabTest):
    def setUp(self):
        if not shutil.which("prometheus"):
            lab.skip_test("there is no Prometheus: scripts/setup field")
        super().setUp()
        self.b.receiver("--metrics", PORTS["recv"])
        self.b.log_server("--dir", "kept", "--metrics", PORTS["log"])
        self.b.start_groma("send", "--daemon", "--open-to-anyone", "--metrics", PORTS["send"]).wait_for("takes runs on")

    def fetch(self, url: str) -> str:
        return self.b.run(sys.executable, "-c", FETCH, url).stdout

    def value(self, query: str) -> float | None:
        """None: Prometheus has no such sample, or does not answer yet."""
        answer = self.b.run(sys.executable, "-c", FETCH, f"http://localhost:9090/api/v1/query?query={query}", check=False)
        found = json.loads(answer.stdout)["data"]["result"] if answer.returncode == 0 else []
        return float(found[0]["value"][1]) if found else None

    def test_its_check_of_metrics_finds_nothing(self):
        for port in PORTS.values():
            checked = lab.run("promtool", "check", "metrics", input=self.fetch(f"http://localhost:{port}/metrics"))
            self.assertEqual(checked.stdout + checked.stderr, "")

    def test_its_check_of_the_examples_finds_nothing(self):
        for what, file in (("config", "prometheus.yml"), ("rules", "groma-rules.yml")):
            self.assertIn("SUCCESS", lab.run("promtool", "check", what, EXAMPLES / file).stdout)

    def test_it_has_what_the_report_says(self):
        config = (EXAMPLES / "prometheus.yml").read_text().replace("scrape_interval: 15s", "scrape_interval: 1s")
        (self.folder / "prometheus.yml").write_text(config)
        shutil.copy(EXAMPLES / "groma-rules.yml", self.folder)
        self.b.start("prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=data", "--web.listen-address=127.0.0.1:9090")
        lab.wait_until("Prometheus to scrape all programs", lambda: self.value("sum(up)") == len(PORTS))
        self.a.groma("send", "--to", self.b.address, "--packets", "200", "--idt", "const:1000pps", "--log-server", self.b.address,
                     "--json=report.json")
        report = json.loads((self.folder / "report.json").read_text())
        kept = sum(log.stat().st_size for log in (self.folder / "kept").rglob("*.glog"))
        self.assertGreater(kept, report["log"]["bytes"], "the receiver's log came, too")
        for query, wanted in (("groma_receiver_packets_total", report["total"]["received_packets"]),
                              ("groma_receiver_one_way_delay_seconds_count", report["total"]["received_packets"]),
                              ("groma_log_server_received_bytes_total", kept)):
            lab.wait_until(f"{query} to be {wanted}", lambda query=query, wanted=wanted: self.value(query) == wanted)
        self.assertEqual(self.value("count(groma_build_info)"), len(PORTS))
        for panel in json.loads((EXAMPLES / "grafana.json").read_text())["panels"]:
            for target in panel["targets"]:
                query = target["expr"].replace("$__rate_interval", "1m")
                asked = self.b.run("promtool", "query", "instant", "http://localhost:9090", query)
                self.assertEqual(asked.stderr, "", panel["title"])


if __name__ == "__main__":
    lab.main()
