#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Time that an operation waits is not its own; what it does on whatever CPU it wakes on is. One that its
# task does not outlive, or that the recorder came too late for, spoils nothing.
. tests/lib.sh
need_recorder
need_command zstd tc taskset
. tests/host/spin.sh

exact() {
	"$PYTHON" tests/nct.py "$tmp/t.nct" "$1"
}

# counted NAME: as many calls as tests/host/waits said
counted() {
	read -r sends receives <"$tmp/want"
	echo "$1: sends, receives: $sends, $receives expected; $(exact 'x.calls("sock_send"), x.calls("sock_recv")') counted," \
		"$(exact 'sum(x.ns("sock_send")), sum(x.ns("sock_recv"))') ns"
	expect "$1-sends" [ "$(exact "${sends%-*} <= x.calls('sock_send') <= ${sends#*-}")" = True ]
	expect "$1-receives" [ "$(exact "${receives%-*} <= x.calls('sock_recv') <= ${receives#*-}")" = True ]
	expect "$1-identity" [ "$(exact 'x.check_identity()')" = True ]
}

# no_more: than said; whatever of the host's own came in the middle is not ours to judge, so it is tried again
no_more() {
	read -r sends receives <"$tmp/want"
	[ "$(exact "x.calls('sock_send') <= ${sends#*-} and x.calls('sock_recv') <= ${receives#*-}")" = True ]
}

record_waits() {
	for waits_try in 1 2 3 4; do
		"$RECORD" -q -F 0 -i 100 -o "$tmp/t.nct" -- "$BUILD/tests/waits" "$1" "$2" >"$tmp/want"
		! no_more || break
	done
}

# waits KIND SECONDS EVENT...: the operations are counted, and the events cost less than 1 ms
waits() {
	name=$1
	when_quiet "$name" record_waits "$1" "$2" || return 0
	shift 2
	counted "$name"
	for event in "$@"; do
		expect "$name-costs-nothing" [ "$(exact "sum(x.ns('$event')) < 1000000")" = True ]
	done
}

waits send-full 2 sock_send
waits poll 2 sock_recv
waits recv-waiters 2 sock_recv
waits recv-killed 1 sock_recv
waits send-full-exit 1 sock_send
waits send-exit 1

# A receive that was waiting before the recorder came and ends while it is there: not a call that it knows.
record_hot() {
	for waits_try in 1 2 3 4; do
		spawn "$BUILD/tests/waits" recv-hot 2 >"$tmp/hot"
		wait_for 5 grep -q waiting "$tmp/hot"
		"$RECORD" -q -F 0 -i 100 -o "$tmp/t.nct" -- sleep 2.5
		grep -v waiting "$tmp/hot" >"$tmp/want"
		! no_more || break
	done
}
if when_quiet recv-hot record_hot; then
	counted recv-hot
	expect recv-hot-costs-nothing [ "$(exact 'sum(x.ns("sock_recv")) < 1000000')" = True ]
	expect recv-hot-is-said [ "$(exact 'sum(x.loss[3]) == 1')" = True ]
fi

# Something more urgent takes the CPU from a sender a hundred times a second; where the kernel preempts
# itself, inside a send as well. The work is done where it does not: else it would not be of a known length.
if "$BUILD/tests/waits" fifo-hog 0 >"$tmp/out" 2>&1; then
	spawn taskset -c "$here" "$BUILD/tests/waits" fifo-hog 60 >"$tmp/out"
	calibrated send-preempted sock_send -r 8 -t 0,20 -c "$here" tc-egress
	kill "$spawned"
else
	skip send-preempted "$(cat "$tmp/out")"
fi

if [ "$here" = "$other" ]; then
	skip send-migrated "needs two CPUs"
	exit
fi
calibrated send-migrated sock_send -r 8 -t 0,20 -s 8 -b 200 -l 25000 -m 1000 egress

# Sends that wait, each, for the packet before to go: moved meanwhile, they wake on the other CPU, with work
# still to do (egress), or having done some on the CPU before (sendmsg). Base as in test_calibrated.sh. A slow
# interface, so that its softirq is seldom there while the work is done, as that would be taken for work.
if ip netns exec "$client" tc qdisc add dev eth0 root tbf rate 10mbit burst 1600 limit 1m; then
	for hook in sendmsg egress; do
		calibrated "send-migrated-asleep-$hook" sock_send -r 8 -t 20,100 -s 1 -b 250 -l 1 -z 1400 -k 4608 \
			-m 1000 "$hook"
		[ "$status" -eq 3 ] || expect "send-migrated-asleep-$hook-moved" "$PYTHON" - "$tmp/blocks" <<'PY'
import json
import sys
blocks = [json.loads(line) for line in open(sys.argv[1])]
moves, sent = (sum(b[k] for b in blocks) for k in ("moves", "sent"))
print("%d of %d sends ended on another CPU than the one before" % (moves, sent))
sys.exit(not moves > sent / 20)
PY
	done
else
	skip send-migrated-asleep "no qdisc that limits the rate"
fi
