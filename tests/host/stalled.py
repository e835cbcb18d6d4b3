# SPDX-License-Identifier: BSD-2-Clause
"""Runs a recorder that writes its trace to a pipe that nobody reads for a while.
stalled.py FILE READ SIGNAL COMMAND...
READ is "never" (until the command has ended), or "full": read once the pipe is full. SIGNAL is sent when the pipe is full,
unless it is "none".
Prints the exit status, or "hangs" if the recorder had to be killed. FILE gets the data from the pipe, which has room for the
first frame, with the settings of the host, and a little more."""
import fcntl
import os
import select
import signal
import subprocess
import sys
import time

F_SETPIPE_SZ = 1031
PATIENCE = 90  # timeout for commands that never end

path, read, signal_name, command = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
child = subprocess.Popen(command, stdout=subprocess.PIPE)
fcntl.fcntl(child.stdout, F_SETPIPE_SZ, 16384)
got = b""


def wait_until_full():
    writer = os.open("/proc/self/fd/%d" % child.stdout.fileno(), os.O_WRONLY | os.O_NONBLOCK)
    try:
        while select.select([], [writer], [], 0)[1]:
            time.sleep(0.02)
    finally:
        os.close(writer)


try:
    if signal_name != "none" or read == "full":
        wait_until_full()
    if signal_name != "none":
        child.send_signal(getattr(signal, "SIG" + signal_name))
    if read == "never":
        child.wait(PATIENCE)
    got = child.stdout.read()
    print(child.wait(PATIENCE))
except subprocess.TimeoutExpired:
    child.kill()
    child.wait()
    print("hangs")
with open(path, "wb") as f:
    f.write(got)
