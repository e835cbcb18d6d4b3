# SPDX-License-Identifier: BSD-2-Clause
"""missing.py TRACE FOLDER: checks that the idle time of a report equals that of /proc/stat in the trace, in total and
in each row of time, also if most of the samples are removed, as if the kernel had not delivered them. The load of
the host does not matter."""
import json
import os
import subprocess
import sys

sys.path[:0] = ["tests", "tests/report"]
from make_traces import MAGIC, pack  # noqa: E402
from nct import END, FRAME, INDEX, PROCSTAT, SAMPLES, TICK, raw_objects  # noqa: E402

REPORT = os.environ.get("BUILD", "build") + "/netcost-report"
UNIT_NS = 10e6


def thin(objects, path, keep):
    """Writes a trace with the first of `keep` parts of the samples of each record SAMPLES, and without an index."""
    frames, n, gone = [], 0, 0
    for kind, r in objects:
        if kind == SAMPLES:
            taken = len(r[5])
            r = {k: v[:taken // keep] if isinstance(v, list) and len(v) == taken else v for k, v in r.items()}
            gone += taken - len(r[5])
        if kind == INDEX:
            continue
        if kind == FRAME or not frames:
            frames.append([])
        if kind == END:
            r = {**r, 1: len(frames) - 1, 2: n, 3: r[3] - gone}
        frames[-1].append([kind, r])
        n += 1
    with open(path, "wb") as f:
        f.write(MAGIC + b"".join(pack(frame) for frame in frames))


def readings(objects):
    """Returns [(tick, {cpu: idle units})] with each reading of /proc/stat."""
    tick, found = None, []
    for kind, r in objects:
        if kind == TICK:
            tick = r
        elif kind == PROCSTAT:
            found.append((tick[1], {c: i + w for c, i, w in zip(tick[2], r[4], r[5]) if i is not None}))
    return found


def whole_ns(objects, stat):
    """Returns the least and the largest possible time of the CPUs between two readings of /proc/stat, measured from
    the first moment of a tick to the last."""
    moments = [at for kind, r in objects if kind == TICK for at in [r[1], *(r.get(3) or [])] if at is not None]
    cpus = len(stat[0][1])
    return (stat[-1][0] - stat[0][0]) * cpus, (max(moments) - min(moments)) * cpus


def nearest(stat, at_ns):
    """Returns the reading at this moment, which the report shows in microseconds; None if absent."""
    found = min(stat, key=lambda s: abs(s[0] - at_ns))
    return found if abs(found[0] - at_ns) < 10e3 else None


def idle_between(before, after):
    cpus = set(before[1]) & set(after[1])
    return sum(after[1][c] - before[1][c] for c in cpus) * UNIT_NS, len(cpus)


def wrong_idle(what, got_ns, before, after):
    """Returns whether the times agree. The tolerance is two units of the accounting of each CPU, and for idle time
    also the time of interrupts."""
    want_ns, cpus = idle_between(before, after)
    if abs(got_ns - want_ns) > 2 * UNIT_NS * cpus + 0.03 * want_ns:
        yield "%s: idle %.1f ms, by /proc/stat %.1f" % (what, got_ns / 1e6, want_ns / 1e6)


def report(path, *command):
    return json.loads(subprocess.run([REPORT, *command, "--format=json", path], check=True, stdout=subprocess.PIPE).stdout)


def fell(stat):
    """Returns whether the kernel's idle time fell. iowait can fall on a busy host; idle time is unknown then."""
    return any(after.get(c, v) < v - 2 for (_, before), (_, after) in zip(stat, stat[1:]) for c, v in before.items())


def wrong(name, path, objects, stat):
    tree = {r["key"]: r for r in report(path, "summary")["cpu_time"]["tree"]}
    least, most = whole_ns(objects, stat)
    if tree["cpu"]["source"] != "at least" and not 0.99 * least <= tree["cpu"]["ns"] <= 1.01 * most:
        yield "%s: %.1f ms of %.1f to %.1f" % (name, tree["cpu"]["ns"] / 1e6, least / 1e6, most / 1e6)
    if fell(stat):
        return
    yield from wrong_idle(name, tree["idle"]["ns"], stat[0], stat[-1])
    rows = report(path, "timeline")["rows"]
    begin_s = rows[0]["begin_s"]
    for row in rows:
        begin, end = (nearest(stat, stat[0][0] + 1e9 * (row[k] - begin_s)) for k in ("begin_s", "end_s"))
        if not begin or not end:
            yield "%s: a row from %s to %s s, where /proc/stat was not read" % (name, row["begin_s"], row["end_s"])
        elif row["leaf_ns"]["idle"] is None:
            yield "%s: a row's idle time is not known" % name
        else:
            yield from wrong_idle("%s: row at %.3f s" % (name, row["begin_s"]), row["leaf_ns"]["idle"], begin, end)


def main(path, folder):
    objects = list(raw_objects(path))
    stat, thinned = readings(objects), os.path.join(folder, "thinned.nct")
    faults = list(wrong("all samples", path, objects, stat))
    for name, keep in ("one in 4", 4), ("no sample", 10**9):
        thin(objects, thinned, keep)
        faults += wrong(name, thinned, objects, stat)
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
