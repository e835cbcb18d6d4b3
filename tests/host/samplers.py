# SPDX-License-Identifier: BSD-2-Clause
"""Samples by perf and by a program. For test_samplers.sh.

    samplers.py agree PERF BPF      traces of the same seconds: the same shares, within their joint error
    samplers.py runs COMMAND...     runs a recorder with --sampler=bpf; prints how often the kernel ran its program
    samplers.py counted TRACE MIN [RUNS]
                                    the samples in the trace are the written ones, MIN were lost at least, and both
                                    together are RUNS
    samplers.py cgroups TRACE COMM PATH...
                                    the process COMM was in them, in this order, and
                                    before and after in one other at most
    samplers.py only-inside TRACE REPORT
                                    with --net-only: no sample is of user mode, and the report says what was not sampled
    samplers.py inside TRACE REPORT with --net-only: about as many samples as the exact times inside the network are
                                    long, none of them of user mode, and the report says what was not sampled
"""
import ctypes
import json
import subprocess
import sys
import time

sys.path.insert(0, "tests")
import nct  # noqa: E402
from nct import CGROUPS, SAMPLE_LOSS, STACKS, SYMBOLS, TASKS  # noqa: E402

MARKS = ["net_rx_action", "udp_sendmsg", "__sys_sendto", "__sys_recvfrom", "ip_output", "do_syscall_64"]
LIBC = ctypes.CDLL(None, use_errno=True)


def shares(path):
    """Of each mark, and of user mode: on how many samples it is; and how many there are."""
    names, marks, count, n = [""], [frozenset()], {}, 0
    for kind, r in nct.objects(path):
        if kind == SYMBOLS:
            names += r[2]
        elif kind == STACKS:
            for up, symbol in zip(r[2], r[3]):
                own = {names[symbol]} & set(MARKS) | {"kernel"}
                marks.append(marks[len(marks) - up] | own)
        elif kind == nct.SAMPLES:
            n += len(r[6])
            for stack in r[6]:
                for mark in marks[stack] or ["user"]:
                    count[mark] = count.get(mark, 0) + 1
    return count, n


def agree(perf, bpf):
    (a, n), (b, m) = shares(perf), shares(bpf)
    good = n > 1000 and m > 1000
    for mark in ["user", "kernel"] + MARKS:
        p, q = a.get(mark, 0) / n, b.get(mark, 0) / m
        # Samples of one load follow each other: their error is larger than that of as many independent ones.
        sigma = max(1.5 * (p * (1 - p) / n + q * (1 - q) / m) ** 0.5, 1e-4)
        print("%-15s perf %6.2f %%  bpf %6.2f %%  %4.1f sigma" % (mark, 100 * p, 100 * q, abs(p - q) / sigma))
        good &= abs(p - q) < 4 * sigma
    return not good


def bpf(command, attr):
    return LIBC.syscall(321, command, attr, len(attr))


def ids():
    out = subprocess.run(["bpftool", "--json", "prog", "show"], stdout=subprocess.PIPE).stdout
    return {p["id"] for p in json.loads(out or b"[]") if p.get("name") == "netcost_sample"}


def run_count(fd):
    info = ctypes.create_string_buffer(256)
    attr = ctypes.create_string_buffer(
        fd.to_bytes(4, "little") + len(info).to_bytes(4, "little")
        + ctypes.addressof(info).to_bytes(8, "little") + bytes(112))
    return int.from_bytes(info.raw[200:208], "little") if bpf(15, attr) == 0 else -1  # BPF_OBJ_GET_INFO_BY_FD


def runs(command):
    stats = bpf(32, ctypes.create_string_buffer(128))  # BPF_ENABLE_STATS, as long as this is open
    before = ids()
    recorder = subprocess.Popen(command)
    fd, deadline = -1, time.monotonic() + 5
    while fd < 0 and time.monotonic() < deadline and recorder.poll() is None:
        for i in ids() - before:  # held open, it can be asked when the recorder is gone
            fd = bpf(13, ctypes.create_string_buffer(i.to_bytes(4, "little") + bytes(124)))
        time.sleep(0.02)
    if recorder.wait() or stats < 0 or fd < 0:
        return 3
    print(run_count(fd))


def counted(trace, least, generated=None):
    samples, loss = 0, None
    for kind, r in nct.objects(trace):
        samples += len(r[6]) if kind == nct.SAMPLES else 0
        loss = r if kind == SAMPLE_LOSS else loss
    written, lost = sum(loss[1]), sum(loss[2])
    print("%d samples, %d written, %d lost, %s generated" % (samples, written, lost, generated))
    return not (samples == written and lost >= int(least) and generated in (None, str(written + lost)))


def cgroups(trace, who, *paths):
    named, comm, seen = [""], [""], {}
    for kind, r in nct.objects(trace):
        if kind == CGROUPS:
            named += r[2]
        elif kind == TASKS:
            comm += r[4]
        elif kind == nct.SAMPLES:
            for task, cgroup in zip(r[7], r[8]):
                if comm[task] == who:
                    seen[named[cgroup]] = seen.get(named[cgroup], 0) + 1
    print(seen)
    ours = [path for path in seen if path in paths]
    return ours != list(paths) or len(seen) > len(paths) + 1 or not min(seen[p] for p in paths)


def only_inside(trace, report):
    return inside(trace, report, 0)


def inside(trace, report, least=0.7):
    hz, stacks, ns = 0, [], 0.0
    for kind, r in nct.objects(trace):
        if kind == nct.HEADER:
            hz, said = r[10], r.get(21)
        elif kind == nct.SAMPLES:
            stacks += r[6]
    exact = nct.Exact(trace)
    for event in ["sock_send", "sock_recv", "tx_softirq"] + nct.RX:
        first, last = (row.get(nct.EVENTS.index(event), {}).get(2, []) for row in (exact.rows[0], exact.rows[-1]))
        ns += sum(b - a for a, b in zip(first, last) if a is not None and b is not None)
    expected = hz * ns * 1e-9
    text = subprocess.run([report, "summary", trace], stdout=subprocess.PIPE, text=True).stdout
    print("%d samples, of %.0f expected; %d of user mode; sampled: %s" % (len(stacks), expected, stacks.count(0), said))
    # What hits another BPF program is not taken, which on a busy machine is a tenth.
    return not (said == "network" and (not least or least * expected < len(stacks) < 1.15 * expected) and 0 not in stacks
                and "expected inside the network" in text and "were not sampled" in text)


if __name__ == "__main__":
    what, args = sys.argv[1], sys.argv[2:]
    sys.exit(runs(args) if what == "runs" else
             {"agree": agree, "counted": counted, "cgroups": cgroups, "inside": inside, "only-inside": only_inside}[what](*args))
