#!/usr/bin/env python3
"""groma-mpi runs a grid of twelve runs, is killed, and continues where it stopped."""
import json
import pathlib
import signal
import sqlite3
import subprocess
import unittest

import ending
import lab
import mpirun

GRID = """
name = "grid"
seed = 5
[hosts]
here = "127.0.0.1"
[[flow]]
to = "here"
idt = "exp:100pps"
[batch]
transport = ["udp", "tcp"]
rate = ["500pps", "2000pps"]
size = [64, 512, 1024]
{stop}
"""
COMMAND = ("--out", "out", "--wait", "200ms")


def run_processes(job: subprocess.Popen):
    """The ranks of a job, recognised by their environment: mpirun's session folder is below ours."""
    return [int(p.name) for p in pathlib.Path("/proc").iterdir() if p.name.isdigit() and parent_of(p) == job.pid]


def parent_of(process: pathlib.Path):
    try:
        return int((process / "stat").read_text().rsplit(")", 1)[1].split()[1])
    except (OSError, IndexError):
        return None


class Batch(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = ending.TemporaryFolder(prefix="groma-batch-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "grid.toml").write_text(GRID.format(stop="packets = 150"))

    def command(self, *arguments):
        return mpirun.here(3, "grid.toml", *COMMAND, *arguments)

    def batch(self, *arguments, check=True):
        return lab.run(*self.command(*arguments), cwd=self.folder, env=mpirun.environment(self.folder), check=check)

    def rows(self, query="SELECT * FROM runs ORDER BY number"):
        table = self.folder / "out/batch.sqlite"
        if not table.exists():
            return []
        database = sqlite3.connect(f"file:{table}?mode=ro", uri=True, timeout=10)
        database.row_factory = sqlite3.Row
        try:
            return [dict(row) for row in database.execute(query)]
        except sqlite3.OperationalError:
            return []  # it is being made
        finally:
            database.close()

    def complete(self):
        return self.rows("SELECT * FROM runs WHERE state = 'complete' ORDER BY number")

    def stopped_after_five(self, number):
        """Starts the batch and ends mpirun with a signal when five rows are complete. Returns those rows."""
        with open(self.folder / "first.out", "wb") as out:
            job = subprocess.Popen(self.command(), cwd=self.folder, env=mpirun.environment(self.folder), stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=out)
        self.addCleanup(job.kill)
        lab.wait_until("five runs", lambda: len(self.complete()) >= 5 or job.poll() is not None)
        self.assertIsNone(job.poll(), (self.folder / "first.out").read_text())
        ranks = run_processes(job)
        job.send_signal(number)
        job.wait(lab.HANG_S)
        # The ranks of a killed mpirun notice this and end.
        lab.wait_until("the ranks to end", lambda: not any(self.alive(pid) for pid in ranks))
        rows = self.complete()
        self.assertGreaterEqual(len(rows), 5)
        self.assertLess(len(rows), 12, "the batch was over before it was stopped")
        return rows

    @staticmethod
    def alive(pid):
        try:
            return pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == "groma-mpi"
        except OSError:
            return False

    def check_resumed(self, before):
        result = self.batch()
        rows = self.rows()
        self.assertEqual([row["state"] for row in rows], ["complete"] * 12, result.stdout + result.stderr)
        self.assertEqual(rows[:len(before)], before)
        self.assertIn(f"{len(before)} of 12 runs", result.stderr)
        self.assertIn("12 runs: 12 complete", result.stdout)
        combinations = {(row["transport"], row["rate"], row["size"]) for row in rows}
        self.assertEqual(len(combinations), 12)
        self.assertEqual(len({row["seed"] for row in rows}), 12)
        for row in rows:
            self.check_folder(row)
        self.check_summary(rows)
        return rows

    def check_summary(self, rows):
        """groma-dec batch has a group for each combination, and the figures of its only run."""
        summary = json.loads(lab.run(lab.BIN / "groma-dec", "batch", self.folder / "out", "--json").stdout)
        self.assertEqual(len(summary["groups"]), len(rows))
        self.assertEqual(summary["left_out"], [])
        for row, group in zip(rows, summary["groups"]):
            self.assertEqual(group["keys"], {key: row[key] for key in ("transport", "rate", "size", "packets")})
            self.assertEqual(group["figures"]["delay_p99_ns"]["values"], [row["delay_p99_ns"]])
            self.assertIsNone(group["figures"]["delay_p99_ns"]["mean_interval"])
        lab.run(lab.BIN / "groma-dec", "batch", "out", "--sqlite", "groups.sqlite", "--quiet", cwd=self.folder)
        drawn = lab.run(lab.BIN / "groma-plot", "groups.sqlite", "-o", "pictures", cwd=self.folder).stdout
        self.assertIn("sweep-delay-p99-by-rate.svg", drawn)

    def check_folder(self, row):
        """The logs of a run agree with its row."""
        logs = sorted(str(log) for log in (self.folder / "out" / row["folder"]).rglob("*.glog"))
        self.assertEqual(len(logs), 2, row["folder"])
        again = self.folder / "again.sqlite"
        lab.run(lab.BIN / "groma-dec", *logs, "--sqlite", again, "--force", "--quiet")
        database = sqlite3.connect(again)
        transport, sent, received = database.execute("SELECT transport, sent_packets, received_packets FROM flows").fetchone()
        seed, = database.execute("SELECT seed FROM runs").fetchone()
        database.close()
        self.assertEqual((transport, sent, received, seed),
                         (row["transport"], row["sent_packets"], row["received_packets"], row["seed"]))
        self.assertEqual(sent, 150)
        self.assertIsNotNone(row["delay_p99_ns"])

    def test_a_grid_whose_mpirun_is_killed_goes_on_where_it_stopped(self):
        before = self.stopped_after_five(signal.SIGKILL)
        rows = self.check_resumed(before)
        self.assertIn(rows[len(before)]["attempts"], (1, 2))

    def test_a_grid_that_is_interrupted_notes_the_run_it_was_at(self):
        # The second run would take hours.
        grid = GRID.replace("{stop}", 'packets = [150, 100000000]').replace("[64, 512, 1024]", "[64]")
        (self.folder / "grid.toml").write_text(grid)
        with open(self.folder / "first.out", "wb") as out:
            job = subprocess.Popen(self.command(), cwd=self.folder, env=mpirun.environment(self.folder), stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=out)
        self.addCleanup(job.kill)
        lab.wait_until("the second run", lambda: any(row["number"] == 2 and row["state"] == "running" for row in self.rows()))
        job.send_signal(signal.SIGINT)
        self.assertNotEqual(job.wait(lab.HANG_S), 0)
        states = [row["state"] for row in self.rows()]
        self.assertEqual(states[0], "complete")
        self.assertIn(states[1], ("interrupted", "running"))
        self.assertEqual(states[3], "waiting")

    def test_the_runs_are_listed_without_mpirun(self):
        listed = lab.run(lab.BIN / "groma-mpi", "--list", lab.ROOT / "examples/batch.toml").stdout
        self.assertIn("012-tcp-rate2000pps-size1024", listed)
        self.assertIn("12 runs, at least 24 s in all", listed)

    def test_errors_and_other_experiments_are_refused(self):
        (self.folder / "out").mkdir()
        (self.folder / "grid.toml").write_text(GRID.format(stop='duration = "1"').replace("2000pps", "x"))
        result = self.batch(check=False)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.count("duration: "), 1, result.stderr)
        self.assertEqual(result.stderr.count("rate: "), 1, result.stderr)
        (self.folder / "grid.toml").write_text(GRID.format(stop='duration = "1s"'))
        result = self.batch("--duration", "3s", check=False)
        self.assertEqual(result.returncode, 2, result.stderr)
        result = lab.run(lab.BIN / "groma-send", "grid.toml", cwd=self.folder, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("groma-mpi", result.stderr)


if __name__ == "__main__":
    mpirun.skip_without_mpi()
    lab.main(root=False)
