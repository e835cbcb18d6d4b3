#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_bridge.sh OUT VERSION: five pings are five sends, five receives and some softirqs (guest/test_bridge.sh).
. tests/lib.sh

got=$("$PYTHON" tests/nct.py "$1/bridge.nct" '"%d %d %d" % (x.calls("sock_send"), x.calls("sock_recv"), x.calls("rx_softirq"))' || :)
case $got in
"5 5 "[1-9]*) pass "$2:bridge-5-pings" ;;
*) fail "$2:bridge-5-pings" "sends, receives, RX softirqs: $got" ;;
esac
