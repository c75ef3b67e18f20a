#!/usr/bin/env python3
"""The rate at which logs are shipped over UDP is no higher than what was asked for, as a capture sees it."""
import lab
from log_udp_test import LogUdpTest


class LogRate(LogUdpTest):
    def test_log_rate_caps_what_is_on_the_wire(self):
        server = self.more[0]
        self.b.receiver()
        server.log_server("--dir", "kept")
        witness = server.witness(f"udp dst port 9001 and src host {self.a.address}", at_once=True)
        # 200 kbit/s are 25 kB/s; the log of 10,000 packets is longer than that takes for the run.
        self.ship(server.address, "--log-rate", "200kbps")
        packets = witness.packets()
        size = sum(packet.payload + 20 for packet in packets)
        seconds = (packets[-1].time_ns - packets[0].time_ns) / 1e9
        self.assertGreater(seconds, 0)
        self.assertLess(size, 25_000 * 1.2 * seconds + 20_000, f"{size} bytes in {seconds} s")


if __name__ == "__main__":
    lab.main()
