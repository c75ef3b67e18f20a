#!/usr/bin/env python3
"""An installation by `cmake --install` works in its folder."""
import os
import pathlib
import unittest

import completions
import ending
import lab


class Install(unittest.TestCase):
    def test_the_installed_programs_and_manual_pages_are_complete(self):
        with ending.TemporaryFolder() as folder:
            lab.run("cmake", "--install", os.environ["GROMA_BUILD"], "--prefix", folder)
            prefix = pathlib.Path(folder)
            programs = ["groma-dec", "groma-key", "groma-log", "groma-plot", "groma-recv", "groma-send"]
            if (lab.BIN / "groma-mpi").exists():  # where there is an MPI library
                programs.insert(3, "groma-mpi")
            for program in programs:
                self.assertRegex(lab.run(prefix / "bin" / program, "--version").stdout, rf"^{program} \d+\.\d+\.\d+\n$")
                self.assertTrue((prefix / "share" / "man" / "man1" / f"{program}.1").exists())
            self.assertTrue((prefix / "share" / "doc" / "groma" / "LICENSE").exists())
            self.assertEqual(len(list(prefix.glob("lib*/**/groma/groma_packets.so"))), 1)
            dissectors = sorted(p.name for p in (prefix / "share" / "groma" / "wireshark").iterdir())
            self.assertEqual(dissectors, ["groma.lua", "groma_control.lua", "groma_log.lua"])
            self.assertEqual(sorted(p.name for p in (prefix / "bin").iterdir()), programs)
            self.assertEqual(sorted(p.name for p in (prefix / "share/man/man7").iterdir()), ["groma-models.7", "groma.7"])
            for program in programs:
                self.assertTrue((prefix / "share/zsh/site-functions" / f"_{program}").exists())
                self.assertIn("--version", self.completed(prefix, program, "--ver"))

    def completed(self, prefix: pathlib.Path, *words: str) -> list[str]:
        script = prefix / "share/bash-completion/completions" / words[0]
        return lab.run(*completions.in_bash(f"source '{script}'", *words), cwd=prefix).stdout.split()

    def test_bash_completes_options_and_their_values(self):
        with ending.TemporaryFolder() as folder:
            lab.run("cmake", "--install", os.environ["GROMA_BUILD"], "--prefix", folder)
            prefix = pathlib.Path(folder)
            (prefix / "run.glog").touch()
            for words, offered in [
                (("groma-send", "--transpo"), ["--transport"]),
                (("groma-send", "--transport", "usr"), ["usrsctp"]),
                (("groma-send", "--transport", "=", "mp"), ["mptcp"]),
                (("groma-send", "--idt", "wei"), ["weibull:"]),
                (("groma-send", "--idt", "exp", ":", ""), [""]),
                (("groma-send", "--realtime", ""), ["auto", "on", "off"]),
                (("groma-send", "--packets", ""), [""]),
                (("groma-send", "--require", "rate"), ["rate="]),
                (("groma-send", "--profile", "qu"), ["quake3"]),
                (("groma-recv", "--log-dir", ""), ["bin", "lib", "share"]),
                (("groma-recv", "ru"), [""]),
                (("groma-log", "pr"), ["prune"]),
                (("groma-log", "prune", "--"), ["--dir", "--older-than", "--dry-run", "--help", "--version"]),
                (("groma-dec", "ru"), ["run.glog"]),
                (("groma-dec", "rep"), ["report"]),
                (("groma-dec", "report", "--no-p"), ["--no-pictures"]),
                (("groma-dec", "--json", "=", "ru"), ["run.glog"]),
                (("groma-dec", "--json", "ru"), ["run.glog"]),
                (("groma-dec", "--group", "hosts,tr"), ["hosts,transport"]),
                (("groma-plot", "--format", "svg,p"), ["svg,png", "svg,pdf"]),
                (("groma-plot", "-o", "sha"), ["share"]),
                (("groma-key", ""), ["new", "host", "token", "show"]),
                (("groma-key", "new", "name", "--role", "send,v"), ["send,view"]),
                (("groma-mpi", "--log-transport", "m"), ["mpi"]),
            ]:
                self.assertEqual(set(self.completed(prefix, *words)), set(offered) - {""}, words)

    def test_the_packages_have_the_version_of_the_programs(self):
        first = (lab.ROOT / "debian/changelog").read_text().splitlines()[0]
        self.assertIn(f"groma ({lab.run(lab.BIN / 'groma-send', '--version').stdout.split()[1]}) ", first)


if __name__ == "__main__":
    lab.main(root=False)
