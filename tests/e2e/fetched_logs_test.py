#!/usr/bin/env python3
"""The logs of both sides end in one folder of the sender's host (--logs)."""
import contextlib
import json
import socket
import sys
import threading

import lab

CONTROL, RELAY = 9000, 9100


def frames(stream):
    """The frames of a control connection, each with its length before it."""
    while head := stream.read(4):
        yield head + stream.read(int.from_bytes(head, "big"))


def relay(address: str, sections: list[int]):
    """Between a sender and the receiver on this host. Cuts connections, each behind so many sections of a log; others
    it leaves alone. Takes none after the last cut."""
    with socket.create_server((address, RELAY)) as server:
        print("relaying", flush=True)
        while sections:
            sender, _ = server.accept()
            with sender, socket.create_connection((address, CONTROL)) as receiver:
                if is_cut(sender, receiver, sections[0]):
                    sections.pop(0)


def is_cut(sender: socket.socket, receiver: socket.socket, sections: int) -> bool:
    """Relays until so many sections have passed, or one side has closed its end."""
    def forward():
        with contextlib.suppress(OSError):
            while data := sender.recv(65536):
                receiver.sendall(data)
        with contextlib.suppress(OSError):
            receiver.shutdown(socket.SHUT_WR)

    forwarding = threading.Thread(target=forward)
    forwarding.start()
    with contextlib.suppress(OSError):
        for frame in frames(receiver.makefile("rb")):
            sender.sendall(frame)
            sections -= json.loads(frame[4:])["type"] == "log_section"
            if not sections:
                break
    for one in (sender, receiver):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
    forwarding.join()
    return not sections


class FetchedLogs(lab.LabTest):
    FLOW = ("--idt", "const:4000pps", "--size", "100")
    LONG = ("--packets", "16000")  # with --log-block 1: a log of several sections

    def setUp(self):
        super().setUp()
        self.there = self.folder / "there"
        self.there.mkdir()
        self.here = self.folder / "run"

    def receive(self, *arguments):
        return self.b.receiver("--log-dir", self.there, *arguments, keep_logs=True)

    def send(self, *arguments, to=None, **options):
        return self.a.groma("send", "--to", to or self.b.address, *self.FLOW, "--logs", self.here, *arguments, **options)

    def send_through(self, sections, *arguments):
        """Over connections that are cut behind so many sections of the log each."""
        relaying = self.b.start(sys.executable, "-B", __file__, "relay", self.b.address, *sections)
        relaying.wait_for("relaying")
        return self.send(*self.LONG, "--source", self.a.address, *arguments, to=f"{self.b.address}:{RELAY}", check=False)

    def names(self, folder):
        return sorted(file.name for file in folder.iterdir())

    def test_a_folder_has_what_the_decoder_needs_and_the_receiver_keeps_nothing(self):
        self.receive()
        result = self.send("--packets", "400", "--json")
        self.assertEqual(json.loads(result.stdout)["receivers"][0]["log_file"], f"{self.here}/recv.glog")
        self.assertEqual(self.names(self.here), ["recv.glog", "send.glog"])
        self.assertEqual(self.names(self.there), [])
        decoded = json.loads(lab.run(lab.BIN / "groma-dec", self.here, "--json").stdout)
        flow = decoded["runs"][0]["flows"][0]
        self.assertEqual((flow["sent_packets"], flow["received_packets"], flow["lost"]), (400, 400, 0))

    def test_a_log_of_many_sections_is_the_receivers_byte_for_byte(self):
        self.receive("--log-block", "1")
        self.send(*self.LONG, "--receiver-log", "mine.glog")
        self.assertEqual(self.names(self.there), ["mine.glog"])
        fetched = (self.here / "recv.glog").read_bytes()
        self.assertGreater(len(fetched), 2 << 19)
        self.assertTrue(fetched == (self.there / "mine.glog").read_bytes())

    def test_several_receivers_have_a_log_each(self):
        self.receive()
        self.receive("--port", RELAY)
        (self.folder / "two.toml").write_text("".join(
            f'[[flow]]\nname = "{port}"\nto = "{self.b.address}:{port}"\nidt = "const:1000pps"\nsize = "100"\npackets = 100\n'
            for port in (CONTROL, RELAY)))
        self.a.groma("send", "two.toml", "--logs", self.here)
        self.assertEqual(self.names(self.here), [f"recv-{self.b.address}-{CONTROL}.glog", f"recv-{self.b.address}-{RELAY}.glog", "send.glog"])
        self.assertEqual(self.names(self.there), [])

    def test_a_folder_that_has_logs_is_refused_before_anything_is_sent(self):
        self.receive()
        self.send("--packets", "10")
        again = self.send("--packets", "10", check=False)
        self.assertEqual(again.returncode, 2, again.stderr)
        self.assertIn("it is there already; give another name, or --force to replace it", again.stderr)
        self.send("--packets", "20", "--force")
        (self.here / "recv-10.99.0.7.glog").write_bytes(b"")
        other = self.send("--packets", "10", "--force", check=False)
        self.assertEqual(other.returncode, 2, other.stderr)
        self.assertIn("has a log of another run, recv-10.99.0.7.glog", other.stderr)
        self.assertEqual(self.names(self.there), [])

    def test_a_receiver_behind_nat_has_its_log_fetched_over_the_connection_that_it_made(self):
        self.b.start_groma("recv", "--dial", self.a.address, "--once", "--log-dir", self.there)
        self.a.groma("send", "--passive", "9002", "--open-to-anyone", *self.FLOW, "--packets", "200", "--logs", self.here)
        self.assertEqual(self.names(self.here), ["recv.glog", "send.glog"])
        self.assertEqual(self.names(self.there), [])

    def test_a_cut_leaves_the_log_with_the_receiver_and_the_sender_says_where(self):
        self.receive("--log-block", "1")
        result = self.send_through([1], "--timeout", "10s")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stderr, f"it was not fetched, and is {self.there}/send-[0-9a-f]{{8}}.glog "
                                        rf"\(.part if it is not whole\) on its host \(its first .* are in {self.here}/recv.glog.part\): .*closed the connection")
        [log] = self.there.iterdir()
        part = (self.here / "recv.glog.part").read_bytes()
        self.assertEqual(len(part), 1 << 19)
        self.assertTrue(log.read_bytes().startswith(part))
        self.assertEqual(self.names(self.here), ["recv.glog.part", "send.glog"])

    def test_after_a_cut_the_fetching_goes_on_over_another_connection(self):
        self.receive("--log-block", "1")
        result = self.send_through([1, 1, 999], "--receiver-log", "mine.glog")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.names(self.here), ["recv.glog", "send.glog"])
        self.assertTrue((self.here / "recv.glog").read_bytes() == (self.there / "mine.glog").read_bytes())


if __name__ == "__main__":
    if sys.argv[1:2] == ["relay"]:
        relay(sys.argv[2], [int(sections) for sections in sys.argv[3:]])
    else:
        lab.main()
