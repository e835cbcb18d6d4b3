#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Calls of each kind are counted exactly, in the event where they belong, and waiting costs nothing: with their times, and
# without (--exact=calls).
. tests/lib.sh
need_recorder
need_command zstd
. tests/host/quiet.sh

PATIENCE=3 # so many are waited for until there is no other traffic
impatient=0

exact() {
	"$PYTHON" tests/nct.py "$tmp/t.nct" "$1"
}

# record COMMAND...: into t.nct, without samples
record() {
	"$RECORD" -q -F 0 --exact="$mode" -o "$tmp/t.nct" -- "$@" >/dev/null
}

# judged KIND SOCKETS: leaves what tests/host/calls.py says in $verdict
judged() {
	record "$BUILD/tests/sockcalls" "$1" 1000 "$2"
	verdict=$("$PYTHON" tests/host/calls.py judge "$tmp/t.nct" "$1" "$2" || :)
}

# waited: one call that lasts for 2 s
waited() {
	record "$BUILD/tests/sockcalls" recv-wait 2
	verdict=ok
	[ "$(exact 'x.calls("sock_recv")')" = 1 ] || verdict="wrong: $(exact 'x.calls("sock_recv")') calls"
}

# measured NAME COMMAND...: until $verdict is not wrong, or was while nothing else was going on, three times.
# False, having said skip: other traffic was in the way.
measured() {
	name=$1
	shift
	"$@" # most of the time nothing else is going on
	for _ in 1 2 3; do
		case $verdict in wrong*) ;; *) return 0 ;; esac
		if [ $impatient -eq $PATIENCE ]; then
			skip "$name" "other traffic was counted, too"
			return 1
		fi
		if ! when_quiet "$name" "$@"; then
			impatient=$((impatient + 1))
			return 1
		fi
	done
}

# failed: 300 sends to nowhere, 200 receives of nothing
failed() {
	record "$PYTHON" -c '
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for call, times in ((lambda: s.send(b"x"), 300), (lambda: s.recv(1, socket.MSG_DONTWAIT), 200)):
    for _ in range(times):
        try:
            call()
        except OSError:
            pass'
	verdict=$(exact '[(x.calls(e), sum(x.column(e, 4)), x.bytes(e)) for e in ("sock_send", "sock_recv")]')
	[ "$verdict" != '[(300, 300, 0), (200, 200, 0)]' ] || verdict=ok
	[ "$verdict" = ok ] || verdict="wrong: $verdict"
}

# counted KIND SOCKETS
counted() {
	measured "$prefix$1-$2" judged "$1" "$2" || return 0
	case $verdict in
	ok) pass "$prefix$1-$2" ;;
	witness* | unseen*) echo "$1-$2" >>"$tmp/$prefix${verdict%%:*}" ;;
	*) fail "$prefix$1-$2" "$verdict" ;;
	esac
}

# all_counted MODE PREFIX: of the names
all_counted() {
	mode=$1 prefix=$2
	while read -r kind sockets; do
		counted "$kind" "$sockets"
	done <"$tmp/list"
	for how in "witness:counted by the witness only" "unseen:counted by nothing here"; do
		seen=$tmp/$prefix${how%%:*}
		[ ! -e "$seen" ] || skip "$prefix${how%%:*}" "known: ${how#*:}: $(tr '\n' ' ' <"$seen")"
	done
	! measured "${prefix}failed" failed || expect "${prefix}failed" [ "$verdict" = ok ]
}

"$PYTHON" tests/host/calls.py list >"$tmp/list"
mode=calls
record true
if [ "$(exact 'x.column("sock_send", 3).count(None)')" = 0 ]; then
	expect calls-have-no-times [ "$(exact 'set(x.ns("sock_send") + x.ns("sock_recv"))')" = '{None}' ]
	expect calls-slow-down-no-other sh -c "! '$REPORT' dump '$tmp/t.nct' | grep '\"type\":\"program\"' | grep sys_"
	all_counted calls calls-count-
	expect calls-sums-are-wall-time [ "$(exact 'x.sums_ns() == x.wall_ns()')" = True ]
	expect calls-identity [ "$(exact 'x.check_identity()')" = True ]
else
	skip calls "the kernel lacks sock_send_length: nothing exact of sends"
fi
all_counted entry count-

# What is not asked for is what slows down no other call, as long as samples can tell the times.
# is_mode WANTED OPTION...: what the trace says
is_mode() {
	wanted=$1
	shift
	"$RECORD" -q "$@" -o "$tmp/d.nct" -- true >/dev/null
	"$REPORT" info "$tmp/d.nct" | grep -q "^  settings  exact $wanted;"
}
rung=$("$RECORD" --check | awk '$1 == "sock_send" { print $2 }')
case $rung in fentry | kprobe) best=entry ;; *) best=calls ;; esac
expect default-slows-down-no-other is_mode $best -F 99
expect default-without-samples is_mode entry -F 0
expect entry-is-entry is_mode entry --exact=entry

if measured wait-is-one-call waited; then
	expect wait-is-one-call [ "$verdict" = ok ]
	expect wait-costs-nothing [ "$(exact 'sum(x.ns("sock_recv")) < 1000000')" = True ]
fi
expect sums-are-wall-time [ "$(exact 'x.sums_ns() == x.wall_ns()')" = True ]
expect counts-identity [ "$(exact 'x.check_identity()')" = True ]
