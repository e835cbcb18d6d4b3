# SPDX-License-Identifier: BSD-2-Clause
"""The memory of netcost-report --ring while a writer is stuck: this recorder waits until each of its pieces was taken.

	ring.py REPORT PIECE...		pieces of one recording, in order, with a mark in one of them
"""

import fcntl, os, socket, subprocess, sys, termios, time

PIECES = [open(name, "rb").read() for name in sys.argv[2:]]
NEVER = str(2**62)


def wait_for(what):
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end, (held(), limit)
        time.sleep(0.01)


def piece(data):
    fd = os.memfd_create("piece")
    os.write(fd, data)
    return fd


def held():
    """Returns the bytes of all pieces that the child and its writer have open."""
    files = {}
    for pid in [str(child.pid)] + writers():
        for fd in os.listdir(f"/proc/{pid}/fd"):
            try:
                if "memfd:piece" in os.readlink(f"/proc/{pid}/fd/{fd}"):
                    status = os.stat(f"/proc/{pid}/fd/{fd}")
                    files[status.st_ino] = status.st_blocks * 512
            except FileNotFoundError:
                pass
    return sum(files.values())


def writers():
    return open(f"/proc/{child.pid}/task/{child.pid}/children").read().split()


limit = 8 * max(os.fstat(piece(p)).st_blocks * 512 for p in PIECES)
here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
child = subprocess.Popen([sys.argv[1], "--ring", NEVER, str(limit), NEVER, "0", NEVER, ""], stdin=there)
assert here.recv(512) == b"r"
here.setblocking(False)
full, end = os.pipe()
fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, 4096)
for data in PIECES + PIECES[-1:] * 16:
    fd = piece(data)
    socket.send_fds(here, [b"p"], [fd])
    os.close(fd)
    wait_for(lambda: not int.from_bytes(fcntl.ioctl(here, termios.TIOCOUTQ, bytes(4)), "little"))
    try:
        while here.recv(512) != b"o":
            pass
        socket.send_fds(here, [b"o"], [end])
        wait_for(writers)
    except BlockingIOError:
        pass
    wait_for(lambda: held() <= limit)
assert writers(), "the writer has ended"
child.kill()
