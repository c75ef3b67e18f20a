#!/usr/bin/env python3
"""Logs shipped to a log server equal the locally written logs."""
import lab
from two_hosts_test import results


class LogServer(lab.LabTest):
    hosts = 3

    def test_both_sides_logs_arrive_byte_for_byte(self):
        server = self.more[0]
        self.b.receiver()
        server.log_server("--dir", "kept")
        self.a.groma("send", "--to", self.b.address, "--idt", "const:5000pps", "--size", "const:100", "--packets", 5000, "--name",
                     "shipping", "--log", "send.glog", "--receiver-log", "recv.glog", "--log-server", server.address)
        kept = {path.name: path for path in (self.folder / "kept").rglob("*.glog")}
        self.assertEqual(len(kept), 2, sorted(kept))
        contents = {path.read_bytes() for path in kept.values()}
        self.assertEqual(contents, {(self.folder / "send.glog").read_bytes(), (self.folder / "recv.glog").read_bytes()})
        flow = results(self.folder, *kept.values()).execute("SELECT * FROM flows").fetchone()
        self.assertEqual((flow["sent_packets"], flow["received_packets"]), (5000, 5000))
        self.assertIn("complete", lab.run(lab.BIN / "groma-log", "list", self.folder / "kept").stdout)

    def test_two_receivers_on_hosts_of_one_name_ship_a_log_each(self):
        for host in (self.a, self.b):
            host.receiver()
        server = self.more[0]
        server.log_server("--dir", "kept")
        (self.folder / "two.toml").write_text(f"""
            [defaults]
            idt = "const:1000pps"
            packets = 500
            [[flow]]
            name = "one"
            to = "{self.a.address}"
            [[flow]]
            name = "two"
            to = "{self.b.address}"
        """)
        server.groma("send", "two.toml", "--log-server", server.address)
        kept = sorted((self.folder / "kept").rglob("*.glog"))
        self.assertEqual(len(kept), 3, kept)
        flows = results(self.folder, *kept).execute("SELECT * FROM flows").fetchall()
        self.assertEqual([(f["sent_packets"], f["received_packets"]) for f in flows], [(500, 500), (500, 500)])

    def test_a_receiver_connects_to_no_log_server_that_it_does_not_name(self):
        server = self.more[0]
        self.b.receiver("--log-servers", f"logs,{server.address}:9009")
        witness = self.b.witness(f"host {server.address} or port 53", direction="out")
        run = ["send", "--to", self.b.address, "--packets", "1"]
        for asked in (server.address, f"{server.address}:22", "localhost:22", "somewhere.example", "logs:22"):
            for way in (["--receiver-log-server", asked], ["--reverse", "--receiver-log-server", asked]):
                result = self.a.groma(*run, *way, check=False)
                self.assertSaid(result, 1, f"this host ships no logs to {asked}")
        self.assertEqual(witness.packets(), [])

    def test_a_log_server_that_is_not_there_is_named_before_anything_is_sent(self):
        self.b.receiver()
        witness = self.b.witness("udp")
        result = self.a.groma("send", "--to", self.b.address, "--idt", "const:1000pps", "--packets", "10", "--log-server",
                              self.more[0].address, check=False)
        self.assertSaid(result, 1, self.more[0].address, "groma-log")
        self.assertEqual(witness.packets(), [])


if __name__ == "__main__":
    lab.main()
