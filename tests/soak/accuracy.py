# SPDX-License-Identifier: BSD-2-Clause
"""accuracy.py JSON: checks that the mean absolute difference between exact times and samples is
at most one percentage point of CPU over the whole recording. Exit status 3: the recording
does not allow a judgement."""
import json
import math
import statistics
import sys

LEAST = ["sock_send", "sock_recv", "rx_softirq"]  # leaves that the load must have
a = json.load(open(sys.argv[1]))
main = {i["name"]: i for i in a["items"] if i["main"]}
for name, i in main.items():
    print("%-24s exact %6.2f %%, by samples %6.2f %%" % (name, i["whole_exact_percent"], i["whole_sampled_percent"]))
assert all(n in main for n in LEAST), "the load's events are not there"
full = [next(r for r in i["rates"] if r["every"] == 1) for i in main.values()]
whole = statistics.mean(abs(i["whole_sampled_percent"] - i["whole_exact_percent"]) for i in main.values())
cells = statistics.mean(r["mean_absolute_error_points"] for r in full)
# The sum of many samples has approximately a normal distribution, and this is its mean absolute
# error.
theory = math.sqrt(2 / math.pi) * statistics.mean(r["theory_root_mean_square_error_points"] for r in full)
print("over %u cells as one %.3f points, in each %.3f (by theory %.3f)" % (a["cells"], whole, cells, theory))
if a["cells"] < 20:
    sys.exit(3)
sys.exit(whole > 1)
