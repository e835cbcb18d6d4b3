#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Calls are counted exactly, in the event where they belong, and waiting costs nothing.
. tests/lib.sh
need_recorder
need_command zstd

N=1000

exact() {
	"$PYTHON" tests/nct.py "$tmp/t.nct" "$1"
}

# record COMMAND...: into t.nct, without samples
record() {
	"$RECORD" -q -F 0 -o "$tmp/t.nct" -- "$@"
}

# The host's own traffic would be counted, too: measure when there is none. A recording of `sleep`
# before and after says so.
quiet() {
	"$RECORD" -q -F 0 -o "$tmp/q.nct" -- sleep 0.2 &&
		[ "$("$PYTHON" tests/nct.py "$tmp/q.nct" 'x.calls("sock_send") + x.calls("sock_recv")')" = 0 ]
}

# counted NAME EVENT WANT COMMAND...
counted() {
	name=$1 event=$2 want=$3
	shift 3
	for try in 1 2 3 4 5; do
		quiet || continue
		record "$@"
		got=$(exact "x.calls('$event')")
		if quiet; then
			expect "$name" [ "$got" = "$want" ]
			return
		fi
	done
	skip "$name" "this host never was without other traffic ($try tries)"
}

for kind in write writev send sendto sendmsg sendmmsg; do
	counted "count-$kind" sock_send $N "$BUILD/tests/sockcalls" "$kind" $N
done
for kind in read readv recv recvmsg recvmmsg; do
	counted "count-$kind" sock_recv $N "$BUILD/tests/sockcalls" "$kind" $N
done
counted count-send-inet6 sock_send $N "$BUILD/tests/sockcalls" send $N inet6

counted unix-is-not-network sock_send 0 "$BUILD/tests/sockcalls" sendmsg $N unix
expect unix-is-counted-apart [ "$(exact 'x.calls("sock_local") >= 1000')" = True ]

counted bytes sock_send $N "$BUILD/tests/sockcalls" sendmmsg $N
expect bytes-of-sendmmsg [ "$(exact 'x.bytes("sock_send")')" = $((N * 100)) ]
expect witness-agrees [ "$(exact 'sum(x.loss[2]) == 0 and sum(x.loss[4]) == 1000')" = True ]

counted wait-is-one-call sock_recv 1 "$BUILD/tests/sockcalls" recv-wait 2
expect wait-costs-nothing [ "$(exact 'sum(x.ns("sock_recv")) < 1000000')" = True ]
expect sums-are-wall-time [ "$(exact 'x.sums_ns() == x.wall_ns()')" = True ]
