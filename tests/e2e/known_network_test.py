#!/usr/bin/env python3
"""A network whose faults are known: groma-dec finds netem's settings, within the error of chance.

netem's random numbers have no seed (Linux before 6.7). So each figure may be off by five standard errors of its
formula, which happens once in 1.7 million. Runs in user-mode Linux, as this machine's kernel may have no netem: one
guest for all cases, which starts this file again.
"""
import math

import lab
import quiet
import uml
from flows import FlowsTest

SIGMAS = 5
GUEST_STOOD_STILL_NS = 15_000_000


def share_error(p: float, n: int) -> float:
    """Of a share of n independent events of probability p (binomial)."""
    return math.sqrt(p * (1 - p) / n)


class KnownNetwork(FlowsTest):
    """netem is on the switch, towards host b, and only packets of UDP pass it."""

    def netem(self, *what):
        def tc(*command):
            lab.run("ip", "netns", "exec", self.lab.switch, "tc", *command)
        tc("qdisc", "add", "dev", "port2", "root", "handle", "1:", "prio", "bands", "2", "priomap", *["0"] * 16)
        tc("filter", "add", "dev", "port2", "parent", "1:", "protocol", "ip", "u32", "match", "ip", "protocol", "17", "0xff", "flowid", "1:2")
        tc("qdisc", "add", "dev", "port2", "parent", "1:2", "netem", "limit", "100000", *what)

    def measure(self, packets: int, *, flows: int = 1, gap: str = "5ms"):
        """Sends this number of packets over each flow and returns groma-dec's figures of the run. If the guest stood
        still, so did the packets on the way: that is another network."""
        def once(attempt: int):
            logs = f"send-{attempt}.glog", f"recv-{attempt}.glog"
            report = self.send([{"name": "known", "count": flows}], "--log", logs[0], "--receiver-log", logs[1],
                               to=self.b.address, idt=f"const:{gap}", size=100, packets=packets)
            run, = self.decoded(*logs)["runs"]
            for log in logs:
                (self.folder / log).unlink()
            return max(flow["lateness_max_ns"] for flow in report["flows"].values()), run
        run = quiet.calmest(once, GUEST_STOOD_STILL_NS)
        self.assertEqual(run["total"]["sent_packets"], packets * flows)
        return run

    def assertNear(self, found: float, wanted: float, error: float, what: str):
        print(f"{what}: {found:.5g}, wanted {wanted:.5g} +- {SIGMAS} x {error:.2g}", flush=True)
        self.assertLessEqual(abs(found - wanted), SIGMAS * error, f"{what}: {found} instead of {wanted} +- {SIGMAS} x {error}")

    def setUp(self):
        super().setUp()
        self.b.receiver()

    def test_a_network_without_faults(self):
        found = self.measure(1000)["total"]
        self.assertEqual((found["lost"], found["duplicates"], found["reordered"]), (0, 0, 0))

    def test_loss(self):
        n, p = 4000, 0.05
        self.netem("loss", "5%")
        found = self.measure(n // 4, flows=4)["total"]
        self.assertNear(found["lost_ratio"], p, share_error(p, n), "loss")

    def test_duplicates(self):
        n, p = 4000, 0.02
        self.netem("duplicate", "2%")
        found = self.measure(n // 4, flows=4)["total"]
        self.assertEqual(found["lost"], 0)
        self.assertNear(found["duplicates"] / n, p, share_error(p, n), "duplicates")

    def test_reordering(self):
        """A packet in twenty is not delayed. With gaps of 40 ms and a delay of 60 ms it overtakes the one before it,
        if that was delayed, and no other: p (1 - p) of the packets come late. Two neighbours cannot both be late:
        the error is below that of independent events. With more flows, the last one would wait for the others at
        each instant."""
        flows, each, p = 10, 400, 0.05
        self.netem("delay", "60ms", "reorder", "5%")
        found = self.measure(each, flows=flows, gap="40ms")["total"]
        self.assertEqual(found["lost"], 0)
        n, wanted = flows * (each - 1), p * (1 - p)
        self.assertNear(found["reordered"] / n, wanted, share_error(wanted, n), "reordering")

    def test_delay(self):
        """Its mean and its standard deviation; the path's own delay is measured first, and is part of the error."""
        n, mean, sd = 1500, 30e6, 4e6
        itself = lab.spread(self.measure(n // 3, flows=3)["total"], "delay")
        self.netem("delay", "30ms", "4ms", "distribution", "normal")
        found = lab.spread(self.measure(n // 3, flows=3)["total"], "delay")
        own = itself["sd"]
        self.assertNear(found["mean"], mean + itself["mean"], math.hypot(sd, own) / math.sqrt(n) + own / SIGMAS, "mean of the delay")
        self.assertNear(found["sd"], math.hypot(sd, own), math.hypot(sd, own) / math.sqrt(2 * (n - 1)) + own / SIGMAS, "deviation of the delay")
        # Of a normal distribution, 90 % are below the mean and 1.2816 deviations; the density there is 0.1755.
        self.assertNear(found["p90"], mean + itself["mean"] + 1.2816 * sd, sd * math.sqrt(0.09 / n) / 0.1755 + own / SIGMAS, "90 % of the delay")

    def test_bursts_of_loss(self):
        """Gilbert's model: from good to bad with p, back with r, and all packets are lost in the bad state. Its
        share is p / (p + r); the n draws are worth (p + r) / (2 - p - r) n independent ones, as their correlation
        falls by 1 - p - r each step. Bursts last 1 / r packets, geometrically distributed, and there are n p r / (p
        + r) of them, which vary by less than those of independent events."""
        n, p, r = 4000, 0.05, 0.5
        self.netem("loss", "gemodel", "5%", "50%")
        flow, = self.measure(n, gap="3ms")["flows"]
        share = p / (p + r)
        self.assertNear(flow["lost_ratio"], share, share_error(share, n) * math.sqrt((2 - p - r) / (p + r)), "loss in bursts")
        bursts = lab.spread(flow, "loss_period", unit="")
        self.assertAlmostEqual(bursts["count"] * bursts["mean"], flow["lost"])
        self.assertNear(bursts["mean"], 1 / r, math.sqrt(1 - r) / r / math.sqrt(bursts["count"]), "packets in a burst")
        wanted = n * share * r
        self.assertNear(bursts["count"], wanted, math.sqrt(wanted), "bursts")
        # The fitted model: shares of the packets sent in the good state, and in the bad one.
        self.assertNear(flow["gilbert_p"], p, share_error(p, n * (1 - share)), "from good to bad")
        self.assertNear(flow["gilbert_r"], r, share_error(r, n * share), "from bad to good")


load_tests = uml.load_tests_inside(__file__, KnownNetwork)


if __name__ == "__main__":
    lab.main()
