#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The time of a send that is preempted, or that waits and wakes on another CPU, is its own work only.
. tests/lib.sh
need_recorder
need_command zstd tc taskset
. tests/soak/lib/spin.sh

# A real-time task takes the CPU from a sender a hundred times a second. A preemptible kernel also
# does so inside a send. The work is done where it cannot be preempted, because otherwise its
# duration would be unknown.
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

# Each send waits until the previous packet is sent. The sender is moved while it waits, and wakes
# on the other CPU, with all of its work still to do (egress), or with some of it done on the first
# CPU (sendmsg). The base is as in test_calibrated.sh. The interface is slow, so that its softirq
# rarely runs during the work, because its time would count as work.
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
