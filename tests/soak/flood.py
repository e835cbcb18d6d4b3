# SPDX-License-Identifier: BSD-2-Clause
"""Makes traffic for tests that need much of it and need not count it.
flood.py udp|tcp ADDRESS SECONDS [SIZE]   sends to port 5555 as fast as it can
flood.py unix SECONDS                     sends from one AF_UNIX socket to another one, and also reads the data
flood.py sink                             reads TCP data; never reads UDP data
flood.py set INTERFACE gro|tso 0|1        sets a feature like ethtool -K"""
import array
import fcntl
import socket
import struct
import sys
import threading
import time

PORT = 5555
SIOCETHTOOL, SETTINGS = 0x8946, {"tso": 0x1f, "gro": 0x2c}


def until(seconds, work):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for _ in range(200):
            work()


def send(kind, address, seconds, size):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM if kind == "udp" else socket.SOCK_STREAM) as s:
        s.connect((address, PORT))
        data = bytes(size)

        def work():
            try:
                s.send(data)
            except (ConnectionRefusedError, BlockingIOError, OSError):
                if kind == "tcp":
                    raise
        until(seconds, work)


def unix(seconds, size):
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    data = bytes(size)

    def work():
        a.send(data)
        b.recv(size)
    until(seconds, work)


def drain(c):
    buffer = bytearray(1 << 16)
    while c.recv_into(buffer):
        pass


def sink():
    keep = []
    for address, family in (("0.0.0.0", socket.AF_INET), ("::", socket.AF_INET6)):
        u = socket.socket(family, socket.SOCK_DGRAM)
        if family == socket.AF_INET6:
            u.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        u.bind((address, PORT))
        keep.append(u)
    with socket.create_server(("0.0.0.0", PORT)) as s:
        while True:
            threading.Thread(target=drain, args=(s.accept()[0],), daemon=True).start()


def ethtool(interface, setting, value):
    value = array.array("B", struct.pack("II", SETTINGS[setting], int(value)))
    request = struct.pack("16sP", interface.encode(), value.buffer_info()[0])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, SIOCETHTOOL, request)


def main(kind, *args):
    size = int(args[2]) if len(args) > 2 and kind != "set" else 100
    if kind == "sink":
        sink()
    elif kind == "set":
        ethtool(*args)
    elif kind == "unix":
        unix(float(args[0]), 100)
    else:
        send(kind, args[0], float(args[1]), size)


main(*sys.argv[1:])
