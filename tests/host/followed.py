# SPDX-License-Identifier: BSD-2-Clause
"""followed.py TRACE PAUSES: checks a trace in which packets were followed, and messages counted by peer, in windows, with
at least PAUSES pauses. No packet or message is counted in a pause, and the counts of all CPUs are read where windows begin and end."""
import collections
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import nct  # pylint: disable=wrong-import-position

SLACK_NS = 1_000_000  # tolerance for readings of the clocks


def main(path, pauses):
    of = collections.defaultdict(list)
    ticks = nct.Exact(path, of).ticks
    passed = [b[1] - a[1] for a, b in zip(ticks, ticks[1:])]
    off = [t[4] for t in ticks[1:]]
    assert all(o <= p + SLACK_NS for o, p in zip(off, passed)), "longer than the time that passed"
    paused = {i + 1 for i, (o, p) in enumerate(zip(off, passed)) if 2 * o > p}
    assert len([i for i in paused if i - 1 not in paused]) >= pauses, f"pauses: {sorted(paused)}"
    packets, sends = {}, {r["tick"]: sum(r[6]) for r in of[nct.PEERS]}
    for r in of[nct.LATENCY]:
        packets[r["tick"]] = packets.get(r["tick"], 0) + sum(r.get(7, []))
    # A pause ends with a tick directly after the programs were attached.
    whole = {i for i in paused if i + 1 in paused or i + 1 == len(ticks)}
    assert not sum(packets.get(i, 0) for i in whole), "packets in a pause"
    assert not sum(sends.get(i, 0) for i in whole), "messages in a pause"
    assert sum(packets.values()) and sum(sends.values()), "no packets or messages"
    softnet = {r["tick"] for r in of[nct.SOFTNET]}
    assert softnet >= paused, "no softnet_stat where a window begins or ends"


main(sys.argv[1], int(sys.argv[2]))
