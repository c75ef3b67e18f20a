"""A real systemd in namespaces of its own: it starts units on what a test shows it as its root, and everything ends with it."""
from __future__ import annotations

import itertools
import os
import subprocess

import lab

# The manager gets a group of processes of its own, and namespaces in it, in which a test's script prepares its mounts and becomes systemd.
GROUP = """
set -e
mount --make-rprivate /
umount -R /sys/fs/cgroup || true
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir /sys/fs/cgroup/$GROUP
echo $$ >/sys/fs/cgroup/$GROUP/cgroup.procs
exec unshare --fork --kill-child --mount --pid --ipc --uts --cgroup $NET sh -c "$BOOT"
"""
WITHOUT_GROUP = """
mount -t cgroup2 cgroup2 /sys/fs/cgroup
find /sys/fs/cgroup/$GROUP -depth -type d -exec rmdir {} ";"
! test -d /sys/fs/cgroup/$GROUP
"""
_numbers = itertools.count()


class Systemd:
    """Runs `boot`, which ends in `exec systemd`, with `variables` in its environment: on a host of the lab, or in a network of its own. A context
    manager: `unit` has been started when it is entered."""

    def __init__(self, boot: str, unit: str, host: lab.Host | None = None, **variables: str):
        self.unit = unit
        self.enter = host.enter() if host else ()
        self.environment = os.environ | variables | {"GROUP": f"groma-systemd-{os.getpid()}-{next(_numbers)}", "BOOT": boot,
                                                     "NET": "" if host else "--net", "container": "test"}

    def __enter__(self) -> "Systemd":
        self.manager = subprocess.Popen([*self.enter, "unshare", "--mount", "sh", "-c", GROUP], env=self.environment, stdin=subprocess.DEVNULL)
        try:
            self.pid = lab.wait_until("systemd to begin", lambda: lab.run("pgrep", "-P", str(self.manager.pid), "-x", "systemd", check=False).stdout.strip())
            lab.wait_until("systemd to have started", lambda: self.inside("systemctl", "is-active", self.unit, check=False).stdout == "active\n")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *what):
        self.manager.kill()
        self.manager.wait()
        without_group = ["unshare", "--mount", "sh", "-c", WITHOUT_GROUP]
        lab.wait_until("its processes to end", lambda: lab.run(*without_group, check=False, env=self.environment).returncode == 0)

    def inside(self, *command, **options):
        return lab.run("nsenter", "--target", self.pid, "--mount", "--pid", "--ipc", "--uts", "--net", *command, **options)
