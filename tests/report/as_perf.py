# SPDX-License-Identifier: BSD-2-Clause
"""as_perf.py TRACE [WHO]: prints a trace's samples in the format of perf script, in the order of
their times, without using the project's own code. WHO replaces the task's name: "cpu" prints
cpuN, "all" the same name for all."""
import sys

sys.path.insert(0, "tests")
import nct  # noqa: E402
from nct import MODULE, STACKS, SYMBOLS, TASKS  # noqa: E402



def frame(name):
    return "\tffffffff81000000 %s+0x10 ([kernel.kallsyms])" % name if name else "\t0 [unknown] ([unknown])"


def read(path):
    """Returns [(time, cpu, task, stack)], the frames of each stack from the innermost to the outermost, and (name,
    tid) of each task."""
    names, frames, tasks, samples = [""], [["\t7fff00000000 [unknown] (user)"]], [("", 0)], []
    for kind, r in nct.objects(path):
        if kind == SYMBOLS:
            names += r[2]
        elif kind == STACKS:
            for up, symbol in zip(r[2], r[3]):
                below = frames[len(frames) - up] if up < len(frames) else []
                frames.append([frame(names[symbol])] + below)
        elif kind == TASKS:
            tasks += zip(r[4], r[2])
        elif kind == nct.SAMPLES:
            samples += [(now, r[1], task, stack) for now, stack, task in zip(r[nct.TIMES], r[6], r[7])]
    return sorted(samples), frames, tasks


def main():
    samples, frames, tasks = read(sys.argv[1])
    who = sys.argv[2] if len(sys.argv) > 2 else "task"
    for now, cpu, task, stack in samples:
        name, tid = tasks[task]
        name = {"task": name, "cpu": "cpu%d" % cpu, "all": "all"}[who]
        print("%s %d [%03d] %d.%06d:    1001001 cpu-clock: " % (name, tid, cpu, now // 10**9, now // 1000 % 10**6))
        print("\n".join(frames[stack]) + "\n")


if __name__ == "__main__":
    main()
