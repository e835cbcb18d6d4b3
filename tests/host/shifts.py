# SPDX-License-Identifier: BSD-2-Clause
"""By how much what packets wait for (--latency) became more, against the delay that was put before some hooks.

    shifts.py judge NAME BEFORE AGAIN AFTER US EARLIER... -- LATER...
                        three reports: two without a delay, one with it. A line for each hook and quantile, "right NAME-HOOK-p50: ...":
                        the hooks behind the delay moved by US, the earlier ones did not, within one bucket and what was measured as
                        noise: by how much the two without a delay differ, and how well the quantile is known (its interval). "wrong":
                        they did not. "unsure": the noise is half of US or more, so that no shift at all would seem right, too. Quantiles
                        of which the interval is not known are left out: there are too few packets. From the environment:
                        NETCOST_TICK="EVERY US": a machine's timer, each of whose ticks may make packets so much later: of the
                        hooks behind, those quantiles may be later by that which so many ticks reach
    shifts.py refuses BEFORE AGAIN AFTER US EARLIER... -- LATER...
                        status 0: that judge finds neither "no shift" right for the later hooks, nor the shift of those for earlier ones
    shifts.py settled FILE
                        of what it said in several rounds: status 0: of each median it is known whether it is right
    shifts.py results FILE [BUSY]
                        result lines. Right is what was so when first it could be said; what was wrong then must be right twice after.
                        BUSY: of what is wrong this is the reason that it cannot be said
    shifts.py strict FILE
                        likewise, "amount" lines of one round: where there is no noise, what is unsure is wrong, too, but for p99"""
import json
import os
import sys

QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99}
TICK_EVERY_US, TICK_US = map(float, os.environ.get("NETCOST_TICK", "inf 0").split())
TICKS = 3  # they may be in step with the packets: so many times as often as by chance


def bucket_ns(ns):
    """format/SPEC.md, LATENCY: how wide the bucket is."""
    return 1 << max(0, int(ns).bit_length() - 6)


def rows(report):
    with open(report) as f:
        return {r["hook"]: r for r in json.load(f)["rows"]}


def interval(r, q):
    return (r[q + "_high_ns"] - r[q + "_low_ns"]) / 2


def known(r, q):
    return None not in (r[q + "_ns"], r[q + "_low_ns"], r[q + "_high_ns"])


def one(three, q, us, by):
    """Whether that quantile of three rows moved by so much, which is US, or 0."""
    a, b, c = (r[q + "_ns"] for r in three)
    noise = abs(a - b) + max(interval(r, q) for r in three)
    moved, may = c - (a + b) / 2 - 1000 * by, bucket_ns(c) + noise
    later = 1000 * TICK_US if by and TICKS * c / 1000 / TICK_EVERY_US >= 1 - QUANTILES[q] else 0
    verdict = "unsure" if may >= 500 * us else "right" if -may <= moved <= may + later else "wrong"
    return verdict, (f"{a / 1000:.2f} and {b / 1000:.2f} us, then {c / 1000:.2f}: {(moved + 1000 * by) / 1000:.2f} more, not {by:g}; "
                     f"within {may / 1000:.2f}, of which {noise / 1000:.2f} are noise")


def judged(reports, us, earlier, later):
    """(verdict, hook and quantile, text)"""
    three = [rows(r) for r in reports]
    for hook in earlier + later:
        these = [r.get(hook) for r in three]
        if None in these or not all(known(r, "p50") for r in these):
            yield "wrong", hook + "-p50", "it has no packets, or too few"
            continue
        for q in QUANTILES:
            if all(known(r, q) for r in these):
                verdict, text = one(these, q, us, us if hook in later else 0)
                yield verdict, hook + "-" + q, text


def split(hooks):
    at = hooks.index("--")
    return hooks[:at], hooks[at + 1:]


def judge(name, before, again, after, us, *hooks):
    for verdict, what, text in judged((before, again, after), float(us), *split(list(hooks))):
        print(f"{verdict} {name}-{what}: {text}")


def refuses(before, again, after, us, *hooks):
    _, later = split(list(hooks))
    wrong = [what for verdict, what, _ in [*judged((before, again, again), float(us), [], later),
                                           *judged((before, again, after), float(us), later, [])] if verdict == "right"]
    print(f"seems right, and is not: {wrong}")
    return 1 if wrong else 0


def rounds(path):
    """{name: [(verdict, text) of each round]}"""
    out = {}
    with open(path) as f:
        for line in f:
            verdict, rest = line.rstrip("\n").split(" ", 1)
            name, text = rest.split(": ", 1)
            out.setdefault(name, []).append((verdict, text))
    return out


def said(of):
    """What is known of one: right, wrong, or None: not yet."""
    verdicts = [v for v, _ in of if v != "unsure"]
    if verdicts[:1] == ["right"] or verdicts[:3] == ["wrong", "right", "right"]:
        return "right"
    return "wrong" if verdicts.count("wrong") > 1 else None


def settled(path):
    return 0 if all(said(of) or (not name.endswith("-p50") and all(v == "unsure" for v, _ in of)) for name, of in rounds(path).items()) else 1


def results(path, busy=""):
    for name, of in rounds(path).items():
        last = of[-1][1]
        if said(of) == "right":
            print(f"ok {name}")
        elif said(of) == "wrong" and not busy:
            print(f"not ok {name}: {last}")
        elif busy:
            print(f"skip {name}: {busy}")
        else:
            print(f"skip {name}: this host is too noisy to say: {last}")


def strict(path):
    for name, of in rounds(path).items():
        verdict, text = of[-1]
        if verdict == "unsure" and name.endswith("-p99"):
            print(f"skip {name}: too much noise to say: {text}")
        else:
            print(f"ok {name}" if verdict == "right" else f"amount {name}: failed: {verdict}: {text}")


if __name__ == "__main__":
    sys.exit({f.__name__: f for f in (judge, refuses, settled, results, strict)}[sys.argv[1]](*sys.argv[2:]))
