#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""told.py REPORT TRACE...: checks that the run time that the kernel's statistics report for the recorder's
programs is part of the overhead.
A trace without a summary, or without these figures, is skipped."""
import json
import os
import subprocess
import sys

MOST_BYTES = 4 << 20  # limit of the size of a trace: the report takes too long for larger traces


def wrong(report, trace):
    if os.path.getsize(trace) > MOST_BYTES:
        return None
    done = subprocess.run([report, "summary", "--format=json", trace], capture_output=True, text=True)
    if done.returncode:
        return None
    text, decoder = done.stdout.strip(), json.JSONDecoder()
    while text:  # a summary for each part of the file
        summary, end = decoder.raw_decode(text)
        why = lacks(summary)
        if why:
            return why
        text = text[end:].strip()
    return None


def lacks(summary):
    cost, cpus = summary["cost"], len(summary["trace"]["cpus"])
    told, counted = cost["percent_of_cpu_time"], cost["programs_percent"]
    code_ns = sum(p["run_ns_counted"] or 0 for p in cost["programs"])
    if told is None or not cost["of_s"]:
        return None
    told_ns = told / 100 * cost["of_s"] * 1e9 * cpus
    if code_ns > told_ns * 1.001 + 1000:  # the JSON has six digits
        return "programs took %.0f ns while they were counted, of %.0f ns in all" % (code_ns, told_ns)
    if counted is not None and counted > told + 1e-5:
        return "the kernel's statistics report %.6f %%, the overhead is %.6f %%" % (counted, told)
    return None


bad = False
for name in sys.argv[2:]:
    why = wrong(sys.argv[1], name)
    if why:
        print("%s: %s" % (name, why))
        bad = True
sys.exit(bad)
