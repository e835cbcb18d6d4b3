#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a run of the programs costs, measured at the start of each of several recordings: the host judges
# (tests/vm/judge_own_cost.sh). Before Linux 6.4 the softirqs of own calls may be left to ksoftirqd.
. ./lib.sh

for i in 1 2 3 4 5 6; do
	netcost-record -q -d 1 -F 0 --exact=entry -o "/out/own-cost-$i.nct" 2>/tmp/err
	expect own-cost-$i:recording [ ! -s /tmp/err ]
	cat /tmp/err
done
