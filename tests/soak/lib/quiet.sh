# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# For tests that what else the host does could make wrong. Source it after tests/lib.sh.

# ---- for tests that count every call: the host's own traffic would be counted, too

# quiet: succeeds if no other process sends or receives at this moment
quiet() {
	"$RECORD" -q -F 0 -o "$tmp/q.nct" -- sleep 0.2 &&
		[ "$("$PYTHON" tests/nct.py "$tmp/q.nct" 'x.calls("sock_send") + x.calls("sock_recv")')" = 0 ]
}

# wait_for_quiet: waits until the host is quiet; fails if it never is
wait_for_quiet() {
	for quiet_try in 1 2 3 4 5; do
		! quiet || return 0
	done
	return 1
}

# when_quiet NAME COMMAND...: repeats the command until the host was quiet before and after it;
# fails and prints skip if the host never is
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

# ---- for tests that judge times and shares of time: other work on the CPUs changes these

# crowded: succeeds if other processes compete for the CPUs while the processes of this test are
# stopped. Sets $crowded to the percentage of its time that a task has to wait for a CPU.
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

# amount NAME MEASURE COMMAND...: like expect, for a time. If the command fails, MEASURE runs twice
# more, and both runs must pass. Otherwise it is a failure, unless other processes competed for the
# CPUs.
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
