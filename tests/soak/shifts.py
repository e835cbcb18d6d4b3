# SPDX-License-Identifier: BSD-2-Clause
"""By how much what packets wait for (--latency) became more, against the delay that was put before some hooks.

    shifts.py judge NAME WITHOUT,WITHOUT... WITH,... US EARLIER... -- LATER...
                        reports: two or more without a delay, and some with it. A line for each hook and quantile, "right
                        NAME-HOOK-p50: ...": in the middle of them the hooks behind the delay moved by US, the earlier ones did not,
                        within one bucket and what was measured as noise: by how much those of a kind differ, and how well the
                        quantile is known (its interval). "wrong": they did not. "unsure": the noise is half of US or more, so
                        that no shift at all would seem right, too. Quantiles of which the interval is not known are left out:
                        there are too few packets. From the environment:
                        NETCOST_TICK="EVERY US": a machine's timer, each of whose ticks may delay packets by US: at the later
                        hooks, quantiles that this share of ticks reaches may be later by that
                        NETCOST_QUANTILES="p50 ...": only these: of a delay that is not the same each time
                        NETCOST_ELSEWHERE=PART: earlier hooks may move by that of the delay: a CPU's caches and clock are not the same
                        after it
    shifts.py refuses WITHOUT,WITHOUT... WITH,... US EARLIER... -- LATER...
                        status 0: that judge finds neither "no shift" right for the later hooks, nor the shift of those for earlier ones
    shifts.py settled FILE
                        of what it said in several rounds, each of more reports: status 0: nothing is wrong, and of each median it is known
    shifts.py results FILE [BUSY]
                        result lines: right if it was right once, otherwise the last verdict. BUSY: the reason why a wrong one
                        is undecided
    shifts.py strict FILE
                        result lines of the "amount" lines of one round: with little noise, an unsure median is wrong, too"""
import json
import os
import statistics
import sys

QUANTILES = {q: int(q[1:]) / 100 for q in os.environ.get("NETCOST_QUANTILES", "p50 p90 p99").split()}
TICK_EVERY_US, TICK_US = map(float, os.environ.get("NETCOST_TICK", "inf 0").split())
ELSEWHERE = float(os.environ.get("NETCOST_ELSEWHERE", "0"))
TICKS = 3  # ticks may be aliased with the packets: this many times as often as by chance


def bucket_ns(ns):
    """Returns the width of the bucket (format/SPEC.md, LATENCY)."""
    return 1 << max(0, int(ns).bit_length() - 6)


def rows(report):
    with open(report) as f:
        return {r["hook"]: r for r in json.load(f)["rows"]}


def interval(r, q):
    return (r[q + "_high_ns"] - r[q + "_low_ns"]) / 2


def known(r, q):
    return None not in (r[q + "_ns"], r[q + "_low_ns"], r[q + "_high_ns"])


def one(without, having, q, us, by):
    """Whether that quantile moved by US, or by 0."""
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
