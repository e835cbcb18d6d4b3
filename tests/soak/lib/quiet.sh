# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# For tests that what else the host does could make wrong. Source it after tests/lib.sh.

# ---- those that count every call: the host's own traffic would be counted, too

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

# ---- those that judge amounts and shares of time: whoever wants the CPUs, too, takes some of it

# crowded: does somebody, what was spawned here being held meanwhile? Sets $crowded to the percentage of its time that a
# task has to wait for a CPU.
crowded() {
	# shellcheck disable=SC2086 # lists
	{
		[ -z "$lib_spawned" ] || kill -s STOP $lib_spawned 2>/dev/null || :
		crowded_status=0
		crowded=$("$PYTHON" tests/soak/crowded.py) || crowded_status=$?
		[ -z "$lib_spawned" ] || kill -s CONT $lib_spawned 2>/dev/null || :
	}
	return $crowded_status
}

# amount NAME MEASURE COMMAND...: expect, for an amount. If it does not hold, MEASURE takes twice more what it is judged by,
# and both times it must; if it does not that is a failure, unless others wanted the CPUs.
amount() {
	amount_name=$1 amount_measure=$2 amount_busy=
	shift 2
	if "$@"; then
		pass "$amount_name"
		return
	fi
	amount_held=0
	for _ in 1 2; do
		! crowded || amount_busy=$crowded
		if $amount_measure && "$@"; then amount_held=$((amount_held + 1)); fi
	done
	! crowded || amount_busy=$crowded
	if [ $amount_held -eq 2 ]; then
		pass "$amount_name"
	elif [ -n "$amount_busy" ]; then
		skip "$amount_name" "this host is too busy to say: a task waits $amount_busy % of its time for a CPU"
	else
		fail "$amount_name" "failed ($((3 - amount_held)) times of 3): $*"
	fi
}
