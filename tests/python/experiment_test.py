"""Experiments as dictionaries become TOML that says the same."""
import math
import os
import pathlib
import tomllib
import unittest

import fakes  # noqa: F401: finds the package
from groma._experiment import toml_of


class Toml(unittest.TestCase):
    def assertSame(self, experiment: dict):
        self.assertEqual(tomllib.loads(toml_of(experiment)), experiment)

    def test_every_kind_of_value(self):
        self.assertSame({"name": "office", "seed": 1, "start_spread": "1s", "hosts": {"alpha": "10.99.0.2", "beta": {"address": "x", "port": 9100}},
                         "defaults": {"to": "alpha"}, "require": {"loss": 0, "lateness-p99.9": "1ms", "x": 0.25},
                         "flow": [{"name": "a", "count": 3, "sealed": True}, {"name": "b", "list": [1, "two", [3.5]]}]})

    def test_texts_are_exact(self):
        for text in ('"', "\\", "a\nb\tc\x00\x1f\x7f", "\u00e9\u2028\U0001f600", "", "'''", 'say "x" = [1]\r\n'):
            self.assertSame({"name": text, "flow": [{"name": text}]})

    def test_names_of_keys_are_exact(self):
        self.assertSame({"a b": 1, "": 2, "x.y": {"p99.9": "1", 'q"': 2}, "plain-1_": 3})

    def test_numbers_are_exact(self):
        for number in (0, -1, 2**63 - 1, -2**63, 0.1, 1e300, 5e-324, -0.0, 1e16, math.inf, -math.inf):
            self.assertSame({"seed": number})
        self.assertTrue(math.isnan(tomllib.loads(toml_of({"x": math.nan}))["x"]))

    def test_none_is_left_out(self):
        self.assertEqual(tomllib.loads(toml_of({"seed": None, "flow": [{"to": "x", "port": None}]})), {"flow": [{"to": "x"}]})

    def test_an_empty_table_and_an_empty_list(self):
        self.assertSame({"defaults": {}, "flow": [], "hosts": {"a": {}}})

    def test_paths_begin_at_the_current_folder(self):
        here = os.getcwd()
        made = tomllib.loads(toml_of({"name": "file:a", "key": "lab.key", "flow": [
            {"name": "pcap:b", "payload": "file:data/x", "idt": "mix:0.5*(file:a)+0.5*(file:/b)", "size": pathlib.Path("p")}]}))
        self.assertEqual(made, {"name": "file:a", "key": f"{here}/lab.key", "flow": [
            {"name": "pcap:b", "payload": f"file:{here}/data/x", "idt": f"mix:0.5*(file:{here}/a)+0.5*(file:/b)", "size": f"{here}/p"}]})
        self.assertEqual(tomllib.loads(toml_of({"key": "none"})), {"key": "none"})

    def test_what_toml_cannot_hold_is_named(self):
        for experiment, named in (({"flow": [{"size": b"x"}]}, "flow.size"), ({"seed": object()}, "seed"), ({"name": "\ud800"}, "UTF-8"),
                                  ({1: 2}, "a key is text"), ({"hosts": {"a": {"port": {1}}}}, "hosts.a.port")):
            with self.assertRaisesRegex(TypeError, named):
                toml_of(experiment)


if __name__ == "__main__":
    unittest.main()
