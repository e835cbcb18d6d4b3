#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks that the reader of format 1.0 can read a new trace, with the trace's own description of its records.
. tests/lib.sh
need_recorder
need_command zstd

"$RECORD" -q -F 0 -i 100 -d 1 -o "$tmp/t.nct"
expect frozen-recording "$PYTHON" tests/vectors/later.py -f -r "$REPORT" "$tmp/t.nct"
expect described-recording "$PYTHON" tests/vectors/described.py "$tmp/t.nct"
