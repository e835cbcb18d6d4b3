# SPDX-License-Identifier: BSD-2-Clause
"""picture.py (OURS THEIRS)...: compares folded stacks of netcost and of perf, for the same task
in the same seconds, in several recordings. Equal stacks from the outermost function on must
have equal shares of the samples. Status 1: they differ by more than POINTS and four errors,
estimated from the variation between recordings. 3: they vary too much to judge."""
import collections
import statistics
import sys

# percent of the samples; a stack with at least COMPARED is compared
COMPARED, POINTS, UNSURE = 5, 2, 6


def known(names):
    """Gives all BPF programs one name, because some versions of perf print [unknown] for them
    (seen with 6.12 in a chroot)."""
    return ["bpf" if name.startswith("bpf_prog_") or
            name == "[unknown]" and (not caller or caller.startswith("bpf_trace_run")) else name
            for caller, name in zip([""] + names, names)]


def shares(path):
    """Returns, for each stack, the percentage of the samples in it and in longer stacks that
    begin with it."""
    inside, total = collections.Counter(), 0
    for line in open(path):
        stack, _, count = line.rstrip("\n").rpartition(" ")
        names = [] if stack == "[user]" else known(stack.split(";"))
        total += int(count)
        for depth in range(1, len(names) + 1):
            inside[";".join(names[:depth])] += int(count)
    return collections.Counter({stack: 100 * n / total for stack, n in inside.items()})


def compare(pairs, stack):
    """Returns the mean shares of netcost and perf, and the allowed difference."""
    apart = statistics.stdev(ours[stack] - theirs[stack] for ours, theirs in pairs)
    ours, theirs = (statistics.mean(side[stack] for side in sides) for sides in zip(*pairs))
    return ours, theirs, max(POINTS, 4 * apart / len(pairs) ** 0.5)


def main():
    files = [shares(path) for path in sys.argv[1:]]
    pairs = list(zip(files[::2], files[1::2]))
    rows = [(*compare(pairs, stack), stack) for stack in set().union(*files)]
    rows = sorted((r for r in rows if max(r[:2]) >= COMPARED), key=lambda r: -abs(r[0] - r[1]) / r[2])
    for ours, theirs, may, stack in rows[:10]:
        print("netcost %5.2f %%, perf %5.2f %%, %.2f points may be: %s" % (ours, theirs, may, stack))
    print("%d stacks with %d %% or more" % (len(rows), COMPARED))
    if len(rows) < 10 or any(abs(ours - theirs) > may for ours, theirs, may, _ in rows):
        sys.exit(1)
    sys.exit(3 if max(r[2] for r in rows) > UNSURE else 0)


if __name__ == "__main__":
    main()
