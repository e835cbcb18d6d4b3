# SPDX-License-Identifier: BSD-2-Clause
"""prices.py WITH WITHOUT BLOCKS PACKET_NS BYTE_PS: do the prices that tests/host/spin made dearer come back?

WITH and WITHOUT are `netcost-report prices --format=json` of the same kind of load, with its program and without. What a
packet and a byte cost more with it is what was injected, within 5 %. BLOCKS says what the program really spent: what that is
more than it was asked for is a packet's.

Exit status: 0 yes, 1 no, 3 cannot be said: the bound is within the intervals, or somebody else had the processor.
"""
import json
import sys

NEAR, STARVED = 0.05, 1.5


def prices(path):
    with open(path) as f:
        rows = json.load(f)["rows"]
    return {r["per"]: r for r in rows if r["of"] == "rx_softirq" and not r["together"]}


def injected(path, packet_ns, byte_ps):
    """In ns a packet, and a kB."""
    with open(path) as f:
        blocks = [json.loads(line) for line in f]
    runs, length, spun_ns = (sum(b[key] for b in blocks) for key in ("runs", "bytes", "spun_ns"))
    more_ns = spun_ns / runs - packet_ns - length * byte_ps / 1e3 / runs
    print("%d packets of %.0f bytes; each took %.0f ns more than it was asked to" % (runs, length / runs, more_ns))
    return {"packet": packet_ns + more_ns, "kB": byte_ps}, more_ns > (STARVED - 1) * packet_ns


def main(with_path, without_path, blocks, packet_ns, byte_ps):
    truth, starved = injected(blocks, float(packet_ns), float(byte_ps))
    dear, usual = prices(with_path), prices(without_path)
    status = 3 if starved else 0
    for per, wanted in truth.items():
        a, b = dear[per], usual[per]
        if a["price"] is None or b["price"] is None:
            print("a %s: with: %s; without: %s" % (per, a["state"], b["state"]))
            return 1
        more, error = a["price"] - b["price"], (a["price_ci95"] ** 2 + b["price_ci95"] ** 2) ** 0.5
        off = abs(more - wanted) / wanted
        print("a %s: %.1f +- %.1f ns more, of %.1f injected: off by %.2f %%" % (per, more, error, wanted, 100 * off))
        if off > NEAR:
            status = max(status, 3 if (off - NEAR) * wanted < error else 1) if status != 3 else 3
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
