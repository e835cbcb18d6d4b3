# SPDX-License-Identifier: BSD-2-Clause
"""instructions.py CONSOLE: prints the results of the machine that instructions.sh booted."""
import json
import re
import sys

from figures import interval, print_table, with_range

PER_S = 1e9  # instructions: see guest_init
BUDGET, BUDGETS = 8, ("--exact=entry -F 0", "default")


def measured(lines):
    """Returns the instructions of a round trip by name, in order of appearance."""
    got = {}
    for line in lines:
        found = re.search(r"bench: (.*?) (\{.*\})", line)
        if found:
            got.setdefault(found[1], []).append(PER_S / json.loads(found[2])["per_s"])
    return got


def main():
    lines = open(sys.argv[1]).read().splitlines()
    got = measured(lines)
    alone = got.pop("nothing", [])
    if "bench: done" not in lines or not alone:
        print("The machine did not come to its end; its last lines:\n")
        print("\n".join("    " + line for line in lines[-20:]))
        return
    base = interval(alone)[1]
    print(re.search(r"bench: (kernel .*)", "\n".join(lines))[1] +
          "; an instruction is a nanosecond. On a machine that executes three in a nanosecond, events that occur by time cost a third, "
          "such as samples.\n")
    more = {name: [100 * (v / base - 1) for v in values] for name, values in got.items()}
    print_table(["recorder", "instructions a round trip", "more, %"],
                [["nothing", with_range(alone, "%.0f"), ""]] +
                [[name, "%.0f" % interval(values)[1], with_range(more[name], "%.1f")] for name, values in got.items()])
    for line in lines:
        if line.startswith("bench-windows: "):
            print("- " + line.removeprefix("bench-windows: "))
    for name in BUDGETS:
        if name in more:
            by = interval(more[name])[1]
            print("- %s: %s on fentry adds at most %d %% to the ping-pong's instructions (%.1f %%)" %
                  ("kept" if by <= BUDGET else "MISSED", name, BUDGET, by))



if __name__ == "__main__":
    main()
