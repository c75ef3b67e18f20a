#!/usr/bin/env python3
"""Inside user-mode Linux: a host whose clock is hours ahead and runs 200 ppm too fast, with a groma-recv on it.

clock_guest.py FOLDER ADDRESS. Answers datagrams on port 7777: "time" with its own, "step NANOSECONDS" sets its clock, "quit"
ends it.
"""
import ctypes
import socket
import struct
import subprocess
import sys
import time

import lab

PORT = 7777
AHEAD_NS = 3 * 3600 * 10**9
PPM = 200
ADJ_FREQUENCY = 2


def run_fast(ppm: int):
    """struct timex begins with modes (32 bits, padded), offset and freq, in 2**-16 ppm."""
    timex = ctypes.create_string_buffer(struct.pack("@Illl", ADJ_FREQUENCY, 0, 0, 0), 512)
    struct.pack_into("@l", timex, 16, ppm << 16)
    if ctypes.CDLL(None, use_errno=True).adjtimex(timex) < 0:
        raise OSError(ctypes.get_errno(), "adjtimex")


def step(nanoseconds: int):
    time.clock_settime_ns(time.CLOCK_REALTIME, time.time_ns() + nanoseconds)


def main(folder: str, address: str):
    lab.run("ip", "addr", "add", f"{address}/24", "dev", "eth0")
    lab.run("ip", "link", "set", "eth0", "up")
    step(AHEAD_NS)
    run_fast(PPM)
    with open(f"{folder}/receiver.said", "wb") as said:
        receiver = subprocess.Popen([lab.BIN / "groma-recv", "--open-to-anyone", "--replace-logs", "--log-dir", folder], stdout=said, stderr=said)
    listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listener.bind((address, PORT))
    while True:
        request, peer = listener.recvfrom(100)
        if request.startswith(b"step "):
            step(int(request[5:]))
        listener.sendto(str(time.time_ns()).encode(), peer)
        if request == b"quit":
            break
    receiver.terminate()
    receiver.wait(lab.HANG_S)


if __name__ == "__main__":
    main(*sys.argv[1:])
