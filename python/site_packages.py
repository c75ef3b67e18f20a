#!/usr/bin/env python3
"""Prints where this Python looks for packages that are installed below a prefix.

usage: site_packages.py PREFIX
"""
from __future__ import annotations

import sys
import sysconfig


def site_packages(prefix: str) -> str:
    """Debian's own packages and those of the administrator have places of their own; elsewhere all is as Python's authors have it."""
    schemes = sysconfig.get_scheme_names()
    if prefix == "/usr" and "deb_system" in schemes:
        scheme, base = "deb_system", prefix
    elif prefix == "/usr/local" and "posix_local" in schemes:
        scheme, base = "posix_local", "/usr"
    else:
        scheme, base = "posix_prefix", prefix
    return sysconfig.get_path("platlib", scheme, {"base": base, "platbase": base, "installed_base": base})


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(site_packages(sys.argv[1]))
