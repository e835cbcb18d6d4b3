# SPDX-License-Identifier: BSD-2-Clause
"""A folder like /sys/class/powercap whose counters advance: powercap.py FOLDER. Until it is killed.

package-0 draws 12.5 W, and wraps some seconds from now; its dram 2 W; package-1 draws 7 W, and vanishes after 3.5 s; psys
stands still; the core's counter is no number, and that of the uncore nobody but root may read.
"""
import os
import sys
import time

WRAP = 262143328850
ZONES = {"intel-rapl:0": "package-0", "intel-rapl:0:0": "core", "intel-rapl:0:1": "uncore", "intel-rapl:0:2": "dram",
         "intel-rapl:1": "package-1", "intel-rapl:2": "psys"}
WATTS = {"intel-rapl:0": 12.5, "intel-rapl:0:2": 2, "intel-rapl:1": 7}
BEGIN = {"intel-rapl:0": WRAP - 40 * 1000000}
LEAVES_S = 3.5


def put(path, text, mode=0o644):
    with open(path + ".new", "w", encoding="ascii") as f:
        f.write(text)
    os.chmod(path + ".new", mode)
    os.rename(path + ".new", path)


def make(folder):
    for zone, name in ZONES.items():
        os.mkdir(os.path.join(folder, zone))
        put(os.path.join(folder, zone, "name"), name + "\n")
        put(os.path.join(folder, zone, "max_energy_range_uj"), "%d\n" % WRAP)
    put(os.path.join(folder, "intel-rapl:0:0", "energy_uj"), "many\n")
    put(os.path.join(folder, "intel-rapl:0:1", "energy_uj"), "5\n", 0o400)
    put(os.path.join(folder, "intel-rapl:2", "energy_uj"), "77\n")


def main(folder):
    make(folder)
    begin, gone = time.monotonic(), False
    while True:
        now = time.monotonic() - begin
        if now > LEAVES_S and not gone:
            os.unlink(os.path.join(folder, "intel-rapl:1", "energy_uj"))
            gone = True
        for zone, watts in WATTS.items():
            if not (gone and zone == "intel-rapl:1"):
                put(os.path.join(folder, zone, "energy_uj"),
                    "%d\n" % ((BEGIN.get(zone, 0) + int(watts * 1e6 * now)) % (WRAP + 1)))
        time.sleep(0.002)


if __name__ == "__main__":
    main(sys.argv[1])
