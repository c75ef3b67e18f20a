#!/usr/bin/env python3
"""`groma-dec pcapng`: the capture made of a run's logs, read by tshark and capinfos, agrees with the logs."""
import shutil

import glog
import lab
import wireshark
from wireshark import fields, nanos

NAMES = ["frame.time_epoch", "frame.interface_id", "frame.len", "groma.size", "groma.seq", "groma.sent_at_ns", "groma.flow",
         "groma.delay", "groma.rtt"]


class Pcapng(lab.LabTest):
    def setUp(self):
        super().setUp()
        self.b.receiver()
        self.file = self.folder / "run.pcapng"

    def run_of(self, *arguments, logs=("send.glog", "recv.glog"), check=True):
        self.a.groma("send", "--log", "send.glog", "--receiver-log", "recv.glog", "--quiet", *arguments)
        self.sent, self.received = ((self.folder / name).read_bytes() for name in ("send.glog", "recv.glog"))
        return self.export(*logs, check=check)

    def export(self, *arguments, check=True):
        return lab.run(lab.BIN / "groma-dec", "pcapng", *arguments, "-o", self.file, cwd=self.folder, check=check)

    def expected(self):
        """(time, interface, size, seq, sent_at, flow) of each packet of both logs, in the order of time."""
        rows = [(it.sent_at, 0, it.size, it.seq, it.sent_at, it.flow) for it in glog.records(self.sent, glog.SENT)]
        rows += [(it.returned_at, 0, it.size, it.seq, it.sent_at, it.flow) for it in glog.records(self.sent, glog.ROUND_TRIP)]
        rows += [(it.received_at, 1, it.size, it.seq, it.sent_at, it.flow) for it in glog.records(self.received, glog.RECEIVED)]
        return sorted(rows, key=lambda row: row[:2])

    def seen(self, *preferences, names=NAMES):
        return fields(self.file, names, *preferences)

    def assertSame(self, rows, headers: int, least=(4, 12, 20)):
        """tshark's packets agree with the logs. `headers`: bytes before each payload; `least`: payload needed for
        seq, time and flow."""
        expected = self.expected()
        self.assertEqual([nanos(row[0]) for row in rows], [one[0] for one in expected], "times, and their order")
        for row, (_, interface, size, seq, sent_at, flow) in zip(rows, expected, strict=True):
            def text(field, value):
                return str(value) if size >= least[field] else ""
            self.assertEqual(row[1:7], [str(interface), str(size + headers), text(0, size), text(0, seq), text(1, sent_at),
                                        text(2, flow)])

    def test_every_packet_of_both_logs_is_there(self):
        said = self.run_of("--to", self.b.address, "--port", 5600, "--size", "unif:1:90", "--packets", 500, "--idt", "1ms",
                           "--meter", "round-trip").stdout
        self.assertIn("1500 packets of 2 logs", said)
        rows = self.seen("-o", "groma.udp:5600")
        self.assertSame(rows, 42)
        records = {it.seq: it for it in glog.records(self.received, glog.RECEIVED) if it.sent_at}
        for row in rows:
            if row[1] == "1" and row[5]:
                record = records[int(row[4])]
                self.assertEqual(nanos(row[7]), record.received_at - record.sent_at)
        self.assertEqual(sum(bool(row[8]) for row in rows), sum(
            it.size >= 20 for it in glog.records(self.sent, glog.ROUND_TRIP)))
        setup, = glog.metadata(self.sent)["flows"]
        port = setup["local_address"].rpartition(":")[2]
        ends = {tuple(row) for row in self.seen(names=["ip.src", "udp.srcport", "ip.dst", "udp.dstport"])}
        there = (self.a.address, port, self.b.address, "5600")
        self.assertEqual(ends, {there, there[2:] + there[:2]})

    def test_capinfos_agrees(self):
        self.run_of("--to", self.b.address, "--packets", 300, "--idt", "1ms", "--size", 200)
        said = dict(line.split(":", 1) for line in lab.run("capinfos", "-M", self.file).stdout.splitlines() if ":" in line)
        said = {key.strip(): value.strip() for key, value in said.items()}
        rows = self.expected()
        self.assertEqual(said["Number of packets"], "600")
        self.assertEqual(said["Data size"].split()[0], str(600 * 242))
        self.assertEqual(said["File type"], "pcapng")
        self.assertEqual(said["File timestamp precision"], "nanoseconds (9)")
        self.assertEqual(said["Number of interfaces in file"], "2")
        self.assertEqual(said["Strict time order"], "True")
        self.assertEqual(nanos(said["Capture duration"].split()[0]), rows[-1][0] - rows[0][0])
        about = lab.run("capinfos", "-k", "-I", self.file).stdout
        run = glog.metadata(self.sent)
        self.assertIn(f"run {run['run_id']}", about)
        for role, log in (("sender", self.sent), ("receiver", self.received)):
            self.assertIn(f"Name = {role} {glog.metadata(log)['host']}", about)

    def test_ipv6_and_the_fields_of_arrivals(self):
        self.run_of("--to", self.b.address6, "--packets", 100, "--idt", "1ms", "--size", 64, "--ttl", 9, "--ds-byte", "0xb8",
                    "--arrival-header", "on")
        self.assertSame(self.seen(), 62)
        rows = self.seen(names=["frame.interface_id", "ipv6.src", "ipv6.dst", "ipv6.hlim", "ipv6.tclass", "udp.checksum.status"])
        arrived = {tuple(row[1:5]) for row in rows if row[0] == "1"}
        self.assertEqual(arrived, {(self.a.address6, self.b.address6, "9", "0x000000b8")})

    def test_nothing_in_the_made_up_headers_is_wrong(self):
        checks = [word for name in ("ip", "udp", "tcp") for word in ("-o", f"{name}.check_checksum:TRUE")]
        for transport, headers in (("udp", 42), ("tcp", 54), ("icmp", 42), ("udplite", 42), ("usrsctp", 70)):
            with self.subTest(transport=transport):
                packets = ("--packets", 60, "--idt", "1ms", "--size", "unif:1:60", "--seed", 5)
                self.run_of("--to", self.b.address, "--transport", transport, *packets)
                said = wireshark.tshark(self.file, "-V", *checks)
                for wrong in ("Bad checksum", "[incorrect", "Malformed", "Error/"):
                    self.assertNotIn(wrong, said)
                lengths = [int(row[0]) for row in self.seen(names=["frame.len"])]
                padded = (lambda size: (size + 3) // 4 * 4) if transport == "usrsctp" else (lambda size: size)
                self.assertEqual(lengths, [headers + padded(row[2]) for row in self.expected()])

    def test_a_stream_has_its_frames_even_those_that_fit_no_packet(self):
        self.run_of("--to", self.b.address, "--transport", "tcp", "--packets", 120, "--idt", "3ms", "--size", "unif:24:300000")
        expected = self.expected()  # smaller frames are recognised because they follow others
        self.assertGreater(max(row[2] for row in expected), 200_000)
        rows = [row for row in self.seen("-o", "tcp.analyze_sequence_numbers:FALSE",
                                         names=["frame.time_epoch", "groma.size", "groma.seq"]) if row[2]]
        self.assertEqual([(nanos(row[0]), int(row[1]), int(row[2])) for row in rows], [(it[0], it[2], it[3]) for it in expected])
        self.export("recv.glog")
        rows = [row for row in self.seen(names=["frame.time_epoch", "groma.size", "groma.seq"]) if row[2]]
        self.assertEqual([(nanos(row[0]), int(row[1]), int(row[2])) for row in rows],
                         [(it[0], it[2], it[3]) for it in expected if it[1] == 1])

    def test_many_flows_are_merged_and_one_can_be_chosen(self):
        (self.folder / "many.toml").write_text(f"""
            [[flow]]
            to = "{self.b.address}"
            port = 5600  # Wireshark gives none of these, and of the next, to another protocol
            source_ports = "5620-5660"
            count = 20
            idt = "exp:100pps"
            size = "unif:40:200"
            packets = 200
        """)
        self.run_of("many.toml")
        self.assertSame(self.seen(), 42)
        self.export("send.glog", "recv.glog", "--flow", "7,9")
        wanted = [row for row in self.expected() if row[5] in (7, 9)]
        self.assertEqual([(nanos(row[0]), row[6]) for row in self.seen()], [(row[0], str(row[5])) for row in wanted])

    def test_a_damaged_log_gives_what_is_left_and_says_so(self):
        self.run_of("--to", self.b.address, "--packets", 300, "--idt", "1ms", "--size", 100)
        (self.folder / "cut.glog").write_bytes(self.received[:-300])
        result = self.export("cut.glog", check=False)
        self.assertSaid(result, 1, "cut.glog", "log cut short")
        self.assertIn("Comment", lab.run("capinfos", "-I", self.file).stdout)
        result = self.export("none.glog", check=False)
        self.assertSaid(result, 1, "cannot open none.glog")
        result = self.export("send.glog", "--flow", "8", check=False)
        self.assertSaid(result, 2, "--flow 8: none of these logs")

    def test_standard_output_and_its_reader_that_goes(self):
        self.run_of("--to", self.b.address, "--packets", 20_000, "--idt", "20us", "--size", 100)
        program = lab.BIN / "groma-dec"
        said = lab.run("sh", "-c", f"{program} pcapng send.glog -o - | cmp - {self.file.name}", cwd=self.folder, check=False)
        self.assertIn("differ", said.stdout, "one log instead of two")
        self.export("send.glog")
        lab.run("sh", "-c", f"{program} pcapng send.glog -o - | cmp - {self.file.name}", cwd=self.folder)
        gone = lab.run("bash", "-c", f"{program} pcapng send.glog -o - | head -c 10 > /dev/null; exit ${{PIPESTATUS[0]}}",
                       cwd=self.folder, check=False)
        self.assertEqual((gone.returncode, gone.stderr), (1, ""))


if __name__ == "__main__":
    if not shutil.which("tshark"):
        lab.skip("tshark is not there: scripts/setup installs it")
    lab.main()
