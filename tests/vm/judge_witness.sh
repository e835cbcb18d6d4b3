#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_witness.sh OUT VERSION: our times of calls are those of ftrace's function_graph (guest/test_witness.sh).
. tests/lib.sh

# agrees EVENT HOOK: compares the times of calls that contain long injected work
agrees() {
	graph=$1/witness-$3
	[ -e "$graph-before.graph" ] || return 0
	for rung in fentry kprobe; do
		judge "$version:witness-$2-$rung" "this machine is too slow, or too busy, to say" \
			"$PYTHON" tests/vm/witness.py "$2" "$graph-$rung.nct" "$graph-$rung.blocks" \
			"$graph-before.graph" "$graph-before.blocks" "$graph-after.graph" "$graph-after.blocks"
	done
}

version=$2
agrees "$1" sock_send sendmsg
agrees "$1" sock_recv recvmsg
agrees "$1" rx_softirq tc
