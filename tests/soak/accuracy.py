# SPDX-License-Identifier: BSD-2-Clause
"""accuracy.py JSON: is the mean absolute difference between exact times and samples at most one percentage point of
CPU over the whole recording? Exit status 3: the recording is not one to say it of."""
import json
import sys

LEAST = ["sock_send", "sock_recv", "rx_softirq"]  # that the load cannot be without
a = json.load(open(sys.argv[1]))
side = next(s for s in a["bases"] if s["basis"] == "reported")
main = {i["name"]: i for i in side["items"] if i["main"]}
for name, i in main.items():
    print("%-24s exact %6.2f %%, by samples %6.2f %%" % (name, i["whole_exact_percent"], i["whole_sampled_percent"]))
whole, cells = side["whole_mean_absolute_difference_points"], side["mean_absolute_difference_points"]
print("over %u cells as one %.3f points, in each %.3f (by theory %.3f)" %
      (side["cells"], whole, cells, side["theory_mean_absolute_difference_points"]))
assert all(n in main for n in LEAST), "the load's events are not there"
if side["cells"] < 20:
    sys.exit(3)
sys.exit(whole > 1)
