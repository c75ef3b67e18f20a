#!/usr/bin/env python3
"""The page of everyday tasks: each of its commands, as written there, on two hosts. A capture on the receiving host, its
interface's counters, nftables and ss are the witnesses of what each does.

What differs from the page: flows end by their packets and seconds are shorter (`hastened`), the report is read as JSON, and seeds are fixed (lab.usual).
"""
import csv
import json
import re
import signal
import socket

import lab
from capture import offered_mss
from everyday_runs import PACKETS, SECOND_MS, SHORTEST_INTERVAL, Run, hastened, name_of, rows, short

PAGE = "docs/guide/everyday.md"
WATCHED = "udp or tcp[tcpflags] & tcp-syn != 0"
SHUT = "ct state new iifname eth0 drop"  # a NAT or firewall that lets no connection in
EVERY_TENTH = "udp dport 1024-65535 numgen inc mod 10 == 0 counter name lost drop"


class Everyday(lab.LabTest):
    def test_every_row_does_what_it_says(self):
        tasks = list(rows((lab.ROOT / PAGE).read_text()))
        self.assertEqual(sorted(name_of(task) for task, _ in tasks), sorted(name[4:] for name in dir(self) if name.startswith("row_")))
        for task, row in tasks:
            with self.subTest(task):
                self.do_and_check(name_of(task), row)

    def do_and_check(self, name: str, row):
        try:
            getattr(self, f"before_{name}", lambda: None)()
            getattr(self, f"row_{name}")(self.do(row))
        finally:
            self.lab.programs.close()
            for host in self.lab.hosts:
                host.run("nft", "flush", "ruleset")

    def do(self, row) -> Run:
        """Runs a row's commands in their order. A sender that listens and a daemon go on meanwhile."""
        before, witness = self.counters(), self.b.witness(WATCHED, direction="inout")
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        sent, said, going_on = [], "", []
        if not any(program == "recv" for _, (program, *_) in row):
            going_on.append(self.b.receiver())
        for prompt, (program, *words) in row:
            host, words = {"a": self.a, "b": self.b, "": self.a}[prompt], hastened(words)
            if program == "send":
                sent = words = self.with_report(self.as_file(words))
            if "--open-to-anyone" in words or "--passive" in words:
                going_on.append(host.start_groma(program, *words))
                going_on[-1].wait_for("awaiting" if "--passive" in words else "listening on")
            else:
                result = host.groma(program, *words)
                said += result.stdout + result.stderr
        for program in going_on:
            self.assertEqual(program.wait() if program.name == "groma-send" else program.stop(), 0, program.said)
        to_b, from_b = (now - then for now, then in zip(self.counters(), before))
        run = Run(sent, said, json.loads(report.read_text()) if report.exists() else {}, witness.packets(), to_b, from_b)
        self.check_flows(run)
        return run

    def as_file(self, words: list[str]) -> list[str]:
        """A test by its name runs from the file that --print gives, hastened as well."""
        if "--test" not in words:
            return words
        printed = self.a.groma("send", *words, "--print").stdout
        by_packets = re.sub(r"(?m)^duration = .*$", "", printed).replace("[[flow]]", f"[[flow]]\npackets = {PACKETS}")
        (self.folder / "test.toml").write_text(short(by_packets))
        return ["test.toml"]

    @staticmethod
    def with_report(words: list[str]) -> list[str]:
        return words if {"--json", "--dry-run"} & {*words} else [*words, "--json=report.json"]

    def counters(self) -> tuple[int, int]:
        """Bytes into and out of b."""
        link, = json.loads(self.b.run("ip", "-j", "-s", "link", "show", self.b.device).stdout)
        return link["stats64"]["rx"]["bytes"], link["stats64"]["tx"]["bytes"]

    def check_flows(self, run: Run):
        """Every flow of a report ran to its end, and the witness saw its packets, or the begin of its connection."""
        flows = run.report.get("flows", [])
        for flow in flows:
            self.assertEqual((flow["end"], flow["error"]), ("complete", ""), flow["name"])
            self.assertGreater(flow["received_packets"], 0, flow["name"])
            self.assertEqual(flow["received_packets"] + flow["lost"], flow["sent_packets"], flow["name"])
            if flow["transport"] == "udp":
                packets = run.of(flow)
                self.assertEqual((len(packets), sum(p.payload for p in packets)), (flow["sent_packets"], flow["sent_bytes"]), flow["name"])
        self.assertEqual(len(run.connections()), sum(flow["sent_packets"] if flow["requests_per_connection"] else 1
                                                     for flow in flows if flow["transport"] == "tcp"))

    def filter(self, host: lab.Host, *rules: str, policy: str = "accept"):
        """nftables for what comes in; `lost` is a counter."""
        (self.folder / "rules.nft").write_text("table inet wall {\n  counter lost {\n  }\n  chain in {\n"
                                               f"    type filter hook input priority 0; policy {policy};\n    " + "\n    ".join(rules) + "\n  }\n}\n")
        host.run("nft", "-f", "rules.nft")

    def planned(self, run: Run) -> list[tuple[int, float]]:
        """(size, offset in s) of the packets that the same command would send."""
        words = " ".join(run.sent).replace(f"--interval {SHORTEST_INTERVAL}", "").replace("--json=report.json", "").split()
        seed = [] if "--seed" in words else ["--seed", "1"]
        lines = map(json.loads, self.a.groma("send", *words, *seed, "--dry-run=json").stdout.splitlines())
        return [(line["size"], line["offset_s"]) for line in lines if "seq" in line]

    def check_plan(self, run: Run) -> list[float]:
        """What left is what is planned, in this order. Returns the times that are planned."""
        plan = self.planned(run)
        self.assertEqual([packet.payload for packet in run.of(run.flow)], [size for size, _ in plan])
        return [offset for _, offset in plan]

    # TCP

    def row_send_as_fast_as_possible(self, run):
        self.assertEqual(run.flow["received_bytes"], run.flow["sent_bytes"])
        self.assertGreater(run.to_b, run.flow["sent_bytes"])
        self.assertLess(run.from_b, run.to_b)

    def row_receive(self, run):
        self.assertEqual(run.flow["direction"], "reverse")
        self.assertGreater(run.from_b, run.flow["received_bytes"])
        self.assertLess(run.to_b, run.from_b)

    def row_both_at_once(self, run):
        bytes_of = {flow["direction"]: flow["received_bytes"] for flow in run.report["flows"]}
        self.assertEqual({*bytes_of}, {"forward", "reverse"})
        self.assertGreater(run.to_b, bytes_of["forward"])
        self.assertGreater(run.from_b, bytes_of["reverse"])

    def row_eight_streams(self, run):
        self.assertEqual(len(run.connections()), 8)

    def row_stop_after_10_mib(self, run):
        self.assertEqual((run.flow["sent_bytes"], run.flow["received_bytes"]), (10 << 20, 10 << 20))
        self.assertGreater(run.to_b, 10 << 20)

    def row_another_congestion_control(self, run):
        """Only while a connection lives does ss show it: the same command for an hour, until it does."""
        receiver = self.b.receiver()
        sender = self.a.start_groma("send", *" ".join(run.sent).replace(f"--packets {PACKETS}", "--duration 1h").split())
        lab.wait_until("ss to show reno", lambda: "reno" in self.a.run("ss", "-tinH", "dport", "!=", ":9000").stdout.split())
        self.assertEqual(sender.stop(signal.SIGINT), 1, sender.said)  # interrupted
        receiver.stop()

    def row_smaller_segments(self, run):
        self.assertEqual([offered_mss(packet) for packet in run.connections()], [1000])

    def row_requests_and_responses_over_tcp(self, run):
        self.check_transactions(run, 100, 1000)
        self.assertGreater(run.to_b, run.flow["sent_packets"] * 100)
        self.assertGreater(run.from_b, run.flow["sent_packets"] * 1000)

    def row_a_connection_for_each_request(self, run):
        self.check_transactions(run, 100, 1000)
        self.assertEqual(run.flow["round_trip"]["connections"], run.flow["sent_packets"])

    def check_transactions(self, run, request: int, response: int):
        number = run.report["run"]["transactions"]
        self.assertEqual((run.flow["sent_packets"], run.flow["sent_bytes"]), (number, number * request))
        back = run.flow["round_trip"]
        self.assertEqual((back["returned_packets"], back["returned_bytes"]), (number, number * response))

    # Rate, loss and delay

    def before_udp_at_50_mbit_s_loss_and_jitter(self):
        self.filter(self.b, EVERY_TENTH)

    def row_udp_at_50_mbit_s_loss_and_jitter(self, run):
        self.assertEqual({packet.payload for packet in run.of(run.flow)}, {1400})
        lost = int(re.search(r"packets (\d+)", self.b.run("nft", "list", "counter", "inet", "wall", "lost").stdout)[1])
        self.assertGreater(lost, 0)
        self.assertEqual(run.flow["lost"] - run.flow["kernel_drops"], lost)
        self.assertIsNotNone(run.flow["jitter_rfc3550_mean_ns"])

    def row_fail_where_more_than_1_is_lost(self, run):
        self.assertEqual(run.flow["lost"], 0)
        self.filter(self.b, EVERY_TENTH)
        receiver = self.b.receiver()
        self.assertSaid(self.a.groma("send", *run.sent, check=False), 1)
        self.assertGreater(json.loads((self.folder / "report.json").read_text())["flows"][0]["lost"], 0)
        receiver.stop()

    def row_percentiles_of_one_way_delay(self, run):
        self.assertIn("One-way delay", run.said)
        flow, = self.decoded("run")["runs"][0]["flows"]
        delays = lab.spread(flow, "delay")
        self.assertEqual(delays["count"], len(run.udp))
        self.assertEqual([delays[name] for name in ("min", "p50", "p90", "p99", "max")],
                         sorted(delays[name] for name in ("min", "p50", "p90", "p99", "max")))

    def row_round_trips_100_a_second(self, run):
        self.check_there_and_back(run, 172)
        self.assertEqual(run.flow["round_trip"]["returned_packets"], run.flow["sent_packets"])

    def check_there_and_back(self, run, size: int):
        """As many packets from each host, all of this size."""
        self.assertEqual({packet.payload for packet in run.udp}, {size})
        sources = [packet.source for packet in run.udp]
        self.assertEqual(sources.count(self.a.packed[0]), sources.count(self.b.packed[0]))

    def row_requests_and_responses_over_udp(self, run):
        self.check_transactions(run, 64, 64)
        self.check_there_and_back(run, 64)

    def row_latency_under_load(self, run):
        flows = {flow["name"]: flow for flow in run.report["flows"]}
        for name in "idle", "loaded":
            self.assertEqual(flows[name]["round_trip"]["returned_packets"], flows[name]["sent_packets"])
        self.assertEqual([flow["direction"] for flow in flows.values() if flow["transport"] == "tcp"].count("reverse"), 4)
        new = [flow["round_trip"]["connections"] for name, flow in flows.items() if name.startswith("new-")]
        self.assertEqual((len(new), len(run.connections())), (4, 8 + sum(new)))

    def row_are_the_clocks_together(self, run):
        self.assertIn("one clock, offset 0", run.said)  # hosts of one kernel

    # Models of traffic

    def row_a_poisson_process(self, run):
        self.check_plan(run)
        self.assertTrue({packet.payload for packet in run.udp} <= {*range(64, 1401)})

    def row_voice_with_silence(self, run):
        self.check_plan(run)
        self.assertEqual({packet.payload for packet in run.udp}, {172})

    def row_a_mix_of_sizes(self, run):
        self.check_plan(run)
        self.assertEqual({packet.payload for packet in run.udp}, {12, 548, 1472})

    def row_a_rate_that_rises(self, run):
        times = self.check_plan(run)
        gaps = [after - before for before, after in zip(times, times[1:])]
        self.assertEqual(gaps, sorted(gaps, reverse=True))
        self.assertRegex(run.said, r"time +sent +received +missing")

    def row_bursts(self, run):
        """Each second one: as many packets of 1 ms gaps as fit into a tenth."""
        seconds = [int(t * 1000 / SECOND_MS) for t in self.check_plan(run)]
        burst = SECOND_MS // 10
        self.assertEqual({second: seconds.count(second) for second in seconds}, dict.fromkeys(range(int(PACKETS) // burst), burst))

    def row_a_hundred_flows(self, run):
        self.assertEqual(len({(packet.source_port, packet.port) for packet in run.udp}), 100)

    def row_start_later(self, run):
        self.assertEqual(self.check_plan(run)[0], SECOND_MS / 1000 * 5)

    def row_the_same_numbers_again(self, run):
        self.assertIn("seed 7", run.said)
        self.check_plan(run)

    def row_see_it_send_nothing(self, run):
        self.assertEqual(run.packets, [])
        self.assertRegex(run.said, r"0\.000000000 +flow +0 +\d+\n")

    def row_what_the_packets_contain(self, run):
        for packet in run.of(run.flow):
            self.assertEqual(packet.segment[48:80], b"\x00\xff" * 16)  # well after the header

    def row_a_call_from_a_file_of_flows(self, run):
        self.assertEqual({(flow["direction"], flow["size"]) for flow in run.report["flows"]}, {("forward", "const:172"), ("reverse", "const:172")})
        self.assertEqual({packet.source for packet in run.udp if packet.payload == 172}, {self.a.packed[0], self.b.packed[0]})

    # Addresses and paths

    def row_expedited_forwarding_dscp_46(self, run):
        self.assertEqual({packet.ip.ds_byte for packet in run.udp}, {46 << 2})

    def row_a_ttl(self, run):
        self.assertEqual({packet.ip.ttl for packet in run.udp}, {5})

    def row_source_address_and_port(self, run):
        self.assertEqual({(packet.source, packet.source_port) for packet in run.udp}, {(self.a.packed[0], 40000)})

    def row_ipv6(self, run):
        self.assertEqual({(packet.source, packet.destination) for packet in run.udp}, {(self.a.packed[1], self.b.packed[1])})

    def row_multicast(self, run):
        self.assertEqual({(packet.destination, packet.ip.ttl) for packet in run.udp}, {(socket.inet_aton("239.1.1.1"), 1)})

    def before_a_firewall_at_b_admits_port_9000_and_a_range(self):
        self.filter(self.b, "tcp dport 9000 accept", "udp dport 5000-5010 accept", policy="drop")

    def row_a_firewall_at_b_admits_port_9000_and_a_range(self, run):
        self.assertEqual({packet.port for packet in run.udp}, {5000, 5001, 5002})

    def before_receive_through_a_nat_or_firewall_at_a(self):
        self.filter(self.a, SHUT)

    def row_receive_through_a_nat_or_firewall_at_a(self, run):
        self.assertEqual((run.flow["direction"], run.flow["lost"]), ("reverse", 0))
        self.assertEqual(run.udp[0].source, self.a.packed[0])

    def before_send_to_a_receiver_behind_nat(self):
        self.filter(self.b, SHUT)

    def row_send_to_a_receiver_behind_nat(self, run):
        self.assertEqual((run.flow["direction"], run.flow["lost"]), ("forward", 0))
        self.assertEqual(run.udp[0].source, self.b.packed[0])

    # Results

    def row_a_row_each_second(self, run):
        self.assertRegex(run.said, r"(?m)^ +\d\.\d\d s .*bit/s")

    def row_json_for_scripts(self, run):
        flow, = json.loads(run.said)["flows"]
        self.assertEqual(flow["sent_packets"], len(run.udp))

    def row_a_table_of_seconds(self, run):
        with open(self.folder / "series.csv", newline="") as file:
            sent = sum(int(line["sent_packets"]) for line in csv.DictReader(file))
        self.assertEqual(sent, self.decoded("run")["runs"][0]["flows"][0]["sent_packets"])

    def row_leave_out_the_first_two_seconds(self, run):
        self.assertIn(f"only packets that left from {2 * SECOND_MS} ms", run.said)

    def row_a_picture_of_the_throughput(self, run):
        self.assertEqual([file.name for file in (self.folder / "pictures").iterdir()], ["throughput.svg"])
        self.assertIn("<svg", (self.folder / "pictures/throughput.svg").read_text())


if __name__ == "__main__":
    lab.main()
