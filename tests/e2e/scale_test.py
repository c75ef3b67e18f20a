#!/usr/bin/env python3
"""Very many flows of one process to one: those over UDP share sockets, by choice or because there are so many of them.
None is lost where the machine is quiet."""
import collections

import lab
import quiet
from sharing_test import ManyTest, flow_of
from two_hosts_test import results


class Scale(ManyTest):
    def test_two_thousand_flows_on_one_socket_are_told_apart(self):
        self.b.receiver()
        witness = self.b.witness("udp")
        report = self.send("--flows", "2000", "--association", "1", "--idt", "const:5pps", "--size", "const:100", "--duration", "3s",
                           "--start-spread", "200ms", "--log", "send.glog", "--receiver-log", "recv.glog")
        packets = witness.packets()
        self.assertEqual(len({(p.source_port, p.port) for p in packets}), 1, "one socket on either side")
        self.assertEqual({p.payload for p in packets}, {100})
        seen = collections.Counter(map(flow_of, packets))
        self.assertEqual(seen, {number: 15 for number in range(1, 2001)})
        self.assertEqual({(f["received_packets"], f["lost"], f["malformed_packets"]) for f in report["flows"]},
                         {(15, 0, 0)})
        found = results(self.folder, "send.glog", "recv.glog").execute(
            "SELECT sent_packets, received_packets, lost, COUNT(*) AS flows FROM flows GROUP BY 1, 2, 3").fetchall()
        self.assertEqual([tuple(row) for row in found], [(15, 15, 0, 2000)])

    def test_more_than_ten_thousand_flows_share_sockets_without_being_asked_to(self):
        self.b.receiver()
        witness = self.b.witness("udp")
        report = self.send("--flows", "10001", "--idt", "const:1pps", "--size", "const:64", "--packets", "2", "--start-spread", "1s",
                           "--log", "send.glog", "--receiver-log", "recv.glog")
        packets = witness.packets()
        self.assertEqual(len({p.port for p in packets}), 40)
        self.assertEqual(collections.Counter(map(flow_of, packets)), {number: 2 for number in range(1, 10002)})
        self.assertEqual(sum(f["received_packets"] for f in report["flows"]), 20002)
        totals = self.decoded("send.glog", "recv.glog")["runs"][0]["flows"]
        self.assertEqual({(f["sent_packets"], f["received_packets"]) for f in totals}, {(2, 2)})

    def test_flows_that_are_to_have_sockets_of_their_own_have_them_among_many_too(self):
        self.b.receiver()
        witness = self.b.witness("udp")
        self.send("--flows", "1200", "--idt", "const:1pps", "--size", "const:64", "--packets", "1", "--start-spread", "1s",
                  "--own-socket", "on")
        self.assertEqual(len({(p.source_port, p.port) for p in witness.packets()}), 1200)

    def test_five_hundred_tcp_flows_arrive_whole(self):
        self.b.receiver()
        witness = self.b.witness("tcp dst portrange 1024-65535 and tcp[tcpflags] & tcp-push != 0 and not port 9000")
        report = self.send("--flows", "500", "--transport", "tcp", "--idt", "const:5pps", "--size", "const:100", "--duration", "2s",
                           "--start-spread", "200ms", "--log", "send.glog", "--receiver-log", "recv.glog")
        by_port = collections.defaultdict(list)
        for packet in witness.packets():
            by_port[packet.port].append(packet)
        self.assertEqual({lab.stream_bytes(packets) for packets in by_port.values()}, {1000})
        self.assertEqual(len(by_port), 500)
        self.assertEqual({(f["received_packets"], f["lost"]) for f in report["flows"]}, {(10, 0)})
        found = results(self.folder, "send.glog", "recv.glog").execute(
            "SELECT sent_packets, received_packets, lost, COUNT(*) AS flows FROM flows GROUP BY 1, 2, 3").fetchall()
        self.assertEqual([tuple(row) for row in found], [(10, 10, 0, 500)])


if __name__ == "__main__":
    quiet.main()
