"""The classes of reports are those of the schema, and mypy finds nothing."""
import json
import subprocess
import sys
import unittest

import fakes
from groma import figures
from groma._typed import read


class Figures(unittest.TestCase):
    def test_the_module_is_what_the_schema_and_the_page_of_rows_say(self):
        result = subprocess.run([sys.executable, "-B", fakes.ROOT / "python/make_figures.py", "--check"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_report_keeps_every_member(self):
        document = fakes.document()
        report = read(figures.Report, json.loads(json.dumps(document)))
        self.assertEqual(report.flows[0].received_packets, document["flows"][0]["received_packets"])
        self.assertIsInstance(report.flows[0].receivers[0], figures.FlowReceiver)
        self.assertIsInstance(report.total.round_trip, figures.RoundTrip)
        self.assertEqual(fakes.dataclasses.asdict(report), document)

    def test_members_of_a_newer_program_are_left_out(self):
        report = read(figures.Report, fakes.document() | {"new": {"x": 1}})
        self.assertEqual(fakes.dataclasses.asdict(report), fakes.document())

    def test_figures_that_an_older_program_does_not_know_are_unknown(self):
        document = fakes.document()
        del document["flows"][0]["received_packets"], document["log"]
        report = read(figures.Report, document)
        self.assertIsNone(report.flows[0].received_packets)
        self.assertIsNone(report.log)

    def test_whole_numbers_become_reals_where_the_schema_says_number(self):
        document = fakes.document()
        document["run"]["elapsed_s"] = 2
        self.assertIsInstance(read(figures.Report, document).run.elapsed_s, float)

    def test_what_is_no_report_is_named(self):
        for spoil, named in ((lambda it: it.pop("run"), "Report has no 'run'"), (lambda it: it.update(flows=3), "a list was expected"),
                             (lambda it: it.update(run="x"), "RunFigures: an object was expected")):
            document = fakes.document()
            spoil(document)
            with self.assertRaisesRegex(ValueError, named):
                read(figures.Report, document)


class Types(unittest.TestCase):
    def mypy(self, *arguments) -> str:
        try:
            import mypy  # noqa: F401
        except ImportError:
            if fakes.os.environ.get("CI"):
                raise
            self.skipTest("mypy is not installed")
        return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir=/dev/null", *arguments], capture_output=True, text=True,
                              cwd=fakes.ROOT / "python").stdout

    def test_the_package_has_types_throughout(self):
        self.assertIn("Success", said := self.mypy("groma", "make_figures.py"), said)

    def test_users_have_the_types_of_figures(self):
        said = self.mypy("-c", "import groma\nresult = groma.run(to='x')\nreveal_type(result.flows[0].received_packets)\n"
                         "reveal_type(result.report.verdict.result)\nresult.flows[0].recieved_packets\n"
                         "for row in groma.start():\n    reveal_type(row.t_s)\n")
        for expected in ('"Union[builtins.int, None]"', "Union[Literal['as_asked'], Literal['within'], Literal['not_as_asked']]",
                         '"Flow" has no attribute "recieved_packets"', '"builtins.float"'):
            self.assertIn(expected, said)


if __name__ == "__main__":
    unittest.main()
