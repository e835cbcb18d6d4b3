# SPDX-License-Identifier: BSD-2-Clause
"""dealt.py REPORT TRACE BLOCKS: makes two recordings from one in which tests/host/spin did two
kinds of work in turns. Both recordings have the same other load, and costs are per packet of
the load.

From a trace and spin's blocks it makes a recording of the time with short work, and one of
the time with long work. `diff` must find that the RX softirq costs more, and --fail-above
must report the rise. The function that does the work is shown, but not judged: work of
constant duration is aliased with the sampler, whose samples are then wrong by tens of percent
(10 kHz: -30 %), for seconds. It tries 2, 4, 8 … seconds of each kind, and prints the duration
that was needed. Within a recording the turns are in random order, so both kinds of work have
the same share of any other load. Status 3: the load of this host varies too much, even for
the whole recording."""
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path[:0] = ["tests", "tests/report"]
import resample  # noqa: E402

CPUS_ONLINE = 22  # key of HEADER


def windows(r, blocks, t_ns):
    """Returns the runs of ticks that are in blocks with that length of work."""
    out = []
    for b in blocks:
        inside = [i for i, t in enumerate(r.ticks) if b["begin_ns"] <= t.at and t.exact_at[0] <= b["end_ns"]]
        if b["t_ns"] == t_ns and len(inside) > 1:
            out.append((inside[0], inside[-1]))
    return out


def keep_our_interfaces(r, blocks):
    """Returns the blocks in which exactly the sent packets passed. Other namespaces also send
    some."""
    sent = sum(b["sent"] for b in blocks)
    first, last = r.ticks[0].packets, r.ticks[-1].packets
    ours = {i for i in last if i in first and abs(last[i] - first[i] - sent) < 0.05 * sent}
    for t in r.ticks:
        t.packets = {i: n for i, n in t.packets.items() if i in ours}
    return ours


def shortened(r, some, seconds):
    out, ns = [], 0
    for begin, end in some:
        out.append((begin, end))
        ns += r.ticks[end].at - r.ticks[begin].at
        if ns >= seconds * 1e9:
            break
    return out


def diff(report, folder, *options):
    p = subprocess.run([report, "diff", "--format=json", "--rows=100000", "--per=packet", *options, "a.nct", "b.nct"], cwd=folder,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return json.loads(p.stdout), p.returncode, p.stderr.decode()


def percent(c):
    return "%+5.1f %% +- %4.1f %-14s" % (c["change_percent"] or 0, c["change_percent_ci95"] or 0, c["verdict"])


def main(report, trace, blocks):
    report = os.path.abspath(report)
    r = resample.Recording(trace)
    resample.index_by_tick(r)
    # the recording is of the one CPU that handled all packets, so their cost is known
    r.header.pop(CPUS_ONLINE, None)
    with open(blocks) as f:
        blocks = [json.loads(line) for line in f]
    times = sorted({b["t_ns"] for b in blocks})
    if not keep_our_interfaces(r, blocks):
        print("no interface has the %d packets" % sum(b["sent"] for b in blocks))
        return 1
    some = [windows(r, blocks, t) for t in times]
    most = min(sum(r.ticks[e].at - r.ticks[b].at for b, e in w) for w in some) / 1e9
    spun = [sum(b["spun_ns"] for b in blocks if b["t_ns"] == t) / sum(b["runs"] for b in blocks if b["t_ns"] == t)
            for t in times]
    print("spin_tc took %.0f ns, then %.0f: %+.1f %%" % (spun[0], spun[1], 100 * (spun[1] / spun[0] - 1)))
    with tempfile.TemporaryDirectory() as folder:
        for seconds in [s for s in (1, 2, 4, 8) if s < most] + [most]:
            for name, w in zip("ab", some):
                writer = resample.Writer(r, 0, random.Random(0))
                some_of_it = shortened(r, w, seconds)
                random.Random(name).shuffle(some_of_it)
                for begin, end in some_of_it:
                    writer.window(begin, end)
                writer.write(os.path.join(folder, name + ".nct"))
            d, status, told = diff(report, folder, "--fail-above=2%")
            rx = next(c for c in d["categories"] if c["key"] == "rx_softirq")
            spin = next(f for f in d["functions"] if "spin_tc" in f["function"])["inclusive"]
            print("%5.1f s each: RX softirq, ns a packet %s spin_tc %s exit status %d" % (seconds, percent(rx), percent(spin), status))
    print(told, end="")
    if rx["change_percent_ci95"] > 4:
        return 3
    return not (rx["verdict"] == "more" and status == 4 and "rx_softirq" in told)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
