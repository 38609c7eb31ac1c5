"""Runs a program under the system call filter of a unit of systemd's.

usage: syscall_filter.py UNIT PROGRAM [ARGUMENT]...

What the unit does not let through fails with EPERM, as the unit says.
"""

import errno
import os
import subprocess
import sys

import seccomp


def members(names):
    """The system calls of names and of sets such as @system-service."""
    calls = set()
    for name in names:
        if not name.startswith("@"):
            calls.add(name)
            continue
        lines = subprocess.run(
            ["systemd-analyze", "--no-pager", "syscall-filter", name],
            capture_output=True,
            check=True,
            text=True,
        ).stdout.splitlines()[1:]
        named = (line.strip() for line in lines)
        calls |= members([one for one in named if one and one[0] != "#"])
    return calls


def allowed(unit):
    """What the unit's lines SystemCallFilter= add up to."""
    calls = members(["@default"])
    with open(unit, encoding="utf-8") as lines:
        for line in lines:
            key, _, value = line.strip().partition("=")
            if key != "SystemCallFilter":
                continue
            if value.startswith("~"):
                calls -= members(value[1:].split())
            else:
                calls |= members(value.split())
    return calls


def main():
    calls = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
    for name in allowed(sys.argv[1]):
        try:
            calls.add_rule(seccomp.ALLOW, name)
        except (RuntimeError, ValueError):
            pass  # A call that this machine's processor does not have.
    calls.load()
    os.execvp(sys.argv[2], sys.argv[2:])


main()
