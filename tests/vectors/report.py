# SPDX-License-Identifier: BSD-2-Clause
"""Runs netcost-report in tests that run it thousands of times."""
import json
import os
import re
import subprocess
import tempfile


class Report:
    """run() returns (exit status, output, messages). program: netcost-report, or report_server,
    which starts faster."""

    def __init__(self, program):
        self.program, self.server = program, None
        if os.path.basename(program) == "report_server":
            self.folder = tempfile.TemporaryDirectory()
            self.server = subprocess.Popen([program, self.folder.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, *args, stdin="", limit_kib=0):
        """stdin: a file that is passed through a pipe. limit_kib: limit of the address space;
        only with report_server."""
        if not self.server:
            assert not stdin and not limit_kib
            done = subprocess.run([self.program, *args], capture_output=True, check=False)
            return done.returncode, done.stdout, done.stderr
        print(limit_kib, stdin, *args, sep="\t", file=self.server.stdin, flush=True)
        status = int(self.server.stdout.readline())
        return status, self.written("out"), self.written("err")

    def parts(self, *args):
        """Returns the JSON of each trace in a file, or none if the file is no trace or is damaged at its beginning."""
        status, out, _ = self.run(*args)
        return [json.loads(part) for part in re.split(r"(?m)(?<=^\})\n(?=\{)", out.decode())] if out and not status else []

    def written(self, name):
        with open(os.path.join(self.folder.name, name), "rb") as file:
            return file.read()

    def close(self):
        if self.server:
            self.server.communicate()
            self.folder.cleanup()

    def memory_kib(self, *args):
        """Returns the least address space in KiB with which the command succeeds, to 1 MiB, or
        None if it needs more than 1 GiB (a build with sanitizers)."""
        return next((kib for kib in range(4096, 1 << 20, 1024) if not self.run(*args, limit_kib=kib)[0]), None)
