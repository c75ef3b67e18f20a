#!/usr/bin/env python3
"""The network load of logs shipped over UDP, by a capture: the rate is not above the one asked for, and a bad path
adds little more than what was lost."""
import lab
import quiet
from log_udp_test import LogUdpTest


class LogRate(LogUdpTest):
    def test_log_rate_caps_what_is_on_the_wire(self):
        server = self.more[0]
        self.b.receiver()
        server.log_server("--dir", "kept")
        witness = server.witness(f"udp dst port 9001 and src host {self.a.address}")
        # 200 kbit/s are 25 kB/s; the log of 10,000 packets takes longer than the run.
        self.ship(server.address, "--log-rate", "200kbps", packets=10_000)
        packets = witness.packets()
        size = sum(packet.payload + 20 for packet in packets)
        seconds = (packets[-1].time_ns - packets[0].time_ns) / 1e9
        self.assertGreater(seconds, 0)
        self.assertLess(size, 25_000 * 1.2 * seconds + 20_000, f"{size} bytes in {seconds} s")

    def test_what_a_path_loses_comes_again_and_little_else(self):
        server = self.more[0]
        self.b.receiver("--log-servers", ",".join(f"{server.address}:910{number}" for number in range(3)))
        for number, loss in enumerate((0, 0.05, 0.3)):
            with self.subTest(loss=loss):
                log_server = server.log_server("--dir", f"kept{number}")
                relay = server.start(lab.BIN / "lossy_relay", server.address, f"910{number}", server.address, "9001", loss, "0.05",
                                     "0.1", "7")
                relay.wait_for("relaying")
                witness = server.witness(f"udp port 910{number}")
                self.ship(f"{server.address}:910{number}", folder=f"kept{number}", packets=10_000)
                came = sum(packet.payload - 8 for packet in witness.packets())
                logs = sum((self.folder / name).stat().st_size for name in ("send.glog", "recv.glog"))
                if loss:
                    self.assertGreater(came, logs * (1 + loss / 2), "what was lost came again")
                self.assertLess(came, logs * 4 + 100_000)
                relay.kill()
                log_server.stop()


if __name__ == "__main__":
    quiet.main()
