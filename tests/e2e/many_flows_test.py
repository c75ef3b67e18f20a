#!/usr/bin/env python3
"""Many flows from one sender, to one receiver and to two."""
import collections
import json
import signal

import lab
from two_hosts_test import results


class ManyFlows(lab.LabTest):
    hosts = 3

    def test_thirty_flows_of_five_profiles_over_udp_and_tcp_to_two_receivers(self):
        self.b.receiver()
        self.more[0].receiver()
        example = lab.ROOT / "examples" / "thirty-flows.toml"
        self.a.groma("send", example, "--duration", "1h", "--packets", 3, "--log", "send.glog", "--receiver-log", "recv.glog")
        # Both receivers write into the folder that all hosts of the lab share: one log for each.
        logs = sorted(path.name for path in self.folder.glob("recv*.glog"))
        self.assertEqual(len(logs), 2, logs)
        flows = results(self.folder, "send.glog", *logs).execute("SELECT * FROM flows").fetchall()
        self.assertEqual(len(flows), 30)
        self.assertEqual({f["transport"] for f in flows}, {"udp", "tcp"})
        self.assertGreaterEqual(len({f["profile"] for f in flows} - {""}), 5)
        for flow in flows:
            self.assertEqual((flow["sent_packets"], flow["received_packets"], flow["lost"]), (3, 3, 0), flow["name"])

    def test_three_hundred_flows_of_ten_packets_a_second_from_one_process(self):
        self.b.receiver()
        witness = self.b.witness("udp")
        result = self.a.groma("send", "--to", self.b.address, "--flows", "300", "--idt", "const:10pps", "--size", "const:100",
                              "--packets", 10, "--json", "--quiet")
        report = json.loads(result.stdout)
        self.assertEqual(len(report["flows"]), 300)
        seen = collections.Counter(p.port for p in witness.packets())
        self.assertEqual(len(seen), 300)
        self.assertEqual(set(seen.values()), {10})

    def test_a_tcp_flow_that_cannot_send_does_not_delay_the_others(self):
        # From the start of the run on, the receiver's host gets no TCP data: nftables drops it.
        receiver = self.b.receiver()
        self.b.run("nft", "add table inet t; add chain inet t in { type filter hook input priority 0; }; "
                   "add rule inet t in tcp dport 7777 tcp flags & (syn|fin|rst) == 0 meta length > 1000 drop")
        experiment = self.folder / "blocked.toml"
        experiment.write_text(f"""
            [defaults]
            to = "{self.b.address}"
            [[flow]]
            name = "blocked"
            transport = "tcp"
            port = 7777
            idt = "const:1000pps"
            size = "const:100000"
            packets = 1000
            [[flow]]
            name = "free"
            idt = "const:1000pps"
            size = "const:100"
            packets = 1000
        """)
        sender = self.a.start_groma("send", experiment, "--json=report.json", "--quiet", "--wait", "1s")
        receiver.await_datagrams(1000)
        status = sender.stop(signal.SIGINT)
        flows = {f["name"]: f for f in json.loads((self.folder / "report.json").read_text())["flows"]}
        self.assertEqual(flows["free"]["received_packets"], 1000)
        self.assertLess(flows["blocked"]["received_packets"], 1000)
        self.assertEqual(status, 1, "a flow that was not sent whole is no success")
        self.assertIsNone(receiver.process.poll())


if __name__ == "__main__":
    lab.main()
