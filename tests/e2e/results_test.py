#!/usr/bin/env python3
"""The results of groma-dec as other programs read them: JSON lines, a script for GNU Octave, an interval log of
HdrHistogram. Judged by the JSON report, by an independent reader of the logs, and by Octave and HdrHistogram
themselves."""
import base64
import collections
import csv
import json
import math
import pathlib
import shutil
import struct
import zlib

import jsonschema

import glog
import lab

HDR_JAR = pathlib.Path("/usr/share/java/hdrhistogram.jar")


def bin_of(value: int) -> tuple[int, int]:
    """The bin of HdrHistogram with two significant digits: lowest and highest value (128 bins in each power of two)."""
    width = 1 << max(0, value.bit_length() - 8)
    return value // width * width, value // width * width + width - 1


def counts_of(text: str) -> dict:
    """{(lowest, highest): count} of an encoded histogram; HdrHistogram's V2 encoding."""
    data = base64.b64decode(text, validate=True)
    cookie, size = struct.unpack_from(">II", data)
    assert cookie == 0x1c849314 and size == len(data) - 8
    plain = zlib.decompress(data[8:])
    cookie, size, offset, digits, lowest, highest, ratio = struct.unpack_from(">IIIIqqd", plain)
    assert (cookie, size, offset, digits, lowest, ratio) == (0x1c849313, len(plain) - 40, 0, 2, 1, 1.0)
    at, index, found = 40, 0, {}
    while at < len(plain):
        number = shift = 0
        while True:
            byte = plain[at]
            at += 1
            number |= (byte if shift == 56 else byte & 127) << shift
            shift += 7
            if byte < 128 or shift > 56:
                break
        count = (number >> 1) ^ -(number & 1)
        if count <= 0:
            index += max(1, -count)
            continue
        octave = max(0, index // 128 - 1)  # each value below 256 has its own bin
        low = (index - octave * 128) << octave
        found[low, low + (1 << octave) - 1] = count
        assert low <= highest
        index += 1
    return found


class Results(lab.LabTest):
    def setUp(self):
        super().setUp()
        self.b.receiver()

    def run_of(self, text: str):
        (self.folder / "run.toml").write_text(text.replace("TO", self.b.address))
        self.a.groma("send", "run.toml", "--log", "send.glog", "--receiver-log", "recv.glog", "--quiet", "--json=report.json")

    def results(self, *arguments, logs=("send.glog", "recv.glog")):
        return lab.run(lab.BIN / "groma-dec", *logs, *arguments, cwd=self.folder)

    def three_flows(self):
        self.run_of("""
            seed = 3
            [[flow]]
            name = "small"
            to = "TO"
            idt = "exp:2ms"
            size = "unif:8:60"
            packets = 1000
            [[flow]]
            name = "it's a \\"name\\", with signs"
            to = "TO"
            idt = "const:1ms"
            size = 200
            packets = 1000
            [[flow]]
            name = "there and back"
            to = "TO"
            idt = "const:5ms"
            meter = "round-trip"
            transport = "tcp"
            packets = 200
        """)

    def test_json_lines_are_the_json_report_in_pieces(self):
        self.three_flows()
        report = json.loads(self.results("--json", "--interval", "100ms").stdout)
        lines = [json.loads(line) for line in self.results("--jsonl", "--interval", "100ms").stdout.splitlines()]
        kinds = collections.Counter(line["type"] for line in lines)
        run, = report["runs"]
        intervals = sum(len(one["series"]) for one in [*run["flows"], run["total"]])
        self.assertEqual(kinds, {"report": 1, "run": 1, "log": 2, "flow": 3, "total": 1, "interval": intervals})
        for flow in run["flows"]:
            mine = [line for line in lines if line.get("flow") == flow["flow"]]
            self.assertEqual([line["type"] for line in mine], ["flow"] + ["interval"] * len(flow["series"]))
            self.assertEqual({line["run_id"] for line in mine}, {run["run_id"]})
            self.assertEqual({**mine[0], "series": flow["series"]}, {**flow, "type": "flow", "run_id": run["run_id"]})
            for line, row in zip(mine[1:], flow["series"], strict=True):
                self.assertEqual({**line, **row}, line)
        self.results("--jsonl=lines", "--quiet", "--interval", "100ms")
        self.assertEqual([json.loads(line) for line in (self.folder / "lines").read_text().splitlines()], lines)

    def test_reports_are_as_their_schemas_say(self):
        self.three_flows()
        decoded = json.loads(self.results("--json", "--group", "transport,label", "--require", "loss=0").stdout)
        for report, name in ((json.loads((self.folder / "report.json").read_text()), "groma-send"), (decoded, "groma-dec")):
            schema = json.loads((lab.ROOT / "docs/reference" / f"{name}.schema.json").read_text())
            jsonschema.Draft202012Validator.check_schema(schema)
            jsonschema.Draft202012Validator(schema).validate(report)

    def test_an_error_is_json_too(self):
        result = lab.run(lab.BIN / "groma-dec", "none.glog", "--json", cwd=self.folder, check=False)
        self.assertEqual(result.returncode, 1)
        error, = json.loads(result.stdout).items()
        self.assertEqual((error[0], f"groma-dec: {error[1]}\n"), ("error", result.stderr))

    def same(self, expected, found, path="groma"):
        """Octave's values from the script equal JSON's, except for lists and numbers as of
        docs/reference/decoder-output.md."""
        if isinstance(expected, dict):
            if not expected:
                return
            self.assertIsInstance(found, dict, path)
            for key, value in expected.items():
                self.assertIn(key, found, path)
                self.same(value, found[key], f"{path}.{key}")
        elif isinstance(expected, list):
            self.same_list(expected, found, path)
        elif expected is None:
            self.assertIn(found, (None, []), path)
        elif isinstance(expected, (int, float)) and not isinstance(expected, bool):
            exact = isinstance(expected, float) or abs(expected) <= 2**53
            found = found if exact else int(found)
            # Octave's jsonencode writes numbers below 1e-15 as 0, which are chances here (ks_p_low).
            self.assertTrue(math.isclose(expected, found, rel_tol=1e-13, abs_tol=1e-15), f"{path}: {expected} {found}")
        else:
            self.assertEqual(expected, found, path)

    def same_list(self, expected, found, path):
        rows = all(isinstance(one, dict) for one in expected)
        if rows and expected and all(isinstance(v, (int, float, type(None))) for one in expected for v in one.values()):
            for key in expected[0]:
                self.same([one[key] for one in expected], found[key], f"{path}.{key}")
            return
        found = found if isinstance(found, list) else [found]
        self.assertEqual(len(found), len(expected), path)
        for number, (one, other) in enumerate(zip(expected, found)):
            self.same(one, other, f"{path}[{number}]")

    def test_octave_runs_the_script_and_has_the_figures_of_the_report(self):
        if not shutil.which("octave-cli"):
            lab.skip_test("octave is not there: scripts/setup installs it")
        self.three_flows()
        for logs, group in ((("send.glog", "recv.glog"), ()), (("send.glog", "recv.glog"), ("--group", "transport")), (("recv.glog",), ())):
            self.results("--octave", "results.m", "--json=results.json", "--quiet", "--interval", "50ms", *group, logs=logs)
            script = "results; f = fopen('again.json', 'w'); fputs(f, jsonencode(groma)); fclose(f);"
            lab.run("octave-cli", "--no-init-file", "--quiet", "--eval", script, cwd=self.folder)
            found = json.loads((self.folder / "again.json").read_text())
            expected = json.loads((self.folder / "results.json").read_text())
            runs = expected.pop("runs")
            self.same({key: value for key, value in expected.items() if key != "schema"}, found)
            found["runs"] = found["runs"] if isinstance(found["runs"], list) else [found["runs"]]
            for run in runs:
                run.pop("requirements")
                for flow in run["flows"]:
                    del flow["sent_counters"], flow["received_counters"]  # names of fields differ from names of counters
            self.same(runs, found["runs"])

    def delays(self, interval: int, send="send.glog", recv="recv.glog"):
        """{(flow, interval): [delays]} by the records, and the start: of first copies that carry their time."""
        start = glog.metadata((self.folder / send).read_bytes())["started_at_ns"]
        seen, found = set(), collections.defaultdict(list)
        for record in glog.records((self.folder / recv).read_bytes(), glog.RECEIVED):
            if record.sent_at is not None and (record.flow, record.seq) not in seen:
                found[record.flow, (record.received_at - start) // interval].append(record.received_at - record.sent_at)
            seen.add((record.flow, record.seq))
        return found, start

    def read_hdr(self, file="delays.hlog"):
        lines = (self.folder / file).read_text().splitlines()
        comments = [line for line in lines if line.startswith("#")]
        self.assertIn("#[Histogram log format version 1.3]", comments)
        heading, *rows = csv.reader(line for line in lines if not line.startswith("#"))
        self.assertEqual(heading, ["StartTimestamp", "Interval_Length", "Interval_Max", "Interval_Compressed_Histogram"])
        start = next(line for line in comments if "StartTime" in line)
        return [(row[0].removeprefix("Tag="), *map(float, row[1:4]), row[4]) for row in rows], float(start.split()[1])

    def test_an_interval_log_has_every_delay_in_its_bin(self):
        self.three_flows()
        self.results("--hdr", "delays.hlog", "--interval", "100ms", "--quiet")
        rows, start = self.read_hdr()
        expected, started = self.delays(100_000_000)
        self.assertEqual(start, round(started / 1e9, 3))
        names = {1: "small", 2: 'it\'s_a_"name"__with_signs', 3: "there_and_back"}
        wanted = {(names[flow], round(at * 0.1, 3)): values for (flow, at), values in expected.items()}
        self.assertEqual({row[:2] for row in rows}, set(wanted))
        self.assertEqual([row[1] for row in rows], sorted(row[1] for row in rows), "in the order of time")
        for tag, at, length, largest, text in rows:
            values = wanted[tag, at]
            self.assertEqual((length, largest), (0.1, round(max(values) / 1e6, 3)))
            self.assertEqual(counts_of(text), collections.Counter(bin_of(value) for value in values))

    def test_without_the_senders_log_delays_count_from_the_smallest(self):
        self.three_flows()
        self.results("--hdr", "delays.hlog", "--flow", "2", "--quiet", logs=("recv.glog",))
        rows, _ = self.read_hdr()
        expected, _ = self.delays(10**9)
        values = [value for (flow, _), some in expected.items() if flow == 2 for value in some]
        total = collections.Counter()
        for row in rows:
            total.update(counts_of(row[4]))
        self.assertEqual(total, collections.Counter(bin_of(value - min(values)) for value in values))

    def test_hdrhistograms_own_tool_reads_it(self):
        if not HDR_JAR.exists() or not shutil.which("java"):
            lab.skip_test("libhdrhistogram-java and a Java are not there: scripts/setup installs them")
        self.run_of("""
            [[flow]]
            name = "one"
            to = "TO"
            idt = "exp:1ms"
            size = 100
            packets = 3000
        """)
        self.results("--hdr", "delays.hlog", "--quiet")
        said = lab.run("java", "-cp", HDR_JAR, "org.HdrHistogram.HistogramLogProcessor", "-i", "delays.hlog", "-csv", "-tag", "one",
                       "-outputValueUnitRatio", "1", cwd=self.folder).stdout
        expected, _ = self.delays(10**9)
        values = sorted(value for some in expected.values() for value in some)
        rows = [line.split(",") for line in said.splitlines() if line[:1].isdigit()]
        self.assertGreater(len(rows), 20)
        for value, _, count, *_ in rows:  # the highest value of a bin, and the number of values up to it
            self.assertEqual(int(count), sum(one <= float(value) for one in values), value)
        self.assertEqual(int(rows[-1][2]), len(values))

    def test_what_cannot_be_is_said(self):
        self.three_flows()
        said = lab.run(lab.BIN / "groma-dec", "recv.glog", "--jsonl", "--hdr", "-", cwd=self.folder, check=False)
        self.assertSaid(said, 2, "--jsonl and --hdr cannot both go to standard output")
        said = lab.run(lab.BIN / "groma-dec", "send.glog", "--hdr", "x", cwd=self.folder, check=False)
        self.assertSaid(said, 0, "none of the logs is a receiver's")
        said = lab.run(lab.BIN / "groma-dec", "recv.glog", "--octave", "recv.glog", cwd=self.folder, check=False)
        self.assertSaid(said, 2, "one of the logs to be read")


if __name__ == "__main__":
    lab.main()
