#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_owners.sh OUT VERSION: in what guest/test_owners.sh recorded each packet is its receiver's, and what was spun for
# the packets of one is that one's.
. tests/lib.sh
. tests/vm/amount.sh

owners() {
	"$PYTHON" tests/host/owners.py "$@"
}

for trace in "$1"/owners-*.nct; do
	[ -e "$trace" ] || continue
	name=$2:$(basename "$trace" .nct)
	read -r a b packets <"${trace%.nct}.pids"
	expect "$name-sums" owners sums "$trace"
	case $name in
	6.1*:owners-kprobe-*) # no mark but whom a packet wakes: nobody, if the receiver is not waiting
		expect "$name-most-packets" owners fate "$trace" direct $((2 * packets * 9 / 10))
		continue
		;;
	esac
	expect "$name-packets-a" owners packets "$trace" "$a" "$packets"
	expect "$name-packets-b" owners packets "$trace" "$b" "$packets"
	case $trace in
	*-0.nct) base=$trace ;;
	*) amount "$name-spun" owners spun "$base" "$trace" "$a,$a" "$b,$b" "${trace%.nct}.spun" ;;
	esac
done
