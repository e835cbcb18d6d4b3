# SPDX-License-Identifier: BSD-2-Clause
"""Packet latency (--latency), compared with the known treatment of the packets. Each check prints one line, "right" or "wrong", with
the figure; status 1: wrong.

Generators:
    receive PROTOCOL PORT MS [ROOM]     PROTOCOL is udp, tcp, udp6 or tcp6: prints a line when it is ready, then reads each packet MS
                                        after the packet came, until a signal; then prints how long it slept, in us. MS -1: never waits.
                                        ROOM: bytes of the socket's buffer
    drain PROTOCOL PORT MS              UDP only: reads all packets in the socket every MS
    send PROTOCOL ADDRESS PORT PACKETS US   sends PACKETS, one every US, and prints their number
    round-trip ADDRESS PORT PACKETS     prints the median of PACKETS round trips over UDP, in us
Checks:
    packets REPORT HOOK PACKETS         PACKETS, up to 2 % more, reached HOOK, including those reported without a latency
    known REPORT HOOK                   all but 2 % of the packets have a latency
    same REPORT HOOK HOOK               the same number of packets reached both, within 1 %
    slower BEFORE AFTER HOOK TIMES      the mean in AFTER is at least TIMES the mean in BEFORE
    all REPORT PACKETS OTHERWISE HOOK...    all but OTHERWISE of PACKETS reached one of the hooks, with or without a latency
    most REPORT HOOK US                 no packet had a higher latency
    between REPORT HOOK US US           the median is between these two times
    some REPORT HOOK PACKETS            at least PACKETS reached HOOK
    filtered REPORT HOOK PACKETS ALL    PACKETS of ALL packets were selected, and the rest was filtered, within 5 %
    told REPORT                         each hook has its method, or the reason why it is not measured
    sums REPORT BY                      the rows of BY, a report of all packets by a key, sum to each hook's packets
    whose BY HOOK PACKETS NAME          all but 2 % of PACKETS belong to NAME at HOOK
    lacks REPORT HOOK...                prints the first hook that was not measured, and why; status 0: all were measured"""
import json
import select
import signal
import socket
import statistics
import struct
import sys
import time

SIZE = 100
SO_RCVBUFFORCE = 33


def opened(protocol):
    return socket.socket(socket.AF_INET6 if protocol.endswith("6") else socket.AF_INET,
                         socket.SOCK_DGRAM if protocol.startswith("udp") else socket.SOCK_STREAM)


def receive(protocol, port, ms, room=1 << 25):
    listening = opened(protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, room)
    listening.bind(("", port))
    if listening.type == socket.SOCK_STREAM:
        listening.listen()
    print("ready", flush=True)
    slept = []
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(print(1e6 * statistics.median(slept or [0]), flush=True)))
    s = listening if listening.type == socket.SOCK_DGRAM else listening.accept()[0]
    while ms < 0:  # the duration of a wakeup varies
        try:
            if not s.recv(65536, socket.MSG_DONTWAIT):
                signal.pause()
        except BlockingIOError:
            pass
    while True:
        if ms:
            select.select([s], [], [])
            began = time.monotonic()
            time.sleep(ms / 1000)
            slept.append(time.monotonic() - began)
        if not s.recv(65536):
            signal.pause()


def drain(protocol, port, ms):
    s = opened(protocol)
    s.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 25)
    s.bind(("", port))
    s.setblocking(False)
    print("ready", flush=True)
    while True:
        time.sleep(ms / 1000)
        try:
            while True:
                s.recv(65536)
        except BlockingIOError:
            pass


def send(protocol, address, port, packets, us):
    s = opened(protocol)
    s.connect((address, port))
    if s.type == socket.SOCK_STREAM:
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    data, due = bytes(SIZE), time.monotonic()
    for _ in range(packets):
        s.send(data)
        due += us / 1e6
        time.sleep(max(0, due - time.monotonic()))
    time.sleep(0.3 if us else 1)  # the packet has been read
    print(segments(s) if s.type == socket.SOCK_STREAM else packets)


def segments(s):
    """Returns the number of segments with data that TCP has sent: tcpi_data_segs_out."""
    return struct.unpack_from("I", s.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256), 156)[0]


def round_trip(address, port, packets):
    s, took = opened("udp"), []
    s.connect((address, port))
    for _ in range(packets):
        begin = time.monotonic()
        s.send(bytes(SIZE))
        s.recv(SIZE)
        took.append(time.monotonic() - begin)
    print(1e6 * statistics.median(took))


def row(report, hook):
    with open(report) as f:
        rows = [r for r in json.load(f)["rows"] if r["hook"] == hook]
    return rows[0] if rows else sys.exit(f"{hook} was not measured")


def lost(r):
    return r["unknown"] + r["other"] + r["old"]  # a merged packet was read together with another one


def verdict(ok, text):
    print(f"{'right' if ok else 'wrong'}: {text}")
    return 0 if ok else 1


def packets(report, hook, wanted):
    r = row(report, hook)
    n = r["packets"] + lost(r) + r["merged"]
    return verdict(wanted <= n <= 1.02 * wanted + 20,
                   f"{r['packets']}, {r['merged']} merged, and {lost(r)} without a time, of {wanted}")


def same(report, one, other):
    a, b = (r["packets"] + lost(r) + r["merged"] for r in (row(report, hook) for hook in (one, other)))
    return verdict(abs(a - b) <= 0.01 * a, f"{a} and {b}")


def filtered(report, hook, wanted, all_):
    r = row(report, hook)
    n, off = r["packets"] + lost(r), 0.05 * all_
    return verdict(abs(n - wanted) <= off and all_ - wanted - off <= r["filtered"], f"{n} of {wanted}, {r['filtered']} filtered")


def known(report, hook):
    r = row(report, hook)
    return verdict(lost(r) <= 0.02 * r["packets"], f"{lost(r)} of {r['packets']} and these have no time")


def all_of(report, wanted, otherwise, *hooks):
    them = [row(report, hook) for hook in hooks]
    n = sum(r["packets"] + lost(r) + r["merged"] for r in them)
    return verdict(n + otherwise == wanted,
                   f"{n}, of which {sum(map(lost, them))} have no time, {sum(r['merged'] for r in them)} were merged, {otherwise} had another disposition, of {wanted}")


def between(report, hook, low, high):
    r = row(report, hook)
    return verdict(r["packets"] and 1000 * low <= r["p50_ns"] <= 1000 * high, f"{r['packets']} packets, {r['p50_ns']} ns in the middle")


def slower(before, after, hook, times):
    a, b = (row(report, hook)["mean_ns"] for report in (before, after))
    return verdict(a and b and b >= times * a, f"{a} ns, {b} ns in the mean")


def most(report, hook, limit):
    r = row(report, hook)
    return verdict(r["max_ns"] is not None and r["max_ns"] <= 1000 * limit, f"{r['max_ns']} ns at most")


def told(report):
    with open(report) as f:
        d = json.load(f)
    rows = {r["hook"] for r in d["rows"]}
    wrong = [h for h in d["hooks"] if (h["rung"] == "off") == (h["hook"] in rows) or not (h["why"] if h["rung"] == "off" else h["hooks"])]
    return verdict(len(d["hooks"]) >= 12 and not wrong, f"{len(d['hooks'])} hooks; wrong: {wrong}")


def costs(report, wanted):
    """Checks that each program that measures packet latency has its number of runs and their time."""
    with open(report) as f:
        programs = [p for p in json.load(f)["cost"]["programs"] if p["name"].startswith("path_")]
    ran = [p["name"] for p in programs if p["runs_counted"] and p["run_ns_counted"]]
    unknown = [p["name"] for p in programs if p["runs_counted"] is None or p["run_ns_counted"] is None]
    return verdict(programs and not unknown and len(ran) >= wanted, f"{len(programs)} programs; ran: {ran}; not known: {unknown}")


def by_hook(report):
    packets = {}
    with open(report) as f:
        for r in json.load(f)["rows"]:
            packets[r["hook"]] = packets.get(r["hook"], 0) + r["packets"]
    return {hook: n for hook, n in packets.items() if n}


def sums(report, by):
    all_, parts = by_hook(report), by_hook(by)
    return verdict(all_ and all_ == parts, f"{all_} and {parts}")


def whose(by, hook, wanted, name):
    n = {}
    with open(by) as f:
        for r in json.load(f)["rows"]:
            if r["hook"] == hook:
                n[str(r["name"])] = n.get(str(r["name"]), 0) + r["packets"]
    return verdict(0.98 * wanted <= n.get(name, 0) <= 1.02 * wanted + 20, f"{n}, not {wanted} of {name}")


def lacks(report, *hooks):
    with open(report) as f:
        d = json.load(f)
    why = {h["hook"]: None if h["rung"] != "off" else h["why"] for h in d["hooks"]}
    missing = [hook for hook in hooks if why.get(hook, "nothing was")]
    if missing:
        print(f"{missing[0]}: {why.get(missing[0], 'nothing was')}")
    return 1 if missing else 0


def main(command, *args):
    if command == "receive":
        return receive(args[0], *map(int, args[1:]))
    if command == "drain":
        return drain(args[0], int(args[1]), int(args[2]))
    if command == "send":
        return send(args[0], args[1], *map(int, args[2:]))
    if command == "round-trip":
        return round_trip(args[0], *map(int, args[1:]))
    if command == "packets":
        return packets(args[0], args[1], int(args[2]))
    if command == "all":
        return all_of(args[0], int(args[1]), int(args[2]), *args[3:])
    if command == "between":
        return between(*args[:2], *map(float, args[2:]))
    if command == "filtered":
        return filtered(args[0], args[1], int(args[2]), int(args[3]))
    if command == "some":
        return verdict(row(args[0], args[1])["packets"] >= int(args[2]), f"{row(args[0], args[1])['packets']} packets")
    if command == "slower":
        return slower(*args[:3], float(args[3]))
    if command == "costs":
        return costs(args[0], int(args[1]))
    if command == "most":
        return most(*args[:2], float(args[2]))
    if command == "whose":
        return whose(args[0], args[1], int(args[2]), args[3])
    return {"sums": sums, "known": known, "same": same, "told": told, "lacks": lacks}[command](*args)


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        pass
