#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_drops.sh OUT VERSION: seven pings that a rule dropped (guest/test_drops.sh).
. tests/lib.sh
export REPORT

got=$("$PYTHON" tests/host/drops.py trace "$1/drops.nct" 'drop("NETFILTER_DROP"), counter("Ip.InReceives") >= 7' || :)
case $got in
"(7, True)") pass "$2:drops-7-pings" ;;
*) fail "$2:drops-7-pings" "dropped by netfilter: $got" ;;
esac
