# SPDX-License-Identifier: BSD-2-Clause
"""Judges many checks in one process: each line of standard input is "NAME CHECK ARGUMENT...", and gives one result
line.

A check returns 0 if it holds. It prints the expected and the actual values."""
import contextlib
import io
import shlex
import sys


def run(checks):
    """Returns 1 if one of the checks did not hold."""
    failed = 0
    for line in sys.stdin:
        words = shlex.split(line)
        if not words:
            continue
        name, check, *arguments = words
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                wrong = checks[check](*[int(a) if a.isdigit() else a for a in arguments])
        except (Exception, SystemExit) as e:  # the report is missing, or the trace lacks such a record
            wrong = True
            print(repr(e), file=said)
        failed |= bool(wrong)
        text = " ".join(said.getvalue().split())
        print(f"not ok {name}: {text}" if wrong else f"ok {name}", flush=True)
        if not wrong:
            print(f"    {text}")
    return failed
