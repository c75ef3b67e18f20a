#!/usr/bin/env python3
"""A program that is built without care has every fault that hardened.py knows, and one that is built with it has none."""
import pathlib
import subprocess
import tempfile
import unittest

import hardened

SOURCE = """
#include <stdio.h>
#include <string.h>
int main(int argc, char** argv) { char text[16]; strcpy(text, argv[argc - 1]); return puts(text); }
"""


class Hardened(unittest.TestCase):
    def faults(self, *flags) -> list:
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            subprocess.run(["cc", "-x", "c", "-", "-o", program, *flags], input=SOURCE, text=True, check=True, stderr=subprocess.DEVNULL)
            return list(hardened.faults(program))

    def test_knows_a_program_that_is_built_without_care(self):
        careless = self.faults("-no-pie", "-Wl,-z,lazy,-z,norelro,-z,execstack", "-fno-stack-protector")
        self.assertEqual(len(careless), 6, careless)

    def test_knows_a_program_that_is_built_with_care(self):
        self.assertEqual(self.faults("-O2", "-pie", "-fPIE", "-Wl,-z,now,-z,relro", "-fstack-protector-strong",
                                     "-D_FORTIFY_SOURCE=2"), [])


if __name__ == "__main__":
    unittest.main()
