#!/usr/bin/env python3
"""Logs shipped over UDP, on good paths and bad ones, equal the locally written logs."""
import lab

RATE = "const:5000pps"


class LogUdpTest(lab.LabTest):
    hosts = 3

    def ship(self, server: str, *arguments, folder="kept", packets=5000):
        """A run whose logs go to the log server over UDP, both sides, and to local files; compares them."""
        self.a.groma("send", "--to", self.b.address, "--idt", RATE, "--size", "exp:200", "--packets", packets, "--name", "udp",
                     "--log", "send.glog", "--receiver-log", "recv.glog", "--log-server", server, "--log-transport", "udp",
                     "--receiver-log-transport", "udp", *arguments)
        kept = {path.read_bytes() for path in (self.folder / folder).rglob("*.glog")}
        self.assertEqual(kept, {(self.folder / "send.glog").read_bytes(), (self.folder / "recv.glog").read_bytes()})


class LogUdp(LogUdpTest):
    def test_logs_arrive_byte_for_byte_in_datagrams_that_fit(self):
        server = self.more[0]
        self.b.receiver()
        server.log_server("--dir", "kept")
        witness = server.witness("udp port 9001")
        self.ship(server.address)
        sizes = [packet.payload for packet in witness.packets()]
        self.assertGreater(max(sizes), 1400, "UDP carried it, in full datagrams")
        self.assertLessEqual(max(sizes), 1480, "with the header of UDP")

    def test_datagrams_are_cut_to_a_small_mtu(self):
        server = self.more[0]
        for host in self.lab.hosts:
            host.run("ip", "link", "set", host.device, "mtu", "1280")
        self.b.receiver()
        server.log_server("--dir", "kept")
        witness = server.witness("udp port 9001 or ip[6:2] & 0x3fff != 0")
        self.ship(server.address)
        packets = witness.packets()
        self.assertLessEqual(max(packet.payload for packet in packets), 1260)
        self.assertEqual({packet.port for packet in packets}, {9001}, "no fragments")

    def test_nothing_is_lost_or_doubled_on_bad_paths(self):
        server = self.more[0]
        self.b.receiver("--log-servers", f"{server.address}:9100,{server.address}:9101")
        for number, loss in enumerate((0.05, 0.3)):
            with self.subTest(loss=loss):
                log_server = server.log_server("--dir", f"kept{number}")
                relay = server.start(lab.BIN / "lossy_relay", server.address, f"910{number}", server.address, "9001", loss, "0.05",
                                     "0.1", "7")
                relay.wait_for("relaying")
                witness = server.witness(f"udp port 910{number}")
                self.ship(f"{server.address}:910{number}", folder=f"kept{number}")
                came = sum(packet.payload for packet in witness.packets())
                self.assertGreater(came, sum((self.folder / name).stat().st_size for name in ("send.glog", "recv.glog")))
                relay.kill()
                log_server.stop()

    def test_strangers_are_not_answered(self):
        server = self.more[0]
        log_server = server.log_server("--dir", "kept")
        witness = self.a.witness(f"src host {server.address} and udp")
        code = ("import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
                "for data in (b'', b'rubbish', b'GL' + bytes(90), b'GL\\2\\3' + bytes(88), b'GL\\2\\5' + bytes(1000)):\n"
                f"    s.sendto(data, ('{server.address}', 9001))\n")
        before = log_server.count("Udp.InDatagrams")
        self.a.run("python3", "-c", code)
        log_server.await_datagrams(before + 5)
        self.assertEqual(witness.packets(), [])
        log_server.stop()
        self.assertIn("strangers", log_server.said)

    def test_a_server_without_udp_says_nothing_and_the_sender_names_it(self):
        server = self.more[0]
        self.b.receiver()
        server.log_server("--dir", "kept", "--no-udp")
        result = self.a.groma("send", "--to", self.b.address, "--idt", RATE, "--packets", "10", "--log-server", server.address,
                              "--log-transport", "udp", check=False)
        self.assertSaid(result, 1, server.address, "groma-log")


if __name__ == "__main__":
    lab.main()
