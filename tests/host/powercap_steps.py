# SPDX-License-Identifier: BSD-2-Clause
"""A folder like /sys/class/powercap whose counters step by known amounts while they are recorded:

powercap_steps.py make FOLDER UID	as root: makes it, for that user to step; nobody but root may read some of it
powercap_steps.py step FOLDER TICK_S	as that user, while it is recorded with such ticks: ends when all is read
powercap_steps.py check REPORT.json	is each Joule of it in the report, and no other?
"""
import json
import os
import sys
import time

from powercap import WRAP, put

STEPS, VANISHES_AFTER = 20, 12
# Its name, where it begins, how much a step adds, in uJ; None: it is no number. package-0 wraps in the middle.
ZONES = {"intel-rapl:0": ("package-0", WRAP - 29 * 1000000, 3000001), "intel-rapl:0:0": ("core", None, 0),
         "intel-rapl:0:1": ("dram", 7, 500003), "intel-rapl:1": ("package-1", 1000, 2000017),
         "intel-rapl:1:0": ("dram", 5, 0), "intel-rapl:2": ("psys", 77, 0)}
REFUSED, VANISHING = "intel-rapl:1:0", "intel-rapl:1"


def counter(folder, zone):
    return os.path.join(folder, zone, "energy_uj")


def text_of(zone, steps):
    _, begin, step = ZONES[zone]
    return "many\n" if begin is None else "%d\n" % ((begin + steps * step) % (WRAP + 1))


def make(folder, user):
    for zone, (name, _, _) in ZONES.items():
        os.makedirs(os.path.join(folder, zone))
        put(os.path.join(folder, zone, "name"), name + "\n")
        put(os.path.join(folder, zone, "max_energy_range_uj"), "%d\n" % WRAP)
        put(counter(folder, zone), text_of(zone, 0), 0o400 if zone == REFUSED else 0o644)
        os.chown(os.path.join(folder, zone), int(user), -1)
    return True


def step(folder, tick_s):
    """Between some of the steps there is a tick, and between others there is none; before the first, and where it matters, two."""
    tick_s = float(tick_s)
    time.sleep(3 * tick_s)
    for steps in range(1, STEPS + 1):
        for zone in ZONES:
            if ZONES[zone][2] and not (zone == VANISHING and steps > VANISHES_AFTER):
                put(counter(folder, zone), text_of(zone, steps))
        time.sleep(0.6 * tick_s)
        if steps == VANISHES_AFTER:
            time.sleep(3 * tick_s)
            os.unlink(counter(folder, VANISHING))
    time.sleep(3 * tick_s)
    return True


def check(path):
    with open(path, encoding="utf-8") as f:
        energy = json.load(f)["energy"]
    got = [(z["name"], z["parent"], z["state"], z["energy_j"]) for z in energy["zones"]]
    wanted = [("package-0", 0, "measured", STEPS * 3000001 / 1e6), ("core", 1, "unreadable", None),
              ("dram", 1, "measured", STEPS * 500003 / 1e6), ("package-1", 0, "vanished", VANISHES_AFTER * 2000017 / 1e6),
              ("dram", 4, "refused", None), ("psys", 0, "constant", None)]
    for pair in zip(got, wanted):
        print("%s, wanted %s" % pair)
    print("%s zones are in no sum" % energy["zones_missing"])
    return got == wanted and energy["zones_missing"] == 1


if __name__ == "__main__":
    sys.exit(not {"make": make, "step": step, "check": check}[sys.argv[1]](*sys.argv[2:]))
