# SPDX-License-Identifier: BSD-2-Clause
"""Who received packets (--owners), against what was sent to whom.

    owners.py receive PROTOCOL PORT         udp or tcp: prints a line when it is ready, then takes everything, until a signal
    owners.py send PROTOCOL ADDRESS ROUNDS US PORT:PACKETS...
                                            so many packets to each of the ports, every US
    owners.py sums TRACE                    one line, "ok" or what else; status 1 if it is wrong: all of the RX softirq's
                                            time has a fate, to the nanosecond
    owners.py packets TRACE PID PACKETS     likewise: so many packets were received for it, or 1 % more
    owners.py spun BEFORE AFTER A B SPUN    likewise: with files of JSON, pids of process A and B in each recording: what was
                                            spun is A's, within 3 %, and B has no more than 2 % of it
    owners.py ratio TRACE A B TIMES         likewise: B received TIMES as many packets as A, and that time, within 5 %
    owners.py fate TRACE FATE PACKETS       likewise: at least so many packets had that fate
    owners.py most TRACE FATE PACKETS       likewise: at most
    owners.py estimated REPORT PID SPUN     likewise: of some softirqs, what PID received is about what was spun"""
import json
import random
import socket
import sys
import time

sys.path.insert(0, "tests")

FATES = ["direct", "dropped", "forwarded", "pool", "no_mark", "no_owner", "skipped", "open"]
SIZE = 100
SO_RCVBUFFORCE = 33


def receive(protocol, port):
    listening = socket.socket(socket.AF_INET, socket.SOCK_DGRAM if protocol == "udp" else socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 25)  # nothing is dropped while it waits for a CPU
    listening.bind(("0.0.0.0", port))
    if protocol == "tcp":
        listening.listen()
    print("ready", flush=True)
    s = listening if protocol == "udp" else listening.accept()[0]
    s.setblocking(False)  # it is never waiting when a packet comes: to wake it would be in that packet's time
    while True:
        try:
            if not s.recv(65536):
                return
        except BlockingIOError:
            time.sleep(0.01)


def send(protocol, address, rounds, us, *flows):
    sockets = []
    for flow in flows:
        port, packets = map(int, flow.split(":"))
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM if protocol == "udp" else socket.SOCK_STREAM)
        s.connect((address, port))
        if protocol == "tcp":
            s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sockets.append((s, packets))
    data, order = bytes(SIZE), [s for s, packets in sockets for _ in range(packets)]
    for _ in range(rounds):
        random.shuffle(order)  # the first one finds cold caches
        for s in order:
            try:
                s.send(data)
            except ConnectionRefusedError:
                pass  # nobody is there, says an earlier one
        time.sleep(us / 1e6)


class Trace:
    def __init__(self, path):
        import nct
        self.defined, self.owned, self.fates, self.exact = [None], {}, {}, nct.Exact(path)
        for kind, r in nct.objects(path):
            if kind == nct.PROCESSES:
                self.defined += r[2]
            elif kind == nct.OWNER_STATS:
                for process, ns, packets in zip(r[1], r[2], r[3]):
                    row = self.owned.setdefault(process, [0, 0])
                    row[0] += ns
                    row[1] += packets
            elif kind == nct.RX_FATES:
                for fate, ns, packets in zip(r[1], r[3], r[4]):
                    row = self.fates.setdefault(FATES[fate], [0, 0])
                    row[0] += ns
                    row[1] += packets

    def of(self, pid):
        """ns, packets"""
        rows = [v for k, v in self.owned.items() if k and self.defined[k] == pid]
        return sum(ns for ns, _ in rows), sum(packets for _, packets in rows)


def sums(t):
    print(t.fates, file=sys.stderr)
    leaf = sum(v or 0 for event in ("rx_softirq", "rx_thread") for v in t.exact.ns(event))
    fates = sum(ns for ns, _ in t.fates.values())
    owned = sum(ns for ns, _ in t.owned.values())
    if fates != leaf:
        return "%d ns have a fate, %d ns are there" % (fates, leaf)
    if owned != t.fates.get("direct", [0])[0]:
        return "%d ns are of processes, %d ns by CPU" % (owned, t.fates["direct"][0])
    return "ok"


def packets(t, pid, n):
    got = t.of(pid)[1]
    return "ok" if n <= got <= n * 1.01 + 10 else "%d packets, not %d" % (got, n)


def spun(before, after, a, b, said):
    pids = [[int(pid) for pid in who.split(",")] for who in (a, b)]
    injected = json.loads(open(said).readlines()[-1])
    ns = [[t.of(pid)[0] for t, pid in zip((before, after), pair)] for pair in pids]
    rise = [now - base for base, now in ns]
    print("A %d -> %d ns, B %d -> %d ns, %s" % (*ns[0], *ns[1], injected), file=sys.stderr)
    if abs(rise[0] - injected["spun_ns"]) > 0.03 * injected["spun_ns"]:
        return "A has %d ns more, %d were injected" % (rise[0], injected["spun_ns"])
    if abs(rise[1]) > 0.02 * injected["spun_ns"] + 0.1 * ns[1][0]:
        return "B has %d ns more, of %d injected" % (rise[1], injected["spun_ns"])
    return "ok"


def ratio(t, a, b, times):
    (a_ns, a_packets), (b_ns, b_packets) = t.of(a), t.of(b)
    print("A %d ns, %d packets; B %d ns, %d packets" % (a_ns, a_packets, b_ns, b_packets), file=sys.stderr)
    for what, one, other in ("packets", a_packets, b_packets), ("ns", a_ns, b_ns):
        if not one or abs(other / one - times) > 0.05 * times:
            return "%d and %d %s" % (one, other, what)
    return "ok"


def fate(t, name, n):
    got = t.fates.get(name, [0, 0])[1]
    return "ok" if got >= n else "%d packets" % got


def most(t, name, n):
    got = t.fates.get(name, [0, 0])[1]
    return "ok" if got <= n else "%d packets" % got


def estimated(report, pid, said):
    injected = json.loads(open(said).readlines()[-1])["spun_ns"]
    row = next(row for row in report["owners"]["received"] if row["pid"] == pid)
    print(row, injected, file=sys.stderr)
    error = abs(row["received_ns"] - injected * 1.1)  # and what each packet costs besides
    return "ok" if error < 2 * row["received_ci95_ns"] + 0.1 * injected else "%r, %d were injected" % (row, injected)


def main(command, *arg):
    if command == "receive":
        receive(arg[0], int(arg[1]))
        return 0
    if command == "send":
        send(arg[0], arg[1], int(arg[2]), int(arg[3]), *arg[4:])
        return 0
    t = json.load(open(arg[0])) if command == "estimated" else Trace(arg[0])
    said = {"sums": lambda: sums(t), "packets": lambda: packets(t, int(arg[1]), int(arg[2])),
            "spun": lambda: spun(t, Trace(arg[1]), *arg[2:]),
            "ratio": lambda: ratio(t, int(arg[1]), int(arg[2]), float(arg[3])),
            "most": lambda: most(t, arg[1], int(arg[2])),
            "estimated": lambda: estimated(t, int(arg[1]), arg[2]),
            "fate": lambda: fate(t, arg[1], int(arg[2]))}[command]()
    print(said)
    return said != "ok"


sys.exit(main(*sys.argv[1:]))
