#!/usr/bin/env python3
"""groma-send and groma-recv --signal-line: a serial port's lines are raised and dropped once for each packet.

The port is a character device in user space (serial_port.cpp), which needs CUSE. It runs in user-mode Linux, because
not every machine's kernel has that.
"""
import collections
import json
import pathlib
import signal

import lab
import uml

DEVICES = pathlib.Path("/run/devices")
RTS, DTR = 4, 2


class SignalLines(lab.LabTest):
    keeps_hosts = True

    def setUp(self):
        super().setUp()
        if not DEVICES.exists():
            DEVICES.mkdir()
            lab.run("mount", "-t", "devtmpfs", "devices", DEVICES)

    def port(self, name: str) -> lab.Program:
        program = self.a.start(lab.BIN / "serial_port", DEVICES / "cuse", name)
        program.wait_for("ready")
        lab.wait_until(f"the device {name}", (DEVICES / name).exists)
        return program

    def pulses(self, port: lab.Program, lines: int, count: int):
        """Those lines were raised and dropped alternately, this number of times, after one drop at the beginning."""
        said = port.said.splitlines()[1:]
        self.assertEqual(said[0], f"drop {lines}")
        self.assertEqual(collections.Counter(said[1:]), {f"raise {lines}": count, f"drop {lines}": count})
        self.assertEqual(said[1::2], [f"raise {lines}"] * count, "by turns")

    def test_once_for_each_packet_that_leaves_and_that_comes(self):
        sent, received = self.port("line-sent"), self.port("line-received")
        receiver = self.b.receiver("--signal-line", DEVICES / "line-received:rts")
        self.a.groma("send", "--to", self.b.address, "--packets", 200, "--idt", "exp:5ms", "--signal-line", DEVICES / "line-sent",
                     "--quiet")
        receiver.stop()
        self.pulses(sent, RTS | DTR, 200)
        self.pulses(received, RTS, 200)

    def test_of_a_stream_as_well(self):
        sent, received = self.port("stream-sent"), self.port("stream-received")
        receiver = self.b.receiver("--signal-line", DEVICES / "stream-received:dtr")
        self.a.groma("send", "--to", self.b.address, "--transport", "tcp", "--packets", 100, "--idt", "const:5ms", "--signal-line",
                     DEVICES / "stream-sent:dtr", "--quiet")
        receiver.stop()
        self.pulses(sent, DTR, 100)
        self.pulses(received, DTR, 100)

    def test_a_port_that_goes_away_is_said_and_ends_nothing(self):
        sent = self.port("line-gone")
        receiver = self.b.receiver()
        sender = self.a.start_groma("send", "--to", self.b.address, "--duration", "1h", "--idt", "const:5ms", "--signal-line",
                                    DEVICES / "line-gone", "--json=report.json")
        lab.wait_until("packets to leave", lambda: "raise" in sent.said)
        sent.kill()
        receiver.await_datagrams(receiver.count("Udp.InDatagrams") + 100)
        self.assertEqual(sender.stop(signal.SIGINT), 1, sender.said)
        self.assertIn("could not be raised", sender.said)
        flow, = json.loads((self.folder / "report.json").read_text())["flows"]
        self.assertEqual((flow["end"], flow["error"], flow["lost"]), ("interrupted", "", 0))

    def test_what_is_no_serial_port_is_refused_before_anything_is_sent(self):
        self.b.receiver()
        result = self.a.groma("send", "--to", self.b.address, "--signal-line", "/dev/null", check=False)
        self.assertSaid(result, 1, "/dev/null", "it takes a serial port")


load_tests = uml.load_tests_of_matrix([], [SignalLines])


if __name__ == "__main__":
    lab.main()
