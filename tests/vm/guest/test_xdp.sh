#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Packets that XDP takes, in the ways in which it can: the host judges (tests/vm/judge_xdp.sh). One receiver gets the others.
# shellcheck disable=SC2154 # lib.sh sets $host
. ./lib.sh

PASSED=200 DROPPED=2000
for action in drop tx redirect:away devmap:away cpumap:0 xskmap generic; do
	name=xdp-${action%:*} mode=drv
	: >/tmp/away >/tmp/attached >/tmp/ready # the output of an earlier test must not count
	[ $action != generic ] || mode=skb
	namespace_after port
	ip addr add 10.79.0.1/24 dev port
	ip link set port up
	nsenter -t "$host" -n sh -c 'ip link set eth0 up; ip addr add 10.79.0.2/24 dev eth0; ip link add away type veth
		ip link set away up; ip link set veth0 up'
	nsenter -t "$host" -n xdp veth0 drv 7 drop >/tmp/away & # a device accepts redirected frames only if NAPI runs
	until_so [ -s /tmp/away ]
	nsenter -t "$host" -n packets receive udp 6001 >/tmp/ready &
	receiver=$!
	nsenter -t "$host" -n xdp eth0 $mode 9 "$(echo $action | sed 's/generic/drop/')" >/tmp/attached &
	until_so [ -s /tmp/attached ]
	until_so [ -s /tmp/ready ]
	netcost-record -q -F 0 --owners --exact=entry --budget=none -o "/out/$name.nct" -- \
		packets send udp 10.79.0.2 $PASSED 500 6001:1 9:$((DROPPED / PASSED))
	echo "$receiver $PASSED $DROPPED" >"/out/$name.pids"
	kill $receiver "$host" %1 %2 %3 2>/dev/null
	killall xdp 2>/dev/null
	wait 2>/dev/null
done
