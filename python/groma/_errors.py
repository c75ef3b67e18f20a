"""What goes wrong, with the programs' own messages."""
from __future__ import annotations


class GromaError(Exception):
    """What a program of Groma said on standard error, or why it could not be started or understood."""

    def __init__(self, message: str, status: int | None = None):
        super().__init__(message)
        self.status = status
        """The exit status of the program; negative: the signal that ended it; None: there is none."""


class UsageError(GromaError):
    """An option or the experiment is wrong: nothing was sent."""


class RunError(GromaError):
    """The run could not begin, or ended without a report."""


class DaemonError(GromaError):
    """A daemon did not start, or ended with an error."""


class LogError(GromaError):
    """A file is not a log, or a log is damaged."""
