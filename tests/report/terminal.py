# SPDX-License-Identifier: BSD-2-Clause
"""Runs commands on a terminal.

terminal.py COLUMNS COMMAND...             runs the command on a terminal of COLUMNS columns, and prints its output
terminal.py fits COLUMNS REPORT TRACE...   runs all commands, and checks that no line is wider and all codes are colours
"""
import fcntl
import os
import re
import select
import struct
import sys
import termios

COLOR = re.compile(r"\x1b\[[0-9;]*m")
HOSTILE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e-\u202e\u2066-\u2069\udc80-\udcff]")
COMMANDS = ("summary", "summary --all", "summary --by=task", "summary --by=cpu", "timeline", "timeline --by=process", "top",
            "who", "who --by=name", "latency", "latency --tail", "path", "path --by=flow", "diff --all full.nct", "info")


END = b"\0end of the output\0"


def run(columns, command):
    """Returns the exit status and the output. The terminal stays open until everything was read,
    because the kernel may drop data when its last descriptor is closed."""
    fd, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    pid = os.fork()
    if not pid:
        # The terminal does not become a controlling terminal, because the end of the command would
        # hang it up.
        os.dup2(terminal, 1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.execv(command[0], command)
    written = b""
    status = None
    while END not in written:
        if status is None and not select.select([fd], [], [], 0.01)[0]:
            done, waited = os.waitpid(pid, os.WNOHANG)
            if done:
                status = os.waitstatus_to_exitcode(waited)
                os.write(terminal, END)
            continue
        written += os.read(fd, 65536)
    os.close(terminal)
    os.close(fd)
    return status, written.partition(END)[0].replace(b"\r\n", b"\n")


def fits(columns, report, traces):
    wrong = 0
    for trace in traces:
        for command in COMMANDS:
            status, written = run(columns, [report, *command.split(), trace + ".nct"])
            for line in written.decode("utf-8", "surrogateescape").splitlines():
                plain = COLOR.sub("", line)
                wide = len(plain) > columns and max(map(len, plain.split())) < columns // 2  # a word cannot be wrapped
                if wide or HOSTILE.search(plain) or status not in (0, 1):
                    print("%s %s: %d: %r" % (command, trace, len(plain), plain))
                    wrong = 1
    return wrong


if __name__ == "__main__":
    if sys.argv[1] == "fits":
        sys.exit(fits(int(sys.argv[2]), sys.argv[3], sys.argv[4:]))
    result, output = run(int(sys.argv[1]), sys.argv[2:])
    sys.stdout.buffer.write(output)
    sys.exit(result)
