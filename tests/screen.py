# SPDX-License-Identifier: BSD-2-Clause
"""Runs a program on a terminal of its own, keeps the screen that the program shows, and sends keys to it.

Understands what ncurses writes for TERM=vt100 and xterm-256color."""
import codecs
import fcntl
import os
import re
import select
import signal
import struct
import termios
import time

CODE = re.compile(r"\x1b(?:\[([?0-9;]*)([A-Za-z@])|[()][A-Z0-9]|[=>78c]|(M))|([\x00-\x1f])")
UNFINISHED = re.compile(r"\x1b(?:\[[?0-9;]*|[()])?$")


class Screen:
    def __init__(self, columns, rows):
        self.resize(columns, rows)
        self.decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self.rest, self.last = "", " "

    def resize(self, columns, rows):
        self.columns, self.rows, self.y, self.x = columns, rows, 0, 0
        self.cell = [[" "] * columns for _ in range(rows)]
        self.top, self.bottom, self.inserts = 0, rows, False

    def lines(self):
        return ["".join(row).rstrip() for row in self.cell]

    def put(self, text):
        for c in text:
            if self.x == self.columns:
                self.y, self.x = min(self.y + 1, self.rows - 1), 0
            if self.inserts:
                self.cell[self.y][self.x:] = [" "] + self.cell[self.y][self.x:-1]
            self.cell[self.y][self.x] = self.last = c
            self.x += 1

    def blank(self, y, begin, end):
        for x in range(begin, min(end, self.columns)):
            self.cell[y][x] = " "

    def scroll(self, begin, n):
        """Moves the lines from `begin` to the end of the region up by n, or down."""
        part = self.cell[begin:self.bottom]
        new = [[" "] * self.columns for _ in range(min(abs(n), len(part)))]
        self.cell[begin:self.bottom] = (part + new)[len(new):] if n > 0 else (new + part)[:len(part)]

    def code(self, arguments, letter):
        number = [int(a or 0) for a in arguments.lstrip("?").split(";")]
        n = max(1, number[0])
        if letter in "Hf":
            self.y, self.x = min(n, self.rows) - 1, min(max(1, (number + [1])[1]), self.columns) - 1
        elif letter in "ABd":
            to = {"A": self.y - n, "B": self.y + n, "d": n - 1}[letter]
            self.y = min(max(to, 0), self.rows - 1)
        elif letter in "CDG":
            to = {"C": self.x + n, "D": self.x - n, "G": n - 1}[letter]
            self.x = min(max(to, 0), self.columns - 1)
        elif letter == "J":
            self.blank(self.y, 0 if number[0] else self.x, self.columns if number[0] != 1 else self.x + 1)
            for y in range(self.rows) if number[0] == 2 else range(self.y + 1, self.rows) if not number[0] else range(self.y):
                self.blank(y, 0, self.columns)
        elif letter == "K":
            self.blank(self.y, 0 if number[0] else self.x, self.x + 1 if number[0] == 1 else self.columns)
        elif letter == "X":
            self.blank(self.y, self.x, self.x + n)
        elif letter == "P":
            row = self.cell[self.y]
            row[self.x:] = (row[self.x + n:] + [" "] * n)[:self.columns - self.x]
        elif letter == "@":
            row = self.cell[self.y]
            row[self.x:] = ([" "] * n + row[self.x:])[:self.columns - self.x]
        elif letter in "LM":
            self.scroll(self.y, n if letter == "M" else -n)
        elif letter in "ST":
            self.scroll(self.top, n if letter == "S" else -n)
        elif letter == "r":
            self.top, self.bottom = n - 1, (number + [0])[1] or self.rows
            self.y = self.x = 0
        elif letter in "hl":
            self.inserts = letter == "h" if arguments == "4" else self.inserts
        elif letter == "b":
            self.put(self.last * n)
        elif letter not in "mt":
            raise ValueError("what is %r%s?" % (arguments, letter))

    def control(self, c):
        if c == "\r":
            self.x = 0
        elif c == "\b":
            self.x = max(0, self.x - 1)
        elif c == "\n" and self.y + 1 == self.bottom:
            self.scroll(self.top, 1)
        elif c == "\n":
            self.y = min(self.y + 1, self.rows - 1)
        elif c == "M" and self.y == self.top:  # ESC M
            self.scroll(self.top, -1)
        elif c == "M":
            self.y = max(0, self.y - 1)

    def feed(self, data):
        text = self.rest + self.decode(data)
        unfinished = UNFINISHED.search(text)
        self.rest = text[unfinished.start():] if unfinished else ""
        text = text[:unfinished.start()] if unfinished else text
        at = 0
        for m in CODE.finditer(text):
            self.put(text[at:m.start()])
            at = m.end()
            if m[2]:
                self.code(m[1], m[2])
            elif m[3] or m[4]:
                self.control(m[3] or m[4])
        self.put(text[at:])


class Program:
    """Runs the command with the environment, on a terminal. stdin: a descriptor, or the terminal."""

    def __init__(self, command, columns=80, rows=24, stdin=None, **environment):
        self.screen, self.written, self.status = Screen(columns, rows), b"", None
        self.pid, self.fd = os.forkpty()
        if not self.pid:
            self.size(columns, rows, 0)
            if stdin is not None:
                os.dup2(stdin, 0)
            env = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment}
            os.execvpe(command[0], command, {k: v for k, v in env.items() if v is not None})

    def size(self, columns, rows, fd):
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows):
        self.screen.resize(columns, rows)
        self.size(columns, rows, self.fd)

    def read(self, seconds):
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # the program has ended
            data = b""
        self.written += data
        self.screen.feed(data)
        return bool(data)

    def until(self, holds, seconds=60):
        """Reads until holds(lines) is true, and returns the lines. Fails after this many seconds."""
        end = time.monotonic() + seconds
        while not holds(self.screen.lines()):
            if time.monotonic() > end or (not self.read(0.1) and self.ended()):
                raise AssertionError("never came:\n" + "\n".join(self.screen.lines()))
        while self.read(0.05):  # the rest of this screen
            pass
        return self.screen.lines()

    def keys(self, text):
        os.write(self.fd, text.encode())

    def ended(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = os.waitstatus_to_exitcode(status) if pid else None
        return self.status is not None

    def wait(self, seconds=20):
        """Returns the program's exit status."""
        end = time.monotonic() + seconds
        while not self.ended():
            if not self.read(0.1) and time.monotonic() > end:
                raise AssertionError("it does not end:\n" + "\n".join(self.screen.lines()))
        while self.read(0):
            pass
        return self.status

    def kill(self, signo=signal.SIGKILL):
        if not self.ended():
            os.kill(self.pid, signo)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.kill()
        if self.status is None:
            os.waitpid(self.pid, 0)
        os.close(self.fd)
