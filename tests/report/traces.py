# SPDX-License-Identifier: BSD-2-Clause
"""Makes the traces of all sections: traces.py FOLDER MUTANTS."""
import os
import sys

import accuracy_traces
import diff_traces
import energy_traces
import export_traces
import figures_traces
import keys_traces
import make_traces
import processes_traces
import settings_traces
import varied_traces


def damaged(folder):
    """Flips one bit in the middle frame of full.nct."""
    with open(os.path.join(folder, "full.nct"), "rb") as f:
        data = bytearray(f.read())
    frames = [i for i in range(len(data)) if data[i:i + 4] == b"\x28\xb5\x2f\xfd"]
    data[(frames[1] + frames[2]) // 2] ^= 0x10
    with open(os.path.join(folder, "damaged.nct"), "wb") as f:
        f.write(data)


def main(folder, mutants):
    for module in (make_traces, accuracy_traces, diff_traces, energy_traces, export_traces, figures_traces, keys_traces,
                   processes_traces, settings_traces, varied_traces):
        module.make(folder)
    make_traces.mutants(folder, int(mutants))
    damaged(folder)
    with open(os.path.join(folder, "empty.nct"), "wb"):
        pass


main(*sys.argv[1:])
