#!/usr/bin/env python3
"""The benches' arithmetic, their readers of programs' outputs (samples/), and their tables; no packets are sent."""
import io
import math
import pathlib
import random
import struct
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "e2e")]
import bench  # noqa: E402
import decoding  # noqa: E402
import everyday  # noqa: E402
import kernel_share  # noqa: E402
import many_flows  # noqa: E402
import micro  # noqa: E402
import precision  # noqa: E402
import targets  # noqa: E402
import tools  # noqa: E402
from figures import (HEADERS, NANO_MAGIC, Sample, capture_flows, capture_times, gap_errors, gaps_of, lambda_squared,  # noqa: E402
                     payload_rate, percentile, rate_of, spread, steady)
from kept import Kept, OtherSettings  # noqa: E402
from plan import Part, Run, turns  # noqa: E402
from progress import Progress  # noqa: E402
from tables import Table, figure, grouped, number, ratios  # noqa: E402


def sample(name: str) -> str:
    return (HERE / "samples" / name).read_text()


def exponential(mean: float, count: int, least: float = 0.0) -> list[float]:
    source = random.Random(1)
    return [least + source.expovariate(1 / mean) for _ in range(count)]


class Gaps(unittest.TestCase):
    def test_of_times(self):
        self.assertEqual(gaps_of([5, 8, 20]), [3, 12])
        self.assertEqual(gaps_of([5]), [])

    def test_rate_is_of_gaps_not_of_packets(self):
        self.assertEqual(rate_of([0, 500_000_000, 1_000_000_000]), 2.0)
        self.assertEqual(rate_of([7]), 0.0)

    def test_errors_are_one_by_one(self):
        self.assertEqual(gap_errors([10, 12, 7], [10, 10, 10]), [0, 2, 3])
        with self.assertRaisesRegex(ValueError, "3 gaps cannot be compared with 2"):
            gap_errors([1, 2, 3], [1, 2])

    def test_percentile_is_a_value_that_was_there(self):
        self.assertEqual(percentile([3, 1, 2, 4], 0.5), 2)
        self.assertEqual(percentile([3, 1, 2, 4], 0.99), 4)
        self.assertTrue(math.isnan(percentile([], 0.5)))

    def test_spread_passes_over_what_was_not_measured(self):
        self.assertEqual(spread([3.0, None, 1.0, math.nan, 2.0]), (2.0, 1.0, 3.0))
        self.assertIsNone(spread([None, math.nan]))


class LambdaSquared(unittest.TestCase):
    def test_by_hand(self):
        # 10 gaps, 2 bins (5 expected in each), all below the median: X2 = 10, df = 1.
        self.assertEqual(lambda_squared([0.1] * 10, 1.0), 1.0)

    def test_of_a_perfect_fit_is_within_chance(self):
        for count in (1000, 50_000):
            self.assertLess(abs(lambda_squared(exponential(1000, count), 1000)), 4 * targets.chance_of_lambda(count))

    def test_measures_the_misfit_whatever_the_number_of_gaps(self):
        # Every gap longer by 0.08 of the mean, as with sleeps: the first bins stay empty.
        few, many = (lambda_squared(exponential(1.0, count, 0.08), 1.0) for count in (5000, 100_000))
        self.assertAlmostEqual(few, many, delta=0.02)
        self.assertGreater(many, 0.05)

    def test_of_another_mean_is_seen(self):
        self.assertGreater(lambda_squared(exponential(1.2, 20_000), 1.0), 0.01)

    def test_needs_gaps(self):
        self.assertTrue(math.isnan(lambda_squared([1.0] * 9, 1.0)))


def capture(packets, kept=HEADERS) -> bytes:
    """A capture of (time in ns, source port)."""
    data = struct.pack("<IHHiIII", NANO_MAGIC, 2, 4, 0, 0, kept, 1)
    for time_ns, port in packets:
        frame = bytes(34) + struct.pack(">HHHH", port, 5001, 72, 0)
        data += struct.pack("<IIII", time_ns // 10**9, time_ns % 10**9, kept, 106) + frame.ljust(kept, b"\0")
    return data


class Captures(unittest.TestCase):
    def test_times(self):
        self.assertEqual(capture_times(capture([(1_000_000_007, 1), (2_500_000_000, 2)])), [1_000_000_007, 2_500_000_000])
        self.assertEqual(capture_times(capture([])), [])

    def test_last_packet_may_be_cut(self):
        self.assertEqual(capture_times(capture([(1, 1), (2, 2)])[:-3]), [1])

    def test_flows_are_told_by_their_ports(self):
        flows = capture_flows(capture([(1, 7), (2, 8), (3, 7)]))
        self.assertEqual(list(flows.values()), [[1, 3], [2]])

    def test_others_are_refused(self):
        with self.assertRaisesRegex(ValueError, "nanoseconds"):
            capture_times(struct.pack("<I", 0xA1B2C3D4) + bytes(20))
        with self.assertRaisesRegex(ValueError, "kept at 42"):
            capture_times(capture([(1, 1)], kept=60))


class Counters(unittest.TestCase):
    def samples(self, steps):
        """One a second; each step is (frames, octets)."""
        made = [Sample(0.0, 0, 0, 0, 0)]
        for frames, octets in steps:
            made.append(Sample(made[-1].at_s + 1, made[-1].frames + frames, made[-1].octets + octets, 0, 0))
        return made

    def test_first_and_last_step_do_not_count(self):
        steps = [(0, 0), (500, 53_000), (1000, 106_000), (1000, 106_000), (300, 31_800), (0, 0)]
        self.assertEqual(payload_rate(self.samples(steps), 64), 1000)

    def test_a_train_carries_many_payloads_with_one_header(self):
        trains = [(10, 10 * (HEADERS + 50 * 64))] * 4
        self.assertEqual(payload_rate(self.samples(trains), 64), 500)

    def test_nothing_steady(self):
        self.assertIsNone(steady(self.samples([(0, 0), (1, 106), (0, 0)])))
        self.assertTrue(math.isnan(payload_rate([], 64)))


class Outputs(unittest.TestCase):
    def test_iperf3(self):
        self.assertEqual(tools.iperf3_figures(sample("iperf3.json"), 64), {"sent": 1000, "taken": 1000})

    def test_sockperf(self):
        self.assertEqual(tools.sockperf_figures(sample("sockperf_client.txt"), sample("sockperf_server.txt")), {"sent": 1000, "taken": 1000})
        self.assertEqual(tools.sockperf_figures("", "killed"), {"sent": None, "taken": None})

    def test_perf(self):
        share, most = kernel_share.shares(sample("perf.txt"))
        self.assertEqual(most[0][1], "__ip_make_skb (kernel)")
        self.assertIn("groma::SendWorker::step() noexcept", [name for _, name in most])
        samples = [int(line.split()[1]) for line in sample("perf.txt").splitlines()]
        self.assertEqual(share, sum(samples[:-1]) / sum(samples))

    def test_perf_with_too_few_samples_says_nothing(self):
        with self.assertRaisesRegex(AssertionError, "43 samples"):
            kernel_share.shares(sample("perf.txt").splitlines()[0])

    def test_micro_benches(self):
        of = micro.benches(sample("micro.json"))
        self.assertEqual(list(of), ["push_pop<16>", "write_sent/0"])
        self.assertAlmostEqual(of["push_pop<16>"], 1.2523, places=3)
        self.assertEqual(of["write_sent/0"], 12e6)

    def test_groma(self):
        report = {"errors": ["flow 'a' failed"], "flows": [{"end": "failed"}],
                  "total": {"sent_packets": 9, "sent_records_missing": 1, "received_packets": 8, "received_records_missing": 2}}
        self.assertEqual(tools.groma_figures(report), {"sent": 9, "taken": 8, "records_lost": 3, "remark": "flow 'a' failed"})
        report["flows"][0]["end"] = "cut_short"
        report["total"] |= {"received_packets": None, "received_records_missing": None}
        self.assertEqual(tools.groma_figures(report), {"sent": 9, "taken": None, "records_lost": 1, "remark": ""})


class Precision(unittest.TestCase):
    def test_constant_gaps_are_compared_with_the_rate(self):
        of = precision.figures(tools.Load("const", 1000, 64, 1), [0, 1_000_500, 2_000_000], None)
        self.assertEqual((of["achieved_pps"], of["gap_error_p50_us"], of["gap_error_p99_us"]), (1000, 0.5, 0.5))
        self.assertEqual(of["rate_error"], 0)

    def test_exponential_gaps_are_compared_with_the_schedule(self):
        load = tools.Load("exp", 1000, 64, 1)
        of = precision.figures(load, [10, 2_000_010, 2_500_110], [0.0, 0.002, 0.0025])
        self.assertEqual((of["gap_error_p50_us"], of["gap_error_p99_us"]), (0.0, 0.1))
        self.assertAlmostEqual(of["schedule_pps"], 800)

    def test_loads_are_read_from_text(self):
        self.assertEqual(precision.loads_of("exp:2000,const:10"), [("exp", 2000), ("const", 10)])
        for text in ("exp", "exp:2000,unif:3", "const:0", "const:5,", "xconst:5"):
            with self.assertRaisesRegex(ValueError, "cannot use"):
                precision.loads_of(text)

    def test_what_was_lost_cannot_be_compared(self):
        of = precision.figures(tools.Load("exp", 1000, 64, 1), [0, 2_000_000], [0.0, 0.001, 0.002])
        self.assertTrue(math.isnan(of["gap_error_p50_us"]))


class Rows(unittest.TestCase):
    ROWS = [{"tool": "a", "pps": 10.0, "repetition": 1, "failure": ""}, {"tool": "a", "pps": 30.0, "repetition": 2, "failure": ""},
            {"tool": "b", "pps": 5.0, "repetition": 2, "failure": ""}, {"tool": "b", "repetition": 1, "failure": "gone"}]

    def test_failed_runs_are_in_no_figure(self):
        groups = grouped(self.ROWS, "tool")
        self.assertEqual(len(groups["b",]), 1)
        self.assertEqual(figure(groups["a",], "pps", ".0f", limits=True), "20 (10 to 30)")
        self.assertEqual(figure([], "pps"), "-")

    def test_ratios_are_of_one_repetition(self):
        groups = grouped(self.ROWS, "tool")
        self.assertEqual(ratios(groups["a",], groups["b",], "pps"), [6.0])

    def test_failures_are_told_once(self):
        rows = {"p": [{"tool": "b", "failure": "gone", "repetition": n} for n in (1, 2)] + [{"tool": "a", "failure": "", "remark": "cut"}]}
        self.assertEqual(bench.failures(rows), ["p: b: gone (2 times)", "p: a: cut"])

    def test_a_run_that_fails_does_not_end_the_others(self):
        class NoPair:
            def clear(self):
                pass

        def fail(_):
            raise AssertionError("it broke")
        self.assertEqual(bench.measure(Run({}, "", 1, fail), NoPair()), {"failure": "it broke"})
        self.assertEqual(bench.measure(Run({}, "", 1, fail, "not installed"), NoPair()), {"failure": "not installed"})

    def test_runs_take_turns_and_rows_keep_their_order(self):
        group = [Run({"tool": tool}, tool, 1, None) for tool in "abc"]
        self.assertEqual([run.label for run in turns(group, 1)], ["b", "c", "a"])
        rows = bench.in_order(Part("", "", [group], None), [{"tool": tool, "n": 1} for tool in "xcab"])
        self.assertEqual([row["tool"] for row in rows], ["a", "b", "c", "x"])

    def test_a_table_that_cannot_be_made_does_not_take_the_others_along(self):
        def fail(_):
            raise KeyError("pps")
        parts = [Part("bad", "", [], fail), Part("good", "", [], lambda rows: [Table("t", ["a"], [["1"]])]), Part("not run", "", [], fail)]
        made, said = bench.tables_of(parts, {"bad": [], "good": []})
        self.assertEqual([table.title for table in made], ["t", "Targets"])
        self.assertEqual(said, ["bad: its tables cannot be made: KeyError: 'pps'"])


class KeptRuns(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "runs.jsonl"
        self.run_a, self.run_b = (Run({"tool": tool}, tool, 1, lambda pair: {}) for tool in "ab")
        self.part = Part("p", "", [[self.run_a, self.run_b]], None)

    def kept(self, resume, **settings) -> Kept:
        return Kept(self.file, {"quick": False} | settings, ["machine", "date"], resume)

    def missing(self, kept) -> list[tuple[str, int]]:
        return [(run.label, repetition) for _, run, repetition in bench.missing_runs([self.part], 2, kept)]

    def test_a_bench_that_ended_early_goes_on_with_what_is_missing_or_failed(self):
        kept = self.kept(False)
        kept.add("p", {"tool": "a", "repetition": 1, "failure": "", "pps": math.nan})
        kept.add("p", {"tool": "b", "repetition": 1, "failure": "it broke"})
        with open(self.file, "a") as file:
            file.write('{"part": "p", "row": {"tool": "b", "repeti')  # it was killed
        again = self.kept(True)
        self.assertEqual(self.missing(again), [("b", 1), ("b", 2), ("a", 2)])
        self.assertEqual(len(again.rows["p"]), 1)
        self.assertEqual(again.about, ["machine", "date", "resumed: date"])
        self.assertEqual(self.missing(self.kept(False)), [("a", 1), ("b", 1), ("b", 2), ("a", 2)])

    def test_what_was_cut_short_does_not_spoil_what_comes_after(self):
        self.kept(False)
        with open(self.file, "a") as file:
            file.write('{"part": ')
        self.kept(True).add("p", {"tool": "a", "repetition": 1, "failure": ""})
        self.assertEqual(self.missing(self.kept(True)), [("b", 1), ("b", 2), ("a", 2)])

    def test_runs_of_other_settings_are_not_mixed(self):
        self.kept(False)
        with self.assertRaisesRegex(OtherSettings, "another quick: leave out --resume"):
            self.kept(True, quick=True)


class Terminal(io.StringIO):
    def isatty(self):
        return True


class HowFar(unittest.TestCase):
    def test_a_terminal_is_told_what_is_left(self):
        out = Terminal()
        progress = Progress(2, 4, out)
        progress.step("a", 3)
        progress.began -= 90  # a minute and a half later
        progress.step("b", 1)
        self.assertIn("0:00 elapsed, ? left: run 1 of 2, a", out.getvalue())
        self.assertIn("1:30 elapsed, 0:30 left: run 2 of 2, b", out.getvalue())

    def test_a_pipe_is_told_nothing(self):
        out = io.StringIO()
        Progress(1, 1, out).step("a")
        self.assertEqual(out.getvalue(), "")


class Tables(unittest.TestCase):
    TABLE = Table("Rates", ["program", "rate"], [["a", "1,000"], ["b|c", "-"]], ["A note."])

    def test_text(self):
        self.assertEqual(self.TABLE.text(), "Rates\n\nprogram   rate\n--------------\na        1,000\nb|c          -\n\nA note.")

    def test_markdown(self):
        self.assertEqual(self.TABLE.markdown(),
                         "### Rates\n\n| program | rate |\n| --- | --: |\n| a | 1,000 |\n| b\\|c | - |\n\nA note.")

    def test_numbers(self):
        self.assertEqual([number(value) for value in (None, math.nan, 0.0, 0.01234, 1234.5, 7.0)], ["-", "-", "0", "0.0123", "1,234", "7.00"])

    @staticmethod
    def verdicts(rows: dict) -> dict[str, str]:
        table, = targets.tables(rows)
        return {line[0]: line[3] for line in table.rows}

    def test_targets_that_were_not_measured_are_told_too(self):
        verdicts = self.verdicts({})
        self.assertEqual(set(verdicts.values()), {"not measured"})
        for what in ("exp 1,000/s: error of the rate", "const 50,000/s, real time: gap error p99 [us]", "exp 10,000/s: lambda squared",
                     "const 2,000/s: CPU s/s", "64 bytes, one by one: times iperf3's rate", "1472 bytes, UDP, one by one: times iperf3's bits/s",
                     "65536 bytes, TCP: times iperf3's bits/s", "64 bytes, trains, receiver with GRO: rate with both logs to without",
                     "10,000 flows: worst flow's rate error", "kernel's share of the sender's time, trains"):
            self.assertIn(what, verdicts)

    def test_targets_of_reading_logs(self):
        def read(records, cpu_s, kb):
            return {"records": records, "bytes": 4 * records, "cpu_s": cpu_s, "elapsed_s": 2 * cpu_s, "kb": kb}
        rows = [{"traffic": decoding.SAME, "program": "ITGDec", "repetition": 1, "failure": "", "reads": {"receiver's log": read(10 ** 6, 2.0, 3000)}},
                {"traffic": decoding.LARGE, "program": "groma-dec", "repetition": 1, "failure": "", "reads": {
                    "sender's log, 1 thread": read(10 ** 8, 2.5, 9000), "receiver's log, 1 thread": read(10 ** 8, 1.25, 9000),
                    "receiver's log, 2 threads": read(10 ** 8, 1.5, 9000)}},
                {"traffic": decoding.WRITTEN, "program": "groma-dec", "repetition": 1, "failure": "",
                 "reads": {"sender's log, 1 thread": read(10 ** 8, 9, 400_000), "both logs, 1 thread": read(2 * 10 ** 8, 18, 501_000)}}]
        met = self.verdicts({"decoding": rows})
        self.assertEqual(met["reading a sender's log of a constant rate, one thread: million records a second of CPU"], "NOT MET")
        self.assertEqual(met["reading a receiver's log of a constant rate, one thread: million records a second of CPU"], "met")
        self.assertEqual(met[f"reading a receiver's log, {decoding.LARGE}: times ITGDec's records/s"], "met", "160 times")
        self.assertEqual(met[f"reading a receiver's log, {decoding.SAME}: times ITGDec's records/s"], "not measured")
        self.assertEqual(met[f"reading logs, {decoding.WRITTEN}, 100,000,000 packets: memory [MB]"], "NOT MET")
        self.assertEqual(met[f"reading logs, {decoding.MANY}: memory [MB]"], "not measured")
        [table] = decoding.tables(rows)
        self.assertEqual([row[6] for row in table.rows[:4]], ["1", "80", "160", "133"])

    def test_targets_of_packet_rates(self):
        rows = [{"setup": "one by one", "tool": tool, "repetition": repetition, "failure": "", "pps": pps, "records_lost": repetition - 1,
                 "taken_share": 1.0} for tool, pps in (("Groma", 600.0), ("D-ITG", 250.0), ("iperf3", 200.0)) for repetition in (1, 2)]
        met = self.verdicts({"packet-rate": rows})
        self.assertEqual(met["64 bytes, one by one: times D-ITG's rate"], "NOT MET")
        self.assertEqual(met["64 bytes, one by one: times iperf3's rate"], "met")
        self.assertEqual(met["64 bytes, one by one: taken by the receiver"], "met")
        self.assertEqual(met["64 bytes, one by one: records lost"], "NOT MET", "no run may lose one")
        self.assertEqual(met["64 bytes, trains, receiver with GRO: times D-ITG's rate"], "not measured")

    def test_targets_of_precision_are_told_for_real_time_too(self):
        rows = [{"kind": "const", "rate": 2000, "tool": tool, "repetition": 1, "failure": "", "rate_error": error, "gap_error_p50_us": 0.3,
                 "gap_error_p99_us": p99, "cpu": cpu, "packets": 8000, "log_bytes_sent": log}
                for tool, error, p99, cpu, log in (("Groma", -0.001, 20.0, 0.3, 11.0), ("Groma, real time", 0.0001, 4.0, 0.2, 4.0),
                                                   ("D-ITG -poll", 0.0, 10.0, 1.0, 144.0))]
        met = self.verdicts({"precision": rows})
        for tool, verdicts in (("", ["NOT MET", "met", "NOT MET", "NOT MET"]), (", real time", ["met"] * 4)):
            figures = ("error of the rate", "gap error p50 [us]", "gap error p99 [us]", "CPU s/s")
            self.assertEqual([met[f"const 2,000/s{tool}: {figure}"] for figure in figures], verdicts, tool)
        self.assertEqual(met["bytes of log a packet sent, constant rates, the worst of them"], "NOT MET")
        self.assertEqual(met["bytes of log a packet received, constant rates, the worst of them"], "not measured")

    def test_lambda_squared_is_compared_with_the_best_peer(self):
        chance = 2 * targets.chance_of_lambda(8000)
        for ours, verdict in ((0.0005, "met"), (0.001 + chance / 2, "met, within chance"), (0.0011 + chance, "NOT MET")):
            rows = [{"kind": "exp", "rate": 2000, "tool": tool, "repetition": 1, "failure": "", "rate_error": 0.0, "packets": 8000, "lambda2": of}
                    for tool, of in (("Groma", ours), ("D-ITG", 0.1), ("D-ITG -poll", 0.01), ("MGEN precise", 0.001))]
            self.assertEqual(self.verdicts({"precision": rows})["exp 2,000/s: lambda squared"], verdict)

    def test_departures_that_nobody_saw_miss_a_target(self):
        rows = [{"kind": "exp", "rate": 2000, "tool": "Groma", "repetition": repetition, "failure": "", "rate_error": 0.0, "packets": 8000,
                 "missing": missing} for repetition, missing in ((1, 0), (2, 3))]
        self.assertEqual(self.verdicts({"precision": rows})["Groma, all loads: departures that were not seen"], "NOT MET")

    def test_targets_of_decisions_are_read_from_the_micro_benches(self):
        rows = [{"program": "pacer", "repetition": 1, "failure": "", "benches": {"pacing_decision/1": 20.0, "pacing_decision/3000": 120.0}}]
        met = self.verdicts({"micro": rows})
        self.assertEqual([met[f"a decision of the pacer among {flows} flows [ns]"] for flows in ("1", "3,000")], ["met", "NOT MET"])

    def test_every_part_can_be_planned_and_makes_tables_of_nothing(self):
        options = type("Options", (), {"quick": True, "seconds": None, "loads": None})
        for part in bench.parts_of(options):
            rows = [{**run.key, "repetition": 1, "failure": "not here"} for group in part.groups for run in group]
            for table in part.tables(rows):
                self.assertTrue(table.text() and table.markdown())

    def test_memory_of_a_flow_is_what_more_flows_need(self):
        few, many = [{"sender_kb": 1000}], [{"sender_kb": 1000 + 3 * 9900}]
        self.assertEqual(many_flows.memory_a_flow(few, many, "sender_kb"), 3.0)
        self.assertIsNone(many_flows.memory_a_flow(few, [{"sender_kb": None}], "sender_kb"))

    def test_many_flows_begin_one_after_the_other(self):
        text = many_flows.experiment(10_000, 5)
        self.assertEqual(text.count("[[flow]]"), 10_000)
        self.assertIn('idt = "const:10pps"', text)
        self.assertTrue(text.endswith('start = "99990000ns"\n'))


class Everyday(unittest.TestCase):
    def test_transactions_of_sockperf_are_those_of_its_whole_run_or_of_what_it_counts(self):
        said = ("sockperf: [Total Run] RunTime=3.000 sec; Warm up time=400 msec; SentMessages=80001; ReceivedMessages=80000\n"
                "sockperf: [Valid Duration] RunTime=2.500 sec; SentMessages=60000; ReceivedMessages=60000\n")
        self.assertEqual(everyday.sockperf_transactions(said), 24000)

    def test_transactions_of_ab_are_complete_and_of_the_planned_size(self):
        said = ("Complete requests:      1000\nFailed requests:        {}\nTotal transferred:      {} bytes\nHTML transferred:       64000 bytes\n"
                "Requests per second:    8123.45 [#/sec] (mean)\n")
        for transferred in (200_000, 200_200):
            self.assertEqual(everyday.ab_transactions(said.format(0, transferred)), 8123.45)
        for failed, transferred in ((1, 200_000), (0, 201_000), (0, 199_800)):
            with self.assertRaises(AssertionError):
                everyday.ab_transactions(said.format(failed, transferred))

    def test_the_median_of_irtt_is_in_nanoseconds(self):
        self.assertEqual(everyday.irtt_median('[Connecting]\n{"stats": {"rtt": {"median": 75180}}}'), 75180)

    def test_ratios_are_above_one_where_groma_does_better(self):
        all_tasks = everyday.tasks(quick=False)
        self.assertEqual(len({task.name for task in all_tasks}), 16)
        bulk, times = all_tasks[0], all_tasks[-1]
        rows = [{"task": task.name, "tool": tool, "repetition": 1, "failure": "", "value": value}
                for task, values in ((bulk, (2e9, 1e9)), (times, (20e3, 30e3))) for tool, value in zip(task.of, values)]
        cells, = (table.rows for table in everyday.tables(all_tasks, rows))
        self.assertEqual((cells[0][-1], cells[-1][-1]), ("2.00 (2.00 to 2.00)", "1.50 (1.50 to 1.50)"))


if __name__ == "__main__":
    unittest.main()
