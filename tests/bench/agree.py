# SPDX-License-Identifier: BSD-2-Clause
"""agree.py BUILD | --order ROUNDS | --console FILE: compares exact times, without the recorder's
overhead, with times estimated from samples. A load is recorded in turns with --exact=entry,
whose probes take a good part of the time, and with --exact=off, which has no probes. The
result is ns of each leaf per round trip. Settings in the environment: BENCH_ROUNDS (10),
BENCH_SECONDS (4), BENCH_LOCK. Run it as root.

--console judges the output of the machine of agree.sh, which records in the order that
--order prints."""
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

import loads
from figures import print_table
from overhead import measuring, verdict

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "10"))
SECONDS = int(os.environ.get("BENCH_SECONDS", "4"))
LEAVES = {"sock_send": "send", "sock_recv": "receive", "rx_softirq": "RX softirq", "busy": "all but idle"}
NOT_BUSY = ("idle", "netcost_itself")
NEAR = 0.03
T95 = {2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 7: 2.365, 9: 2.262, 14: 2.145, 19: 2.093}


def pairs(rounds):
    """Returns the recordings in order. Every second pair is reversed, so that drift affects both
    kinds alike."""
    return [(("entry", "off"), ("off", "entry"))[r % 2] for r in range(rounds)]


def half_width(values):
    """Returns the half-width of the interval of the mean, by Student's t."""
    if len(values) < 3:
        return math.inf
    t = next((T95[n] for n in sorted(T95, reverse=True) if n <= len(values) - 1), 4.303)
    return t * statistics.stdev(values) / math.sqrt(len(values))


def leaves(found, own, text, packets):
    """Adds to found: ns of each leaf per round trip of `packets` packets, with or without the
    recorder's own part. Round trips are counted by the packets of the interface during the
    recording, because the load also runs before and after the recording, and is faster then."""
    told = json.loads(text)
    cpu = told["cpu_time"]
    trips = next(i["packets"] for i in told["interfaces"] if (i["name"], i["direction"]) == ("lo", "rx")) / packets
    ns = {node["key"]: node["ns"] or 0 for node in cpu["tree"]}
    ns["busy"] = cpu["wall_ns"] - sum(ns.get(key, 0) for key in NOT_BUSY)
    for key in LEAVES:
        found[own, key] = ns[key] / trips


def record(build, running, out, *options):
    client = running.spawn(SECONDS + 2)
    time.sleep(0.5)
    subprocess.run([build + "/netcost-record", "-q", "-o", out, "-d", str(SECONDS), *options], check=True)
    client.communicate()
    found = {}
    for own in [], ["--with-own-cost"]:
        text = subprocess.run([build + "/netcost-report", "summary", "--cpu=" + loads.CPU, "--format=json", *own, out],
                              stdout=subprocess.PIPE, check=True).stdout
        leaves(found, bool(own), text, 2)
    return found


def measured_here(build):
    found = {"entry": [], "off": []}
    with tempfile.TemporaryDirectory(prefix="netcost-bench.") as tmp:
        load = next(row for row in loads.table(build, tmp) if row.name == "ping-pong")
        for pair in pairs(ROUNDS):
            with measuring():
                running = loads.Running(load, tmp)
                try:
                    for how in pair:
                        found[how].append(record(build, running, tmp + "/t.nct", "--exact=" + how))
                finally:
                    running.end()
    return found, "The ping-pong, %d recordings of %d s each way, in turns" % (ROUNDS, SECONDS)


# The loads of load.c, and the number of packets in a round trip. Their pauses vary, because a
# virtual machine is deterministic and even pauses would be aliased with the samples. Samples are
# delayed while interrupts are disabled, so a whole context switch is attributed to the point where
# the next task continues. By exact times, receives that block have a part of the switch, and
# receives of datagrams to oneself have none.
THERE = {"uneven": ("The ping-pong with uneven pauses", 2), "self": ("Datagrams that a program sends to itself", 1)}


def measured_there(console, load):
    found = {"entry": [], "off": []}
    with open(console) as lines:
        for kind, text in (line.split(maxsplit=3)[2:] for line in lines if line.startswith("agree: %s " % load)):
            if kind in found:
                found[kind].append({})
                last = found[kind][-1]
            else:
                leaves(last, kind == "with", text, THERE[load][1])
    return found, "%s, %d recordings each way, in turns" % (THERE[load][0], len(found["off"]))


def show(found, how):
    if len(found["off"]) < 3 or not all(found["off"] + found["entry"]):
        sys.exit("the machine did not come to its end")
    print("%s; ns a round trip, means with 95 %% intervals.\n" % how)
    rows, verdicts = [], []
    for key, name in LEAVES.items():
        measured = statistics.mean(f[True, key] for f in found["entry"])
        entry, off = ([f[False, key] for f in found[how]] for how in ("entry", "off"))
        rows.append([name, "%.0f" % measured] + ["%.0f +- %.0f" % (statistics.mean(v), half_width(v)) for v in (entry, off)])
        apart = statistics.mean(entry) - statistics.mean(off)
        both = math.hypot(half_width(entry), half_width(off))
        verdicts.append(verdict("%s within 3 %% or both intervals" % name,
                                abs(apart) <= max(NEAR * statistics.mean(off), both),
                                "%+.1f %%, intervals %.1f %%" % (100 * apart / statistics.mean(off),
                                                                 100 * both / statistics.mean(off))))
    print_table(["", "entry, as measured", "entry, without own part", "off: by samples"], rows)
    print("\n".join(verdicts) + "\n")


def main():
    if sys.argv[1] == "--order":
        print(",".join(how for pair in pairs(int(sys.argv[2])) for how in pair))
    elif sys.argv[1] == "--console":
        for load in THERE:
            show(*measured_there(sys.argv[2], load))
    else:
        show(*measured_here(sys.argv[1]))


if __name__ == "__main__":
    main()
