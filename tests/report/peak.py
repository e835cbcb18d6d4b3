# SPDX-License-Identifier: BSD-2-Clause
"""peak.py MIB COMMAND...: returns the command's exit status, or 99 if it used more memory than
MIB. PEAK_FILE: the maximum size in bytes of the files that the command writes, which
simulates a full disk."""
import os
import resource
import signal
import sys


def limit():
    size = os.environ.get("PEAK_FILE")
    if size:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), int(size)))


def main(mib, command):
    pid = os.fork()
    if not pid:
        limit()
        os.execv(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    took = usage.ru_maxrss >> 10
    if took > mib:
        print("%d MiB, more than %d: %s" % (took, mib, " ".join(command)), file=sys.stderr)
        return 99
    return os.waitstatus_to_exitcode(status) & 0xff


sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
