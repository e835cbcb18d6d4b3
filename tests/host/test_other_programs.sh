#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks the cost of other BPF programs. Some programs spin for each packet of the test's namespaces: the trace has
# their name, type and attach point, and plausible runs and times. Also checks the report of these programs, and hosts
# where they cannot be measured.
# shellcheck disable=SC2154 # netns_pair sets client and server
. tests/lib.sh
need_recorder
need_command bpftool zstd ip setpriv

tool="$PYTHON tests/host/others.py"
spin=$BUILD/tests/spin
netns_pair client server
"$RECORD" -q -o "$tmp/t.nct" -- true
state=$($tool state "$tmp/t.nct")
[ "$state" = measured ] || skip_all "needs full privileges"

# attached_to NAME PATTERN: checks the attach point of the program
attached_to() {
	place=$($tool attached "$tmp/t.nct" "$1")
	echo "$1: $place"
	echo "$place" | grep -qxE "$2"
}

# in_summary NAME TYPE: succeeds if the program is in the table, or in the line below the table
in_summary() {
	"$REPORT" --full "$tmp/t.nct" >"$tmp/out"
	if [ "$2" = raw_tracepoint ]; then
		grep "^  other BPF programs: [1-9][0-9]* ran, .*" "$tmp/out"
		return
	fi
	sed -n "/^BPF programs on the packet path/,/ counted\$/p" "$tmp/out"
	grep -qE "^  $1 +$2 +[0-9]+( +([<>] )?[0-9.]+( \+- +[0-9.]+)?){2} +([<>] )?([0-9.]+|-)" "$tmp/out"
}

# spun HOOK [COMMAND...]: records only while the program spins. A program that is found before it is attached has no
# attach point
spun() {
	spun_hook=$1
	shift
	rm -f "$tmp/blocks"
	spawn stdbuf -oL "$spin" -r 200 -t 20 -s 30 -b 10 -l 8000 "$spun_hook" "$client" "$server" >"$tmp/blocks"
	wait_for 60 test -s "$tmp/blocks" # the first block is over
	"$@" "$RECORD" -q -d 2 -o "$tmp/t.nct" </dev/null
	kill "$spawned"
	wait "$spawned" || :
}

# Each row has a hook, its program, the kernel's name of the type, and the attach point. BPF statistics are only enabled
# for a part of the time, in which some of the packets arrive.
while read -r hook name kind place; do
	spun "$hook" ip netns exec "$server"
	expect "other-programs-$hook" $tool bounds "$tmp/t.nct" "$tmp/blocks" "$name"
	expect "other-programs-$hook-attached" attached_to "$name" "$place"
	expect "other-programs-$hook-in-the-summary" in_summary "$name" "$kind"
	expect "other-programs-$hook-verify" "$REPORT" verify -q "$tmp/t.nct"
done <<'HOOKS'
xdp spin_xdp xdp interface eth0 xdp
tc spin_tc sched_cls interface eth0 tc ingress
egress spin_egress cgroup_skb cgroup [0-9]+ inet_egress
traced spin_traced raw_tracepoint raw_tp net_dev_queue
sendmsg spin_sendmsg cgroup_sock_addr cgroup [0-9]+ sendmsg4
HOOKS

# A program attached without a link is found in the mounted cgroups.
only_in_cgroup() {
	spun egress-only
	attached_to spin_egress 'cgroup [0-9]+ inet_egress'
}
if grep -q ' cgroup2 ' /proc/self/mounts; then
	expect other-programs-cgroup-without-link only_in_cgroup
else
	skip other-programs-cgroup-without-link "needs cgroups"
fi

# After scrub neither the name nor the attach point of the program is readable.
"$REPORT" scrub "$tmp/t.nct" -o "$tmp/scrubbed.nct" 2>/dev/null
expect other-programs-scrubbed sh -c "'$REPORT' dump '$tmp/scrubbed.nct' | grep '\"other_programs\"' | grep -q '\"prog[0-9]*\"'"
expect other-programs-scrubbed-name sh -c "! '$REPORT' dump '$tmp/scrubbed.nct' | grep -q spin_egress"

# Records without permission.
chmod 755 "$tmp"
cp "$RECORD" "$tmp/recorder"
mkdir -m 777 "$tmp/nobody"
caps=+bpf,+perfmon,+syslog
setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps "$caps" --ambient-caps "$caps" \
	"$tmp/recorder" -q -F 0 -d 1 -o "$tmp/nobody/n.nct"
expect other-programs-refused [ "$($tool state "$tmp/nobody/n.nct")" = refused ]
refused_why() {
	"$REPORT" info "$tmp/nobody/n.nct" | tr -s '\n ' ' ' | grep -q ' others refused,.*CAP_SYS_ADMIN'
}
expect other-programs-refused-why refused_why
in_json() {
	"$REPORT" --format=json "$1" | "$PYTHON" -c 'import json, sys; print(json.load(sys.stdin)["other_programs"]["on_the_packets_way_percent"])'
}
expect other-programs-refused-is-null [ "$(in_json "$tmp/nobody/n.nct")" = None ]
"$RECORD" -q --exact=off -d 1 -o "$tmp/t.nct"
expect other-programs-off [ "$($tool state "$tmp/t.nct") $(in_json "$tmp/t.nct")" = "off None" ]
