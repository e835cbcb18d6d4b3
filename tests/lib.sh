# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Functions for test scripts. Source this file first, from a script started in the repository's top folder:
#
#	. tests/lib.sh
#	need_recorder
#	netns_pair client server
#	spawn ip netns exec "$server" iperf3 -s -1
#	wait_for 5 netns_listening "$server" 5201
#	expect sends_a_lot ip netns exec "$client" iperf3 -c "$server_ip" -t 1
#
# A test prints one line per result on stdout. All other output, on stdout or stderr, is only shown if a test fails.
# However the script ends, the processes, namespaces and files that it made here are removed.
set -eu
export LC_ALL=C
PATH=$PATH:/usr/sbin:/sbin
. tools/netns.sh
. tests/cgroup.sh

# shellcheck disable=SC2034 # used by the test scripts
RECORD=${BUILD:=build}/netcost-record
# shellcheck disable=SC2034
REPORT=$BUILD/netcost-report
PYTHON=${PYTHON:-/usr/bin/python3} # the distribution's, which has its msgpack
export BUILD PYTHON

tmp=$(mktemp -d "${TMPDIR:-/tmp}/netcost-test.XXXXXX") # the test's own folder
lib_prefix=${NETCOST_TEST_PREFIX:-nct}-$$ # tests/run.sh removes everything with its own prefix
lib_failed=0
lib_spawned=
lib_namespaces=
lib_records=

# Checks all recordings: the run time that the kernel reports for the recorder's programs is part of the overhead.
lib_check_cost() {
	[ -n "$lib_records" ] && ls "$tmp"/*.nct >/dev/null 2>&1 || return 0
	expect "$(basename "$0" .sh)-cost-is-complete" "$PYTHON" tests/told.py "$REPORT" "$tmp"/*.nct
}

lib_cleanup() {
	status=$?
	trap - EXIT
	trap '' HUP INT TERM
	for pid in $lib_spawned; do
		kill "$pid" 2>/dev/null || :
	done
	for ns in $lib_namespaces; do
		netns_remove "$ns"
	done
	# shellcheck disable=SC2086 # a list
	[ -z "$lib_spawned" ] || wait $lib_spawned 2>/dev/null || :
	[ "$status" -ne 0 ] || lib_check_cost
	mkdir "$tmp/cgroup2" && cgroups_sweep "$tmp/cgroup2"
	rm -rf "$tmp"
	[ "$status" -ne 0 ] || status=$lib_failed
	exit "$status"
}
trap lib_cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# pass NAME | fail NAME WHY | skip NAME REASON
pass() {
	echo "ok $1"
}

fail() {
	lib_failed=1
	echo "not ok $1: $2"
}

skip() {
	echo "skip $1: $2"
}

# expect NAME COMMAND...: passes if the command succeeds
expect() {
	lib_name=$1
	shift
	if "$@"; then pass "$lib_name"; else fail "$lib_name" "failed ($?): $*"; fi
}

# judge NAME REASON COMMAND...: like expect; status 3 means undecided, for that reason
judge() {
	lib_name=$1 lib_why=$2 lib_status=0
	shift 2
	"$@" || lib_status=$?
	case $lib_status in
	0) pass "$lib_name" ;;
	3) skip "$lib_name" "$lib_why" ;;
	*) fail "$lib_name" "failed ($lib_status): $*" ;;
	esac
}

# Succeeds if a v2 cgroup hierarchy is mounted here and writable.
has_cgroup2() {
	awk '$3 == "cgroup2" && "," $4 "," ~ ",rw," { found = 1 } END { exit !found }' /proc/self/mounts
}

# unpacked PACKAGE FILE: prints the path of a program without installing its package, because one package would start a
# server and another has 300 MB. It stays in build/tools.
unpacked() {
	kept=$PWD/build/tools/$(basename "$2")
	[ ! -x "$kept" ] || { echo "$kept" && return; }
	rm -rf "$tmp/deb" && mkdir -p "$tmp/deb" build/tools
	(cd "$tmp/deb" && { apt-get -qq download "$1" || { apt-get -qq update && apt-get -qq download "$1"; }; }) >&2 &&
		dpkg-deb --fsys-tarfile "$tmp/deb"/*.deb | tar -xOf - ".$2" >"$tmp/deb/program" && [ -s "$tmp/deb/program" ] &&
		chmod +x "$tmp/deb/program" && mv "$tmp/deb/program" "$kept" && echo "$kept"
}

# skip_all REASON: skips the rest of this script
skip_all() {
	skip "$(basename "$0" .sh)" "$1"
	exit 0
}

need_root() {
	[ "$(id -u)" -eq 0 ] || skip_all "needs root"
}

# need_command NAME...
need_command() {
	for lib_command in "$@"; do
		command -v "$lib_command" >/dev/null || skip_all "needs $lib_command"
	done
}

# need_recorder: skips, with the recorder's message, if it cannot record
need_recorder() {
	need_root
	"$RECORD" --check -q >&2 || skip_all "needs BPF"
	lib_records=yes
}

# spawn COMMAND...: runs it in the background until the end of the test; sets $spawned to its pid
spawn() {
	"$@" &
	spawned=$!
	lib_spawned="$lib_spawned $spawned"
}

# kernel_holds PID: prints the BPF objects and the network namespaces of the process and its children, such as "map 12"
kernel_holds() {
	for lib_pid in $1 $(pgrep -P "$1"); do
		cat "/proc/$lib_pid/fdinfo/"* 2>/dev/null | sed -n 's/^\(prog\|map\|link\)_id:[[:space:]]*/\1 /p'
		readlink "/proc/$lib_pid/task/"*/ns/net | grep -vxF "$(readlink /proc/self/ns/net)" || :
	done | sort -u
}

# kernel_forgot FILE: succeeds if nothing of what kernel_holds wrote into the file exists, and if it had all three kinds
kernel_forgot() {
	[ "$(grep -o '^[plm][a-z]* ' "$1" | sort -u | wc -l)" -eq 3 ] && ! {
		for lib_kind in prog map link; do bpftool $lib_kind show | sed -n "s/^\([0-9]*\): .*/$lib_kind \1/p"; done
		readlink /proc/[0-9]*/task/*/ns/net
	} 2>/dev/null | grep -xF -f "$1"
}

# busy_cpus: runs a program that never sleeps on each CPU
busy_cpus() {
	for lib_cpu in $(seq 0 $(($(getconf _NPROCESSORS_ONLN) - 1))); do
		spawn taskset -c "$lib_cpu" sh -c 'while :; do :; done'
	done
}

# netns_pair A B: makes two namespaces as tools/netns.sh joins them. Sets the shell variables A and B to their names,
# and A_ip, A_ip6, B_ip, B_ip6 to their addresses.
netns_pair() {
	lib_namespaces="$lib_namespaces $lib_prefix-$1 $lib_prefix-$2"
	netns_join "$lib_prefix-$1" "$lib_prefix-$2"
	eval "$1=\$lib_prefix-$1 ${1}_ip=10.77.0.1 ${1}_ip6=fd77::1"
	eval "$2=\$lib_prefix-$2 ${2}_ip=10.77.0.2 ${2}_ip6=fd77::2"
}
