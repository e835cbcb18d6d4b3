#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Installs what testing needs, builds, runs all tests; needs only the checkout, root and apt.
#
#	sudo sh tests/run.sh [PART...]        parts: format unit report vectors fuzz host vm (default: all)
#
# A test is a program that prints "ok NAME", "not ok NAME: why" or "skip NAME: reason", a line each;
# the rest of its output is shown only if it fails. The last line here is the sum:
# "N passed, N failed, N skipped", and the exit status 0 only if nothing failed and something passed. What is
# skipped and not in tests/skips is a failure.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C PATH="$PATH:/usr/sbin:/sbin"
. tools/netns.sh
. tests/cgroup.sh

ALL_PARTS="format unit report vectors fuzz host vm"
for part in "$@"; do
	case " $ALL_PARTS " in *" $part "*) ;; *)
		echo "run.sh: no part \"$part\"; parts: $ALL_PARTS" >&2
		exit 2
		;;
	esac
done
parts=" ${*:-$ALL_PARTS} "

# For the tests. Not whatever "python3" comes first: the one that has the distribution's msgpack.
PYTHON=${PYTHON:-/usr/bin/python3}
NETCOST_TEST_PREFIX=nct-$$
BUILD=build
UBSAN_OPTIONS=print_stacktrace=1
# What it knows of a buffer's bytes is cleared, and not got anew from the kernel: a trace's reader has one of 8 MiB.
ASAN_OPTIONS=clear_shadow_mmap_threshold=1000000000
export PYTHON NETCOST_TEST_PREFIX BUILD UBSAN_OPTIONS ASAN_OPTIONS

work=$(mktemp -d "${TMPDIR:-/tmp}/netcost-run.XXXXXX")
TMPDIR=$work # so that what a killed test leaves goes, too
export TMPDIR
chmod 711 "$work" # a test may go on as another user
mkdir "$work/cgroup2"
results=$work/results # every result line so far
: >"$results"
running=
beside=

# What a test could not remove because it was killed; the names begin with ours, so they are ours.
sweep() {
	ip netns list 2>/dev/null | awk -v p="$NETCOST_TEST_PREFIX-" 'index($1, p) == 1 { print $1 }' |
		while read -r ns; do netns_remove "$ns"; done
	cgroups_sweep "$work/cgroup2"
}

cleanup() {
	status=$?
	trap - EXIT
	trap '' HUP INT TERM
	for pid in $running $beside; do
		kill "${pid#*:}" 2>/dev/null && wait "${pid#*:}" || :
	done
	sweep
	rm -rf "$work"
	if [ -n "${SUDO_UID:-}" ] && [ -d build ]; then chown -R "$SUDO_UID:${SUDO_GID:-}" build; fi
	exit "$status"
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

result() {
	echo "$1" | tee -a "$results"
}

# limited SECONDS COMMAND...: leaves its output in $work/log, its exit status in $status, and in $took the seconds
limited() {
	seconds=$1
	shift
	took=$(date +%s)
	# In the background, so that a signal for us is not kept waiting. timeout(1) leads a process
	# group of its own and passes its end on to all of it.
	timeout -k 10 "$seconds" "$@" </dev/null >"$work/log" 2>&1 &
	running=$!
	status=0
	wait "$running" 2>/dev/null || status=$?
	# Whatever of the group outlived its leader.
	kill -s KILL -- "-$running" 2>/dev/null || :
	running=
	sweep
	took=$(($(date +%s) - took))
}

show_log() {
	tail -n 200 "$work/log" | sed 's/^/    /'
}

# ended STATUS: what timeout(1) and the shell mean by it
ended() {
	case $1 in
	124) echo "still running after its time" ;;
	137) echo "killed" ;;
	*) echo "exit status $1" ;;
	esac
}

# run_once LABEL SECONDS COMMAND...: leaves its results in $work/lines; fails if it did
run_once() {
	label=$1
	shift
	limited "$@"
	shift
	sed -n -E "s/^(ok|not ok|skip) /&$label/p" "$work/log" >"$work/lines"
	[ "$took" -lt 10 ] || echo "    $label$*: $took s"
	grep '^    once: ' "$work/log" >>"$work/once" || :
	! grep -q '^not ok ' "$work/lines" || return 1
	if [ "$status" -ne 0 ]; then
		echo "not ok $label$*: $(ended "$status")" >>"$work/lines"
	elif [ ! -s "$work/lines" ]; then
		echo "not ok $label$*: ended without a result" >>"$work/lines"
	else
		return 0
	fi
	return 1
}

# run_test LABEL SECONDS COMMAND...: a test, whose names get LABEL in front
run_test() {
	ran=true
	run_once "$@" || ran=false
	tee -a "$results" <"$work/lines"
	$ran || show_log
}

# run_live SECONDS COMMAND...: a test of what this host does, which others use at the same time. One that fails is run once
# more, and then it must not; that it did is shown, and said at the end.
run_live() {
	if run_once "" "$@"; then
		tee -a "$results" <"$work/lines"
		return
	fi
	sed -n 's/^not ok /    once: not ok /p' "$work/lines" | tee -a "$work/once"
	show_log
	run_test "" "$@"
}

# check NAME COMMAND...: a command whose exit status is the result
check() {
	name=$1
	shift
	limited 900 "$@"
	if [ "$status" -eq 0 ]; then
		result "ok $name"
	else
		result "not ok $name: $(ended "$status")"
		show_log
	fi
}

# build TARGET...: counts only when it fails, as no test is passed by compiling
build() {
	limited 900 make -j"$jobs" "$@"
	[ "$status" -ne 0 ] || return 0
	result "not ok make $*: $(ended "$status")"
	show_log
	return 1
}

finish() {
	# What ran beside has said it of its own.
	sh tests/skips.sh <"$results" | grep -vxF -f "$results" >"$work/skips" || :
	tee -a "$results" <"$work/skips"
	[ ! -s "$work/once" ] || {
		echo "failed once, and were run again:"
		cat "$work/once"
	}
	awk '/^ok / { p++ } /^not ok / { f++ } /^skip / { s++ }
		END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit !(p && !f) }' "$results"
	exit $?
}

# ---- what is run, in order

part_format() {
	# Other versions see other things.
	case $(clang-format --version 2>&1) in
	*"version 14."*) check format make check-format ;;
	*) result "skip format: needs clang-format 14" ;;
	esac
	check spec-tables "$PYTHON" format/spec_tables.py --check
	check layers "$PYTHON" tools/check-layers.py build/obj
}

part_unit() {
	build WERROR=1 unit unit-record || return 0
	build SAN=1 unit unit-record || return 0
	for source in tests/unit/test_*.c; do
		[ -e "$source" ] || continue
		program=$(basename "$source" .c)
		run_test "" 300 "build/tests/$program"
		run_test san: 600 env NETCOST_UNIT_FEW=1 "build/san/tests/$program"
	done
	# Memory that is used before it is set is what the sanitizers do not see.
	for program in build/tests/test_trace*; do
		case $program in *.*) continue ;; esac
		[ ! -x "$program" ] ||
			run_test valgrind: 600 env NETCOST_UNIT_FEW=4 valgrind -q --error-exitcode=99 --leak-check=full "$program"
	done
	run_test "" 300 sh tests/unit/api.sh
	run_test "" 300 sh tests/unit/bounds.sh
	run_test "" 60 sh tests/unit/skips.sh
	run_test "" 60 sh tests/unit/twice.sh
	run_test "" 60 sh tests/unit/shifts.sh
}

part_host() {
	if [ "$(id -u)" -ne 0 ]; then
		result "skip host: needs root"
		return
	fi
	build WERROR=1 host-tools || return 0
	for script in tests/host/test_*.sh; do
		[ ! -e "$script" ] || run_live 900 sh "$script" # beside others it takes up to three times as long
	done
}

# A part that brings its own run.sh.
part_script() {
	[ ! -e "tests/$1/run.sh" ] || run_test "" "$2" sh "tests/$1/run.sh"
}

wants() {
	case $parts in *" $1 "*) ;; *) return 1 ;; esac
}

# Nothing is timed by these parts: they run beside the first ones, in processes of their own, once all that they
# build is there.
begin_beside() {
	if [ "$jobs" -lt 2 ] || ! wants vectors || ! wants fuzz || ! wants unit || ! wants report; then return; fi
	build WERROR=1 unit unit-record build/tests/sweep && build SAN=1 unit unit-record report build/san/tests/many || return 0
	for group in report vectors fuzz; do
		name=beside-$group
		sh tests/run.sh $group >"$work/$name" 2>&1 &
		beside="$beside $name:$!"
	done
	parts=$(echo "$parts" | sed 's/ vectors / /; s/ fuzz / /; s/ report / /')
}

end_beside() {
	for group in $beside; do
		status=0
		wait "${group#*:}" || status=$?
		log=$work/${group%:*}
		sed '$d' "$log" # all but its sum
		grep -E '^(ok|not ok|skip) ' "$log" >>"$results" || result "not ok ${group%:*}: $(ended "$status")"
	done
	beside=
}

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
if ! sh tools/deps.sh test 2>"$work/deps"; then
	cat "$work/deps"
	result "not ok deps: something that testing needs is missing"
	finish
fi
build WERROR=1 all || finish
begin_beside
for part in $ALL_PARTS; do
	[ $part != host ] || end_beside
	wants $part || continue
	case $part in
	vectors) part_script format 1800 ;;
	report) part_script report 1800 ;;
	vm) part_script vm 3600 ;;
	fuzz) part_script fuzz 3600 ;;
	*) "part_$part" ;;
	esac
done
finish
