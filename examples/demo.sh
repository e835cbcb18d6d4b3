#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Records what 5 s of UDP and 5 s of TCP between two network namespaces cost, and prints the report.
#
#	sudo sh examples/demo.sh        needs only the checkout and the distribution's packages
#
# Without root, or where BPF is not available, it replays the trace that comes with the checkout.
# All its output is in build/; the namespaces and processes are gone when it ends.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C PATH="$PATH:/usr/sbin:/sbin"
. tools/netns.sh

OUT=build/demo
# With NETCOST_BIN: the programs in that folder, and nothing is built or installed.
BIN=${NETCOST_BIN:-build}
trace=$OUT/demo.nct
log=$OUT/iperf3.log
client=netcost-demo-a-$$
server=netcost-demo-b-$$
recorder=
namespaces=

cleanup() {
	status=$?
	trap - EXIT
	trap '' HUP INT TERM
	if [ -n "$recorder" ]; then
		kill "$recorder" 2>/dev/null && wait "$recorder" || :
	fi
	for ns in $namespaces; do
		netns_remove "$ns"
	done
	if [ -n "${SUDO_UID:-}" ] && [ -d build ]; then
		chown -R "$SUDO_UID:${SUDO_GID:-}" build
	fi
	exit "$status"
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

say() {
	echo "demo: $*"
}

die() {
	echo "demo: $*" >&2
	exit 1
}

# build TARGET PACKAGES: quiet, unless it fails
build() {
	[ -z "${NETCOST_BIN:-}" ] || return 0
	sh tools/deps.sh "$2"
	say "building ($1)"
	make -j"$(getconf _NPROCESSORS_ONLN)" "$1" >"$OUT/build.log" 2>&1 || {
		tail -n 20 "$OUT/build.log" >&2
		die "the build failed, all of its output is in $OUT/build.log"
	}
}

record() {
	say "recording 5 s of UDP, then 5 s of TCP, between two network namespaces"
	namespaces="$client $server"
	netns_join "$client" "$server"
	# One server per test, each for one connection, so that none has to become ready again.
	for port in 5201 5202; do
		ip netns exec "$server" iperf3 -s -1 -p "$port" >>"$log" 2>&1 &
		wait_for 10 netns_listening "$server" "$port" || die "iperf3 does not listen, see $log"
	done
	# In the background, so that a signal for this script is not kept waiting.
	# shellcheck disable=SC2016 # for the inner shell
	"$BIN"/netcost-record -q --exact=entry -o "$trace" -- sh -c '
		ip netns exec "$2" iperf3 -c 10.77.0.2 -p 5201 -t 5 -u -b 400M -l 1400 >>"$1" 2>&1 &&
		ip netns exec "$2" iperf3 -c 10.77.0.2 -p 5202 -t 5 >>"$1" 2>&1' sh "$log" "$client" &
	recorder=$!
	status=0
	wait "$recorder" || status=$?
	recorder=
	[ "$status" -eq 0 ] || die "recording failed with status $status, iperf3's output is in $log"
}

replay() {
	say "replaying examples/demo.nct instead, which was recorded elsewhere"
	[ -e examples/demo.nct ] || die "there is no examples/demo.nct in this checkout"
	cp examples/demo.nct "$trace"
}

report() {
	"$BIN"/netcost-report summary "$trace" >"$OUT/summary.txt"
	"$BIN"/netcost-report summary --format=csv "$trace" >"$OUT/summary.csv"
	"$BIN"/netcost-report folded "$trace" >"$OUT/demo.folded"
	echo
	cat "$OUT/summary.txt"
	echo
	say "left in $OUT:"
	cat <<LIST
  demo.nct      the trace; $BIN/netcost-report --help says what else can be read from it
  summary.txt   the table above
  summary.csv   the same for programs
  demo.folded   the sampled stacks, for flame graphs
LIST
	[ ! -s "$log" ] || echo "  iperf3.log    what iperf3 said"
}

rm -rf "$OUT"
mkdir -p "$OUT"
if [ "$(id -u)" -ne 0 ]; then
	say "not root, so nothing can be recorded"
	build report report
	replay
else
	build all demo
	if why=$("$BIN"/netcost-record --check -q 2>&1); then
		record
	else
		say "nothing can be recorded here: $why"
		replay
	fi
fi
report
