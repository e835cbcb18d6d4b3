# SPDX-License-Identifier: BSD-2-Clause
"""Checks of samples for test_samplers.sh.
samplers.py counted TRACE MIN   the trace has as many samples as were written, and at least MIN were lost
samplers.py cgroups TRACE COMM PATH...
the process COMM was in these cgroups, in this order, and
before and after that in at most one other cgroup
samplers.py only-inside TRACE REPORT
with --net-only: no sample is of user mode, and the report names the time that was not sampled
samplers.py inside TRACE REPORT with --net-only: the number of samples matches the exact time inside the network,
no
sample is of user mode, and the report names the time that was not sampled"""
import subprocess
import sys

sys.path.insert(0, "tests")
import nct  # noqa: E402
from nct import CGROUPS, SAMPLE_LOSS, TASKS  # noqa: E402


def counted(trace, least):
    samples, loss = 0, None
    for kind, r in nct.objects(trace):
        samples += len(r[6]) if kind == nct.SAMPLES else 0
        loss = r if kind == SAMPLE_LOSS else loss
    written, lost = sum(loss[1]), sum(loss[2])
    print("%d samples, %d written, %d lost" % (samples, written, lost))
    return not (samples == written and lost >= int(least))


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
    text = subprocess.run([report, "summary", "--full", trace], stdout=subprocess.PIPE, text=True).stdout
    print("%d samples, of %.0f expected; %d of user mode; sampled: %s" % (len(stacks), expected, stacks.count(0), said))
    # A sample that hits another BPF program is discarded; on a busy machine this is one in ten.
    return not (said == "network" and (not least or least * expected < len(stacks) < 1.15 * expected) and 0 not in stacks
                and "expected inside the network" in text and "were not sampled" in text)


if __name__ == "__main__":
    what, args = sys.argv[1], sys.argv[2:]
    sys.exit({"counted": counted, "cgroups": cgroups, "inside": inside, "only-inside": only_inside}[what](*args))
