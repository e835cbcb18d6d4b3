# SPDX-License-Identifier: BSD-2-Clause
"""windows.py REPORT DIR TRACE...: checks that a report on a part of the time equals the same report on a trace that was
cut to that part. The windows are random, and the same each time."""
import os
import random
import re
import subprocess
import sys

WINDOWS = 4  # number of windows of each trace
# Reports with times in rows or marks. They differ because a cut trace begins at 0.
TIMED = ["timeline --format=json", "timeline --every=300ms", "accuracy --all --format=json", "plot timeline --script",
         "html --no-charts --output=-", "summary --format=json"]
OTHERS = ["summary --format=csv", "--format=csv --table=inside", "--by=task", "--by=task --format=json",
          "--by=cgroup --format=csv", "top --of=all --format=json", "folded", "folded --per-cpu", "flamegraph",
          "plot breakdown --script", "accuracy --every=10h", "summary --cpu=0", "top --task=0"]
report, folder = os.path.abspath(sys.argv[1]), sys.argv[2]


def run(where, command, *more):
    done = subprocess.run([report, *command.split(), *more, "trace.nct"], cwd=where, capture_output=True, check=False)
    # Bytes and frames of the file, which a part does not show.
    text = re.sub(rb"(format 1\.0), \d+ bytes, \d+ frames", rb"\1", done.stdout)
    return done.returncode, text, done.stderr


def compare(trace, window, commands):
    whole, part = os.path.join(folder, "whole"), os.path.join(folder, "part")
    subprocess.run([report, "cut", "-q", *window, trace, "-o", os.path.join(part, "trace.nct")], check=True)
    subprocess.run([report, "verify", "-q", os.path.join(part, "trace.nct")], check=True)
    for command in commands:
        if run(whole, command, *window) != run(part, command):
            sys.exit("%s: %s %s is something else after cut" % (trace, command, " ".join(window)))
    return len(commands)


def seconds(trace):
    text = subprocess.run([report, "cut", trace, "-o", os.devnull], capture_output=True, check=True).stderr
    return float(re.search(rb"to ([0-9.]+) s", text).group(1))


n = 0
for name in ("whole", "part"):
    os.makedirs(os.path.join(folder, name))
random.seed(1)
for trace in sys.argv[3:]:
    link = os.path.join(folder, "whole", "trace.nct")
    if os.path.lexists(link):
        os.unlink(link)
    os.symlink(os.path.abspath(trace), link)
    length = seconds(trace)
    for i in range(WINDOWS):
        begin = random.uniform(0, 0.9 * length)
        window = ["--from=%.6f" % begin, "--to=%.6f" % random.uniform(begin + 0.01, length)]
        n += compare(trace, window, OTHERS)
    n += compare(trace, ["--to=%.6f" % random.uniform(0.1 * length, length)], TIMED + OTHERS)
print("%d reports" % n)
