#!/usr/bin/env python3
"""Time is passed as a Clock (common/time/clock.hpp). Any other code that reads the time or waits for it is refused,
except in the files that are named here with their reasons.

usage: clocks.py ROOT
"""
import pathlib
import re
import sys
from typing import NamedTuple

import layers


class Rule(NamedTuple):
    refused: re.Pattern
    instead: str
    allowed: dict[str, str]  # file: why


RULES = [
    Rule(re.compile(r"\bSystemClock\b|common/os/system_clock\.hpp"), "take a Clock& that the main hands on", {
        "common/os/system_clock.hpp": "defines it",
        "common/os/system_clock.cpp": "defines it",
        "sender/main.cpp": "makes the program's clock",
        "receiver/main.cpp": "makes the program's clock",
        "logserver/main.cpp": "makes the program's clock",
        "decoder/main.cpp": "makes the program's clock",
        "keys/main.cpp": "makes the program's clock",
        "mpi/main.cpp": "makes the program's clock",
    }),
    Rule(re.compile(r"\b(steady|high_resolution|utc|tai)_clock\b|\bchrono::system_clock\b|"
                    r"\b(clock_gettime|gettimeofday|timespec_get)\b|(\bstd|[^\w)]|^)::time\(|(?<![\w.>:])time\((nullptr|NULL|0|&\w+)\)"), "ask a Clock", {
        "common/os/system_clock.cpp": "implements Clock",
        "common/net/stamps/kernel_departure.cpp": "compares the kernel's clocks that queues go by",
    }),
    Rule(re.compile(r"\bsleep_for\b|\bthis_thread::sleep_until\b|(?<![\w.>])(sleep|usleep|nanosleep|clock_nanosleep)\("),
         "use Clock::sleep_until()", {
        "common/os/system_clock.cpp": "implements Clock",
    }),
    Rule(re.compile(r"\b(steady|system|high_resolution|deadline)_timer\b|\bwaitable_timer\b|\btimerfd_\w+|\btimer_create\b"),
         "use Timer or Condition (common/control/timer.hpp)", {
        "common/control/timer.hpp": "implements them",
    }),
    Rule(re.compile(r"(?<!\w)::(p?poll|p?select)\(|\bepoll_p?wait2?\(|\bSO_RCVTIMEO\b|\bSO_SNDTIMEO\b"), "waits for descriptors, which needs a reason here", {
        "common/net/socket/connecting.cpp": "until a deadline of its Clock",
        "common/os/child_process.cpp": "for as long as a child lives",
        "common/os/poller.cpp": "what threads of a packet path wait with",
        "common/shipping/shipper/shipping_thread.cpp": "a pause that new work ends",
        "common/shipping/links/tcp_link.cpp": "until a deadline of its Clock",
        "common/shipping/links/udp_link.cpp": "until a deadline of its Clock",
        "mpi/world/mpi_link.cpp": "until a deadline of its Clock",
        "sender/engine/writable_watch.cpp": "what blocked flows wait with; tests have another",
    }),
    Rule(re.compile(r"(\.|->)wait_(for|until)\("), "is a limit of real time, which needs a reason here", {
        "common/net/socket/resolver.cpp": "looks again at its Clock, and whether the asker gave up",
        "common/shipping/spool/kept_log.cpp": "looks again whether others have made room",
        "common/shipping/shipper/shared_conversation.cpp": "looks again at its Clock",
        "common/shipping/shipper/spool_delivery.cpp": "a pause that a stop ends",
        "decoder/follow/follow.cpp": "a pause that a stop ends",
        "logserver/page/experiment_watch.cpp": "a pause that a stop ends",
        "mpi/world/rank_line.cpp": "a pause that a message ends",
        "sender/links/receiver_links.cpp": "looks again whether the user gives up",
        "sender/engine/record_shipping.cpp": "a pause that the end of work ends",
        "sender/run/awaited_start.cpp": "looks again at its Clock, and whether who waits gave up",
    }),
]


def findings(root: pathlib.Path):
    """(rule, file, line number, text) of everything that a rule refuses, allowed or not; comments do not count."""
    for source in layers.sources(root):
        path = str(source.relative_to(root))
        for number, line in enumerate(source.read_text().splitlines(), 1):
            for rule in RULES:
                if found := rule.refused.search(line.split("//")[0]):
                    yield rule, path, number, found[0].strip()


def violations(root: pathlib.Path):
    for rule, path, number, text in findings(root):
        if path not in rule.allowed:
            yield f"{path}:{number}: {text}: {rule.instead}"


def idle_permissions(root: pathlib.Path):
    found = {(rule.instead, path) for rule, path, _, _ in findings(root)}
    for rule in RULES:
        for path in rule.allowed:
            if (rule.instead, path) not in found:
                yield f"{path}: does not need its permission in tests/lint/clocks.py: {rule.instead}"


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1])
    wrong = [*violations(root), *idle_permissions(root)]
    print("\n".join(wrong) or "all time comes from a Clock that was handed on")
    sys.exit(1 if wrong else 0)
