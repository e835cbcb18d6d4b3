#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What the other tests do with an amount that is wrong (quiet.sh): beside others who want the CPUs it cannot be said, on a
# host that has nothing else to do it is a failure; and what these tests run themselves are no others.
. tests/lib.sh
need_root
need_command taskset
. tests/host/quiet.sh

# said COMMAND...: the result line
said() {
	(amount it : "$@") | cut -d ' ' -f 1,2
}

# hogs COMMAND...: one on each CPU, by that command
hogs() {
	for cpu in $(seq 0 $(($(getconf _NPROCESSORS_ONLN) - 1))); do
		"$@" taskset -c "$cpu" sh -c 'while :; do :; done'
	done
}

others=
other() {
	"$@" &
	others="$others $!"
}

hogs spawn
# Others may begin and end at any moment.
for _ in 1 2 3; do
	quietly=$(said false)
	[ "$quietly" != "not ok" ] || break
done
if [ "$quietly" != "not ok" ] && crowded; then
	skip amount-quiet "this host is too busy to say: a task waits $crowded % of its time for a CPU"
else
	expect amount-quiet [ "$quietly" = "not ok" ]
fi
expect amount-holds [ "$(said true)" = "ok it" ]
hogs other
expect amount-beside-others [ "$(said false)" = "skip it:" ]
expect amount-holds-beside-others [ "$(said true)" = "ok it" ]
# shellcheck disable=SC2086 # a list
kill $others
