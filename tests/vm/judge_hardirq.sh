#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_hardirq.sh OUT VERSION: hard interrupts of two NICs, against /proc/interrupts and ftrace (guest/test_hardirq.sh).
. tests/lib.sh

for what in counts sums time; do
	wrong=$("$PYTHON" tests/vm/hardirq.py "$1" $what) || wrong="failed ($?)"
	if [ -z "$wrong" ]; then
		pass "$2:hardirq-$what"
	else
		fail "$2:hardirq-$what" "$wrong"
	fi
done
