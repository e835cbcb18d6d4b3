# SPDX-License-Identifier: BSD-2-Clause
"""peers.py load PORT: exchanges messages, and prints the rows of --peers that they make. peers.py judge LINES TRACE [OUTER]: checks
these rows. With OUTER, a recording around TRACE: the row of the others has the rest, and at most what OUTER has of other programs."""
import json
import socket
import sys


def tcp(family, address, port, messages, connections=1):
    with socket.create_server((address, port), family=family) as listener:
        for _ in range(connections):
            with socket.create_connection((address, port), source_address=(address, 0) if port < 32768 else None) as client:
                server = listener.accept()[0]
                for _ in range(messages):
                    server.recv(client.send(b"x" * 50), socket.MSG_WAITALL)
            server.recv(1)
    n = messages * connections
    return [["tcp", port, "remote", n, 0, 50 * n, 0], ["tcp", port, "local", 0, n + connections, 0, 50 * n]]


def judge(mine, trace, outer=()):
    keys = [row[:3] for row in mine]
    seen, others = [row for row in trace if row[:3] in keys], [row for row in trace if row[0] is None] or [[0] * 7]
    rest = [sum(row[i] for row in mine) - sum(row[i] for row in seen) for i in range(3, 7)]
    noise = [sum(row[i] for row in outer if row[:3] not in keys) for i in range(3, 7)]
    return all(row in mine for row in seen) and all(r <= o <= r + n for r, o, n in zip(rest, others[0][3:], noise))


if sys.argv[1] == "judge":
    names = "protocol", "port", "side", "sends", "recvs", "send_bytes", "recv_bytes"
    lines, *tables = [json.load(open(name, encoding="ascii")) for name in sys.argv[2:]]  # pylint: disable=consider-using-with
    sys.exit(not judge(lines, *[[[row[name] for name in names] for row in table["rows"]] for table in tables]))
port0 = int(sys.argv[2])  # the port of the last server is above those of some of its clients
made = tcp(socket.AF_INET, "127.0.0.1", port0, 100) + tcp(socket.AF_INET6, "::1", port0 + 1, 300) + tcp(
    socket.AF_INET, "127.0.0.1", port0 + 30000, 3, 10)
unconnected, mapped = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM), socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
unconnected.bind(("::", port0 + 2))
mapped.connect(("::ffff:127.0.0.1", port0 + 2))
unconnected.recv(mapped.send(b"question"), socket.MSG_PEEK)
unconnected.sendto(b"answer", unconnected.recvfrom(99)[1])
mapped.recv(99)
print(json.dumps(made + [["udp", port0 + 2, "remote", 1, 1, 8, 6], ["udp", port0 + 2, "local", 1, 1, 6, 8]]))
