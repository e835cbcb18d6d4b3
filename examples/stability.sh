#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Records a constant load at 10 kHz, to see what slower samplers would have found. examples/stability.nct was
# recorded by it. As root:
#
#	make all && sudo sh examples/stability.sh [OUT]        (default: build/stability.nct)
#
# UDP between two network namespaces for 10 s, as fast as possible, sender and receiver on a CPU each. Both have
# priority over whatever else the host does, which is in the trace, too.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C PATH="$PATH:/usr/sbin:/sbin"
. tools/netns.sh

out=${1:-build/stability.nct}
client=netcost-stability-a-$$
server=netcost-stability-b-$$

cleanup() {
	status=$?
	trap - EXIT
	trap '' HUP INT TERM
	netns_remove "$client"
	netns_remove "$server"
	exit "$status"
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

netns_join "$client" "$server"
ip netns exec "$server" nice -n -15 taskset -c 1 iperf3 -s -D
wait_for 10 netns_listening "$server" 5201
ip netns exec "$client" nice -n -15 taskset -c 0 iperf3 -c 10.77.0.2 -u -b 0 -l 1400 -t 12 >/dev/null 2>&1 &
sleep 1
build/netcost-record -q --exact=entry -F 10000 -d 10 -o "$out"
wait
ls -l "$out"
