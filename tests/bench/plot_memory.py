#!/usr/bin/env python3
"""Peak memory and time of groma-plot on the results of many flows over a long time, filled in by the documented schema.

usage: plot_memory.py BIN FLOWS SECONDS [--folder DIR]        (a row takes 80 bytes: 1000 flows over 86400 s need 7 GB)
"""
import argparse
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERIES = """WITH RECURSIVE n(t) AS (SELECT 0 UNION ALL SELECT t + 1 FROM n WHERE t + 1 < :seconds)
    INSERT INTO series(run, flow, receiver, t_s, sent_packets, received_packets, received_bytes, throughput_bps, packet_rate_pps,
        delay_mean_ns, delay_min_ns, delay_max_ns, jitter_ns, lost)
    SELECT 1, :flow, 1, t * 1.0, 100, 100 - (t * 7 + :flow * 13) % 9, 51200, 4e5 + (t * 31 + :flow * 17) % 997 * 50.0,
        100 + (t * 31 + :flow * 17) % 11, 2e6 + (t * 97 + :flow) % 1009 * 300.5, 1000000 + t % 7 * 1000,
        4000000 + (t * 13 + :flow) % 2003 * 1000, 10000.5 + (t * 7 + :flow) % 503 * 10, (t * 7 + :flow * 13) % 9 FROM n"""
HISTOGRAM = """WITH RECURSIVE n(b) AS (SELECT 0 UNION ALL SELECT b + 1 FROM n WHERE b + 1 < 400)
    INSERT INTO histograms(run, flow, kind, low, high, count, receiver)
    SELECT 1, :flow, :kind, 1000000 + b * 8192, 1000000 + b * 8192 + 8191, 1 + (b * b + :flow) % 97, 1 FROM n"""


def fill(file: pathlib.Path, flows: int, seconds: int):
    schema, indexes = re.findall(r'R"sql\((.*?)\)sql"', (ROOT / "decoder/files/sqlite_schema.hpp").read_text(), re.S)
    database = sqlite3.connect(file, isolation_level=None)
    database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA application_id = 0x67726f6d; "
                           "PRAGMA user_version = 4;" + schema)
    database.execute("BEGIN")
    database.execute("INSERT INTO runs(id, run_id, experiment, interval_ns, clock, clock_bound_ns) "
                     "VALUES(1, 'ab', 'many', 1000000000, 'one clock', 0)")
    for flow in range(1, flows + 1):
        database.execute("INSERT INTO flows(run, flow, name, receiver) VALUES(1, ?, ?, 1)", (flow, f"flow {flow}"))
        database.execute(SERIES, {"flow": flow, "seconds": seconds})
        for kind in ("delay", "sent_gap", "arrival_gap", "lateness"):
            database.execute(HISTOGRAM, {"flow": flow, "kind": kind})
    database.execute("COMMIT")
    database.executescript(indexes)
    database.close()


def measure(program: pathlib.Path, file: pathlib.Path, pictures: pathlib.Path):
    """Seconds, and the peak of resident memory of the program itself in MB."""
    start = time.monotonic()
    child = subprocess.Popen([program, file, "-o", pictures], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{program} ended with status {status}")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("flows", type=int)
    parser.add_argument("seconds", type=int)
    parser.add_argument("--folder", type=pathlib.Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        file = pathlib.Path(folder) / "results.sqlite"
        fill(file, asked.flows, asked.seconds)
        seconds, megabytes = measure(asked.bin / "groma-plot", file, pathlib.Path(folder) / "pictures")
        rows = asked.flows * asked.seconds
        print(f"{rows} rows, {file.stat().st_size / 1e6:.0f} MB: {seconds:.1f} s, peak {megabytes:.0f} MB, "
              f"{megabytes * 2 ** 20 / rows:.1f} bytes a row")


if __name__ == "__main__":
    main()
