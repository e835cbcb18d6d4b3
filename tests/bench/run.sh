#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The bench, as root: ratios within one run, not absolute speeds, as the machine may be noisy. Prints Markdown.
#
#	make bench				all parts
#	make bench-results			all parts, written to tests/bench/RESULTS.md
#	sh tests/bench/run.sh PART...		after `make bench-tools`; parts:
#
#	overhead	what each recorder takes of a load's throughput and p99, and what it says that it takes. From the
#			environment: BENCH_ROUNDS (10; a round takes 10 minutes), BENCH_SECONDS (2), BENCH_LOADS,
#			BENCH_RECORDERS; see overhead.py. Quick: BENCH_ROUNDS=1 BENCH_SECONDS=1 BENCH_LOADS=ping-pong
#	latency		what --latency and --stages add to the p99 of requests and responses over veth (same environment; a round
#			takes half a minute)
#	probes		what an empty program of each type of probe costs, here (BENCH_ROUNDS, BENCH_SECONDS; a round takes half
#			a minute) and in virtual machines, by instructions; there also what --latency and --stages add to
#			requests and responses over veth (5 minutes)
#	budget		--budget=1 after load has risen (BENCH_ROUNDS, BENCH_LOADS; a round takes 2 minutes)
#	agree		whether exact times without what the recorder costs agree with those by samples, here and with
#			fentry (3 and 15 minutes)
#	instructions	the same of the ping-pong in a virtual machine with fentry, by instructions (5 minutes)
#	programs	what a run of each BPF program costs, beside programs that only read the clock, and Netto's
#	processes	what --processes costs a task switch, --owners a packet, and both in memory: see processes.py (7 minutes)
#	peers		against perf on the same seconds: sizes, CPU time, speed of replay. SECONDS_RECORDED=60 (20)
#			for the budgets' own length
#	scale		time and memory of reports on hosts of 512 CPUs, 1e6 stacks, 1e5 tasks (BENCH_MILLIONS="10 30 100" samples;
#			1000 is a day, and needs 10 GB of disk)
#	baseline	BASELINE=DIR: against an earlier build, whose folder that is
#
# What is missing (`sh tools/deps.sh bench` installs it) is named, not an error. BENCH_LOCK=FILE: a lock that is held
# while something is measured, a round at a time, on a machine on which others measure, too.
cd "$(dirname "$0")/../.."
. tests/lib.sh
need_recorder

seconds=${SECONDS_RECORDED:-20}

alone() {
	if [ -n "${BENCH_LOCK:-}" ]; then flock "$BENCH_LOCK" "$@"; else "$@"; fi
}

fenced() {
	echo '```text'
	"$@" || echo "failed: status $?"
	printf '```\n\n'
}

# ---- the demo's load, over and over: 5 s of UDP, 5 s of TCP

begin_load() {
	[ -z "${client:-}" ] || return 0
	netns_pair client server
	spawn ip netns exec "$server" iperf3 -s >"$tmp/server.log" 2>&1
	wait_for 10 netns_listening "$server" 5201
	spawn demo_load >"$tmp/client.log" 2>&1
	loading=$spawned
	sleep 1
}

demo_load() {
	while ip netns exec "$client" iperf3 -c "$server_ip" -t 5 -u -b 400M -l 1400 &&
		ip netns exec "$client" iperf3 -c "$server_ip" -t 5; do :; done
}

# needs COMMAND...: checks for the commands that a part needs
needs() {
	for command in "$@"; do
		command -v "$command" >/dev/null || {
			printf 'not installed: %s\n\n' "$command"
			return 1
		}
	done
}

# ---- parts

overhead() {
	"$PYTHON" tests/bench/overhead.py "$BUILD"
}

latency() {
	netns_pair asks answers
	# shellcheck disable=SC2154 # by netns_pair
	BENCH_NETNS="$asks $answers $answers_ip" "$PYTHON" tests/bench/overhead.py "$BUILD" latency
}

budget() {
	"$PYTHON" tests/bench/budget.py "$BUILD"
}

agree() {
	printf "## Exact times without the recorder's own part, and times by samples\n\n### Here\n\n"
	"$PYTHON" tests/bench/agree.py "$BUILD"
	sh tests/bench/agree.sh
}

instructions() {
	sh tests/bench/instructions.sh
	echo
}

peers() {
	printf '## Against perf, on the same seconds of the same load\n\n'
	needs iperf3 perf zstd || return 0
	begin_load
	fenced alone "$PYTHON" tests/bench/bench.py "$tmp" "$seconds" "$RECORD" "$REPORT"
}

baseline() {
	[ -n "${BASELINE:-}" ] || return 0
	printf '## Against an earlier build\n\n'
	needs iperf3 || return 0
	begin_load
	fenced alone "$PYTHON" tests/bench/baseline.py "$tmp" "$seconds" "$BUILD" "$BASELINE"
}

# The kernel's own statistics take time, so they have a recording of their own.
stats=$(cat /proc/sys/kernel/bpf_stats_enabled 2>/dev/null || echo 0)
set_stats() {
	{ echo "$1" >/proc/sys/kernel/bpf_stats_enabled; } 2>/dev/null
}

# while_ping_pong COMMAND...: measures the cost of a run of the command's programs under ping-pong
while_ping_pong() {
	alone "$@" sh -c '
		taskset -c 0 "$1" ping-pong 127.0.0.1 17772 4 >/dev/null; bpftool prog show --json >"$2"' \
		sh "$BUILD/tests/load" "$tmp/progs.json" 2>"$tmp/beside.log"
	"$PYTHON" tests/bench/programs.py "$tmp/progs.json"
}

programs() {
	printf '## What a run of each BPF program costs\n\n'
	if ! set_stats 1; then
		printf 'kernel.bpf_stats_enabled cannot be set here\n\n'
		return 0
	fi
	spawn taskset -c 0 "$BUILD/tests/load" echo 17772
	answering=$spawned
	printf '### The least that three programs of --latency could take: the kernel they need, while the ping-pong runs\n\n'
	while_ping_pong "$BUILD/tests/beside" calls
	for options in --exact=entry --exact=full "--exact=off --latency" "--exact=off --tail" \
		"--exact=off --stages" "--exact=off --stages=1/1"; do
		printf '### %s, while the ping-pong runs\n\n' "$options"
		# shellcheck disable=SC2086 # words
		while_ping_pong "$BUILD/tests/beside" empty,netto "$RECORD" -q -F 0 $options -o "$tmp/stats.nct" --
		sed "s/beside: no fentry/fentry is refused here: Netto's programs of sends and receives are not there\n/" \
			"$tmp/beside.log"
	done
	kill "$answering"
	set_stats "$stats"
}

probes() {
	printf '## What an empty program of each type of probe costs\n\n### Here\n\n'
	alone "$PYTHON" tests/bench/probes.py "$BUILD"
	sh tests/bench/probes.sh
}

processes() {
	needs bpftool || return 0
	if ! set_stats 1; then
		printf 'kernel.bpf_stats_enabled cannot be set here\n\n'
		return 0
	fi
	"$PYTHON" tests/bench/processes.py "$BUILD"
	set_stats "$stats"
}

scale() {
	for millions in ${BENCH_MILLIONS:-10 30 100}; do
		alone "$PYTHON" tests/bench/repeat.py examples/demo.nct "$tmp/day.nct" "$millions" 512 1000000 100000
		minute="--from=$((millions * 44)) --to=$((millions * 44 + 60))" # in the middle
		for command in verify '' 'summary --full' top who timeline "folded -o $tmp/out" "html --no-charts -o $tmp/out" \
			"cut $minute -o $tmp/out" "summary $minute" "top $minute"; do
			# shellcheck disable=SC2086 # words
			alone env time -f "- $millions million, ${command:-screen}: %U s, system %S s, %M KiB" "$REPORT" $command "$tmp/day.nct" \
				2>&1 >/dev/null | tail -n 2
		done
	done
}

[ $# -gt 0 ] || set -- overhead latency probes budget agree instructions programs processes peers baseline
for part in "$@"; do
	case $part in
	overhead | latency | probes | budget | agree | instructions | programs | processes | peers | scale | baseline) ;;
	*) echo "run.sh: no part \"$part\"" >&2 && exit 2 ;;
	esac
done
for part in "$@"; do
	# Stop the load of one part before the next part.
	[ -z "${loading:-}" ] || case $part in peers | baseline) ;; *) kill "$loading" ;; esac
	$part
done
