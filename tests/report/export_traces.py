# SPDX-License-Identifier: BSD-2-Clause
"""Makes the traces of the other tests with a time of day."""
import os
import sys

import energy_traces
import processes_traces
from make_traces import CLOCK, END, HOSTILE, MS, START, drops, rx_parts, windows


def timed(t):
    t.frames[0].insert(1, [CLOCK, {1: START, 2: 1790000000 * 1000 * MS + 123456789, 3: START + 7, 4: 120}])
    for frame in t.frames:
        for kind, fields in frame:
            if kind == END:
                fields[2] += 1
    return t


def make(folder):
    evil = processes_traces.EVIL
    traces = {"crowd": processes_traces.trace(), "crowd-evil": processes_traces.trace(evil=evil, batch=evil),
              "crowd-paused": processes_traces.paused(), "energy": energy_traces.states()[0], "drops": drops(), "windows": windows(),
              "rxparts": rx_parts({}), "hostile": rx_parts(dict(k5=HOSTILE, k6=HOSTILE, k9=HOSTILE, k14=HOSTILE), mark=HOSTILE)}
    for name, t in traces.items():
        timed(t).write(os.path.join(folder, "timed-%s.nct" % name))


make(sys.argv[1])
