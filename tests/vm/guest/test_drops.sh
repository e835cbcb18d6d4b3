#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Pings that a rule drops, and TCP segments that netem loses. The host counts (tests/vm/judge_drops.sh).
. ./lib.sh

ip link set lo up
nft add table inet drops
nft add chain inet drops in '{ type filter hook input priority 0; }'
nft add rule inet drops in icmp type echo-request counter drop
netcost-record -q -F 0 -o /out/drops.nct -- ping -q -c 7 -i 0.1 -W 1 127.0.0.1
nft delete table inet drops
expect drops-verify netcost-report verify -q /out/drops.nct

# What the qdisc says that it lost, and TCP that it sent again, from when the command begins, which is when the recording
# has begun, to just after it. Before, the recorder's own calls lose packets, too.
/bin/tc qdisc add dev lo root netem loss 10%
sleep 300 | nc -l -p 5001 >/dev/null & # its own input stays open: the other side ends with it
sleep 1
cat >/tmp/netem <<-'SH'
	lost() {
		/bin/tc -s qdisc show dev lo | sed -n 's/.*(dropped \([0-9]*\),.*/\1/p'
	}
	sent_again() {
		awk '$1 == "Tcp:" && !n { for (n = 2; $n != "RetransSegs"; n++); next } $1 == "Tcp:" { print $n }' /proc/net/snmp
	}
SH
cat >/tmp/send <<-'SH'
	. /tmp/netem
	echo "before_lost=$(lost) before_again=$(sent_again)" >/tmp/before
	head -c 30000000 /dev/zero | nc 127.0.0.1 5001
	sleep 3
SH
netcost-record -q -F 0 -o /out/netem.nct -- sh /tmp/send
. /tmp/netem
. /tmp/before
echo $(($(lost) - before_lost)) $(($(sent_again) - before_again)) >/out/netem
/bin/tc qdisc del dev lo root
expect netem-verify netcost-report verify -q /out/netem.nct
