#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Certificates on each rung: they pass, or other load makes them too vague; never do they fail, unless a probe is missing.
. ./lib.sh

# certified VARIABLE=VALUE...: records; the states, in order, in $states
certified() {
	env "$@" netcost-record -q --certify -F 0 -i 100 --exact=entry -o /tmp/certify.nct -- sleep 0.1 >/tmp/said 2>&1
	netcost-report dump /tmp/certify.nct | grep '^{"type":"certificate"' >/tmp/certificates
	cat /tmp/certificates
	states=$(sed 's/.*"state":"\([a-z]*\)".*/\1/' /tmp/certificates | tr '\n' ' ')
}

for rung in fentry kprobe tracepoint; do
	certified NETCOST_RUNG=$rung
	case $states in
	"passed passed ") pass "certify-$rung" ;;
	*failed*) fail "certify-$rung" "$(tail -n 1 /tmp/said)" ;;
	*) echo "skip certify-$rung: too much else runs" ;;
	esac
	certified NETCOST_RUNG=$rung NETCOST_TEST_UNPLUG=softirq_entry LD_PRELOAD=/tests/unplug.so
	case $states in
	"failed failed ") pass "certify-$rung-without" ;;
	*passed*) fail "certify-$rung-without" "it passed" ;;
	*) echo "skip certify-$rung-without: too much else runs" ;;
	esac
done
