#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_xdp.sh OUT VERSION: what guest/test_xdp.sh recorded: packets that XDP took in the driver are its row's, and nobody pays for
# them; the receiver has its own. Generic XDP drops packets of the receive core.
. tests/lib.sh
. tests/vm/owners.sh

out=$1 version=$2
for action in drop tx redirect devmap cpumap xskmap generic; do
	name=xdp-$action
	read -r receiver passed dropped <"$out/$name.pids"
	fate=xdp
	[ $action != generic ] || fate=dropped
	expect "$version:$name-sums" owners sums "$out/$name.nct"
	expect "$version:$name-taken" owners fate "$out/$name.nct" $fate "$dropped"
	expect "$version:$name-receiver" owners between "$out/$name.nct" "$receiver" "$passed" "$passed"
done
expect "$version:xdp-generic-none" owners most "$out/xdp-generic.nct" xdp 0
