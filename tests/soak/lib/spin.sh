# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# For tests that compare a recording with work of a known length. Source it after tests/lib.sh.
. tests/soak/lib/quiet.sh

netns_pair client server
here=$(taskset -cp $$ | sed 's/.*[ ,-]//') # the last available CPU
# shellcheck disable=SC2034 # used by the test scripts
other=0
again=4 # number of times that a script may try again
record_more= # a further option of the recorder

# comes_back EVENT OPTION...: sets $status to the result of tests/host/injected.py. The recorder has
# high priority, because other work makes it slower and the result less certain.
comes_back() {
	event=$1
	shift
	# shellcheck disable=SC2086 # none, or one
	nice -n -15 "$RECORD" -q -F 0 -i 10 $record_more -o "$tmp/t.nct" -- \
		"$BUILD/tests/spin" "$@" "$client" "$server" >"$tmp/blocks"
	status=0
	"$PYTHON" tests/host/injected.py back "$tmp/t.nct" "$tmp/blocks" "$event" || status=$?
}

# nowhere_else EVENT: sets $elsewhere to the result of tests/host/injected.py for all other events
nowhere_else() {
	elsewhere=0
	"$PYTHON" tests/host/injected.py elsewhere "$tmp/t.nct" "$tmp/blocks" "$1" || elsewhere=$?
}

# calibrated NAME EVENT OPTION... HOOK: runs tests/host/spin with the options. The injected time
# must appear in EVENT within 3 %, and in no other event. Sets $status to 3 if undecided. A real
# fault appears each time, but other work on the host does not: so only two failures in a row count.
calibrated() {
	name=$1 event=$2 status=3 elsewhere=3 wrong=0
	shift 2
	if ! "$BUILD/tests/spin" -r 0 -s 0 -g 0 "$@" "$client" "$server" >"$tmp/blocks" 2>"$tmp/why"; then
		skip "$name" "$(tail -n 1 "$tmp/why")"
		return
	fi
	echo "$name:"
	while wait_for_quiet; do
		comes_back "$event" "$@"
		[ "$status" -eq 3 ] || nowhere_else "$event"
		case $status$elsewhere in
		00 | 03) break ;;
		3*) [ "$again" -gt 0 ] || break ;;
		*) [ $((wrong += 1)) -lt 2 ] || break ;;
		esac
		again=$((again - 1))
	done
	if [ "$wrong" -lt 2 ]; then
		[ "$status" -eq 0 ] || status=3
		[ "$elsewhere" -eq 0 ] || elsewhere=3
	fi
	case $status in
	0) pass "$name" ;;
	3) skip "$name" "this host does too much else to say" ;;
	*) fail "$name" "the measured time differs from the injected time" ;;
	esac
	[ "$status" -ne 3 ] || return 0
	case $elsewhere in
	0) pass "$name-nowhere-else" ;;
	3) skip "$name-nowhere-else" "this host does too much else to say" ;;
	*) fail "$name-nowhere-else" "something else changed, too" ;;
	esac
	expect "$name-identity" [ "$("$PYTHON" tests/nct.py "$tmp/t.nct" 'x.check_identity()')" = True ]
}
