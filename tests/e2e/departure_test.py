#!/usr/bin/env python3
"""Departure by the kernel: a device without a queue that can hold packets is refused with the reason. Kernels with
such queues run in user-mode Linux: the guest of the gate (uml_matrix_test.py) tests their refusals,
held_departure_test.py the times of departure."""
import json

import lab
import uml

PACKETS = 2000


class DepartureTest(lab.LabTest):
    def send(self, *arguments, check=True, idt="const:1ms", packets=PACKETS):
        return self.a.groma("send", "--to", self.b.address, "--idt", idt, "--size", "100", "--packets", packets, "--json=report.json",
                            *arguments, check=check)

    def report(self) -> dict:
        return json.loads((self.folder / "report.json").read_text())

    def queue(self, *discipline):
        self.a.run("tc", "qdisc", "replace", "dev", self.a.device, "root", *discipline)

    def etf(self, delta_ns: int):
        """For packets of priority 5 only: it drops packets without a time, such as those of the control session."""
        self.queue("handle", "1:", "prio", "bands", "2", "priomap", *[1 if priority == 5 else 0 for priority in range(16)])
        self.a.run("tc", "qdisc", "replace", "dev", self.a.device, "parent", "1:2", "etf", "clockid", "CLOCK_TAI", "delta", delta_ns)


class OnThisKernel(DepartureTest):
    """This machine's kernel, with or without such queues."""

    def test_a_queue_that_cannot_hold_packets_is_refused_with_the_command_that_sets_one(self):
        self.b.receiver()
        for discipline in ("noqueue", "pfifo_fast"):
            self.queue(discipline)
            result = self.send("--departure", "kernel", check=False)
            self.assertSaid(result, 1, f"the queueing discipline of eth0 is {discipline}, not fq or etf",
                            "tc qdisc replace dev eth0 root fq", "--departure user")

    def test_other_transports_do_not_know_it(self):
        self.assertSaid(self.send("--departure", "kernel", "--transport", "tcp", check=False), 2,
                        "departure is of udp or udplite only")
        self.assertSaid(self.send("--departure", "kernel:2s", check=False), 2, "200us to 1s before their departure")


class KernelsWithQueues(DepartureTest):
    """In a kernel with fq and etf."""

    def test_more_than_the_queue_holds_is_refused(self):
        self.queue("fq", "flow_limit", "10")
        self.b.receiver()
        self.assertSaid(self.send("--departure", "kernel:20ms", check=False), 1, "holds at most 10 packets of a flow",
                        "20ms of this one are 20", "root fq flow_limit 80")
        self.send("--departure", "kernel:5ms", packets=50)

    def test_without_the_right_to_etfs_clock_it_is_said(self):
        self.etf(2_000_000)
        self.b.receiver()
        result = self.a.run("setpriv", "--bounding-set", "-net_admin", "--inh-caps", "-net_admin", lab.BIN / "groma-send", "--to",
                            self.b.address, "--departure", "kernel", "--priority", "5", "--packets", "1", check=False)
        self.assertSaid(result, 1, "CAP_NET_ADMIN")


load_tests = uml.load_tests_of_matrix([OnThisKernel], [KernelsWithQueues])


if __name__ == "__main__":
    lab.main()
