# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# For tests that count every call: the host's own traffic would be counted, too. Source it after tests/lib.sh.

# quiet: does nothing here send or receive at the moment?
quiet() {
	"$RECORD" -q -F 0 -o "$tmp/q.nct" -- sleep 0.2 &&
		[ "$("$PYTHON" tests/nct.py "$tmp/q.nct" 'x.calls("sock_send") + x.calls("sock_recv")')" = 0 ]
}

# wait_for_quiet: fails if it never is
wait_for_quiet() {
	for quiet_try in 1 2 3 4 5; do
		! quiet || return 0
	done
	return 1
}

# when_quiet NAME COMMAND...: until nothing was there before or after it; fails, having said skip, if never
when_quiet() {
	quiet_name=$1
	shift
	for quiet_round in 1 2 3; do
		wait_for_quiet || break
		"$@"
		! quiet || return 0
	done
	skip "$quiet_name" "this host never is without other traffic"
	return 1
}
