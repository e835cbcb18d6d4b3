# SPDX-License-Identifier: BSD-2-Clause
"""Makes traffic that is dropped, and reads the drops of a trace.

    drops.py udp ADDRESS PORT N          sends N datagrams
    drops.py full ADDRESS N              sends N to a socket without a reader and without room for N
    drops.py sink ADDRESS PORT           accepts a TCP connection, and reads everything
    drops.py send ADDRESS PORT BYTES     connects and sends; ends when the peer has everything
    drops.py trace FILE EXPRESSION       evaluates it with drop(NAME, …): packets dropped for these reasons, patterns
                                         of fnmatch; counter(NAME): the increase of a protocol's counter"""
import fnmatch
import json
import os
import socket
import subprocess
import sys


def udp(address, port, n):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for _ in range(int(n)):
        try:
            s.sendto(b"x" * 100, (address, int(port)))
        except ConnectionRefusedError:
            pass


def full(address, n):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    s.bind((address, 7))
    udp(address, 7, n)


def sink(address, port):
    s = socket.create_server((address, int(port)))
    connection, _ = s.accept()
    while connection.recv(65536):
        pass


def send(address, port, n):
    s = socket.create_connection((address, int(port)))
    s.sendall(bytes(int(n)))
    s.shutdown(socket.SHUT_WR)
    s.recv(1)


def trace(path, expression):
    dump = subprocess.run([os.environ["REPORT"], "dump", path], check=True, stdout=subprocess.PIPE, text=True).stdout
    records = [json.loads(line) for line in dump.splitlines()]

    def named(kind, of):
        names = [n for r in records if r["type"] == kind for n in r["name"]]
        ticks = [r[of[1]] for r in records if r["type"] == of[0]]
        first, last = ([*t, *[0] * (len(names) - len(t))] for t in (ticks[0], ticks[-1]))
        return [(name, b - a) for name, a, b in zip(names, first, last) if None not in (a, b)]

    drops, counters = named("drop_reasons", ("drops", "packets")), dict(named("counter_names", ("counters", "value")))
    print(eval(expression, {
        "drop": lambda *patterns: sum(n for name, n in drops if any(fnmatch.fnmatch(name, p) for p in patterns)),
        "counter": counters.get, "records": records}))


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
