"""Packets of logs as columns: against logs whose packets are known, damaged ones, and what is no log."""
import concurrent.futures
import importlib
import importlib.util
import json
import os
import random
import struct
import unittest
from unittest import mock

import fakes
import glog
import glog_writer
import groma

START = 1_700_000_000_000_000_000
SEED = int(os.environ.get("GROMA_SEED", 1))


def metadata(role: str, flows=(1,), boot: str = "one", run: str = "5", **more) -> dict:
    spec = {"header": "full", "idt": {"family": "const", "value": 1e6}, "profile": "", "seed": 1, "size": {"family": "const", "value": 100.0},
            "start_delay_ns": 0, "stop": {"packets": 10}, "target": {"control_port": 9000, "data_port": 5600, "host": "10.0.0.2"}, "transport": "udp"}
    return {"boot_id": boot, "experiment": "known", "host": role, "program": f"a test's {role}", "role": role, "run_id": 32 * run, "seed": 7,
            "started_at_ns": START, "timestamps": "user",
            "flows": [{"local_address": f"10.0.0.1:{flow}", "remote_address": "x", "spec": spec | {"id": flow, "name": f"flow {flow}"}} for flow in flows]
            } | more


def sent(flow: int, seq: int, at: int, lateness: int = 0, size: int = 100, batch: int = 1) -> glog.Sent:
    return glog.Sent(flow, seq, START + at, lateness, size, batch)


def received(flow: int, seq: int | None, at: int | None, delay: int, size: int = 100) -> glog.Received:
    return glog.Received(flow, seq, None if at is None else START + at, START + (at or 0) + delay, size, None, None)


def unless_built(test):
    """A decorator: in CI all is built."""
    built = importlib.util.find_spec("groma._log") is not None
    return test if built or os.environ.get("CI") else unittest.skip("the extension is not built: pybind11 or Python's headers are missing")(test)


@unless_built
class Packets(fakes.FakeTest):
    def write(self, name: str, packets, about: dict, **options):
        file = self.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(glog_writer.log(about, packets, START + 10**10, **options))
        return file

    def rows(self, packets: groma.Packets, *names: str) -> list[tuple]:
        return list(zip(*(packets[name].tolist() for name in names), strict=True))

    def test_every_sent_packet_is_a_row(self):
        rolls = random.Random(SEED)
        wanted = [sent(flow, seq, seq * 1000 + rolls.randrange(500), rolls.randrange(-5, 10**6), rolls.randrange(2**32), rolls.randrange(1, 64))
                  for flow in (1, 2) for seq in range(5000)]
        packets = groma.read_log(self.write("send.glog", wanted, metadata("sender", (1, 2)), in_block=700))
        self.assertEqual(packets.kind, "sent")
        self.assertEqual(self.rows(packets, "flow", "seq", "sent_ns", "lateness_ns", "size", "batch"), [tuple(it) for it in wanted])
        self.assertEqual((len(packets), packets.names), (10_000, {1: "flow 1", 2: "flow 2"}))

    def test_every_arrival_is_a_row_and_what_is_unknown_is_said_to_be(self):
        wanted = [received(1, 3, 10, 5), received(1, None, None, 9, 1), received(1, 3, 10, 8), received(1, 2, None, 11)]
        packets = groma.read_log(self.write("recv.glog", wanted, metadata("receiver")))
        self.assertEqual(self.rows(packets, "flow", "seq", "sent_ns", "received_ns", "size", "ttl", "ds_byte"), [
            (it.flow, -1 if it.seq is None else it.seq, groma.UNKNOWN_NS if it.sent_at is None else it.sent_at, it.received_at, it.size, 0, 0)
            for it in wanted])

    def test_columns_have_their_types_and_own_their_memory(self):
        packets = groma.read_log(self.write("recv.glog", [received(1, seq, seq, 5) for seq in range(10_000)], metadata("receiver")))
        self.assertEqual({name: str(column.dtype) for name, column in packets.columns.items()}, {
            "flow": "uint32", "seq": "int64", "sent_ns": "int64", "received_ns": "int64", "size": "uint32", "ttl": "uint8", "ds_byte": "uint8"})
        seq = packets.seq
        self.assertFalse(seq.flags.owndata)  # it is the reader's, which the array keeps
        self.assertTrue(seq.flags.c_contiguous and seq.flags.writeable)
        del packets
        self.assertEqual(int(seq.sum()), 9999 * 5000)

    def test_flows_that_are_not_wished_for_are_left_out(self):
        file = self.write("send.glog", [sent(flow, seq, seq) for flow in (1, 2, 3) for seq in range(flow)], metadata("sender", (1, 2, 3)))
        self.assertEqual(self.rows(groma.read_log(file, flows=[3, 1, 9]), "flow", "seq"), [(1, 0), (3, 0), (3, 1), (3, 2)])
        self.assertEqual(len(groma.read_log(file, flows=[])), 0)

    def test_both_sides_are_matched_by_flow_and_number(self):
        departures = [sent(2, 0, 50, 7), sent(1, 0, 0, 3, 200), sent(1, 1, 10), sent(1, 2, 20), sent(1, 4, 30)]
        arrivals = [received(1, 2, 20, 5), received(1, 0, 0, 9, 200), received(1, 0, 0, 8, 200), received(1, None, None, 99, 1), received(1, 3, 25, 1),
                    received(1, 4, None, 40), received(2, 0, 50, 1)]
        logs = [self.write("send.glog", departures, metadata("sender", (1, 2))), self.write("recv.glog", arrivals, metadata("receiver", (1, 2)))]
        packets = groma.read_log(*logs)
        unknown = groma.UNKNOWN_NS
        at = lambda ns: START + ns  # noqa: E731
        self.assertEqual(packets.kind, "matched")
        self.assertEqual(self.rows(packets, "flow", "seq", "sent_ns", "received_ns", "delay_ns", "lateness_ns", "size"), [
            (1, 0, at(0), at(9), 9, 3, 200), (1, 0, at(0), at(8), 8, 3, 200),
            (1, 1, at(10), unknown, unknown, 0, 100),
            (1, 2, at(20), at(25), 5, 0, 100),
            (1, 3, at(25), at(26), 1, unknown, 100),  # no record of the sender's
            (1, 4, at(30), at(40), 10, 0, 100),  # it carried no time
            (1, -1, unknown, at(99), unknown, unknown, 1),
            (2, 0, at(50), at(51), 1, 7, 100)])
        for order in ([self.folder], list(reversed(logs)), [str(log) for log in logs]):
            self.assertEqual(self.rows(groma.read_log(order), "seq", "received_ns"), self.rows(packets, "seq", "received_ns"))

    def test_matching_is_that_of_a_dictionary_whatever_the_order(self):
        rolls = random.Random(SEED)
        departures = [sent(flow, seq, seq * 1000, size=rolls.randrange(1500)) for flow in (1, 2, 5) for seq in range(3000)]
        arrivals = [received(it.flow, it.seq, it.sent_at - START, rolls.randrange(10**6), it.size) for it in departures for _ in range(rolls.choice((0, 1, 1, 1, 2)))]
        rolls.shuffle(arrivals)
        self.write("run/send.glog", departures, metadata("sender", (1, 2, 5)), in_block=64)
        self.write("run/recv.glog", arrivals, metadata("receiver", (1, 2, 5)), in_block=100)
        packets = groma.read_log(self.folder / "run")
        of = {(it.flow, it.seq): [] for it in departures}
        for it in arrivals:
            of[it.flow, it.seq].append(it)
        self.assertEqual(self.rows(packets, "flow", "seq", "received_ns", "size"), [
            (it.flow, it.seq, at, it.size) for it in departures for at in [copy.received_at for copy in of[it.flow, it.seq]] or [groma.UNKNOWN_NS]])

    def test_delays_are_corrected_by_the_clocks_or_unknown(self):
        departures, ahead = [sent(1, seq, seq * 10**7) for seq in range(20)], 10**9
        arrivals = [received(1, it.seq, it.sent_at - START, 1_000_000 + ahead) for it in departures]
        probes = [{"sent_ns": START + at, "received_ns": START + at + 10**6 + ahead, "answered_ns": START + at + 10**6 + ahead,
                   "returned_ns": START + at + 2 * 10**6, "peer_host": "receiver", "peer_boot_id": "two"} for at in range(0, 10**9, 10**8)]
        recv = self.write("recv.glog", arrivals, metadata("receiver", boot="two"))
        packets = groma.read_log(self.write("send.glog", departures, metadata("sender"), probes=probes), recv)
        self.assertEqual((set(packets.delay_ns.tolist()), packets.notes), ({1_000_000}, []))
        packets = groma.read_log(self.write("alone.glog", departures, metadata("sender")), recv)
        self.assertEqual(set(packets.delay_ns.tolist()), {groma.UNKNOWN_NS})
        self.assertIn("cannot be related", packets.notes[0])

    def test_logs_of_one_side_follow_one_another(self):
        logs = [self.write(f"recv{flow}.glog", [received(flow, 0, 0, 1)], metadata("receiver", (flow,), host=f"b{flow}")) for flow in (2, 1)]
        self.assertEqual(groma.read_log(logs).flow.tolist(), [2, 1])
        self.assertEqual([log.host for log in groma.read_log(logs).logs], ["b2", "b1"])

    def test_logs_that_do_not_belong_together_are_refused(self):
        send = self.write("send.glog", [sent(1, 0, 0)], metadata("sender"))
        recv = self.write("recv.glog", [received(1, 0, 0, 1)], metadata("receiver"))
        other = self.write("other.glog", [received(1, 0, 0, 1)], metadata("receiver", run="6"))
        third = self.write("third.glog", [received(1, 0, 0, 1)], metadata("receiver", host="c"))
        for logs, options, message in (((send, other), {}, "of 2 runs"), ((send, send), {}, "both the sender's log"), ((send, recv, third), {}, "several receivers"),
                                       ((recv,), {"kind": "sent"}, "no sender's log"), ((send,), {"kind": "matched"}, "no receiver's log"), ((), {}, "no log")):
            with self.assertRaisesRegex(groma.LogError, message):
                groma.read_log(logs, **options)
        self.assertEqual(groma.read_log(send, recv, third, kind="received").flow.tolist(), [1, 1])
        self.assertRaisesRegex(ValueError, "kind: 'x' is not sent", groma.read_log, send, kind="x")

    def test_damage_is_an_error_unless_it_is_allowed(self):
        file = self.write("send.glog", [sent(1, seq, seq) for seq in range(1000)], metadata("sender"), in_block=100)
        whole = file.read_bytes()
        third = [block for block in glog.blocks(whole) if block.type == glog.SENT][2]
        damaged = bytearray(whole)
        damaged[third.offset + 80] ^= 1
        file.write_bytes(damaged)
        self.assertRaisesRegex(groma.LogError, f"send.glog is damaged .*{third.offset}.*allow_damage=True", groma.read_log, file)
        packets = groma.read_log(file, allow_damage=True)
        self.assertEqual(packets.seq.tolist(), [seq for seq in range(1000) if not 200 <= seq < 300])
        self.assertEqual([(gap.offset, gap.bytes) for gap in packets.logs[0].gaps], [(third.offset, glog.BLOCK_HEADER + len(third.payload))])
        self.assertTrue(packets.logs[0].complete)
        file.write_bytes(whole[:-50])
        self.assertRaisesRegex(groma.LogError, "damaged", groma.read_log, file)
        packets = groma.read_log(file, allow_damage=True)
        self.assertEqual((len(packets), packets.logs[0].complete), (1000, False))

    def test_records_that_were_lost_are_noted(self):
        file = self.write("send.glog", [sent(1, seq, seq) for seq in range(10)], metadata("sender"), unrecorded={3, 4})
        self.assertRegex(groma.read_log(file).notes[0], "lacks 2 packets")

    def test_what_is_no_log_is_an_error(self):
        (self.folder / "text").write_text("hello, world, this is no log\n" * 9)
        (self.folder / "empty.glog").write_bytes(b"")
        (self.folder / "nothing").mkdir()
        for name, kind, message in (("text", groma.LogError, "is not a Groma log"), ("empty.glog", groma.LogError, "empty.glog"),
                                    ("nothing", groma.LogError, "there is no log in the folder"), ("missing.glog", FileNotFoundError, "missing.glog"),
                                    ("/dev/zero", groma.LogError, "not a Groma log"), ("text\nx\x1b", FileNotFoundError, r"text\\x0ax\\x1b")):
            with self.subTest(name), self.assertRaisesRegex(kind, message):
                groma.read_log(self.folder / name)
        self.assertRaises(FileNotFoundError, groma.read_log, os.fsdecode(b"\xff.glog"))
        self.assertRaises(TypeError, groma.read_log, [3])
        self.assertRaises(TypeError, groma.read_log, self.folder / "text", flows=[-1])

    def test_wrong_bits_and_cuts_anywhere_never_crash(self):
        rolls = random.Random(SEED)
        self.write("whole/send.glog", [sent(1, seq, seq * 7) for seq in range(300)], metadata("sender"), in_block=40)
        self.write("whole/recv.glog", [received(1, seq, seq * 7, 5) for seq in range(300)], metadata("receiver"), in_block=40)
        whole = {file.name: file.read_bytes() for file in (self.folder / "whole").iterdir()}
        (self.folder / "bad").mkdir()
        refused = 0
        for _ in range(300):
            for name, data in whole.items():
                spoiled = bytearray(data[:rolls.randrange(len(data)) if rolls.random() < 0.3 else len(data)])
                for _ in range(rolls.randrange(4)):
                    if spoiled:
                        spoiled[rolls.randrange(len(spoiled))] = rolls.randrange(256)
                (self.folder / "bad" / name).write_bytes(spoiled)
            try:
                self.assertLessEqual(len(groma.read_log(self.folder / "bad", allow_damage=True)), 600)
            except groma.LogError:
                refused += 1
        self.assertGreater(refused, 0)
        self.assertLess(refused, 300)

    def test_blocks_that_check_but_lie_are_damage(self):
        about = metadata("sender")
        first = glog_writer.block(glog.METADATA, 0, json.dumps(about).encode())
        payload = glog_writer.sent([sent(1, seq, seq) for seq in range(10)])
        for count, first_seq, flow in ((9, 0, 1), (11, 0, 1), (2**32 - 1, 0, 1), (0, 0, 1), (10, 5, 1)):
            lie = glog_writer.block(glog.SENT, 1, payload, flow=flow, first=first_seq, count=count)
            (self.folder / "lie.glog").write_bytes(glog_writer.header() + first + lie)
            packets = groma.read_log(self.folder / "lie.glog", allow_damage=True)
            self.assertEqual((len(packets), len(packets.logs[0].gaps)), (0, 1), count)
        lie = glog_writer.block(glog.SENT, 1, payload, flow=2**32 - 1, first=0, count=10)
        (self.folder / "lie.glog").write_bytes(glog_writer.header() + first + lie + struct.pack("<I", 0))
        self.assertEqual(groma.read_log(self.folder / "lie.glog", allow_damage=True).flow.tolist(), [2**32 - 1] * 10)

    def test_a_column_that_is_not_there_is_named(self):
        packets = groma.read_log(self.write("send.glog", [sent(1, 0, 0)], metadata("sender")))
        self.assertRaisesRegex(KeyError, "sent packets have no column 'received_ns', but flow, seq,", lambda: packets["received_ns"])
        self.assertRaisesRegex(AttributeError, "no column 'received_ns'", lambda: packets.received_ns)

    def frame(self) -> groma.Packets:
        return groma.read_log(self.write("send.glog", [sent(1, 0, 0, 3), sent(1, 1, 10)], metadata("sender")),
                              self.write("recv.glog", [received(1, 0, 0, 5), received(1, None, None, 9)], metadata("receiver")))

    def test_pandas_has_times_and_what_is_unknown_is_nat(self):
        packets = self.frame()
        frame = packets.to_pandas()
        self.assertEqual({name: str(kind) for name, kind in frame.dtypes.items()}, {
            "flow": "uint32", "seq": "int64", "sent": "datetime64[ns]", "received": "datetime64[ns]", "delay": "timedelta64[ns]",
            "lateness": "timedelta64[ns]", "size": "uint32"})
        self.assertEqual(frame.received.isna().tolist(), [False, True, False])
        self.assertEqual(frame.sent.isna().tolist(), [False, False, True])
        self.assertEqual(frame.delay[0].value, 5)
        self.assertEqual(frame.sent[1].value, START + 10)

    def test_polars_and_arrow_where_they_are_installed(self):
        packets = self.frame()
        for name, convert in (("polars", packets.to_polars), ("pyarrow", packets.to_arrow)):
            if importlib.util.find_spec(name) is None:
                self.assertRaisesRegex(ImportError, f"{name} is not installed", convert)
                continue
            table = convert().to_pydict() if name == "pyarrow" else convert().to_dict(as_series=False)
            self.assertEqual(table["seq"], [0, 1, None])
            self.assertEqual([value is None for value in table["received"]], [False, True, False])
            self.assertEqual([value is None for value in table["delay"]], [False, True, True])

    def test_a_package_that_is_missing_is_named(self):
        packets = self.frame()
        with mock.patch.dict("sys.modules", pandas=None):
            self.assertRaisesRegex(ImportError, "pandas is not installed", packets.to_pandas)

    def test_other_threads_run_while_a_log_is_read(self):
        fifo = self.folder / "fifo.glog"
        os.mkfifo(fifo)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            reading = pool.submit(groma.read_log, fifo)  # waits for this thread, which needs Python's lock
            fifo.write_text("hello, this is no log")
            self.assertRaisesRegex(groma.LogError, "not a Groma log", reading.result)

    def test_a_result_without_logs_has_no_packets(self):
        result = groma.Result(groma._typed.read(groma.Report, fakes.document()), 0)
        self.assertRaisesRegex(ValueError, "logs='run'", result.packets)


if __name__ == "__main__":
    unittest.main()
