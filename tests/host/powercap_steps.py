# SPDX-License-Identifier: BSD-2-Clause
"""A folder like /sys/class/powercap whose counters step by known amounts during a recording:

powercap_steps.py make FOLDER UID	as root: makes the folder for that user; only root can read some of its files
powercap_steps.py step FOLDER		as that user, during the recording: ends when everything has been read
powercap_steps.py check REPORT.json	checks that the report has each Joule, and no other Joule"""
import ctypes
import json
import os
import select
import sys

WRAP = 262143328850
IN_ACCESS = 1
STEPS, VANISHES_AFTER = 20, 12
# Name, first value and step of each counter in uJ; None: the counter's file holds no number. The counter package-0
# wraps during the steps.
ZONES = {"intel-rapl:0": ("package-0", WRAP - 29 * 1000000, 3000001), "intel-rapl:0:0": ("core", None, 0),
         "intel-rapl:0:1": ("dram", 7, 500003), "intel-rapl:1": ("package-1", 1000, 2000017),
         "intel-rapl:1:0": ("dram", 5, 0), "intel-rapl:2": ("psys", 77, 0)}
REFUSED, VANISHING = "intel-rapl:1:0", "intel-rapl:1"


def put(path, text, mode=0o644):
    with open(path + ".new", "w", encoding="ascii") as f:
        f.write(text)
    os.chmod(path + ".new", mode)
    os.rename(path + ".new", path)


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


class Reads:
    """Counts how often the counters were read. If a counter was replaced, the old and the new one are each read.
    When package-0 has been read for the third time, all other counters have been read, too."""

    def __init__(self, folder):
        libc = ctypes.CDLL(None)
        self.fd = libc.inotify_init1(os.O_NONBLOCK)
        if libc.inotify_add_watch(self.fd, os.path.join(folder, "intel-rapl:0").encode(), IN_ACCESS) < 0:
            sys.exit("no inotify")

    def _take(self):
        try:
            return os.read(self.fd, 65536).count(b"energy_uj\0")
        except BlockingIOError:
            return 0

    def wait(self):
        self._take()
        for _ in range(3):
            while not self._take():
                if not select.select([self.fd], [], [], 60)[0]:
                    sys.exit("nobody reads " + "energy_uj")


def step(folder):
    """Makes the steps. Counters are read between some of the steps, but not between all of them."""
    reads = Reads(folder)
    reads.wait()
    for steps in range(1, STEPS + 1):
        for zone in ZONES:
            if ZONES[zone][2] and not (zone == VANISHING and steps > VANISHES_AFTER):
                put(counter(folder, zone), text_of(zone, steps))
        if not steps % 2:
            reads.wait()
        if steps == VANISHES_AFTER:
            os.unlink(counter(folder, VANISHING))
    reads.wait()
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
    powers = [z["energy_j"] is None or abs(z["power_w"] * z["told_s"] - z["energy_j"]) < 0.001 * z["energy_j"] for z in energy["zones"]
              if z["state"] == "measured"]
    none = [z["power_w"] is None for z in energy["zones"] if z["state"] in ("unreadable", "refused", "constant")]
    low, high = energy["network_low_w"], energy["network_high_w"]
    print("powers %s, none %s, network %s to %s, %s ns a read" % (powers, none, low, high, energy["ns_per_read"]))
    return (got == wanted and energy["zones_missing"] == 1 and all(powers) and all(none) and high is not None and
            (low is None or low <= high) and energy["ns_per_read"] > 0)


if __name__ == "__main__":
    sys.exit(not {"make": make, "step": step, "check": check}[sys.argv[1]](*sys.argv[2:]))
