"""Groma in Python: runs of groma-send with typed results, daemons, and the packets of logs as columns of NumPy (docs/guide/python.ipynb)."""
from __future__ import annotations

from . import figures
from ._daemons import Daemon, log_server, receiver, sender_daemon
from ._errors import DaemonError, GromaError, LogError, RunError, UsageError
from ._run import Experiment, Result, Run, run, start
from .figures import Flow, Report, Row, Total

__all__ = ["Daemon", "DaemonError", "Experiment", "Flow", "GromaError", "LogError", "Report", "Result", "Row", "Run", "RunError", "Total",
           "UsageError", "figures", "log_server", "receiver", "run", "sender_daemon", "start"]
