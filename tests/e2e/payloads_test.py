#!/usr/bin/env python3
"""The payload after the packets' headers, as tcpdump on the receiving host saw it."""
import struct

import lab
from capture import read_pcap

HEADER = 20


class Payloads(lab.LabTest):
    def payloads(self, payload: str, *arguments, packets: int = 20, status: int = 0) -> list[bytes]:
        """The arrived payloads of a flow over UDP that asked for this payload."""
        witness = self.b.witness("udp", bytes_kept=2000)
        result = self.a.groma("send", "--to", self.b.address, "--payload", payload, "--packets", packets, "--idt", "const:1ms",
                              "--quiet", *arguments, check=False)
        self.assertEqual(result.returncode, status, result.stderr)
        self.said = result.stderr
        return [packet.segment[8:8 + packet.payload] for packet in read_pcap(witness.captured())]

    def setUp(self):
        super().setUp()
        self.b.receiver()

    def test_zeros_and_patterns(self):
        zeros = self.payloads("zero", "--size", "100")
        self.assertEqual([p[HEADER:] for p in zeros], [bytes(80)] * 20)
        letters = self.payloads("pattern:616263", "--size", "unif:4:200")
        self.assertEqual(len(letters), 20)
        for packet in letters:
            header = 20 if len(packet) >= 20 else 12 if len(packet) >= 12 else 4
            self.assertEqual(packet[header:], (b"abc" * 70)[header:len(packet)], "the header lies over the pattern's beginning")

    def test_noise_is_another_in_each_packet(self):
        noise = [p[HEADER:] for p in self.payloads("random", "--size", "500")]
        self.assertEqual(len(set(noise)), 20)
        self.assertGreater(len(set(b"".join(noise))), 250, "all bytes occur")

    def test_a_file_goes_on_from_packet_to_packet(self):
        text = bytes(range(256)) * 3 + b"end"
        (self.folder / "what.bin").write_bytes(text)
        seen = self.payloads("file:what.bin", "--size", "100", "--header", "none", packets=30)
        self.assertEqual(b"".join(seen), (text * 5)[:3000])

    def test_the_payloads_of_a_capture_one_a_packet(self):
        payloads = [b"first payload", b"2", b"the third one, longer"]
        frames = []
        for payload in payloads:
            ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 28 + len(payload), 1, 0, 64, 17, 0, bytes(4), bytes(4))
            frames.append(bytes(12) + b"\x08\x00" + ip + struct.pack(">HHHH", 1, 2, 8 + len(payload), 0) + payload)
        file = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
        for frame in frames:
            file += struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame
        (self.folder / "some.pcap").write_bytes(file)
        seen = self.payloads("pcap:some.pcap", "--size", "13", "--header", "none", packets=4)
        behind = b"".join(payloads) * 2
        self.assertEqual(seen, [behind[start:start + 13] for start in (0, 13, 14, 0)])

    def test_over_tcp_it_is_behind_the_header_of_each_frame(self):
        witness = self.b.witness("tcp port 5600", bytes_kept=2000)
        self.a.groma("send", "--to", self.b.address, "--transport", "tcp", "--port", 5600, "--payload", "pattern:2a", "--size", "100",
                     "--packets", 10, "--idt", "const:5ms", "--quiet")
        stream = b""
        for packet in read_pcap(witness.captured()):
            stream += packet.segment[(packet.segment[12] >> 4) * 4:][:packet.payload]
        self.assertEqual(len(stream), 1000)
        self.assertEqual([stream[at + 1 + HEADER:at + 100] for at in range(0, 1000, 100)], [b"*" * 79] * 10)

    def test_what_cannot_be_had_is_refused_before_anything_is_sent(self):
        for payload, words in (("file:nowhere", "cannot be read"), ("pcap:nowhere", "cannot read the capture"), ("pattern:0", "pairs of")):
            self.assertEqual(self.payloads(payload, status=2 if payload.startswith("pattern") else 1), [])
            self.assertIn(words, self.said)

    def test_in_an_experiment_file_it_is_looked_for_beside_it(self):
        (self.folder / "plan").mkdir()
        (self.folder / "plan" / "what.bin").write_bytes(b"beside it ")
        (self.folder / "plan" / "e.toml").write_text(
            f'[[flow]]\nto = "{self.b.address}"\npackets = 2\nsize = 10\nheader = "none"\npayload = "file:what.bin"\n')
        witness = self.b.witness("udp", bytes_kept=2000)
        self.a.groma("send", "plan/e.toml", "--quiet")
        self.assertEqual([p.segment[8:8 + p.payload] for p in read_pcap(witness.captured())], [b"beside it "] * 2)


if __name__ == "__main__":
    lab.main()
