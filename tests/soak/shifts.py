# SPDX-License-Identifier: BSD-2-Clause
"""Compares the increase of the latency of packets (--latency) with the delay that a test put before some hooks.

    shifts.py judge NAME WITHOUT,WITHOUT... WITH,... US EARLIER... -- LATER...
                reports: two or more without a delay, and some with it. Prints a line for each hook and quantile.
                "right NAME-HOOK-p50: ...": the middle of the reports has moved by US at the hooks behind the delay, and
                not at the earlier hooks. A difference of one bucket plus the noise is allowed: the noise is the
                difference between reports of the same kind, and the interval of the quantile. "wrong": the hook has
                not moved so. "unsure": the noise is half of US or more, so that even no shift would seem right.
                Quantiles without a known interval are left out: there are too few packets. From the environment:
                NETCOST_TICK="EVERY US": a timer of the machine, each of whose ticks may delay packets by US. Quantiles
                of the later hooks that this share of ticks reaches may be later by US
                NETCOST_QUANTILES="p50 ...": judges only these quantiles, for a delay that varies
                NETCOST_ELSEWHERE=PART: earlier hooks may move by that part of the delay, because the caches and the
                clock of a CPU differ after the delay
    shifts.py refuses WITHOUT,WITHOUT... WITH,... US EARLIER... -- LATER...
                status 0: judge neither accepts "no shift" for the later hooks, nor their shift for the earlier hooks
    shifts.py settled FILE
                FILE: the output of judge in several rounds, each with more reports. Status 0: no line is wrong, and
                each median has a verdict
    shifts.py results FILE [BUSY]
                prints result lines: "right" if a line was right once, otherwise its last verdict. BUSY: the reason why
                a wrong line is undecided
    shifts.py strict FILE
                prints result lines of the "amount" lines of one round: there is little noise, so an unsure median
                counts as wrong"""
import json
import os
import statistics
import sys

QUANTILES = {q: int(q[1:]) / 100 for q in os.environ.get("NETCOST_QUANTILES", "p50 p90 p99").split()}
TICK_EVERY_US, TICK_US = map(float, os.environ.get("NETCOST_TICK", "inf 0").split())
ELSEWHERE = float(os.environ.get("NETCOST_ELSEWHERE", "0"))
# ticks may be aliased with the packets: they coincide this many times as often as by chance
TICKS = 3


def bucket_ns(ns):
    """Returns the width of the bucket that contains ns (format/SPEC.md, LATENCY)."""
    return 1 << max(0, int(ns).bit_length() - 6)


def rows(report):
    with open(report) as f:
        return {r["hook"]: r for r in json.load(f)["rows"]}


def interval(r, q):
    return (r[q + "_high_ns"] - r[q + "_low_ns"]) / 2


def known(r, q):
    return None not in (r[q + "_ns"], r[q + "_low_ns"], r[q + "_high_ns"])


def one(without, having, q, us, by):
    """Returns whether the quantile moved by US, or by 0."""
    bases, afters = ([r[q + "_ns"] for r in of] for of in (without, having))
    base, after = statistics.median(bases), statistics.median(afters)
    noise = max(max(of) - min(of) for of in (bases, afters)) + max(interval(r, q) for r in without + having)
    moved, may = after - base - 1000 * by, bucket_ns(after) + noise + (0 if by else 1000 * us * ELSEWHERE)
    later = 1000 * TICK_US if by and TICKS * after / 1000 / TICK_EVERY_US >= 1 - QUANTILES[q] else 0
    verdict = "unsure" if may >= 500 * us else "right" if -may <= moved <= may + later else "wrong"
    return verdict, (f"{', '.join('%.2f' % (ns / 1000) for ns in bases)} us, then {', '.join('%.2f' % (ns / 1000) for ns in afters)}: "
                     f"{(moved + 1000 * by) / 1000:.2f} more, not {by:g}; within {may / 1000:.2f}, of which {noise / 1000:.2f} are noise")


def judged(without, having, us, earlier, later):
    """Returns (verdict, hook and quantile, text)."""
    without, having = ([rows(r) for r in reports] for reports in (without, having))
    for hook in earlier + later:
        before, after = ([r.get(hook) for r in of] for of in (without, having))
        if None in before + after or not all(known(r, "p50") for r in before + after):
            yield "wrong", hook + "-p50", "it has no packets, or too few"
            continue
        for q in QUANTILES:
            if all(known(r, q) for r in before + after):
                verdict, text = one(before, after, q, us, us if hook in later else 0)
                yield verdict, hook + "-" + q, text


def split(hooks):
    at = hooks.index("--")
    return hooks[:at], hooks[at + 1:]


def judge(name, without, having, us, *hooks):
    for verdict, what, text in judged(without.split(","), having.split(","), float(us), *split(list(hooks))):
        print(f"{verdict} {name}-{what}: {text}")


def refuses(without, having, us, *hooks):
    _, later = split(list(hooks))
    without, having = without.split(","), having.split(",")
    wrong = [what for verdict, what, _ in [*judged(without, without[-1:], float(us), [], later),
                                           *judged(without, having, float(us), later, [])] if verdict == "right"]
    print(f"seems right, and is not: {wrong}")
    return 1 if wrong else 0


def rounds(path):
    """Returns {name: [(verdict, text) of each round]}."""
    out = {}
    with open(path) as f:
        for line in f:
            verdict, rest = line.rstrip("\n").split(" ", 1)
            name, text = rest.split(": ", 1)
            out.setdefault(name, []).append((verdict, text))
    return out


def said(of):
    return "right" if "right" in [verdict for verdict, _ in of] else of[-1][0]


def settled(path):
    return 1 if any(said(of) == "wrong" or (said(of) == "unsure" and name.endswith("-p50")) for name, of in rounds(path).items()) else 0


def results(path, busy=""):
    for name, of in rounds(path).items():
        text = of[-1][1]
        if said(of) == "right":
            print(f"ok {name}")
        elif busy:
            print(f"skip {name}: {busy}")
        elif said(of) == "wrong":
            print(f"not ok {name}: {text}")
        else:
            print(f"skip {name}: this host is too noisy to say: {text}")


def strict(path):
    for name, of in rounds(path).items():
        verdict, text = of[-1]
        if verdict == "unsure" and not name.endswith("-p50"):
            print(f"skip {name}: too much noise to say: {text}")
        else:
            print(f"ok {name}" if verdict == "right" else f"amount {name}: failed: {verdict}: {text}")


if __name__ == "__main__":
    sys.exit({f.__name__: f for f in (judge, refuses, settled, results, strict)}[sys.argv[1]](*sys.argv[2:]))
