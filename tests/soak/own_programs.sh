#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2154 # $spawned is set by tests/lib.sh
# Checks the report on the recorder's own BPF programs: runs, their time, and that the statistics
# are off again.
. tests/lib.sh
need_recorder
need_command bpftool zstd
. tests/soak/lib/quiet.sh
stats=/proc/sys/kernel/bpf_stats_enabled
[ "$(cat $stats 2>/dev/null)" != 1 ] || skip_all "somebody has turned on $stats"

tool=tests/soak/programs.py

# cost KEY TRACE: prints a value of the cost in the summary's JSON
cost() {
	"$REPORT" summary --format=json "$2" |
		"$PYTHON" -c 'import json, sys; print(json.load(sys.stdin)["cost"][sys.argv[1]])' "$1"
}

# ---- as many runs as calls

load=$tmp/load
spawn "$PYTHON" $tool load 7 "$load"
wait_for 5 [ -s "$load" ]
expect programs-records "$RECORD" -q -F 0 -i 20 -d 4 -o "$tmp/t.nct"
expect programs-runs-are-the-calls "$PYTHON" $tool calls "$tmp/t.nct" "$load"

# ---- compared with the kernel's figures for the whole time, while another process keeps the statistics enabled

cat >"$tmp/snap" <<'SH'
bpftool prog show --json >"$1/a.json"
sleep 8
bpftool prog show --json >"$1/b.json"
SH
both() {
	spawn "$PYTHON" $tool load 12 "$load"
	sleep 0.5
	bpftool prog show --json >"$tmp/there.json"
	"$PYTHON" $tool on "$RECORD" -q -F 0 -i 100 -o "$tmp/s.nct" -- sh "$tmp/snap" "$tmp" || return 3
	# This includes the statistics' own clock readings, which the report leaves out.
	ours=$("$REPORT" summary --format=json "$tmp/s.nct" | "$PYTHON" -c 'import json, sys
s = json.load(sys.stdin)
c = s["cost"]
print(sum(p["run_ns_counted"] for p in c["programs"]) / 1e7 / c["programs_counted_s"] / len(s["trace"]["cpus"]))')
	theirs=$("$PYTHON" $tool share "$tmp/there.json" "$tmp/a.json" "$tmp/b.json" 8 "$(getconf _NPROCESSORS_ONLN)")
	echo "programs: $ours % by the recorder, in $(cost programs_counted_s "$tmp/s.nct") s; $theirs % by bpftool, in all"
	kill "$spawned" 2>/dev/null || :
}
near() {
	awk "BEGIN { exit !($theirs > 0 && $ours > 0.6 * $theirs && $ours < 1.6 * $theirs) }"
}
if both; then amount programs-share both near; else skip programs-share "BPF statistics are refused here"; fi

chmod 755 "$tmp"
cp "$RECORD" "$tmp/recorder"
mkdir -m 777 "$tmp/nobody"
as_nobody() {
	caps=+bpf,+perfmon,+syslog
	exec setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps "$caps" --ambient-caps "$caps" \
		"$tmp/recorder" "$@"
}
# ---- disabled again. A recorder without permission to disable them reports, from its programs' runs, that another
# process enables them.

spawn as_nobody -q -F 0 -o "$tmp/nobody/w.nct"
wait_for 5 [ -s "$tmp/nobody/w.nct" ]
sleep 0.5
runs() {
	bpftool prog show --json >"$tmp/p.json" && "$PYTHON" $tool show "$tmp/p.json"
}
# off: succeeds if they are disabled for half a second, in one of three tries
off() {
	for _ in 1 2 3; do
		before=$(runs)
		sleep 0.5
		[ "$(runs)" != "$before" ] || return 0
	done
	return 1
}
# expect_off NAME PID...: checks that they are off. If processes other than these recorders enable
# them, waits for those processes
expect_off() {
	off_name=$1 alone=0
	shift
	for _ in 1 2 3 4 5 6; do
		if off; then
			pass "$off_name"
			return
		fi
		# This includes processes that have ended since.
		"$PYTHON" $tool others "$@" || alone=$((alone + 1))
		[ $alone -lt 2 ] || break
	done
	if [ $alone -ge 2 ]; then fail "$off_name" "they are on"; else skip "$off_name" "another recorder runs here"; fi
}

expect_off programs-off-before
"$RECORD" -q -F 0 -o "$tmp/r.nct" &
recorder=$!
wait_for 5 [ -s "$tmp/r.nct" ]
expect_off programs-off-between $recorder
kill "$recorder"
wait "$recorder"
expect_off programs-off-after

# The recorder is killed while they are enabled. If a stopped recorder left them enabled, this would
# show it.
keeps_them_on() {
	# shellcheck disable=SC2010 # what a link leads to is wanted
	ls -l "/proc/$recorder/fd" | grep -q ' anon_inode:bpf-stats$'
}
on_when_stopped=false
for delay in 0.15 0.1 0.2 0.05 0.15 0.1 0.2 0.05; do
	rm -f "$tmp/k.nct"
	"$RECORD" -q -F 0 -o "$tmp/k.nct" &
	recorder=$!
	wait_for 5 [ -s "$tmp/k.nct" ]
	sleep $delay
	kill -STOP "$recorder"
	! keeps_them_on || on_when_stopped=true
	kill -9 "$recorder"
	wait "$recorder" 2>/dev/null || :
	! $on_when_stopped || break
done
if $on_when_stopped; then
	expect_off programs-off-after-a-kill
else
	skip programs-off-after-a-kill "no moment was found at which they were on"
fi
