# SPDX-License-Identifier: BSD-2-Clause
"""What CPUs did while the slowest packets waited (--tail), compared with the known treatment of the packets. Each check prints one line,
"right" or "wrong", with the figure; status 1: wrong.

    hog CPU MS                      runs until a signal as the FIFO task "hog": uses this CPU for MS, then pauses for MS, and so on;
                                    prints a line when it is ready
    bursts ADDRESS PORT PACKETS TIMES MS    sends PACKETS at once over UDP, TIMES times, every MS
    first TRACE HOOK US PACKETS WHAT [NUMBER [NAME]]
                                    at least PACKETS that waited for US or longer at HOOK are in the trace, and in 95 % of them WHAT
                                    has the largest share
    sums TRACE                      the trace has slow packets, and the shares of each packet sum to the whole
    ways TRACE HOOK PACKETS EARLIER...  at least PACKETS reached HOOK, and 95 % of all have the times of these earlier hooks; the times of
                                    each packet are in order and within its latency
    step TRACE HOOK US PACKETS FROM TO  the step from FROM to TO has the largest share in packets that waited US
    half TRACE HOOK US PACKETS WHAT [NUMBER]    like first, for half of the packets
    all TRACE HOOK PACKETS EARLIER...   like ways, for all packets
    bounded TRACE STAMPS HOOK       each packet waited for as long as the stamps of exchange.py allow; from the wakeup of its reader on, the
                                    shares of the reader sum to the rest of the wait
    rate TRACE BYTES BURST BYTES_PER_S BEFORE   a qdisc of that rate: each packet waited until the bytes before it were sent; a packet had at
                                    least BEFORE packets ahead
    judge                           reads lines of standard input as in judge.py
    queued TRACE HOOK US PACKETS BEFORE     at least PACKETS had BEFORE packets ahead in the queue"""
import json
import os
import pathlib
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import judge
import nct

INCLUDE = nct.spec_tables.INCLUDE
CULPRITS = [key for _, key, _ in nct.spec_tables.macro_rows(
    "culprits.h", "NETCOST_CULPRITS", r"(\d+)", r"\w+", nct.spec_tables.STRING, nct.spec_tables.STRING)]
HOOKS = [key for _, key, _ in nct.spec_tables.latencies()]
HOOK, NS, WHAT, READER, NUMBER, NAME, TOOK, QUEUED, PASSED_HOOK, PASSED_NS, BEFORE = 1, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17  # of LATENCY_TAIL


def hog(cpu, ms):
    pathlib.Path("/proc/self/comm").write_text("hog")
    os.sched_setaffinity(0, [cpu])
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    except OSError as e:
        sys.exit(f"SCHED_FIFO: {e.strerror}")
    print("ready", flush=True)
    while True:
        until = time.monotonic() + ms / 1000
        while time.monotonic() < until:
            pass
        time.sleep(ms / 1000)


def bursts(address, port, n, times, ms):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.connect((address, port))
    for _ in range(times):
        for _ in range(n):
            s.send(bytes(100))
        time.sleep(ms / 1000)


def packets(trace):
    return [r for kind, r in nct.objects(trace) if kind == nct.LATENCY_TAIL]


def verdict(ok, text):
    print(f"{'right' if ok else 'wrong'}: {text}")
    return 0 if ok else 1


def named(r):
    """Returns the kind of interval with the largest share of the latency."""
    i = max(range(len(r[TOOK])), key=lambda i: r[TOOK][i])
    return CULPRITS[r[WHAT][i]], r[NUMBER][i], r[NAME][i]


def slowest(trace, hook, us):
    return [r for r in packets(trace) if r[HOOK] == HOOKS.index(hook) and r[NS] >= 1000 * us]


def mostly(is_it, slow, wanted, part=0.95):
    """Returns the verdict; slow: a description of each slow packet."""
    others = {s for s, right in zip(slow, is_it) if not right}
    return verdict(len(slow) >= wanted and sum(is_it) >= part * len(slow), f"{sum(is_it)} of {len(slow)}; others: {others or 'none'}")


def first(trace, hook, us, wanted, what, *more, part=0.95):
    slow = [named(r) for r in slowest(trace, hook, us)]
    return mostly([s[0] == what and all(str(a) == str(b) for a, b in zip(s[1:], more)) for s in slow], slow, wanted, part)


def half(*args):
    return first(*args, part=0.5)


def way(r):
    """Returns the checkpoints of a packet with their times, from its entry to the reported checkpoint."""
    at = [HOOKS[h] for h in r.get(PASSED_HOOK, [])]
    return [("entry", 0), *zip(at, r.get(PASSED_NS, [])), (HOOKS[r[HOOK]], r[NS])]


def ways(trace, hook, wanted, *earlier, part=0.95):
    slow = [way(r) for r in slowest(trace, hook, 0)]
    wrong = [w for w in slow if [ns for _, ns in w] != sorted(ns for _, ns in w)]
    wrong += [r for r in slowest(trace, hook, 0) if r.get(QUEUED, 0) not in [0] + r.get(PASSED_NS, [])]
    known = [all(e in [h for h, _ in w] for e in earlier) for w in slow]
    if wrong:
        return verdict(False, f"{len(wrong)} are in no possible order: {wrong[:3]}")
    return mostly(known, [tuple(h for h, _ in w) for w in slow], wanted, part)


def all_of(*args):
    return ways(*args, part=1)


def bounded(trace, stamps, hook):
    with open(stamps) as f:
        s = json.load(f)
    ends = s["read"] if hook.endswith("read") else s["seen"]
    least = min(a - e for a, e in zip(s["asked"], s["seen"])) if hook.endswith("read") else 0
    most = max(e - t for e, t in zip(ends, s["sent"]))
    slow = slowest(trace, hook, 0)
    wrong = [r for r in slow if not least <= r[NS] <= most]
    wrong += [r for r in slow if QUEUED in r and sum(t for t, of in zip(r[TOOK], r[READER]) if of) != r[NS] - r[QUEUED]]
    return verdict(slow and not wrong, f"{len(slow)} packets of {least} to {most} ns; wrong: {wrong[:2]}")


def rate(trace, size, burst, bytes_per_s, before):
    slow = [(r.get(BEFORE, 0), r[NS]) for r in slowest(trace, "qdisc", 0)]
    wrong = [(b, ns) for b, ns in slow if ns < 0.98e9 * (b * size - burst) / bytes_per_s]
    return verdict(not wrong and any(b >= before for b, _ in slow), f"(packets before it, ns): {slow[:9]}; wrong: {wrong[:9]}")


def step(trace, hook, us, wanted, start, end):
    steps = []
    for r in slowest(trace, hook, us):
        w = way(r)
        took, *most = max((b[1] - a[1], a[0], b[0]) for a, b in zip(w, w[1:]))
        steps.append(tuple(most))
    return mostly([s == (start, end) for s in steps], steps, wanted)


def queued(trace, hook, us, wanted, before):
    slow = [r.get(BEFORE) for r in slowest(trace, hook, us)]
    return mostly([n is not None and n >= before for n in slow], slow, wanted)


def sums(trace):
    all_of = packets(trace)
    wrong = [r for r in all_of if sum(r[TOOK]) != r[NS] or r[TOOK] != sorted(r[TOOK], reverse=True)]
    return verdict(all_of and not wrong, f"{len(all_of)} packets; wrong: {wrong[:3]}")


def main(command, *args):
    if command == "judge":
        return judge.run({"sums": sums, "half": half, "all": all_of, "bounded": bounded, "rate": rate})
    if command == "hog":
        return hog(int(args[0]), float(args[1]))
    if command == "bursts":
        return bursts(args[0], int(args[1]), int(args[2]), int(args[3]), float(args[4]))
    if command == "ways":
        return ways(args[0], args[1], int(args[2]), *args[3:])
    if command == "queued":
        return queued(args[0], args[1], int(args[2]), int(args[3]), int(args[4]))
    if command in ("first", "step"):
        return {"first": first, "step": step}[command](args[0], args[1], int(args[2]), int(args[3]), *args[4:])
    return {"sums": sums}[command](*args)


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        pass
