# SPDX-License-Identifier: BSD-2-Clause
"""Packet paths (--stages) in traces, compared with the packets that were sent. Each check prints one line, "right" or "wrong", with
the figure; status 1: wrong.

    refused ADDRESS PORT PACKETS    sends to a UDP port without a socket
    order TRACE                     the stages of each packet are in an order that format/SPEC.md allows, and nothing follows an end
    sums REPORT                     the times and packets of the steps sum to the times and packets of the whole paths
    by REPORT REPORT                the times and packets of the steps in the second report (by interface, network namespace or flow)
                                    sum to the first report
    whose REPORT PROTOCOL FROM TO PORT PACKETS  at least PACKETS of one flow, in the report by flow, have that protocol, these
                                    addresses and that port
    nobodys TRACE                   the trace has no addresses
    finished TRACE PACKETS [PORT]   PACKETS of one flow (to that PORT) began, and all of them ended: they were read from a socket, freed
                                    after they were in a socket, or dropped for a reason. At most as many may be missing, or have
                                    no end, as the trace reports as lost
    segments TRACE STAMPS PORT      TCP, with the stamps of exchange.py: all segments were read, or merged into a segment that was
                                    read, except segments that TCP coalesced before it processed them. Other packets of the flow
                                    had no data
    forwarded TRACE PACKETS [PORT]  PACKETS of one flow were received twice, and read
    chances TRACE SAMPLE...         for recordings of a sample, each a trial, and one of all packets: the probability that an equal number
                                    of packets from the distribution of all differs at least as much from it (Kolmogorov-Smirnov)
    resampled FILE TRIALS           no more of the trials in FILE (output of chances) are rejected than the level allows
    same TRACE TRACE                both have the same paths
    share TRACE                     the sample has the expected number of packets
    dropped REPORT REASON PACKETS   at least PACKETS were dropped for that reason
    came REPORT STAGE PACKETS       at least PACKETS reached that stage from another stage
    split REPORT PACKETS SEGMENTS   at least PACKETS were split, and SEGMENTS of each were read
    told REPORT                     each stage has its method, or the reason why it is not seen
    rule REPORT STAGE HOOK TABLE PACKETS    at least PACKETS passed that hook and table at STAGE
    judge                           reads lines of standard input as in judge.py
    lacks REPORT STAGE...           prints the first stage that is not seen, and why; status 0: all are seen"""
import functools
import json
import math
import os
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import judge  # noqa: E402
import nct  # noqa: E402
import spec_tables  # noqa: E402

STAGES = [name for _, name, _ in spec_tables.stages()]
FIRST, END = ({name for _, name, what in spec_tables.stages() if what.startswith(which)} for which in ("first: ", "end: "))
READ = {"read", "merged"}
LEVEL, SELDOM = 0.05, 1 / 400  # share of trials rejected by chance; probability of more rejections than allowed
CONNECTION = 4  # number of segments that open and close a connection


def verdict(ok, text):
    print(f"{'right' if ok else 'wrong'}: {text}")
    return 0 if ok else 1


@functools.lru_cache(maxsize=4)
def ways(path):
    """Returns {packet: [its flow, [(ns, stage, whether it has a reason)]]} of the packets with a known begin, and
    the counts."""
    out, counts = {}, {12: 0, 13: 0, 14: 0, 15: 0}
    for kind, r in nct.objects(path):
        if kind != nct.STAGES:
            continue
        for key in (13, 14, 15):
            counts[key] += r.get(key, 0)
        counts[12] = r.get(12, counts[12])
        at, number = r.get(1, 0), 0
        for dt, packet, stage, flow, reason in zip(r[2], r[3], r[4], r[7], r[8]):
            at, number = at + dt, number + packet
            if flow is not None:
                out[number] = [flow, []]
            if number in out:
                out[number][1].append((at, STAGES[stage], reason != 0))
    return out, counts


def order(path):
    packets, _ = ways(path)
    wrong = [w for _, w in packets.values()
             if w[0][1] not in FIRST or any(s in END for _, s, _ in w[:-1]) or any(b[0] < a[0] for a, b in zip(w, w[1:]))]
    return verdict(packets and not wrong, f"{len(wrong)} of {len(packets)} ways cannot be: {wrong[:2]}")


def sums(report):
    d = load(report)
    whole = {r["path"]: r for r in d["rows"] if r["from"] is None}
    steps = {p: sum(r["sum_ns"] for r in d["rows"] if r["path"] == p and r["from"]) for p in whole}
    wrong = {p: (steps[p], r["sum_ns"]) for p, r in whole.items() if steps[p] != r["sum_ns"]}
    ended = d["finished"] + d["not_finished"] + d["impossible"] + d["too_long"]
    ok = not wrong and d["adds_up"] and not d["impossible"] and ended == d["begun"] and d["finished"] == sum(r["packets"] for r in whole.values())
    return verdict(ok, f"{wrong}; {d['finished']} finished, {d['not_finished']} not, {d['impossible']} impossible, of {d['begun']}")


def steps_of(report):
    out = {}
    for r in load(report)["rows"]:
        if r["from"]:
            packets, ns = out.get((r["path"], r["from"], r["to"]), (0, 0))
            out[r["path"], r["from"], r["to"]] = packets + r["packets"], ns + r["sum_ns"]
    return out


def by(report, by_report):
    whole, sums_of = steps_of(report), steps_of(by_report)
    return verdict(whole and whole == sums_of and load(by_report)["adds_up"], f"{len(whole)} steps, {len(load(by_report)['rows'])} rows")


def whose(by_report, protocol, source, destination, port, wanted):
    n = sum(r["packets"] for r in load(by_report)["rows"] if r["from"] is None and
            (r["protocol"], r["source"], r["destination"], r["destination_port"]) == (protocol, source, destination, port or None))
    return verdict(n >= wanted, f"{n} packets")


def nobodys(path):
    keys = {k for kind, r in nct.objects(path) if kind == nct.STAGES for k in r}
    return verdict(keys and not keys & set(range(20, 26)), f"keys {sorted(keys)}")


def the_flow(packets, path=None, port=None):
    """Returns the paths of the flow to this port, for which the trace needs --host-details. Without a port, returns
    the paths of the largest flow."""
    if port is not None:
        mine = {flow for kind, r in nct.objects(path) if kind == nct.STAGES
                for flow, to in zip(r.get(20, []), r.get(25, [])) if to == port}
        return {n: way for n, (flow, way) in packets.items() if flow in mine}
    flows = {}
    for flow, way in packets.values():
        flows[flow] = flows.get(flow, 0) + (flow != 0)
    most = max(flows, key=flows.get)
    return {n: way for n, (flow, way) in packets.items() if flow == most}


def count_ends(ways_of):
    ends = {}
    for way in ways_of:
        ends[way[-1][1]] = ends.get(way[-1][1], 0) + 1
    return ends


def told_end(way):
    """Returns whether the end of the packet is known."""
    _, last, reason = way[-1]
    return last in READ or (last == "dropped" and reason) or (last == "freed" and "socket" in [stage for _, stage, _ in way])


def finished(path, wanted, port=None):
    packets, counts = ways(path)
    mine = the_flow(packets, path, port).values()
    not_told, missing, lost = sum(not told_end(w) for w in mine), wanted - len(mine), counts[14] + counts[15]
    ok = missing >= 0 and missing + not_told <= lost and all(w[0][1] not in ("driver", "entry", "receive") for w in mine)
    return verdict(ok, f"of {wanted} {len(mine)} began, of {not_told} the end is not known; last stages {count_ends(mine)}; lost {counts[14]} and {counts[15]}")


def segments(path, stamps, port):
    packets, counts = ways(path)
    wanted, coalesced = (load(stamps)[key] for key in ("packets", "coalesced"))
    mine, lost = the_flow(packets, path, port).values(), counts[14] + counts[15]
    ends = count_ends(mine)
    read = sum(ends.get(stage, 0) for stage in READ)
    ok = 0 <= wanted - coalesced - read <= lost and len(mine) - read <= CONNECTION + coalesced + lost
    return verdict(ok, f"of {wanted} segments {read} were read, {coalesced} coalesced before; last stages {ends}; lost {counts[14]} and {counts[15]}")


def forwarded(path, wanted, port=None):
    packets, counts = ways(path)
    mine = the_flow(packets, path, port).values()
    twice = sum([stage for _, stage, _ in w].count("receive") == 2 and w[-1][1] == "read" for w in mine)
    return verdict(0 <= wanted - twice <= counts[14] + counts[15],
                   f"of {wanted} {twice} were received twice and read; {count_ends(mine)}; lost {counts[14]} and {counts[15]}")


def times(path):
    """Returns the time from queueing to reading of each packet."""
    packets, _ = ways(path)
    return [w[-1][0] - w[0][0] for w in the_flow(packets).values() if w[-1][1] in READ]


def kolmogorov_smirnov(a, b):
    """Returns the probability that samples of one distribution differ at least as much as these."""
    a, b, i, j, d = sorted(a), sorted(b), 0, 0, 0
    while i < len(a) and j < len(b):
        at = min(a[i], b[j])
        while i < len(a) and a[i] <= at:
            i += 1
        while j < len(b) and b[j] <= at:
            j += 1
        d = max(d, abs(i / len(a) - j / len(b)))
    n = math.sqrt(len(a) * len(b) / (len(a) + len(b)))
    x = (n + 0.12 + 0.11 / n) * d
    return 1 if x < 0.2 else min(1, 2 * sum((-1) ** (k - 1) * math.exp(-2 * (k * x) ** 2) for k in range(1, 50)))


def chances(path, *samples):
    every = times(path)
    for sample in samples:
        of = times(sample)
        print(len(every), len(of), kolmogorov_smirnov(of, every) if of else 0)


def most_rejected(trials):
    """Returns the number of rejections that is rarely exceeded if each trial is rejected at the level (binomial)."""
    over = 1.0
    for k in range(trials + 1):
        over -= math.comb(trials, k) * LEVEL ** k * (1 - LEVEL) ** (trials - k)
        if over <= SELDOM:
            return k
    return trials


def resampled(path, trials):
    with open(path) as f:
        got = [line.split() for line in f]
    rejected = sum(float(chance) < LEVEL for _, _, chance in got)
    return verdict(len(got) == trials and rejected <= most_rejected(trials),
                   f"{rejected} of {len(got)} recordings rejected, {most_rejected(trials)} may be, of {sum(int(n) for _, n, _ in got)} packets in all; "
                   f"the full ones have {sorted({int(n) for n, _, _ in got})}")


def same(one, other):
    a, b = ways(one), ways(other)
    return verdict(a == b and a[0], f"{len(a[0])} and {len(b[0])} ways")


def share(path):
    packets, counts = ways(path)
    wanted = counts[13] / counts[12]
    return verdict(abs(len(packets) + counts[14] - wanted) <= 5 * math.sqrt(wanted) + 3,
                   f"{len(packets)} of {counts[13]}, 1 in {counts[12]}; lost {counts[14]}")


def load(report):
    with open(report) as f:
        return json.load(f)


def dropped(report, reason, wanted):
    reasons = {r["reason"]: r["packets"] for r in load(report)["dropped"]}
    return verdict(reasons.get(reason, 0) >= wanted, f"{reasons}")


def came(report, stage, wanted):
    n = sum(r["packets"] for r in load(report)["rows"] if r["to"] == stage)
    return verdict(n >= wanted, f"{n} packets")


def rule(report, stage, hook, table, wanted):
    n = sum(r["packets"] for r in load(report)["rules"] if r["stage"] == stage and r["hook"] == hook and (r["table"] or "-") == table)
    return verdict(n >= wanted, f"{n} packets")


def split(report, packets, segments):
    n = {r["path"]: r["packets"] for r in load(report)["rows"] if r["from"] is None}
    ok = n.get("split", 0) >= packets and n.get("socket", 0) >= packets * segments
    return verdict(ok, f"of {packets} packets {n.get('split', 0)} were split; {n}")


def told(report):
    stages = load(report)["stages"]
    wrong = [s["stage"] for s in stages if not (s["why"] if s["rung"] == "off" else s["hooks"])]
    return verdict(len(stages) == len(STAGES) and not wrong, f"{len(stages)} stages; wrong: {wrong}")


def lacks(report, *wanted):
    for s in load(report)["stages"]:
        if s["stage"] in wanted and s["rung"] == "off":
            return print(f"{s['stage']}: {s['why']}") or 1
    return 0


def refused(address, port, packets):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for _ in range(packets):
        s.sendto(b"nobody", (address, port))


COMMANDS = {f.__name__: f for f in (order, sums, by, whose, nobodys, finished, segments, forwarded, chances, resampled, same, share, dropped, came, rule, split, told, lacks, refused)}

if __name__ == "__main__":
    if sys.argv[1] == "judge":
        sys.exit(judge.run(COMMANDS))
    arguments = [int(a) if a.isdigit() else a for a in sys.argv[2:]]
    sys.exit(COMMANDS[sys.argv[1]](*arguments))
