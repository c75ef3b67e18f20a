#!/usr/bin/env python3
"""The dissectors for Wireshark (docs/guide/wireshark.md), by tshark: packets of real runs agree with the logs,
captures made by the test show their contents, and noise causes no error."""
import pathlib
import random
import shutil
import struct
import unittest

import ending
import glog
import lab
import wireshark
from wireshark import fields, frame, header, nanos, packet, tcp, tree, udp

START = 1_700_000_000_000_000_000
SENDER_STAMP = START - 5_000_000
PORTS = ("-o", "groma.udp:42000", "-o", "groma.tcp:42000")


class ByHand(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(ending.TemporaryFolder()))

    def capture(self, packets, **how) -> pathlib.Path:
        return wireshark.capture(self.folder / "hand.pcap", packets, **how)

    def test_a_packet_has_the_fields_that_fit(self):
        sizes = [1, 3, 4, 11, 12, 19, 20, 21, 1400]
        seen = fields(self.capture([udp(packet(size, 7, SENDER_STAMP, 3)) for size in sizes]),
                      ["groma.size", "groma.seq", "groma.sent_at_ns", "groma.flow", "groma.delay", "groma.filler"], *PORTS)
        for number, (size, row) in enumerate(zip(sizes, seen, strict=True)):
            delay = START + 1000 * number - SENDER_STAMP
            with self.subTest(size=size):
                self.assertEqual(row[0], str(size))
                self.assertEqual(row[1], "7" if size >= 4 else "")
                self.assertEqual(row[2], str(SENDER_STAMP) if size >= 12 else "")
                self.assertEqual(row[3], "3" if size >= 20 else "")
                self.assertEqual(row[4] and nanos(row[4]), delay if size >= 12 else "")
                self.assertEqual(len(row[5]) // 2, size - (0 if size < 4 else 4 if size < 12 else 12 if size < 20 else 20))

    def test_a_packet_that_was_captured_in_part_has_the_fields_that_were(self):
        for kept in (0, 1, 3, 4, 11, 12, 19, 20):
            with self.subTest(kept=kept):
                seen, = fields(self.capture([udp(packet(100, 7, SENDER_STAMP, 3))], kept=28 + kept),
                               ["groma.size", "groma.seq", "groma.sent_at_ns", "groma.flow", "groma.cut"], *PORTS)
                size = "100" if kept else ""  # without a byte of it, no dissector is asked
                self.assertEqual(seen[:4], [size, "7" if kept >= 4 else "", str(SENDER_STAMP) if kept >= 12 else "",
                                            "3" if kept >= 20 else ""])
                self.assertEqual(bool(seen[4]), kept > 0)

    def test_the_level_of_the_header_can_be_told(self):
        file = self.capture([udp(packet(40, 7, SENDER_STAMP, 3))])
        names = ["groma.seq", "groma.sent_at_ns"]
        self.assertEqual(fields(file, names, *PORTS, "-o", "groma.level:sequence"), [["7", ""]])
        self.assertEqual(fields(file, names, *PORTS, "-o", "groma.level:none", "-Y", "groma.size == 40"), [["", ""]])

    def test_packets_are_found_by_their_magic_on_any_port(self):
        others = [udp(packet(100, 1, magic=0x6773)), udp(packet(100, 1, version=3)), udp(packet(100, 1, flow=0)), udp(bytes(100)),
                  udp(packet(19, 1))]
        self.assertEqual(tree(self.capture(others), "-Y", "groma"), [])
        mixed = [udp(packet(100, 1), ports=(43000, 44000)), udp(packet(8, 2), ports=(43000, 44000))]
        self.assertEqual(fields(self.capture(mixed), ["groma.seq"]), [["1"], ["2"]], "the small one by its conversation")
        odd, = tree(self.capture([udp(packet(100, 9, magic=0x1111))]), *PORTS)
        self.assertIn("groma.foreign", str(odd))

    def test_sealed_packets_and_replies_have_their_seal(self):
        seal = bytes(range(1, 9))
        stamps = struct.pack(">qq", START, START + 1)
        head, reply = header(5, SENDER_STAMP, 2, version=2), header(5, SENDER_STAMP, 2, flags=1, version=2)
        packets = [udp(head + seal + bytes(10)), udp(reply + seal + bytes(15), back=True), udp(reply + stamps + seal + bytes(10), back=True),
                   udp(head + seal[:7])]
        rows = fields(self.capture(packets), ["groma.version", "groma.seal", "groma.replied_at_ns", "groma.filler"])
        self.assertEqual([row[0] for row in rows], ["2"] * 4)
        self.assertEqual([row[1] for row in rows], ["0x" + seal.hex()] * 3 + [""])
        self.assertEqual([row[2] for row in rows], ["", "", str(START + 1), ""])
        self.assertEqual([len(row[3]) // 2 for row in rows], [10, 15, 10, 0])

    def test_replies_have_the_receivers_stamps(self):
        reflected, replied = START - 3_000_000, START - 2_000_000
        stamps = struct.pack(">qq", reflected, replied)
        packets = [udp(header(5, SENDER_STAMP, 2, flags=1) + stamps, back=True),
                   udp(header(5, SENDER_STAMP, 2, flags=1) + stamps[:15], back=True),
                   udp(header(5, SENDER_STAMP, 2, flags=0xfe) + stamps)]
        rows = fields(self.capture(packets), ["groma.reply", "groma.reflected_at_ns", "groma.replied_at_ns", "groma.rtt",
                                              "groma.forward_delay", "groma.residence", "groma.backward_delay", "groma.delay"])
        self.assertEqual([row[0] for row in rows], ["1", "1", "0"], "other flags mean nothing")
        whole, short, there = rows
        self.assertEqual(whole[1:3], [str(reflected), str(replied)])
        self.assertEqual([nanos(one) for one in whole[3:7]], [5_000_000, 2_000_000, 1_000_000, 2_000_000])
        self.assertEqual((short[1:3], nanos(short[3]), short[4:]), (["", ""], 5_001_000, [""] * 4))
        self.assertEqual((there[1:7], nanos(there[7])), ([""] * 6, 5_002_000))

    def test_times_that_cannot_be_are_shown_and_break_nothing(self):
        for at in (-2**63, 2**63 - 1, -1, 0):
            row, = fields(self.capture([udp(packet(64, 7, at, 3))]), ["groma.sent_at_ns", "groma.flow"])
            self.assertEqual(row, [str(at), "3"])

    def segments(self, frames, cuts):
        data, at, packets = b"".join(frames), 0, []
        for cut in [*sorted(cuts), len(data)]:
            while at < cut:
                piece = data[at:min(cut, at + 60000)]
                packets.append(tcp(piece, at))
                at += len(piece)
        return packets

    def test_frames_are_found_however_segments_cut_and_join_them(self):
        sizes = [40, 1, 2, 4, 5, 12, 13, 20, 21, 127, 128, 129, 1400, 16383, 16384, 70000, 1, 25]
        frames = [frame(size, number, SENDER_STAMP, 3) for number, size in enumerate(sizes)]
        whole = sum(sizes)
        draw = random.Random(11)
        for cuts in ([], range(40, whole, 1448), [40 + i for i in range(90)], [draw.randrange(40, whole) for _ in range(60)],
                     [whole - 26, whole - 25, whole - 3]):
            rows = fields(self.capture(self.segments(frames, cuts)), ["groma.size", "groma.seq", "groma.flow"],
                          "-Y", "groma.size")
            with self.subTest(cuts=str(cuts)[:40]):
                def joined(column):
                    return [int(one) for row in rows for one in row[column].split(",") if one]
                self.assertEqual(joined(0), sizes)
                self.assertEqual(joined(1), [n for n, size in enumerate(sizes) if size >= 5])
                self.assertEqual(len(joined(2)), sum(size >= 21 for size in sizes))

    def test_a_frame_is_dated_by_its_last_byte(self):
        data = frame(100, 7, SENDER_STAMP, 3)
        rows = fields(self.capture([tcp(data[:50], 0), tcp(data[50:], 50)]), ["groma.delay"], *PORTS, "-Y", "groma.size")
        self.assertEqual([nanos(row[0]) for row in rows], [START + 1000 - SENDER_STAMP])

    def test_an_impossible_length_breaks_the_stream_for_good(self):
        good = frame(60, 1, SENDER_STAMP, 3)
        for bad in (b"\x00", b"\x80\x00", b"\xff\xff\xff", b"\x81\x80\x40\x00"):
            packets = [tcp(good, 0), tcp(bad + bytes(56), 60), tcp(good, 120)]
            rows = fields(self.capture(packets), ["groma.seq", "groma.bad_length"])
            with self.subTest(bad=bad.hex()):
                self.assertEqual([row[0] for row in rows], ["1", "", ""])
                self.assertEqual([bool(row[1]) for row in rows], [False, True, False])

    def test_streams_that_were_captured_in_part_are_taken_up_where_a_frame_begins(self):
        packets = [tcp(frame(1000, n, SENDER_STAMP, 3), 1000 * n) for n in range(4)]
        rows = fields(self.capture(packets, kept=100), ["groma.seq", "groma.cut"])
        self.assertEqual([row[0] for row in rows], ["0", "1", "2", "3"])

    def test_noise_raises_no_error(self):
        draw = random.Random(5)
        seeds = [packet(64, 7, SENDER_STAMP, 3), frame(64, 7, SENDER_STAMP, 3), frame(300, 7, SENDER_STAMP, 3),
                 b"\x00\x00\x00\x1f" + b'{"type":"hello","flows":[[{}]]}',
                 b"GL\x02\x05" + bytes(90), b"GL\x02\x02" + bytes(24), b"GL\x02\x03" + bytes(88),
                 bytes.fromhex("47726f6d611a6b01") + bytes(16)]
        packets, offsets = [], {}
        for _ in range(6000):
            data = bytearray(draw.choice(seeds))
            for _ in range(draw.choice((0, 1, 1, 3, 30))):
                data[draw.randrange(len(data))] = draw.randrange(256)
            data = bytes(data[:draw.randrange(1, len(data) + 1)] if draw.random() < 0.3 else data)
            port = draw.randrange(42000, 42040)
            if draw.random() < 0.5:
                packets.append(udp(data, ports=(41000, port)))
            else:
                packets.append(tcp(data, offsets.get(port, 0), ports=(41000, port)))
                offsets[port] = offsets.get(port, 0) + len(data)
        for kept in (None, 60):
            for preferences in ((), ("-o", "groma.udp:42000-42010", "-o", "groma.tcp:42000-42010")):
                said = wireshark.tshark(self.capture(packets, kept=kept), "-V", "-2", *preferences)
                self.assertIn("Groma packet", said)
                self.assertIn("Groma log protocol", said)


class RealRuns(lab.LabTest):
    def run_of(self, *arguments, what="udp or tcp", bytes_kept=65535):
        """The receiving host's capture of a run."""
        self.b.receiver()
        witness = self.b.witness(what, bytes_kept=bytes_kept, direction="inout")
        self.a.groma("send", "--to", self.b.address, "--log", "send.glog", "--receiver-log", "recv.glog", "--quiet", *arguments)
        file = self.folder / "seen.pcap"
        file.write_bytes(witness.captured())
        self.sent, self.received = ((self.folder / name).read_bytes() for name in ("send.glog", "recv.glog"))
        return file

    def test_every_packet_of_a_flow_is_in_the_capture_as_in_the_log(self):
        file = self.run_of("--port", 5600, "--size", "unif:1:90", "--packets", 400, "--idt", "2ms", "--meter", "round-trip")
        names = ["frame.time_epoch", "groma.size", "groma.seq", "groma.sent_at_ns", "groma.flow", "groma.delay"]
        there = fields(file, names, "-o", "groma.udp:5600", "-Y", "udp.dstport == 5600")
        records = glog.records(self.received, glog.RECEIVED)
        self.assertEqual(len(records), 400)
        for row, record in zip(there, records, strict=True):
            self.assertEqual(nanos(row[0]), record.received_at)
            self.assertEqual(int(row[1]), record.size)
            self.assertEqual([one and int(one) for one in row[2:4]],
                             ["" if one is None else one for one in (record.seq, record.sent_at)])
            self.assertEqual(row[4], "1" if record.size >= 20 else "")
            self.assertEqual(row[5] and nanos(row[5]),
                             "" if record.sent_at is None else record.received_at - record.sent_at)
        back = fields(file, ["groma.size", "groma.seq", "groma.sent_at_ns", "groma.reflected_at_ns", "groma.replied_at_ns"],
                      "-o", "groma.udp:5600", "-Y", "udp.srcport == 5600")
        for row, it in zip(back, glog.records(self.sent, glog.ROUND_TRIP), strict=True):
            carried = [it.size, it.seq if it.size >= 4 else None, it.sent_at if it.size >= 12 else None]  # those of a small packet are looked up
            self.assertEqual(row, ["" if one is None else str(one) for one in (*carried, it.reflected_at, it.replied_at)])
        self.assertGreater(sum(bool(row[3]) for row in back), 100)

    def test_delays_are_those_that_the_decoder_reports(self):
        file = self.run_of("--packets", 300, "--idt", "exp:2ms", "--size", 200)
        delays = [nanos(row[0]) for row in fields(file, ["groma.delay"], "-Y", "groma.delay")]
        said = lab.spread(self.decoded("send.glog", "recv.glog")["runs"][0]["flows"][0], "delay")
        self.assertEqual((len(delays), min(delays), max(delays)), (said["count"], said["min"], said["max"]))
        self.assertAlmostEqual(sum(delays) / len(delays), said["mean"], delta=1)

    def test_every_packet_of_a_stream(self):
        file = self.run_of("--port", 5600, "--transport", "tcp", "--size", "exp:5000", "--packets", 300, "--idt", "2ms", "--meter",
                           "round-trip")
        rows = fields(file, ["groma.size", "groma.seq", "groma.flow"], "-o", "groma.tcp:5600", "-Y",
                      "groma.size and tcp.dstport == 5600")
        sizes = [int(one) for row in rows for one in row[0].split(",")]
        numbers = [int(one) for row in rows for one in row[1].split(",") if one]
        records = glog.records(self.received, glog.RECEIVED)
        self.assertEqual(sizes, [record.size for record in records])
        self.assertEqual(numbers, [record.seq for record in records if record.size >= 5])
        back = fields(file, ["groma.size"], "-o", "groma.tcp:5600", "-Y", "groma.size and tcp.srcport == 5600")
        self.assertEqual([int(one) for row in back for one in row[0].split(",")],
                         [record.size for record in glog.records(self.sent, glog.ROUND_TRIP)])

    def test_echo_requests_and_their_replies(self):
        file = self.run_of("--transport", "icmp", "--packets", 50, "--idt", "2ms", "--meter", "round-trip", what="icmp")
        for kind in ("icmp.type == 8 and groma.reply == 0", "icmp.type == 0 and groma.reply == 1"):
            rows = fields(file, ["groma.seq", "groma.flow"], "-Y", kind)
            self.assertEqual(rows, [[str(seq), "1"] for seq in range(50)], kind)

    def test_the_control_session_and_its_messages(self):
        file = self.run_of("--packets", 100, "--idt", "2ms", "--interval", "100ms", "--jsonl=rows.jsonl", what="tcp port 9000")
        kinds = [one for row in fields(file, ["groma_control.type"], "-Y", "groma_control.type") for one in row[0].split(",")]
        often = ("keep_alive", "probe_request", "probe_reply", "progress_request", "progress")
        talk = [kind for kind in kinds if kind not in often]
        self.assertEqual(talk, ["hello", "welcome", "open_flows", "flows_opened", "start", "started", "finish", "results"])
        self.assertGreaterEqual(kinds.count("probe_request"), 20)
        self.assertGreaterEqual(kinds.count("progress_request"), 2)
        for question, answer in (("probe_request", "probe_reply"), ("progress_request", "progress")):
            self.assertEqual(kinds.count(question), kinds.count(answer))

    def test_the_log_protocol_over_udp(self):
        server = self.a
        server.log_server("--dir", "kept")
        self.b.receiver()
        witness = self.b.witness("udp port 9001", bytes_kept=65535, direction="out")
        self.a.groma("send", "--to", self.b.address, "--packets", 300, "--idt", "1ms", "--log", "send.glog", "--quiet",
                     "--log-server", self.a.address, "--log-transport", "udp", "--receiver-log-transport", "udp")
        file = self.folder / "seen.pcap"
        file.write_bytes(witness.captured())
        rows = fields(file, ["groma_log.kind", "groma_log.number", "groma_log.sealed", "groma_log.public_key"])
        # hello, open, and each again without an answer for 100 ms.
        self.assertRegex("".join(row[0] for row in rows), "^(1+3+)+5+$")
        self.assertEqual({len(bytes.fromhex(row[3].replace(":", ""))) for row in rows if row[0] == "3"}, {32})
        rows = [row for row in rows if row[0] == "5"]
        self.assertEqual([int(row[1]) for row in rows], list(range(len(rows))))
        kept, = (path for path in (self.folder / "kept").rglob("receiver*.glog"))
        carried = b"".join(bytes.fromhex(row[2].replace(":", "")) for row in rows)
        self.assertGreater(len(carried), kept.stat().st_size)
        said = file.read_bytes()
        for text in (b"receiver", kept.read_bytes()[68:132]):
            self.assertNotIn(text, said, "it is encrypted")


if __name__ == "__main__":
    if not shutil.which("tshark"):
        lab.skip("tshark is not there: scripts/setup installs it")
    lab.main()
