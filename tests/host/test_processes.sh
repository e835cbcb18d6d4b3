#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks counts by process (--processes): they sum to the CPUs' counters, and equal the kernel's values for each
# process. Loads use the CPU or the network, or are processes that live for a moment. Calls and bytes are in the right
# row.
. tests/lib.sh
need_recorder
need_command zstd

# record COMMAND...
record() {
	"$RECORD" -q -F 0 --budget=none --processes --exact=entry -i 50 -o "$tmp/t.nct" -- "$@"
}

by_process() {
	"$PYTHON" tests/host/processes.py "$@"
}

for load in spin network storm; do
	record "$PYTHON" tests/host/processes.py load $load 0.5 >"$tmp/used"
	expect processes-$load-sums by_process sums "$tmp/t.nct" exactly
	expect processes-$load-as-the-kernel-says by_process used "$tmp/t.nct" "$tmp/used"
	expect processes-$load-verifies "$REPORT" verify "$tmp/t.nct"
done

# The user and cgroup of a process, also if they change.
record "$PYTHON" tests/host/processes.py load users 0.6 >"$tmp/used"
expect processes-users by_process users "$tmp/t.nct" "$tmp/used"
expect processes-users-sums by_process sums "$tmp/t.nct" exactly
expect processes-users-verifies "$REPORT" verify "$tmp/t.nct"
expect processes-by-user sh -c "'$REPORT' who --by=user '$tmp/t.nct' | grep -q 'user 47114'"

# If only version 1 of cgroups is mounted, the cgroups of version 1 are recorded. The change of hierarchy is private to
# this test.
cat >"$tmp/v1.sh" <<'SH'
mounted() {
	awk -v t="$1" -v o="$2" '$3 == t && "," $4 "," ~ "," o "," { print $2 }' /proc/self/mounts
}
mounted cgroup2 rw | while read -r dir; do umount "$dir" || exit 1; done
dir=$(mounted cgroup net_cls)
dir=${dir:-$(mounted cgroup cpu)}
[ -n "$dir" ] || exit 3
mkdir "$dir/$GROUP" || exit 3
trap 'rmdir "$dir/$GROUP"' EXIT
"$RECORD" -q -F 0 --budget=none --processes --exact=entry -o "$tmp/v1.nct" -- sh -c "echo \$\$ >'$dir/$GROUP/cgroup.procs' &&
	'$BUILD/tests/sockcalls' send 1000 inet"
SH
export GROUP="netcost-spin-$$" RECORD tmp
processes_v1() {
	unshare -m sh "$tmp/v1.sh" || return
	"$REPORT" who --by=cgroup --format=json "$tmp/v1.nct" >"$tmp/v1" && grep -q "\"/$GROUP\"" "$tmp/v1"
}
judge processes-cgroups-of-version-1 "needs cgroups" processes_v1

# A cgroup that is created, used and removed between two ticks keeps its row and its path, also without samples.
cat >"$tmp/brief.sh" <<'SH'
dir=$(awk '$3 == "cgroup2" && "," $4 "," ~ ",rw," { print $2; exit }' /proc/self/mounts)
[ -n "$dir" ] || exit 3
mkdir "$dir/$GROUP" || exit 3
echo $$ >"$dir/$GROUP/cgroup.procs"
"$BUILD/tests/sockcalls" send 1000 inet
echo $$ >"$dir/cgroup.procs"
rmdir "$dir/$GROUP"
SH
processes_brief() {
	has_cgroup2 || return 3
	"$RECORD" -q -F 0 --budget=none --processes --exact=entry -i 5000 -o "$tmp/brief.nct" -- sh "$tmp/brief.sh" || return
	"$REPORT" who --by=cgroup --format=json "$tmp/brief.nct" >"$tmp/brief" && grep -q "\"/$GROUP\"" "$tmp/brief"
}
judge processes-cgroup-for-a-moment "needs cgroups" processes_brief
expect processes-cgroups-source sh -c "'$REPORT' dump '$tmp/t.nct' | grep -q '\"cgroups\".*\"measured\"'"

# Software counters replace the counters of a PMU, because their values are predictable.
NETCOST_PMU=software "$RECORD" -q -F 0 --budget=none --processes --exact=entry -i 100 -o "$tmp/s.nct" -- \
	"$PYTHON" tests/host/processes.py load faults 0.3 >"$tmp/used"
read -r pid _ <"$tmp/used"
expect processes-counters-are-known by_process pmu "$tmp/s.nct" "$pid"
expect processes-counters-verify "$REPORT" verify "$tmp/s.nct"
expect processes-counters-say-which sh -c "'$REPORT' dump '$tmp/s.nct' | grep '\"pmu\"' | grep -q page-faults"

# --check reports whether there is a PMU, and whether page cache hits can be counted.
"$RECORD" --check --processes -F 0 >"$tmp/check" 2>&1 || :
expect processes-check-pmu grep -Eq '^pmu +(measured|absent|refused) ' "$tmp/check"
expect processes-check-page-cache grep -Eq '^page-cache +(measured|absent) ' "$tmp/check"
expect processes-check-software sh -c "NETCOST_PMU=software '$RECORD' --check --processes -F 0 | grep -Eq '^pmu +measured +cpu-clock'"

# With a budget, rows only cover the windows.
"$RECORD" -q -F 0 --processes --budget=1 -i 100 -o "$tmp/b.nct" -- "$PYTHON" tests/host/processes.py load network 1 >"$tmp/used"
expect processes-budget-verifies "$REPORT" verify "$tmp/b.nct"
expect processes-budget-sums by_process windows "$tmp/b.nct"

expect processes-report sh -c "'$REPORT' who -n 1000 '$tmp/t.nct' | grep -q nct-"
expect processes-by-cgroup sh -c "'$REPORT' who --by=cgroup --format=json '$tmp/t.nct' | grep -q '\"by\": \"cgroup\"'"

# As nobody, with two capabilities: all rows are in the trace, with names and users. The paths of older cgroups are
# missing, with the reason. Without any capability nothing is counted, and this is reported.
as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}
caps=+bpf,+perfmon
cp "$RECORD" "$tmp/recorder"
chmod 755 "$tmp" "$tmp/recorder"
mkdir "$tmp/nobody"
chown 65534 "$tmp/nobody"
expect processes-nobody-recorded as_nobody --inh-caps "$caps" --ambient-caps "$caps" "$tmp/recorder" -q -F 0 --processes --exact=entry \
	-o "$tmp/nobody/t.nct" -- "$PYTHON" -c 'import socket; a, b = socket.socketpair(); [a.send(b"x") and b.recv(1) for _ in range(1000)]'
expect processes-nobody-verifies "$REPORT" verify -q "$tmp/nobody/t.nct"
expect processes-nobody-sums by_process sums "$tmp/nobody/t.nct"
expect processes-nobody-users sh -c "'$REPORT' dump '$tmp/nobody/t.nct' | grep 'type.:.processes' | grep -q 65534"
"$REPORT" dump "$tmp/nobody/t.nct" | grep -i source >"$tmp/sources"
if has_cgroup2; then
	expect processes-nobody-cgroups grep -q 'CAP_DAC_READ_SEARCH' "$tmp/sources"
else
	skip processes-nobody-cgroups "needs cgroups"
fi
! as_nobody "$tmp/recorder" -F 0 --processes -o "$tmp/nobody/none.nct" -- true 2>"$tmp/said" || fail processes-no-capabilities "it records"
expect processes-no-capabilities-said grep -q 'no permission to load BPF programs' "$tmp/said"
