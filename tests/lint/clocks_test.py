#!/usr/bin/env python3
"""The check of clocks finds what it must find."""
import pathlib
import tempfile
import unittest

import clocks


class Clocks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def found_in(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)
        return "\n".join(clocks.violations(self.root))

    def test_accepts_a_clock_that_was_handed_on(self):
        text = "void rest(Clock& clock) { clock.sleep_until(clock.now() + kNap); poller.poll(); file.time(0); List::select(where); }  // SystemClock\n"
        self.assertEqual(self.found_in("sender/a.cpp", text), "")

    def test_finds_a_clock_made_on_the_spot(self):
        self.assertIn("sender/a.cpp:2: SystemClock", self.found_in("sender/a.cpp", "\nconst auto now = SystemClock().now();\n"))

    def test_accepts_the_clock_of_a_main(self):
        self.assertEqual(self.found_in("sender/main.cpp", "SystemClock clock;\n"), "")

    def test_finds_each_way_past_the_clock(self):
        for line in ("std::chrono::steady_clock::now();", "std::chrono::system_clock::now();", "std::time(nullptr);", "  ::time(nullptr);", "x = time(nullptr);", "::poll(nullptr, 0, 500);",
                     "::clock_gettime(CLOCK_REALTIME, &time);", "std::this_thread::sleep_for(nap);", "std::this_thread::sleep_until(end);",
                     "::usleep(1000);", "boost::asio::steady_timer pause_;", "changed_.wait_for(lock, limit);", "future->wait_until(end);"):
            with self.subTest(line):
                self.assertIn("mpi/a.cpp:1", self.found_in("mpi/a.cpp", line + "\n"))

    def test_finds_a_permission_that_is_not_needed(self):
        self.found_in("decoder/follow/follow.cpp", "int nothing;\n")
        self.assertIn("decoder/follow/follow.cpp: does not need its permission", "\n".join(clocks.idle_permissions(self.root)))


if __name__ == "__main__":
    unittest.main()
