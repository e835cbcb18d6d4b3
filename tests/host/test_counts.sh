#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Calls of each kind are counted exactly, in the event where they belong, and waiting costs nothing.
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
	"$RECORD" -q -F 0 -o "$tmp/t.nct" -- "$@" >/dev/null
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

# counted KIND SOCKETS
counted() {
	measured "count-$1-$2" judged "$1" "$2" || return 0
	case $verdict in
	ok) pass "count-$1-$2" ;;
	witness* | unseen*) echo "$1-$2" >>"$tmp/${verdict%%:*}" ;;
	*) fail "count-$1-$2" "$verdict" ;;
	esac
}

"$PYTHON" tests/host/calls.py list >"$tmp/list"
while read -r kind sockets; do
	counted "$kind" "$sockets"
done <"$tmp/list"
[ ! -e "$tmp/witness" ] || skip count-witness "known: counted by the witness only: $(tr '\n' ' ' <"$tmp/witness")"
[ ! -e "$tmp/unseen" ] || skip count-unseen "known: counted by nothing here: $(tr '\n' ' ' <"$tmp/unseen")"

if measured wait-is-one-call waited; then
	expect wait-is-one-call [ "$verdict" = ok ]
	expect wait-costs-nothing [ "$(exact 'sum(x.ns("sock_recv")) < 1000000')" = True ]
fi
expect sums-are-wall-time [ "$(exact 'x.sums_ns() == x.wall_ns()')" = True ]
expect counts-identity [ "$(exact 'x.check_identity()')" = True ]
