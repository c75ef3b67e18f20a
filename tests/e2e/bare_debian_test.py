#!/usr/bin/env python3
"""Both commands of the README work on a bare Debian 12: scripts/demo for an ordinary user with sudo, scripts/test
for root. They fail here if a package that they need is not in scripts/packages.txt."""
import pathlib
import shutil
import time
import unittest

import bare_debian
import ending
import lab
from demo_test import DemoTest

FOLDER: pathlib.Path  # of all machines


def setUpModule():
    global bare
    bare = bare_debian.BareDebian(FOLDER / "bare").make()
    if lab.run("git", "-C", lab.ROOT, "status", "--porcelain").stdout:
        print("what is not committed is not tested: the machines have a clone of HEAD")


class BareDebianTest(DemoTest):
    """A test on a machine of its own, with a clone of this checkout."""

    def setUp(self):
        self.machine = bare.copy(FOLDER / self._testMethodName)

    def clone_to(self, home: str):
        lab.run("git", "clone", "--quiet", "--no-hardlinks", lab.ROOT, self.machine.root / home / "groma")

    def run_well(self, *command, **options) -> str:
        began = time.monotonic()
        status, said = self.machine.run(*command, **options)
        self.assertEqual(status, 0, f"{command} ended with {status}:\n{said}")
        print(f"{' '.join(command)}: {time.monotonic() - began:.0f} s")
        return said


class Readme(BareDebianTest):
    def test_the_demo_for_a_user_with_sudo(self):
        self.run_well("sh", "-c", "apt-get update && apt-get install -y --no-install-recommends sudo && useradd --create-home user && "
                                  "echo 'user ALL = NOPASSWD: ALL' >/etc/sudoers.d/user")
        self.clone_to("home/user")
        self.run_well("chown", "--recursive", "user:", "/home/user")
        said = self.run_well("runuser", "--login", "user", "--command", "groma/scripts/demo")
        results = self.machine.root / "home/user/groma/build/demo"
        self.assertShown(said, results)
        for name in ("send.glog", "recv.glog", "results.sqlite"):
            self.assertGreater((results / name).stat().st_size, 1000, name)

    def test_the_gate_for_root(self):
        self.clone_to("root")
        said = self.run_well("/root/groma/scripts/test", with_caches=True)
        self.assertIn("100% tests passed", said)
        self.assertNotIn("(Skipped)", said)
        print(said)


if __name__ == "__main__":
    if not shutil.which("mmdebstrap"):
        lab.skip("mmdebstrap is not installed: scripts/setup test field installs it")
    ending.listen()
    with bare_debian.folder() as FOLDER:
        lab.main()
