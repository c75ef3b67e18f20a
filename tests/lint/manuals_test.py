#!/usr/bin/env python3
"""The check of man pages finds what it must find."""
import unittest

import manuals

HELP = "Does a thing.\n\nOutput:\n  -o FILE      write FILE\n  --json[=FILE] print --quiet JSON\n"
PAGE = ".TP\n\\fB\\-o\\fR \\fIFILE\\fR\nWrite.\n.TP\n\\fB\\-\\-json\\fR[=\\fIFILE\\fR]\nPrint \\fB\\-\\-quiet\\fR JSON.\n"


class Manuals(unittest.TestCase):
    def found(self, page, shown=HELP):
        return "\n".join(manuals.differences(page, shown))

    def test_a_page_that_names_each_option_once_is_right(self):
        self.assertEqual(self.found(PAGE), "")

    def test_finds_an_option_that_stands_twice(self):
        self.assertEqual(self.found(PAGE + PAGE), "--json is 1 times in --help and 2 times in the page\n"
                                                  "-o is 1 times in --help and 2 times in the page")

    def test_finds_an_option_that_only_one_of_them_has(self):
        self.assertIn("--json is 1 times in --help and 0 times in the page", self.found(PAGE[:40]))
        self.assertIn("--new is 0 times in --help and 1 times", self.found(PAGE + ".TP\n\\fB\\-\\-new\\fR\n"))

    def test_finds_a_help_without_options(self):
        self.assertIn("names no option", self.found("", "Does a thing.\n"))

    def test_finds_a_program_that_the_overview_does_not_name(self):
        self.assertEqual(manuals.unnamed(["groma-a", "groma-b"], ".TP\n.BR groma\\-a (1)\nSends.\n"), ["groma-b"])


if __name__ == "__main__":
    unittest.main()
