# SPDX-License-Identifier: BSD-2-Clause
"""peers.py load PORT LINES: exchanges known messages on PORT and the ports after it, and writes the rows of --peers that they make.
peers.py judge LINES TRACE [OUTER]: checks these rows. With OUTER, a recording around it with room for all peers: checks that the row of
the others has the rest, and of other programs' messages at most as many as OUTER has."""
import json
import os
import socket
import subprocess
import sys
import threading


def tcp(family, address, port, messages, connections=1):
    def serve():
        for _ in range(connections):
            with listener.accept()[0] as s:
                while s.recv(50, socket.MSG_WAITALL):
                    pass
    with socket.create_server((address, port), family=family) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        for _ in range(connections):
            with socket.create_connection((address, port)) as s:
                for _ in range(messages):
                    s.send(b"x" * 50)
        thread.join()
    n, bytes_ = messages * connections, 50 * messages * connections
    return [["tcp", port, "remote", n, 0, bytes_, 0], ["tcp", port, "local", 0, n + connections, 0, bytes_]]


def udp(port):
    """An unconnected server of both families, and a client that is connected to a v4-mapped address."""
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as server, socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as client:
        server.bind(("::", port))
        client.connect(("::ffff:127.0.0.1", port))
        for _ in range(20):
            client.send(b"question")
            server.recv(99, socket.MSG_PEEK)
            server.sendto(b"answer", server.recvfrom(99)[1])
            client.recv(99)
        try:
            server.recv(99, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return [["udp", port, "remote", 20, 20, 160, 120], ["udp", port, "local", 20, 20, 120, 160]]


def rows(trace):
    text = subprocess.run([os.environ["REPORT"], "counts", "peers", "--by=protocol,port,side", "-n", "9999", "--format=json", trace],
                          stdout=subprocess.PIPE, check=True).stdout
    names = "protocol", "port", "side", "sends", "recvs", "send_bytes", "recv_bytes"
    return [[row[name] for name in names] for row in json.loads(text)["rows"]]


def load(port, path):
    made = (tcp(socket.AF_INET, "127.0.0.1", port, 100) + tcp(socket.AF_INET6, "::1", port + 1, 300) + udp(port + 2) +
            tcp(socket.AF_INET, "127.0.0.1", port + 30000, 3, 10))  # the clients' ports may be below it
    a, b = socket.socketpair()  # no peer
    b.recv(a.send(b"local"))
    with open(path, "w", encoding="ascii") as file:
        json.dump(made, file)


def judge(path, trace, outer=None):
    with open(path, encoding="ascii") as file:
        mine = json.load(file)
    keys = [row[:3] for row in mine]
    seen = [row for row in rows(trace) if row[:3] in keys]
    others = [row[3:] for row in rows(trace) if row[0] is None] or [[0] * 4]
    print(seen, others)
    if not outer:
        return sorted(seen) == sorted(mine)
    noise = [row[3:] for row in rows(outer) if row[:3] not in keys]
    least = [sum(row[i] for row in mine) - sum(row[i] for row in seen) for i in range(3, 7)]
    return all(row in mine for row in seen) and len(rows(trace)) <= 3 and all(
        low <= n <= low + sum(row[i] for row in noise) for i, (n, low) in enumerate(zip(others[0], least)))


if sys.argv[1] == "load":
    load(int(sys.argv[2]), sys.argv[3])
else:
    sys.exit(not judge(*sys.argv[2:]))
