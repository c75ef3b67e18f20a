"""Runs and daemons, with programs that are made up: what the real ones do seldom, or never."""
import json
import os
import pathlib
import signal
import unittest

import fakes
import groma
from groma._programs import words_of

WRITES = f"""
import json
open(words["--json"], "w").write(json.dumps({json.dumps(fakes.document()).replace("true", "True").replace("null", "None")} | more))
"""


def sends(**more) -> str:
    return f"more = {more!r}\n{WRITES}"


class Words(unittest.TestCase):
    def test_options_become_words(self):
        self.assertEqual(words_of({"receiver_log": "a b", "packets": 3, "force": True, "nagle": False, "seed": None, "as_": "x", "log": pathlib.Path("l"),
                                   "require": {"loss": 0, "delay-p99": "1ms"}, "to": ["a", "b:1"], "wait": 0}),
                         ["--receiver-log=a b", "--packets=3", "--force", "--as=x", "--log=l", "--require=loss=0,delay-p99=1ms", "--to=a,b:1", "--wait=0"])


class Programs(fakes.FakeTest):
    def test_a_report_becomes_a_result(self):
        self.program("groma-send", sends(schema="groma-send 2", result="fine", errors=[]))
        result = groma.run(to="x", bin=self.folder)
        self.assertTrue(result.ok)
        self.assertEqual((result.errors, result.report.result, result.flows[0].received_packets), ([], "fine", 7))

    def test_status_1_with_a_report_is_a_result_that_is_not_ok(self):
        self.program("groma-send", sends(schema="groma-send 2", errors=["lost"]) + "sys.exit(1)\n")
        result = groma.run(bin=self.folder)
        self.assertEqual((result.ok, result.errors), (False, ["lost"]))

    def test_messages_of_a_failure_are_those_of_the_program(self):
        self.program("groma-send", "print('groma-send: no\\ngroma-send: try \\'groma-send --help\\'', file=sys.stderr)\nsys.exit(int(words['--packets']))\n")
        for status, kind in ((2, groma.UsageError), (1, groma.RunError), (3, groma.RunError)):
            with self.assertRaises(kind) as caught:
                groma.run(bin=self.folder, packets=status)
            self.assertEqual((str(caught.exception), caught.exception.status), ("groma-send: no", status))

    def test_a_program_that_is_killed_is_an_error_with_the_signal(self):
        self.program("groma-send", "import os\nos.kill(os.getpid(), 9)\n")
        with self.assertRaisesRegex(groma.RunError, "ended with -9 and without a report") as caught:
            groma.run(bin=self.folder)
        self.assertEqual(caught.exception.status, -signal.SIGKILL)

    def test_a_report_of_another_version_is_refused(self):
        self.program("groma-send", sends(schema="groma-send 3"))
        self.assertRaisesRegex(groma.RunError, "'groma-send 3', and this module reads 'groma-send 2'", groma.run, bin=self.folder)

    def test_the_experiment_is_a_file_while_it_runs(self):
        self.program("groma-send", "text = open(sys.argv[1]).read()\n" + sends(schema="groma-send 2").replace("more = {", "more = {'result': sys.argv[1] + text, "))
        said = groma.run({"flow": [{"to": "x"}]}, bin=self.folder).report.result
        file, _, text = said.partition(".toml")
        self.assertEqual(text, '\n[[flow]]\nto = "x"\n')
        self.assertFalse(os.path.exists(file + ".toml"))

    def test_rows_come_while_it_runs_and_a_flood_of_them_stops_nothing(self):
        row = json.dumps(fakes.document(groma.Row))
        self.program("groma-send", f"for i in range(50000): print('''{row}''', flush=i == 0)\nprint('x' * 200 + '\\n', file=sys.stderr)\n"
                     + sends(schema="groma-send 2"))
        run = groma.start(bin=self.folder)
        self.assertTrue(run.result().ok)  # though nobody took the rows
        rows = list(run)
        self.assertEqual((len(rows), rows[0].received_packets, list(run)), (50000, 7, []))

    def test_errors_come_with_the_rows(self):
        self.program("groma-send", "print('groma-send: no', file=sys.stderr)\nsys.exit(2)\n")
        run = groma.start(bin=self.folder)
        for _ in range(2):
            self.assertRaisesRegex(groma.UsageError, "groma-send: no", list, run)

    def test_leaving_a_with_interrupts_the_program_and_waits(self):
        self.program("groma-send", "import signal\nprint('{}', flush=True)\nsignal.sigwait([signal.SIGINT])\n" + sends(schema="groma-send 2", result="told"))
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # what is started inherits it: the signal waits for sigwait()
        self.addCleanup(signal.pthread_sigmask, signal.SIG_UNBLOCK, [signal.SIGINT])
        with groma.start(bin=self.folder) as run:
            self.assertTrue(run.running)
            self.assertRaises(TimeoutError, run.result, 0)
        self.assertFalse(run.running)
        self.assertEqual(run.result().report.result, "told")

    def test_options_that_are_not_for_a_run_are_refused(self):
        for name in ("json", "jsonl", "daemon", "calibrate", "search", "dry_run"):
            with self.assertRaisesRegex(TypeError, name):
                groma.run(**{name: True}, bin=self.folder)

    def test_a_missing_program_is_named_with_where_it_was_looked_for(self):
        with self.assertRaisesRegex(groma.GromaError, f"cannot find groma-recv in the folder {self.folder}"):
            groma.receiver(bin=self.folder)

    def test_daemons_have_their_port_and_end_in_order(self):
        self.program("groma-recv", "import time\nprint('groma-recv 0: listening on [::1]:4711, 127.0.0.1:4711 (loopback)', flush=True)\ntime.sleep(600)\n")
        with groma.receiver(bin=self.folder, log_dir="x") as receiver:
            self.assertEqual(receiver.port, 4711)
        self.assertFalse(receiver.running)

    def test_a_daemon_that_does_not_start_says_why(self):
        self.program("groma-log", "sys.exit('groma-log: no disk')")
        self.assertRaisesRegex(groma.DaemonError, "groma-log: no disk", groma.log_server, bin=self.folder)

    def test_a_daemon_that_fails_later_is_an_error_at_the_end_but_hides_no_other(self):
        self.program("groma-send", "print('groma-send 0: takes runs on 127.0.0.1:5, ::1', flush=True)\nsys.exit('groma-send: broken')\n")
        daemon = groma.sender_daemon(bin=self.folder)
        self.assertEqual(daemon.port, 5)
        self.assertRaisesRegex(groma.DaemonError, "broken", daemon.wait)
        with self.assertRaisesRegex(ZeroDivisionError, "mine"), groma.sender_daemon(bin=self.folder) as daemon:
            self.assertRaises(groma.DaemonError, daemon.wait)
            raise ZeroDivisionError("mine")

    def test_a_receiver_that_dials_has_no_port(self):
        self.program("groma-recv", "assert '--port' not in words\nprint('dials', flush=True)\n")
        receiver = groma.receiver(bin=self.folder, dial="x")
        self.assertRaisesRegex(groma.DaemonError, "listens on no port", lambda: receiver.port)
        receiver.wait()


if __name__ == "__main__":
    unittest.main()
