# SPDX-License-Identifier: BSD-2-Clause
"""What a report says of powercap.py's counters: energy.py WHAT REPORT.json. Status 0: it is as it should be."""
import json
import sys


def near(got, wanted, percent):
    print("%s: %s, within %g %%" % (got, wanted, percent))
    return got is not None and abs(got - wanted) <= wanted * percent / 100


def main(what, path):
    with open(path, encoding="utf-8") as f:
        report = json.load(f)
    energy = report["energy"]
    zone = {z["name"]: z for z in energy["zones"]}
    print({name: z["state"] for name, z in zone.items()})
    return {
        "package": lambda: near(zone["package-0"]["power_w"], 12.5, 1) and zone["package-0"]["state"] == "measured" and
        near(zone["package-0"]["energy_j"], 12.5 * zone["package-0"]["told_s"], 1) and zone["package-0"]["told_s"] > 5,
        "dram": lambda: near(zone["dram"]["power_w"], 2, 1),
        "vanished": lambda: zone["package-1"]["state"] == "vanished" and near(zone["package-1"]["power_w"], 7, 2),
        "constant": lambda: zone["psys"]["state"] == "constant" and zone["psys"]["power_w"] is None,
        "unreadable": lambda: zone["core"]["state"] == "unreadable" and zone["core"]["power_w"] is None,
        "refused": lambda: zone["uncore"]["state"] == "refused" and zone["uncore"]["energy_j"] is None,
        "cost": lambda: 0 < energy["ns_per_read"] < 1e7,
        "range": lambda: energy["network_high_w"] is not None and
        (energy["network_low_w"] is None or energy["network_low_w"] <= energy["network_high_w"]),
    }[what]()


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
