#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_owners.sh OUT VERSION: in what guest/test_owners.sh recorded each packet is its receiver's, and what was spun for
# the packets of one is that one's.
. tests/lib.sh
. tests/vm/owners.sh

out=$1 version=$2
for series in fentry kprobe lists thread; do
	case $version:$series in
	# The only evidence is the task that was woken, and a receiver that does not wait is not woken.
	6.1:kprobe | 6.1-*:kprobe)
		read -r a b n <"$out/owners-kprobe.pids"
		for trace in "$out"/owners-kprobe-*.nct; do
			expect "$version:$(basename "$trace" .nct)-sums" owners sums "$trace"
			expect "$version:$(basename "$trace" .nct)-most-packets" owners fate "$trace" direct $((2 * n * 9 / 10))
		done
		;;
	# time between two packets of a list may belong to the other receiver
	*:lists | *:thread) spun $series listed ;;
	*) spun $series ;;
	esac
done
