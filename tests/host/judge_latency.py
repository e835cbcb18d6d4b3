# SPDX-License-Identifier: BSD-2-Clause
"""Packet latency (--latency) compared with what was sent, and with the times that the generator noted (exchange.py).

Reads lines for judge.py from standard input. HOOK is a checkpoint, STAMPS a file of exchange.py:
    count TRACE HOOK N              N packets reached HOOK, with or without a time
    known TRACE HOOK N              N packets reached HOOK, and all of them have a time
    from-to TRACE HOOK LEAST MOST   from LEAST to MOST packets reached HOOK
    filtered TRACE HOOK N LEAST     N packets reached HOOK, and at least LEAST other packets were filtered
    read TRACE STAMPS HOOK...       all sent packets were read, or dropped for lack of room
    enqueued-tcp TRACE STAMPS       all segments with data and the closing segment were counted, except segments that TCP coalesced
    waited TRACE STAMPS HOOK [US]   each quantile and the sum of the times fit the generator's stamps; with US:
                                    a program before that checkpoint held each packet for US
    before TRACE STAMPS HOOK US     the same for a checkpoint before that program
    queued TRACE STAMPS BYTES BURST BYTES_PER_S
                                    the times at a qdisc that sends packets of BYTES at that rate, after BURST bytes
    held TRACE HOOK N US            N packets reached HOOK, and each waited at least US
    reported TRACE REPORT           the JSON report has the trace's numbers
    sums TRACE                      the rows of each key sum to the checkpoints' histograms, bucket by bucket
    whose TRACE HOOK N KEY=VALUE... N packets at HOOK are recorded with these keys
    costs INFO                      runs and time of all programs are known
    told REPORT                     for each checkpoint the report has the method, or the reason why it is not measured"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import judge
import nct

HOOKS = [key for _, key, _ in nct.spec_tables.latencies()]
LOST = {8: "unknown", 9: "other", 10: "old", 11: "merged", 13: "later"}  # keys of LATENCY
BY = {"netdev": 7, "netns": 8, "cgroup": 10, "process": 12, "pid": 13}
UNLIKELY_NS = 274 * 10**9  # longer times have no bucket
traces = {}


def low(bucket):
    """Returns the bounds of a bucket, as in format/SPEC.md, LATENCY: each bucket covers values above its low bound,
    up to the low bound of the next bucket."""
    if bucket < 64:
        return bucket
    s = bucket // 32 - 1
    return (bucket - 32 * s) << s


class Hook:
    def __init__(self):
        self.buckets, self.ns, self.filtered, self.lost = {}, 0, 0, dict.fromkeys(LOST.values(), 0)

    def add(self, r):
        self.ns += r.get(3, 0)
        self.filtered += r.get(12, 0)
        for key, name in LOST.items():
            self.lost[name] += r.get(key, 0)
        add(self.buckets, r[6], r[7])

    def known(self):
        return sum(self.buckets.values())

    def came(self):
        return self.known() + sum(self.lost.values()) - self.lost["later"]

    def __str__(self):
        return f"{self.known()} with a time, without: {self.lost}, {self.filtered} filtered"


def add(buckets, places, packets):
    for b, n in zip(places, packets):
        buckets[b] = buckets.get(b, 0) + n


class Trace:
    def __init__(self, path):
        self.hooks, self.by = {name: Hook() for name in HOOKS}, []
        for kind, r in nct.objects(path):
            if kind == nct.LATENCY:
                self.hooks[HOOKS[r.get(1, 0)]].add(r)
            elif kind == nct.LATENCY_BY:
                self.by.append(r)


def trace(path):
    if path not in traces:
        traces[path] = Trace(path)
    return traces[path]


def hook(path, name):
    return trace(path).hooks[name]


def load(path):
    with open(path) as f:
        return json.load(f)


def verdict(ok, expected, got):
    print(f"expected {expected}, got {got}")
    return not ok


def count(path, name, n):
    h = hook(path, name)
    return verdict(h.came() == n, f"{n} packets at {name}", h)


def known(path, name, n):
    h = hook(path, name)
    return verdict(h.known() == h.came() == n, f"{n} packets at {name}, all with a time", h)


def from_to(path, name, least, most):
    h = hook(path, name)
    return verdict(least <= h.came() <= most, f"{least} to {most} packets at {name}", h)


def filtered(path, name, n, least):
    h = hook(path, name)
    return verdict(h.came() == n and h.filtered >= least, f"{n} packets at {name}, {least} filtered or more", h)


def read(path, stamps, *names):
    s, came = load(stamps), sum(hook(path, name).came() for name in names)
    otherwise = s["coalesced"] + s["rcvbuf_errors"]
    # The last segment of TCP, which has no data, may also be merged.
    end = sum(bool(hook(path, name).lost["merged"]) for name in names)
    return verdict(came > 0 and 0 <= came + otherwise - s["packets"] <= end,
                   f"{s['packets']} packets in all, of which {otherwise} did not reach the socket", [f"{n}: {hook(path, n)}" for n in names])


def enqueued_tcp(path, stamps):
    s, h = load(stamps), hook(path, "tcp-socket-enqueued")
    return verdict(h.came() == s["packets"] + 1 - s["coalesced"], f"{s['packets']} + 1 - {s['coalesced']} packets", h)


def bounds(s, name, us):
    """Returns the lower and the upper bounds in ns of the latency of each packet."""
    held, n = 1000 * us, len(s["sent"])
    if name.endswith("read"):
        least = [a - e for a, e in zip(s["asked"], s["seen"])] if s["seen"] else [0] * n
        most = [r - t for r, t in zip(s["read"], s["sent"])]
    else:
        least, most = [0] * n, [r - t for r, t in zip(s["seen"] or s["read"], s["sent"])]
    return [max(held, a) for a in least], most


def within(h, least, most, what, missing=0):
    """Checks that the k-th shortest time is at least the k-th lower bound, and at most the k-th upper bound;
    missing: number of times that may be absent."""
    times = [b for b in sorted(h.buckets) for _ in range(h.buckets[b])]
    least, most, lack = sorted(least), sorted(most), len(least) - len(times)
    wrong = [(a, low(b), low(b + 1), z) for a, b, z in zip(least, times, most[max(0, lack):]) if low(b + 1) < a or low(b) > z]
    ok = 0 <= lack <= missing and not wrong and max(most) < UNLIKELY_NS and (lack or sum(least) <= h.ns <= sum(most))
    return verdict(ok, f"{what}: {len(least)} packets of {least[0]} to {most[-1]} ns, {sum(least)} to {sum(most)} in all",
                   f"{h}, {h.ns} ns in all; (least, bucket, bucket's end, most) that cannot be: {wrong[:3]}")


def waited(path, stamps, name, us=0):
    h = hook(path, name)
    return within(h, *bounds(load(stamps), name, us), name, h.came() - h.known())


def before(path, stamps, name, us):
    """Checks that all packets of the generator passed this checkpoint. Other packets may have passed, too, so only
    the shortest times are compared."""
    s, h = load(stamps), hook(path, name)
    most = sorted(e - t - 1000 * us for e, t in zip(s["seen"], s["sent"]))
    times = [b for b in sorted(h.buckets) for _ in range(h.buckets[b])]
    wrong = [(low(b), z) for b, z in zip(times, most) if low(b) > z]
    return verdict(len(times) >= len(most) and not wrong, f"{len(most)} packets at {name} of up to {most[-1]} ns",
                   f"{h}; (bucket, most) that cannot be: {wrong[:3]}")


def queued(path, stamps, size, burst, rate):
    """Checks a queueing discipline: a packet leaves at the earliest when the qdisc's rate allows all bytes up to the
    packet's end, counted from the first packet. Programs on tracepoints do not always see the work that a timer
    starts on an idle CPU (6.18: 3 of 80 packets)."""
    s = load(stamps)
    may_leave = [s["sent"][0] + max(0, (i + 1) * size - burst) * 990000000 // rate for i in range(len(s["sent"]))]
    least = [max(0, at - left) for at, left in zip(may_leave, s["left"])]
    return within(hook(path, "qdisc"), least, [r - t for r, t in zip(s["read"], s["sent"])], "qdisc", len(least) // 4)


def held(path, name, n, us):
    h = hook(path, name)
    least = sum(packets for b, packets in h.buckets.items() if low(b + 1) >= 1000 * us)
    return verdict(least >= n, f"{n} packets of {us} us or more at {name}", f"{least} of {h}")


def reported(path, report):
    rows = {r["hook"]: r for r in load(report)["rows"]}
    wrong = {}
    for name, h in trace(path).hooks.items():
        r = rows.get(name)
        want = {"packets": h.known(), "filtered": h.filtered, **h.lost}
        got = {key: r[key] for key in want} if r else dict.fromkeys(want, 0)
        mean = r["mean_ns"] if r and r["packets"] else None
        if got != want or (h.known() and abs(mean - h.ns / h.known()) > 1):
            wrong[name] = want, got, mean, h.ns
    return verdict(rows and not wrong, "the trace's numbers at each checkpoint", f"{len(rows)} rows; wrong: {wrong}")


def sums(path):
    of = {}
    for r in trace(path).by:
        add(of.setdefault(HOOKS[r.get(1, 0)], {}), r[5], r[6])
    want = {name: h.buckets for name, h in trace(path).hooks.items() if h.buckets}
    return verdict(want and of == want, {name: sum(b.values()) for name, b in want.items()}, {name: sum(b.values()) for name, b in of.items()})


def whose(path, name, n, *keys):
    keys, got = [key.split("=", 1) for key in keys], {}
    for r in trace(path).by:
        if HOOKS[r.get(1, 0)] == name:
            which = tuple(str(r.get(BY[key])) for key, _ in keys)
            got[which] = got.get(which, 0) + sum(r[6])
    return verdict(got.get(tuple(value for _, value in keys)) == n, f"{n} packets of {keys}", got)


def costs(info):
    programs = [p for p in load(info)["cost"]["programs"] if p["name"].startswith("path_")]
    unknown = [p["name"] for p in programs if p["runs_counted"] is None or p["run_ns_counted"] is None]
    return verdict(programs and not unknown, "programs of --latency with runs and time", f"{len(programs)}; not known: {unknown}")


def told(report):
    d = load(report)
    rows = {r["hook"] for r in d["rows"]}
    wrong = [h for h in d["hooks"] if (h["rung"] == "off") == (h["hook"] in rows) or not (h["why"] if h["rung"] == "off" else h["hooks"])]
    return verdict(len(d["hooks"]) == len(HOOKS) and not wrong, f"{len(HOOKS)} checkpoints", f"{len(d['hooks'])}; wrong: {wrong}")


if __name__ == "__main__":
    sys.exit(judge.run({f.__name__.replace("_", "-"): f for f in
                        (count, known, from_to, filtered, read, enqueued_tcp, waited, before, queued, held, reported, sums, whose, costs, told)}))
