#!/usr/bin/env python3
"""The main task on two hosts: a witness on the other host, and the logs, show what was asked for."""
import json
import sqlite3

import lab


def results(folder, *logs):
    """The decoder's SQLite results of some logs."""
    lab.run(lab.BIN / "groma-dec", *logs, "--sqlite", "results.sqlite", "--force", cwd=folder)
    connection = sqlite3.connect(folder / "results.sqlite")
    connection.row_factory = sqlite3.Row
    return connection


class TwoHosts(lab.LabTest):
    def schedule(self, *arguments):
        """The departures of `groma-send --dry-run`, without a network."""
        lines = self.a.groma("send", *arguments, "--dry-run=json").stdout.splitlines()
        departures = [json.loads(line) for line in lines]
        return [d for d in departures if "seq" in d]

    def test_udp_counts_sizes_and_order_equal_those_of_a_witness_on_the_receiving_host(self):
        self.b.receiver()
        flow = ["--to", self.b.address, "--transport", "udp", "--idt", "exp:2000pps", "--size", "unif:64:1400",
                "--packets", "2000", "--seed", "7"]
        asked = self.schedule(*flow)
        witness = self.b.witness("udp")
        self.a.groma("send", *flow, "--log", "send.glog", "--receiver-log", "recv.glog")
        seen = witness.packets()
        self.assertEqual(len(asked), 2000)
        self.assertEqual([p.payload for p in seen], [d["size"] for d in asked])
        found = results(self.folder, "send.glog", "recv.glog").execute("SELECT * FROM flows").fetchall()
        self.assertEqual(len(found), 1)
        self.assertEqual(found[0]["sent_packets"], len(seen))
        self.assertEqual(found[0]["sent_packets"], found[0]["received_packets"] + found[0]["lost"])
        self.assertEqual(found[0]["received_bytes"], sum(p.payload for p in seen))
        self.assertEqual(found[0]["lost"], 0)

    def test_tcp_bytes_equal_those_of_a_witness_on_the_receiving_host(self):
        self.b.receiver()
        flow = ["--to", self.b.address, "--transport", "tcp", "--idt", "const:1000pps", "--size", "unif:1:3000",
                "--packets", "1000", "--seed", "7", "--port", "7777"]
        asked = self.schedule(*flow)
        witness = self.b.witness("tcp dst port 7777")
        self.a.groma("send", *flow, "--log", "send.glog", "--receiver-log", "recv.glog")
        self.assertEqual(lab.stream_bytes(witness.packets()), sum(d["size"] for d in asked))
        found = results(self.folder, "send.glog", "recv.glog").execute("SELECT * FROM flows").fetchone()
        self.assertEqual(found["received_packets"], len(asked))
        self.assertEqual(found["received_bytes"], sum(d["size"] for d in asked))

    def test_packets_of_every_small_size_arrive_and_are_joined(self):
        self.b.receiver()
        for transport in ("udp", "tcp"):
            for size in (1, 3, 4, 11, 12, 19, 20):
                self.a.groma("send", "--to", self.b.address, "--transport", transport, "--idt", "const:2000pps", "--size",
                             f"const:{size}", "--packets", "200", "--log", "send.glog", "--receiver-log", "recv.glog")
                found = results(self.folder, "send.glog", "recv.glog").execute("SELECT * FROM flows").fetchone()
                self.assertEqual((found["received_packets"], found["received_bytes"]), (200, 200 * size), f"{transport} {size}")
                copies_are_told = transport == "tcp" or size >= 4
                self.assertEqual((found["lost"], found["lost_at_least"]), (0, None) if copies_are_told else (None, 0),
                                 f"{transport} {size}")

    def test_the_clocks_of_two_hosts_on_one_kernel_are_known_to_be_one(self):
        self.b.receiver()
        self.a.groma("send", "--to", self.b.address, "--idt", "const:1000pps", "--size", "const:100", "--packets", "500", "--log",
                     "send.glog", "--receiver-log", "recv.glog")
        found = results(self.folder, "send.glog", "recv.glog")
        run = found.execute("SELECT * FROM runs").fetchone()
        self.assertEqual((run["clock_offset_ns"], run["clock_bound_ns"]), (0, 0))
        flow = found.execute("SELECT * FROM flows").fetchone()
        self.assertGreater(flow["delay_min_ns"], 0)
        self.assertLessEqual(flow["delay_p50_ns"], flow["delay_max_ns"])

    def test_a_report_for_machines_has_both_sides_counts(self):
        self.b.receiver()
        result = self.a.groma("send", "--to", self.b.address, "--idt", "const:1000pps", "--size", "const:100", "--packets", "300",
                              "--json", "--quiet")
        report = json.loads(result.stdout)
        flow = report["flows"][0]
        self.assertEqual(flow["sent_packets"], 300)
        self.assertEqual(flow["received_packets"], 300)


if __name__ == "__main__":
    lab.main()
