#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_parts_spin.sh OUT VERSION: what was injected in guest/test_parts_spin.sh is in its own part, in that of the
# driver's poll around it, and in no other; and each packet is one call.
. tests/lib.sh

for trace in "$1"/partspin-*.nct; do
	[ -e "$trace" ] || continue
	name=$2:$(basename "$trace" .nct) blocks=${trace%.nct}.blocks why="this machine is too slow, or too busy, to say"
	part=tc_ingress
	[ "${name%-xdp}" = "$name" ] || part=xdp_generic
	judge "$name" "$why" "$PYTHON" tests/host/injected.py back "$trace" "$blocks" "part:$part"
	judge "$name-inclusive" "$why" "$PYTHON" tests/host/injected.py back "$trace" "$blocks" total:driver_poll
	judge "$name-nowhere-else" "$why" "$PYTHON" tests/host/injected.py elsewhere "$trace" "$blocks" "part:$part"
	sent=$(sed -n 's/.*"sent": \([0-9]*\).*/\1/p' "$blocks" | awk '{ n += $1 } END { print n }')
	expect "$name-calls" [ "$("$PYTHON" tests/nct.py "$trace" "x.part_calls('$part')")" = "$sent" ]
	expect "$name-sums" [ "$("$PYTHON" tests/nct.py "$trace" 'x.check_parts() and x.check_identity() and x.lost(7) == 0')" = True ]
done
