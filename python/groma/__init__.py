"""Groma in Python: runs of groma-send with typed results, daemons, and the packets of logs as columns of NumPy (docs/guide/python.ipynb)."""
from __future__ import annotations

from . import figures
from ._daemons import Daemon, log_server, receiver, sender_daemon
from ._errors import DaemonError, GromaError, LogError, RunError, UsageError
from ._packets import UNKNOWN_NS, Packets, read_log
from ._run import Experiment, Result, Run, run, start
from .figures import Flow, Report, Row, Total

__all__ = ["Daemon", "DaemonError", "Experiment", "Flow", "GromaError", "LogError", "Packets", "Report", "Result", "Row", "Run", "RunError", "Total",
           "UNKNOWN_NS", "UsageError", "figures", "log_server", "read_log", "receiver", "run", "sender_daemon", "start"]
