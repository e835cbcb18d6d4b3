#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The same traffic, recorded by us and, at another time, by ftrace's function_graph: it times the functions that our
# probes are at. Of what it has no other functions are, so that it costs little. The host compares
# (tests/vm/judge_witness.sh).
. ./lib.sh

mount -t tracefs tracefs /sys/kernel/tracing
tracing=/sys/kernel/tracing
if ! grep -qw function_graph $tracing/available_tracers; then
	fail witness "expected the tracer function_graph, got $(cat $tracing/available_tracers)"
	exit
fi
echo __sys_sendto __sys_recvfrom net_rx_action >$tracing/set_ftrace_filter
echo mono >$tracing/trace_clock # the clock of spin
echo 8192 >$tracing/buffer_size_kb

# alternates blocks of short calls and blocks of long calls
load="spin -t 0,100 -r 20 -s 1 -b 15 -l 1 -g 60 -c 1"

# graph ROUND HOOK: records with function_graph
graph() {
	echo function_graph >$tracing/current_tracer
	# The output has plain numbers, and the time of a function excludes time in which its task sleeps.
	for option in funcgraph-abstime nofuncgraph-overhead nosleep-time; do
		echo $option >$tracing/trace_options
	done
	$load "$2" - - >"/out/witness-$2-$1.blocks"
	echo 0 >$tracing/tracing_on
	cat $tracing/trace >"/out/witness-$2-$1.graph"
	echo nop >$tracing/current_tracer
	echo 1 >$tracing/tracing_on
}

# exact RUNG HOOK: records with netcost-record
exact() {
	export NETCOST_RUNG="$1"
	trace=/out/witness-$2-$1
	# shellcheck disable=SC2086 # words
	netcost-record -q -F 0 -i 20 -o "$trace.nct" -- $load "$2" - - >"$trace.blocks"
}

for hook in sendmsg recvmsg tc; do
	graph before $hook
	exact fentry $hook
	exact kprobe $hook
	graph after $hook
done
