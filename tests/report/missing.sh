# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: what is not known is neither idle nor 0. Samples that are missing, ticks at which a source was not
# read, rows without samples.

expect missing-is-not-idle "$PYTHON" tests/report/missing.py "$plain" "$tmp"
