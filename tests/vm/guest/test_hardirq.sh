#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Two virtio NICs on a hub, and packets from one to the other: the number and time of their interrupts, also as ftrace
# has it. Where no interface has interrupts none are timed. The host judges (tests/vm/judge_hardirq.sh).
. ./lib.sh
N=1500
trace=/sys/kernel/tracing

# without: succeeds if the recorder reports that there are no interrupts to time
without() {
	COLUMNS=1000 netcost-record --check | grep -q '^hardirq_net *samples .*no interface of this network namespace has interrupts'
}

# late_modules: loads the modules that are not loaded at boot
late_modules() {
	grep -vxF -f /modules/boot /modules/order
}

interrupts() {
	for irq in $irqs; do
		grep "^ *$irq:" /proc/interrupts
	done
}

expect hardirq-without without
late_modules | while read -r module; do
	insmod "/modules/$module" || fail hardirq-module "$module"
done
sleep 1
for nic in eth0 eth1; do
	! [ -d /proc/sys/net/ipv6 ] || echo 1 >/proc/sys/net/ipv6/conf/$nic/disable_ipv6 # no unrequested packets
	ip link set $nic up
done
ip addr add 10.7.0.1/24 dev eth0
arp -s 10.7.0.2 "$(cat /sys/class/net/eth1/address)"
irqs=$(for nic in eth0 eth1; do ls /sys/class/net/$nic/device/../msi_irqs; done)
mount -t tracefs tracefs $trace
echo mono >$trace/trace_clock
echo 4096 >$trace/buffer_size_kb
# The recorder attaches after these tracers. So ftrace runs first in both handlers, and the time
# before each reads the clock is about the same at the begin and at the end.
for event in irq_handler_entry irq_handler_exit; do
	# shellcheck disable=SC2086 # words
	printf '||irq==%s' $irqs | cut -c 3- >$trace/events/irq/$event/filter
	echo 1 >$trace/events/irq/$event/enable
done
interrupts >/out/hardirq.before
netcost-record -q -F 0 -i 100 -o /out/hardirq.nct -- sh -c "sleep 0.5; udp flood 10.7.0.2 9 $N 500; sleep 0.5" ||
	fail hardirq-record "failed ($?)"
interrupts >/out/hardirq.after
for event in irq_handler_entry irq_handler_exit; do
	echo 0 >$trace/events/irq/$event/enable
done
cat $trace/trace >/out/hardirq.ftrace
umount $trace
rmmod virtio_net
expect hardirq-verify netcost-report verify -q /out/hardirq.nct
expect hardirq-gone without
