"""Runs on another host: groma-send --daemon and its clients on other hosts; a capture on the receivers counts the
packets."""
import json
import signal
import struct

import lab
from flows import table


class DaemonTest(lab.LabTest):
    """Host a sends for clients on c; b and d receive."""

    hosts = 4

    def setUp(self):
        super().setUp()
        self.client, self.d = self.more
        (self.folder / "logs").mkdir()
        self.daemon = self.a.start_groma("send", "--daemon", "--open-to-anyone", "--log-dir", "logs")
        self.daemon.wait_for("takes runs on")

    def via(self, *arguments, host=None):
        return (host or self.client).start_groma("send", "--via", self.a.address, *arguments)

    def report(self, program, status=0) -> dict:
        self.assertEqual(program.wait(), status, program.said)
        return json.loads(program.output.read_text())

    def test_two_clients_have_two_runs_made_at_once(self):
        self.b.receiver()
        self.d.receiver()
        at_b, at_d = (host.witness(f"udp and src host {self.a.address}") for host in (self.b, self.d))
        (self.folder / "run.toml").write_text(table("[[flow]]", {"to": self.d.address, "idt": "exp:300pps", "packets": 300}))
        long = self.via("--to", self.b.address, "--idt", "const:200pps", "--duration", "1h", "--json", "--log", "long.glog")
        self.daemon.wait_for("begins")
        short = self.via("run.toml", "--json=short.json", "--log", "short.glog", "--seed", "7")
        self.assertEqual(short.wait(), 0, short.said)
        self.assertIn("Result: ", short.said)
        lab.wait_until("the long run to send", lambda: (self.folder / "logs/long.glog.part").exists())
        long.send_signal(signal.SIGINT)
        stopped = self.report(long, status=long.wait())
        self.assertTrue(stopped["run"]["interrupted"])
        finished = json.loads((self.folder / "short.json").read_text())
        for report, witness in ((stopped, at_b), (finished, at_d)):
            (flow,) = report["flows"]
            self.assertEqual(flow["sent_packets"], flow["received_packets"])
            self.assertEqual(len(witness.packets()), flow["sent_packets"])
        self.assertEqual((finished["flows"][0]["sent_packets"], finished["run"]["seed"]), (300, 7))
        self.assertEqual(sorted(file.name for file in (self.folder / "logs").iterdir()), ["long.glog", "short.glog"])

    def test_a_client_that_vanishes_stops_its_run(self):
        receiver = self.b.receiver()
        gone = self.via("--to", self.b.address, "--duration", "1h")
        receiver.wait_for("begins")
        gone.kill()
        self.daemon.wait_for("the client is gone")
        receiver.wait_for("the run ended")

    def test_the_daemon_ends_its_runs_in_order_when_it_is_stopped(self):
        receiver = self.b.receiver()
        run = self.via("--to", self.b.address, "--duration", "1h", "--json")
        receiver.await_datagrams()
        self.assertEqual(self.daemon.stop(), 0)
        report = self.report(run, status=run.wait())
        self.assertTrue(report["run"]["interrupted"])
        self.assertEqual(report["flows"][0]["sent_packets"], report["flows"][0]["received_packets"])

    def test_what_goes_wrong_there_is_said_here(self):
        nobody = self.via("--to", self.b.address, "--json=nothing.json")
        self.assertEqual(nobody.wait(), 1)
        self.assertIn("cannot connect to the receiver at", nobody.said)
        self.assertFalse((self.folder / "nothing.json").exists())
        (self.folder / "bad.toml").write_text('[[flow]]\nto = "beta"\nidt = "sometimes"\n')
        bad = self.via("bad.toml")
        self.assertEqual(bad.wait(), 2)
        self.assertIn("bad.toml:3:7", bad.said)

    def test_requests_reach_nothing_of_the_daemons_disk(self):
        for arguments, words in ((("--log", "../evil.glog"), "give a name"), (("--log", "/tmp/evil.glog"), "give a name"),
                                 (("--payload", "file:/etc/hostname"), "requests do not read")):
            refused = self.via("--to", self.b.address, *arguments)
            self.assertEqual(refused.wait(), 1, refused.said)
            self.assertIn(words, refused.said)
        self.assertFalse((self.folder / "evil.glog").exists())
        self.assertEqual(list((self.folder / "logs").iterdir()), [])

    def test_strange_messages_are_refused_and_the_daemon_lives(self):
        script = "import socket,sys\ns=socket.create_connection((sys.argv[1],9003))\ns.sendall(bytes.fromhex(sys.argv[2]))\nprint(s.makefile('rb').read())"
        for text in (b"no json", b'{"type":"stop"}', b'{"type":"run"}', b"[" * 1000):
            said = self.client.run("python3", "-c", script, self.a.address, (struct.pack(">I", len(text)) + text).hex()).stdout
            self.assertIn("refused", said)
        said = self.client.run("python3", "-c", script, self.a.address, struct.pack(">I", 0x7FFFFFFF).hex()).stdout
        self.assertIn("refused", said)
        self.b.receiver()
        run = self.via("--to", self.b.address, "--packets", "10", "--json")
        self.assertEqual(self.report(run)["flows"][0]["received_packets"], 10)

    def test_no_more_runs_than_it_may_and_loopback_only_unless_open(self):
        self.assertEqual(self.daemon.stop(), 0)
        closed = self.a.groma("send", "--daemon", "--listen", self.a.address, check=False)
        self.assertSaid(closed, 2, "add --open and --keys DIR")
        self.assertSaid(self.a.groma("send", "--daemon", "--to", "beta", check=False), 2, "--to describes a run")
        few = self.a.start_groma("send", "--daemon=9004", "--open-to-anyone", "--max-runs", "1")
        few.wait_for("takes runs on")
        receiver = self.b.receiver()
        first = self.client.start_groma("send", "--via", f"{self.a.address}:9004", "--to", self.b.address, "--duration", "1h")
        receiver.wait_for("begins")
        second = self.client.groma("send", "--via", f"{self.a.address}:9004", "--to", self.b.address, check=False)
        self.assertSaid(second, 1, "makes 1 run already")
        first.stop(signal.SIGINT)


if __name__ == "__main__":
    lab.main()
