# SPDX-License-Identifier: BSD-2-Clause
"""What CPUs did while the slowest packets waited (--tail), against what was done to them.

    tail.py hog CPU MS              until a signal, as the task "hog", FIFO: MS on this CPU, then as long not; prints a line when it is ready
    tail.py first TRACE HOOK US PACKETS WHAT [NUMBER [NAME]]
                                    one line: right or wrong, and what it is; status 1: wrong: so many packets or more were kept that
                                    waited there for US or longer, and of 95 % of them WHAT took most of the time
    tail.py sums TRACE              likewise: there are such packets, and the parts of each sum to the whole"""
import os
import pathlib
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import nct

INCLUDE = nct.spec_tables.INCLUDE
CULPRITS = [key for _, key, _ in nct.spec_tables.macro_rows(
    "culprits.h", "NETCOST_CULPRITS", r"(\d+)", r"\w+", nct.spec_tables.STRING, nct.spec_tables.STRING)]
HOOKS = [key for _, key, _ in nct.spec_tables.latencies()]
HOOK, NS, WHAT, NUMBER, NAME, TOOK = 1, 4, 5, 7, 8, 9  # of LATENCY_TAIL


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


def packets(trace):
    return [r for kind, r in nct.objects(trace) if kind == nct.LATENCY_TAIL]


def verdict(ok, text):
    print(f"{'right' if ok else 'wrong'}: {text}")
    return 0 if ok else 1


def named(r):
    """What took most of its time."""
    i = max(range(len(r[TOOK])), key=lambda i: r[TOOK][i])
    return CULPRITS[r[WHAT][i]], r[NUMBER][i], r[NAME][i]


def first(trace, hook, us, wanted, what, *more):
    slow = [named(r) for r in packets(trace) if r[HOOK] == HOOKS.index(hook) and r[NS] >= 1000 * us]
    is_it = [s[0] == what and all(str(a) == b for a, b in zip(s[1:], more)) for s in slow]
    others = {s for s, right in zip(slow, is_it) if not right}
    return verdict(len(slow) >= wanted and sum(is_it) >= 0.95 * len(slow), f"{sum(is_it)} of {len(slow)}; others: {others or 'none'}")


def sums(trace):
    all_of = packets(trace)
    wrong = [r for r in all_of if sum(r[TOOK]) != r[NS] or r[TOOK] != sorted(r[TOOK], reverse=True)]
    return verdict(all_of and not wrong, f"{len(all_of)} packets; wrong: {wrong[:3]}")


def main(command, *args):
    if command == "hog":
        return hog(int(args[0]), float(args[1]))
    if command == "first":
        return first(args[0], args[1], int(args[2]), int(args[3]), *args[4:])
    return {"sums": sums}[command](*args)


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        pass
