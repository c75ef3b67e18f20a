#!/usr/bin/env python3
"""Logs that a program ships arrive completely and once, whichever program dies, link is cut or disk is full.

Each run keeps a local log beside the shipped one: they must be the same bytes. Only the test ends a run, after the
fault is over. GROMA_LONG=1 runs longer and faster.
"""
import os
import re
import signal

import lab

LONG = bool(os.environ.get("GROMA_LONG"))
RATE = "50000pps" if LONG else "5000pps"
BEFORE = 10_000_000 if LONG else 10_000  # bytes of logs at the server when a fault begins


class Delivery(lab.LabTest):
    hosts = 3

    def setUp(self):
        super().setUp()
        self.server = self.more[0]
        self.spool = self.folder / "spool"

    def start_run(self, *arguments):
        return self.a.start_groma("send", "--to", self.b.address, "--idt", f"const:{RATE}", "--size", "const:64",
                                  "--duration", "1h", "--log", "send.glog", "--log-server", self.server.address,
                                  "--spool-dir", self.spool, "--json=report.json", *arguments)

    def resume(self, host=None, **options):
        return (host or self.a).groma("send", "--resume-spool", "--spool-dir", self.spool, **options)

    def kept(self, pattern="sender.glog") -> list:
        return sorted((self.folder / "kept").rglob(pattern))

    def assertShipped(self, run=None):
        """Ends the run. No data is lost or doubled: the server's log is the local one, and the spool is gone."""
        if run:
            self.assertEqual(run.stop(signal.SIGINT), 1, run.said)
        kept = self.kept()
        self.assertEqual(len(kept), 1, list((self.folder / "kept").rglob("*")))
        self.assertEqual(kept[0].read_bytes(), (self.folder / "send.glog").read_bytes())
        self.assertEqual(self.spools(), [])

    def packets(self, what: str, *logs) -> int:
        """Packets that the decoder finds in logs, which it reports as cut short."""
        return self.decoded(*logs, check=False)["runs"][0]["total"][f"{what}_packets"]

    def spools(self) -> list:
        return sorted(self.spool.iterdir()) if self.spool.exists() else []

    def await_kept_bytes(self, size: int = BEFORE, pattern: str = "*.part"):
        lab.wait_until(f"{size} bytes of logs", lambda: sum(p.stat().st_size for p in self.kept(pattern)) >= size)

    def kill_and_start_again(self, transport: str):
        receiver = self.b.receiver()
        server = self.server.log_server("--dir", "kept")
        run = self.start_run("--receiver-log", "recv.glog", "--log-transport", transport, "--receiver-log-transport", transport)
        self.await_kept_bytes()
        server.kill()
        for shipper in (run, receiver):  # a restarted server has no UDP connections: a shipper that has not noticed waits long
            shipper.wait_for(f"until the log server {self.server.address}:9001 ({transport}) is back")
        self.server.log_server("--dir", "kept")
        run.wait_for(f"connected to the log server {self.server.address}:9001 ({transport}) again")
        self.assertShipped(run)
        received, = self.kept("receiver-*")
        self.assertEqual(received.read_bytes(), (self.folder / "recv.glog").read_bytes())
        report = lab.json.loads((self.folder / "report.json").read_text())
        self.assertGreaterEqual(report["log"]["shipment"]["reconnections"], 1)

    def test_a_log_server_that_is_killed_and_started_again(self):
        self.kill_and_start_again("tcp")

    def test_a_log_server_that_is_killed_and_started_again_over_udp(self):
        self.kill_and_start_again("udp")

    def test_a_link_that_is_down_for_a_while(self):
        self.b.receiver()
        self.server.log_server("--dir", "kept")
        run = self.start_run()
        self.await_kept_bytes()
        self.server.run("ip", "link", "set", self.server.device, "down")
        lab.wait_until("TCP to have tried in vain", lambda: re.search(
            r"timer:\(on,[^,]*,[1-9]", self.a.run("ss", "-tnoH", "dst", self.server.address, "dport", "=", ":9001").stdout))
        self.server.run("ip", "link", "set", self.server.device, "up")
        self.assertShipped(run)

    def test_a_sender_that_is_killed_has_lost_nothing_that_it_handed_over(self):
        self.b.receiver()
        server = self.server.log_server("--dir", "kept")
        run = self.start_run()
        self.await_kept_bytes()
        server.kill()  # later data is in the spool only
        part = self.folder / "send.glog.part"
        size = part.stat().st_size
        lab.wait_until("more of the log", lambda: part.stat().st_size > size + 50_000)
        run.kill()
        self.assertEqual(len(self.spools()), 1)
        self.server.log_server("--dir", "kept")
        result = self.resume()
        self.assertIn("delivered, incomplete", result.stdout)
        self.assertEqual(self.spools(), [])
        shipped, local = self.kept("sender.glog*")[0].read_bytes(), part.read_bytes()
        # The local file is written first: it may have one block more, in part.
        self.assertTrue(local.startswith(shipped))
        self.assertLessEqual(len(local) - len(shipped), 200_000)
        self.assertGreater(len(shipped), size)
        self.assertGreater(self.packets("sent", *self.kept("sender.glog*")), 1000)
        self.assertIn("its writer ended", lab.run(lab.BIN / "groma-log", "list", self.folder / "kept").stdout)

    def test_a_server_that_does_not_come_back_leaves_the_log_in_the_spool(self):
        self.b.receiver()
        server = self.server.log_server("--dir", "kept")
        run = self.start_run("--receiver-log-server", "none")
        self.await_kept_bytes(1_000)
        server.kill()
        run.send_signal(signal.SIGINT)
        lab.wait_until("the log's totals in the spool", lambda: any(
            path.read_bytes()[-48:][:8] == b"\0\0\0\x18\0\0\0\2" for path in self.spool.rglob("*.pieces")))
        run.kill()  # it would wait half a minute
        self.server.log_server("--dir", "kept")
        waits = self.a.groma("send", "--to", "127.0.0.1", "--packets", "1", "--log-server", self.server.address, "--spool-dir",
                             self.spool, check=False)
        self.assertIn("--resume-spool", waits.stderr)
        self.assertIn("delivered: ", self.resume().stdout)
        self.assertShipped()

    def test_a_spool_of_a_server_that_is_away_stays(self):
        self.b.receiver()
        server = self.server.log_server("--dir", "kept")
        run = self.start_run()
        self.await_kept_bytes(1_000)
        held = self.resume(check=False)
        self.assertEqual(held.returncode, 1)
        self.assertIn("left alone", held.stdout)
        run.kill()
        server.kill()
        failed = self.resume(check=False)
        self.assertEqual(failed.returncode, 1)
        self.assertIn("failed: ", failed.stdout)
        self.assertEqual(len(self.spools()), 1)

    def test_a_full_spool_is_reported_and_nothing_is_lost(self):
        self.b.receiver()
        server = self.server.log_server("--dir", "kept")
        run = self.start_run("--spool-limit", "64KiB")
        self.await_kept_bytes()
        server.kill()
        run.wait_for("(--spool-limit); the log waits in memory")
        self.server.log_server("--dir", "kept")
        self.assertShipped(run)
        shipment = lab.json.loads((self.folder / "report.json").read_text())["log"]["shipment"]
        self.assertGreater(shipment["not_spooled_pieces"], 0)
        self.assertIn("--spool-limit", shipment["last_error"])

    def test_a_receiver_that_was_killed_delivers_its_log_when_it_starts(self):
        receiver = self.b.receiver("--spool-dir", "receivers-spool")
        server = self.server.log_server("--dir", "kept")
        run = self.start_run()
        self.await_kept_bytes(pattern="receiver-*.part")  # a sender that has not opened its own log yet would not begin the run
        server.kill()
        receiver.wait_for("; the log goes to the spool")
        spool = self.folder / "receivers-spool"
        lab.wait_until("records in it", lambda: sum(p.stat().st_size for p in spool.rglob("*.pieces")) > 20_000)
        receiver.kill()
        run.stop(signal.SIGKILL)
        self.assertEqual(len(list(spool.iterdir())), 1)
        self.server.log_server("--dir", "kept")
        again = self.b.receiver("--spool-dir", "receivers-spool")
        again.wait_for("delivered, incomplete")
        self.assertEqual(list(spool.iterdir()), [])
        self.assertGreater(self.packets("received", *self.kept("receiver-*.glog*")), 1000)


if __name__ == "__main__":
    lab.main()
