#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Work of a known length in TC and XDP programs, over the loopback: it is that part's, and no other part's. The host
# judges what comes back (tests/vm/judge_parts_spin.sh). Not less than 50 us: in an emulator the way into a program and
# out of it has been seen to differ by 0.7 us from one length of work to another.
. ./lib.sh

for rung in fentry kprobe; do
	for hook in tc xdp; do
		trace=/out/partspin-$rung-$hook
		NETCOST_RUNG=$rung netcost-record -q -F 0 -i 20 --exact=full -o "$trace.nct" -- \
			spin -t 0,50,100 -r 10 -s 1 -b 50 -l 1 -g 60 -c 1 $hook - - >"$trace.blocks" 2>/tmp/err
		cat /tmp/err
	done
done
