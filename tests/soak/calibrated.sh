#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Work of a known length, done for each packet by a BPF program of our own, comes back in the event where
# it was put, within 3 %, and nowhere else. Prints a table of what was injected and what came back.
. tests/lib.sh
need_recorder
need_command zstd tc taskset
. tests/soak/lib/spin.sh

# One thread sends and receives, so that the RX softirq of a packet always runs inside its send.
calibrated calibrated-tc rx_softirq -r 8 -c "$here" tc
calibrated calibrated-xdp rx_softirq -r 8 -c "$here" xdp
calibrated calibrated-sendmsg sock_send -r 8 -c "$here" sendmsg
calibrated calibrated-egress sock_send -r 8 -c "$here" egress
calibrated calibrated-recvmsg sock_recv -r 8 -c "$here" recvmsg

# A receive that slept first. The base has some work, too, because going to sleep is cheaper for a
# task that ran for only 2 us than for one that ran longer (measured: 0.5 us, equally for 5, 20 and
# 100 us).
calibrated calibrated-recvmsg-waiting sock_recv -r 8 -t 20,40 -s 800 -b 1 -l 250 -c "$here" -w "$here" recvmsg

if [ "$here" = "$other" ]; then
	skip calibrated-other-cpu "needs two CPUs"
	exit
fi

# The RX softirq runs on a CPU without other work for the packet, by receive packet steering.
# Packets come one at a time: several would share a softirq, the more of them the longer the work
# is.
ip netns exec "$server" sh -c 'echo 1 >/sys/class/net/eth0/queues/rx-0/rps_cpus'
calibrated calibrated-other-cpu rx_softirq -r 8 -t 0,20 -s 800 -b 1 -l 250 -c "$here" tc
spawn taskset -c "$other" sh -c 'while :; do :; done'
calibrated calibrated-other-cpu-busy rx_softirq -r 8 -t 0,20 -s 800 -b 1 -l 250 -c "$here" tc
kill "$spawned"

# There are more packets than a softirq may process at once, so ksoftirqd processes the rest, in the
# base too.
ksoftirqd_ns() {
	awk '{ print $1 }' "/proc/$(pgrep -x "ksoftirqd/$other")/schedstat"
}
before=$(ksoftirqd_ns)
calibrated calibrated-ksoftirqd rx_softirq -r 8 -t 20,40 -s 8 -b 200 -l 25000 -c "$here" tc
[ "$status" -eq 3 ] || expect calibrated-ksoftirqd-ran [ $(($(ksoftirqd_ns) - before)) -gt 20000000 ]
