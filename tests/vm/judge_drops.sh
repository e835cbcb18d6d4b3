#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_drops.sh OUT VERSION: seven pings that a rule dropped, and what netem lost (guest/test_drops.sh).
. tests/lib.sh
export REPORT

got=$("$PYTHON" tests/host/drops.py trace "$1/drops.nct" 'drop("NETFILTER_DROP"), counter("Ip.InReceives") >= 7' || :)
case $got in
"(7, True)") pass "$2:drops-7-pings" ;;
*) fail "$2:drops-7-pings" "dropped by netfilter: $got" ;;
esac

read -r lost again <"$1/netem"
got=$("$PYTHON" tests/host/drops.py trace "$1/netem.nct" 'drop("*QDISC*"), counter("Tcp.RetransSegs")' || :)
echo "$2: netem lost $lost, TCP sent $again again; the trace: $got"
if [ "$lost" -gt 5 ] && [ "$again" -gt 5 ] && [ "$got" = "($lost, $again)" ]; then
	pass "$2:drops-of-netem"
else
	fail "$2:drops-of-netem" "netem lost $lost, TCP sent $again again; the trace: $got"
fi
