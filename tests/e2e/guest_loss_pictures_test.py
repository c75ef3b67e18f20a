#!/usr/bin/env python3
"""Pictures of loss and order of a network whose faults are known (netem), in user-mode Linux, because this machine's
kernel may have no netem."""
import lab
import uml
from flows import FlowsTest
from loss_pictures_test import PicturesTest


class GuestLossPictures(PicturesTest, FlowsTest):
    def netem(self, band: int, port: int, *what):
        def tc(*command):
            lab.run("ip", "netns", "exec", self.lab.switch, "tc", *command)
        if band == 2:
            tc("qdisc", "add", "dev", "port2", "root", "handle", "1:", "prio", "bands", "3", "priomap", *["0"] * 16)
        tc("filter", "add", "dev", "port2", "parent", "1:", "protocol", "ip", "u32", "match", "ip", "protocol", "17", "0xff",
           "match", "ip", "dport", str(port), "0xffff", "flowid", f"1:{band}")
        tc("qdisc", "add", "dev", "port2", "parent", f"1:{band}", "netem", "limit", "100000", *what)

    def test_of_a_gilbert_channel_and_a_jumping_delay(self):
        self.netem(2, 5601, "loss", "gemodel", f"{100 * self.P}%", f"{100 * self.R}%")
        self.netem(3, 5602, "delay", "20ms", "8ms", "distribution", "normal")
        self.b.receiver()
        self.send([{"name": "bursts", "port": 5601}, {"name": "jumps", "port": 5602}], "--log", "send.glog", "--receiver-log",
                  "recv.glog", to=self.b.address, idt="const:2ms", size=100, packets=self.PACKETS)
        self.check_pictures(self.folder)


load_tests = uml.load_tests_inside(__file__, GuestLossPictures)


if __name__ == "__main__":
    lab.main()
