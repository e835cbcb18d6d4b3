#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2154 # netns_pair sets client and server
# Checks the cost of other BPF programs. Some spin for a known time for a known number of packets,
# and the report must have the kernel's runs and times.
. tests/lib.sh
need_recorder
need_command bpftool zstd ip setpriv
stats=/proc/sys/kernel/bpf_stats_enabled
[ "$(cat $stats 2>/dev/null)" != 1 ] || skip_all "somebody has turned on $stats"

tool="$PYTHON tests/host/others.py"
spin=$BUILD/tests/spin
netns_pair client server
"$RECORD" -q -d 1 -o "$tmp/t.nct"
state=$($tool state "$tmp/t.nct")
[ "$state" = measured ] || skip_all "others: $state"
"$spin" -r 0 -s 0 -g 0 xdp "$client" "$server" >"$tmp/blocks" 2>"$tmp/why" || skip_all "$(tail -n 1 "$tmp/why")"

# spun SECONDS OPTION... HOOK: records the program in the receiver's network namespace, with the
# output of bpftool after SECONDS. The statistics are enabled for the first 0.6 s. The program is
# loaded and finishes its work in that time.
spun() {
	lib_seconds=$1
	shift
	ip netns exec "$server" "$RECORD" -q -o "$tmp/t.nct" -- "$spin" -r 0 "$@" "$client" "$server" >"$tmp/blocks" &
	lib_recorder=$!
	sleep "$lib_seconds"
	bpftool prog show --json >"$tmp/prog.json"
	wait "$lib_recorder"
}

# comes_back HOOK NAME: checks runs and time; status 3 means that the machine was too slow
comes_back() {
	for _ in 1 2 3 4; do
		spun 0.8 -t 20 -s 5 -b 40 -l 8000 -g 420 "$1"
		back=0
		$tool check "$tmp/t.nct" "$tmp/blocks" "$tmp/prog.json" "$2" || back=$?
		[ $back -eq 3 ] || return $back
	done
	return 3
}

# Each row has a hook, its program, the kernel's name of the type, and the attach point.
while read -r hook name kind place; do
	judge "bill-$hook" "this host is too busy to say" comes_back "$hook" "$name"
	[ "$lib_status" -ne 3 ] || continue
done <<'HOOKS'
xdp spin_xdp xdp interface eth0 xdp
tc spin_tc sched_cls interface eth0 tc ingress
egress spin_egress cgroup_skb cgroup [0-9]+ inet_egress
traced spin_traced raw_tracepoint raw_tp net_dev_queue
sendmsg spin_sendmsg cgroup_sock_addr cgroup [0-9]+ sendmsg4
HOOKS

# Without the program, the load costs less by the reported cost of the runs. That is measured in
# turns, without the recorder.
block() {
	"$spin" -c "$here" -q "${softirqs:-0}" -r 0 -t 20 -s 20 -b 50 -l 0 -g 5 "$1" "$client" "$server"
}

# saves HOOK NAME: checks that saving; status 3 means that the machine is too busy
saves() {
	saves_status=3
	for _ in 1 2 3; do
		"$RECORD" -q -o "$tmp/t.nct" -- "$spin" -r 0 -t 20 -s 50 -b 20 -l 8000 "$1" "$client" "$server" >/dev/null
		"$REPORT" --format=json "$tmp/t.nct" >"$tmp/summary"
		: >"$tmp/with"
		: >"$tmp/without"
		for _ in 1 2 3 4 5 6 7 8; do
			block "$1" >>"$tmp/with"
			block none >>"$tmp/without"
		done
		saves_status=0
		$tool saved "$tmp/summary" "$tmp/with" "$tmp/without" "$2" || saves_status=$?
		[ $saves_status -ne 0 ] || return 0
	done
	return $saves_status
}

here=$(taskset -cp $$ | sed 's/.*[ ,-]//') # the last available CPU
softirqs=$(pgrep -x "ksoftirqd/$here") || : # ksoftirqd may do part of the work
for hook in xdp tc egress sendmsg traced; do
	judge "bill-$hook-saved" "this host is too busy to say, or counts softirqs apart" saves $hook spin_$hook
done

# If statistics are already enabled, all of the time is counted, and they stay enabled.
always() {
	spawn "$spin" -r 0 -t 20 -s 180 -b 10 -l 8000 -g 2000 xdp "$client" "$server" >"$tmp/blocks"
	"$RECORD" -q -d 4 -o "$tmp/t.nct"
	wait "$spawned"
	echo "counted: $($tool counted "$tmp/t.nct") %, $($tool ran "$tmp/t.nct" spin_xdp) runs of $(cat "$tmp/blocks")"
	[ "$($tool counted "$tmp/t.nct")" -ge 99 ] && [ "$($tool ran "$tmp/t.nct" spin_xdp)" -ge 1800 ] &&
		[ "$(cat $stats)" = 1 ]
}
# The shell disables them when this script exits.
turn_on() {
	# shellcheck disable=SC2016 # that shell's
	spawn sh -c 'trap "echo 0 >$1; kill \$!; exit" TERM; echo 1 >"$1"; sleep 60 & wait' turn_on $stats 2>/dev/null
	wait_for 2 grep -qx 1 $stats
}
if turn_on; then
	turned_on=$spawned
	expect bill-always always
	kill "$turned_on"
	wait "$turned_on" || :
else
	skip bill-always "$stats cannot be set"
fi

# If a program ends while it is counted, its last runs are unknown, which is reported.
ends() {
	spawn "$spin" -r 2 -t 20 -s 5 -b 40 -l 8000 -g 100 xdp "$client" "$server" >"$tmp/blocks"
	wait_for 5 sh -c "bpftool prog show name spin_xdp | grep -q xdp"
	"$RECORD" -q -d 2 -o "$tmp/t.nct"
	wait "$spawned" || :
	[ "$($tool unseen "$tmp/t.nct" spin_xdp)" -gt 0 ]
}
ends_three_times() {
	ends || ends || ends
}
expect bill-ended ends_three_times
expect bill-ended-is-said sh -c "'$REPORT' --full '$tmp/t.nct' | grep -q 'unloaded while they were counted: [1-9]'"

# The recorder's own programs are not listed. Only programs that existed before are.
bpftool prog show --json >"$tmp/prog.json"
"$RECORD" -q -d 1 -o "$tmp/t.nct"
only_others() {
	$tool names "$tmp/t.nct" >"$tmp/names"
	"$PYTHON" -c 'import json, sys
print("\n".join({p.get("name", "")[:15] for p in json.load(open(sys.argv[1]))}))' "$tmp/prog.json" | sort >"$tmp/there"
	cat "$tmp/names"
	sort -u "$tmp/names" | grep . | grep -vxFf "$tmp/there" >"$tmp/ours" || return 0
	echo "not there before: $(cat "$tmp/ours")"
	return 3
}
judge bill-not-ours "this host is too busy to say: another program came" only_others

