#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks the black box (--ring): each cause writes a complete trace with the cause in it; memory and disk are bounded.
[ -n "${NETCOST_TEST_ALONE:-}" ] || exec env NETCOST_TEST_ALONE=1 unshare -n sh "$0" # marks of others are causes, too
. tests/lib.sh
need_recorder
ip link set lo up

# box NAME OPTION...: starts a black box whose traces are in the folder NAME; its process id is in $pid
box() {
	at=$1 && shift && mkdir "$tmp/$at"
	"$RECORD" -i 100 --ring=20s -o "$tmp/$at/r.nct" "$@" 2>"$tmp/$at.why" &
	pid=$! lib_spawned="$lib_spawned $!"
	wait_for 60 sh -c "ls -l /proc/$pid/fd | grep -q memfd:netcost-record"
}

traces() { find "$tmp/$at" -name 'r-*.nct' | sort; }
finish() { kill -INT "$pid" && wait "$pid" && cat "$tmp/$at.why"; }

# covers CAUSE BEFORE AFTER [end]: the last trace is valid, has the mark, and extends from the last tick before these times to
# the first tick after them, or to the end of the recording
covers() {
	"$REPORT" verify "$(traces | tail -n 1)" && "$REPORT" dump "$(traces | tail -n 1)" | "$PYTHON" -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
at = [r["at_ns"] for r in rows if r["type"] == "mark" and sys.argv[1] in r["text"]][-1]
t, first, last = [r["at_ns"] for r in rows if r["type"] == "tick"], at - 1e9 * float(sys.argv[2]), at + 1e9 * float(sys.argv[3])
sys.exit(0 if t[0] <= first < t[1] and last <= t[-1] and (t[-2] < last or sys.argv[4:]) else str((first, last, t)))' "$@"
}

# pieces of a recording with a mark, for ring.py
"$RECORD" -q -i 50 -F 99 --rotate=1s -o "$tmp/piece.nct" &
recording=$! && lib_spawned="$lib_spawned $recording"
box causes --before=1.5s --after=1s --cooldown=0 --post='echo "$NETCOST_FILE" >>"$NETCOST_FILE.post"'
sleep 4
kill -USR2 "$pid" && wait_for 30 grep -q 0001.nct "$tmp/causes.why"
expect cause-signal covers SIGUSR2 1.5 1
"$RECORD" -q --mark by-hand --pid "$pid" && wait_for 30 grep -q 0002.nct "$tmp/causes.why"
expect cause-mark covers by-hand 1.5 1
kill -USR2 "$pid" && finish
expect cause-at-the-end covers SIGUSR2 1.5 0 end
wait_for 60 sh -c "ls '$tmp'/piece-*08.nct" && kill -USR1 $recording && wait_for 60 sh -c "ls '$tmp'/piece-*10.nct"
kill -INT $recording && wait $recording
expect memory-is-bounded-while-written "$PYTHON" tests/host/ring.py "$REPORT" "$tmp"/piece-*.nct
expect post-for-each [ "$(find "$tmp/causes" -name '*.post' | wc -l)" -eq 3 ]

spawn "$PYTHON" -c 'import socket, time
s, u = socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
c, d = socket.create_connection(s.getsockname()), s.accept()[0]
while True: c.send(b"x" * 1000), d.recv(1000), u.sendto(b"x", ("127.0.0.1", 9)), time.sleep(0.0005)'
for trigger in 'network>0.01%' 'cost>0.001%' 'drops>100/s' 'packets>1k/s' 'p99(tcp-socket-read)>100ns'; do
	box "$(echo "$trigger" | tr -dc '[:lower:]')" --latency --before=500ms --trigger="network>100%,$trigger" --cooldown=1h
	wait_for 30 grep -q written "$tmp/$at.why" && sleep 2 && finish
	expect "trigger-$at" covers "trigger $trigger: " 0.5 0
	expect "cooldown-$at" [ "$(traces | wc -l)-$(grep -c 'causes ignored during the cooldown' "$tmp/$at.why")" = 1-1 ]
done

box bounded -i 2 -F 10000 --before=8s --max-memory=256K --trigger='packets>1/s' --after=1s --cooldown=1s --max-size=400K
sleep 12
expect memory-is-bounded [ $(($(find -L "/proc/$(pgrep -P "$pid" netcost-report)/fd" -type f -printf '%b\n' | paste -sd+) * 512)) -le 330000 ]
finish
expect lost-time-is-told grep -q 'raise --max-memory' "$tmp/bounded.why"
expect lost-before-is-told grep -q 'the cause, so the trace begins later' "$tmp/bounded.why"
expect disk-is-bounded [ $(($(find "$tmp/bounded" -type f -printf '%s\n' | paste -sd+))) -le 409600 ]
box quiet && finish
expect no-cause-no-file [ "$(grep -c 'no cause occurred, so no trace was written' "$tmp/quiet.why")$(traces)" = 1 ]
box killed && child=$(pgrep -P "$pid" netcost-report) && kill -STOP "$child" && kill -USR2 "$pid" && sleep 1 && kill -INT "$pid"
sleep 1 && kill -KILL "$child" && status=0 && wait "$pid" || status=$?
expect lost-trace-is-an-error [ $status-"$(grep -c 'may be missing' "$tmp/killed.why")" = 1-1 ]
"$RECORD" --ring=5s --trigger='netwrk>1%' 2>"$tmp/why" || expect unknown-name [ $?-"$(grep -c ' network .* cost$' "$tmp/why")" = 2-1 ]
