#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks a recording for each fault, all at the same time: the samples in the trace and the lost samples are together the
# samples that the kernel generated, and the trace is valid. After SIGKILL nothing stays in the kernel.
[ -n "${NETCOST_TEST_ALONE:-}" ] || exec env NETCOST_TEST_ALONE=1 unshare -m sh "$0" # its mounts end with it
. tests/lib.sh
need_recorder
need_command zstd bpftool fsfreeze mkfs.ext4
many=$([ "${NETCOST_TIER:-gate}" = gate ] && echo 50 || echo 500)
samples="$PYTHON tests/host/generated.py"
# The faults; $1 is the recorder.
stopped() { kill -STOP "$1" && sleep 10 && kill -CONT "$1"; }
full_disk() { head -c 32M /dev/zero >/mnt/rest || ! wait "$1"; }
# No write ends for 3 s. Another process ends that, even if the test is killed.
slow_disk() { (sleep 3 && fsfreeze -u /media) & fsfreeze -f /media && wait $!; }
fork_storm() { "$PYTHON" tests/host/processes.py load storm 1; }
namespaces() { for _ in $(seq "$many"); do unshare -n true; done; }
# shellcheck disable=SC2016 # the inner shell's
cgroups() {
	mkdir "$tmp/v2" && with_cgroup2 "$tmp/v2" sh -c 'mkdir "$0/netcost-spin-$$" && cd "$0/netcost-spin-$$" || exit
		for i in $(seq $1); do mkdir $i && sh -c "echo 0 >$i/cgroup.procs"; rmdir $i || exit; done
		cd .. && rmdir "netcost-spin-$$"' "$tmp/v2" $((2 * many))
}
# Indexes and names of removed interfaces are used again, and the counters of interfaces begin at 0 again.
interfaces() {
	unshare -n sh -c 'for i in $(seq $0); do
		ip link add one index 7001 type veth peer name two index 7002 && ip link set one up && ip link set two up
		sleep 0.05; ip link set one down; ip link set one name three; ip link del two || exit; done' $((many / 5))
}

# fault NAME WANT OPTION...: records, with the options, while the function NAME runs; see generated.py for WANT
fault() {
	name=$1 faults="${faults:-} $1=$2"
	mkdir -p "$tmp/$name" && shift 2
	(
		"$RECORD" -q -i 50 -d 600 -o "$tmp/$name/t.nct" "$@" &
		recorder=$!
		wait_for 60 [ -s "$tmp/$name/t.nct" ]
		$samples count $recorder "$tmp/$name.generated" >"$tmp/$name.counter" &
		wait_for 60 grep -q counting "$tmp/$name.counter"
		# A tick separates the first counted sample from those that the fault loses.
		written=$(stat -c %s "$tmp/$name/t.nct")
		wait_for 60 sh -c "[ \$(stat -c %s '$tmp/$name/t.nct') -gt $written ]"
		$name $recorder || echo "$name failed: $?"
		kill -INT $recorder || :
		wait
	) >"$tmp/$name.out" 2>&1 &
	lib_spawned="$lib_spawned $!" recordings="${recordings:-} $!"
}

# judged NAME WANT: only a trace that could not be written to its end is cut
judged() {
	status=0
	"$REPORT" verify "$tmp/$1/t.nct" || status=$?
	! grep "^$1 failed" "$tmp/$1.out" && $samples judge "$tmp/$1/t.nct" "$tmp/$1.generated" "$2" &&
		[ $status -eq "$([ "$2" = cut ] && echo 3 || echo 0)" ]
}

truncate -s 16M "$tmp/image" && mkfs.ext4 -q "$tmp/image"
if mount -t tmpfs -o size=16M tmpfs /mnt && mount -o loop "$tmp/image" /media; then
	ln -s /mnt "$tmp/full_disk" && ln -s /media "$tmp/slow_disk"
	fault full_disk cut
	fault slow_disk any -F 4999
else
	skip faults-of-disks "needs full privileges"
fi
fault stopped some -F "$(awk '{ print $1 < 4999 ? $1 : 4999 }' /proc/sys/kernel/perf_event_max_sample_rate)"
fault fork_storm any --exact=entry --processes --budget=none
fault namespaces any
fault cgroups any --processes
fault interfaces any

# with_memory LIMIT OPTION...: records with this memory limit, by cgroups of version 1 or 2
with_memory() {
	limit=$1 && shift
	for group in $(awk '$3 ~ /^cgroup/ { print $2 "/netcost-spin-'$$'" }' /proc/self/mounts); do
		mkdir -p "$group" && ls "$group/memory.max" "$group/memory.limit_in_bytes" >"$tmp/limits" 2>/dev/null || :
		{ [ -s "$tmp/limits" ] && echo "$limit" >"$(cat "$tmp/limits")"; } || { rmdir "$group" && continue; }
		status=0
		sh -c 'echo 0 >"$0/cgroup.procs" && exec "$@"' "$group" "$RECORD" -q -d 1 -o "$tmp/m.nct" "$@" 2>"$tmp/why" || status=$?
		rmdir "$group"
		cat "$tmp/why"
		return $status
	done
	return 3
}
judge memory-32-MiB-with-all-options "needs cgroups" with_memory 32M --exact=full --processes --owners \
	--latency-by=process --tail --stages --peers --user-stacks
expect memory-is-enough [ ! -s "$tmp/why" ]
judge memory-12-MiB-by-default "needs cgroups" with_memory 12M
expect memory-is-said sh -c "[ ! -s '$tmp/limits' ] || grep 'memory limit of this cgroup is 12 MiB' '$tmp/why'"

# no_statistics HELPERS: the kernel counts no runs, or only for other recordings on this host. HELPERS: pid,pid...
no_statistics() {
	$samples statistics && return
	holders=$(find /proc/[0-9]*/fd -lname anon_inode:bpf-stats 2>/dev/null)
	[ -n "$holders" ] && ! echo "$holders" | grep -E "^/proc/($(echo "$1" | tr , '|'))/"
}

# Everything that the recorder can load, and its helpers, ended by SIGKILL
"$RECORD" -q --exact=full --budget=none --processes --owners --tail --stages --peers=9 --certify --rotate=1s --post=true \
	--listen=127.0.0.1:0 -o "$tmp/k.nct" 2>"$tmp/why" &
victim=$!
wait_for 60 sh -c "ls '$tmp'/k-*-000001.nct" || :
kernel_holds $victim >"$tmp/held"
helpers=$(pgrep -d , -P $victim)
kill -9 $victim
expect kill-leaves-nothing-in-the-kernel wait_for 60 kernel_forgot "$tmp/held"
expect kill-leaves-no-statistics wait_for 60 no_statistics "$helpers"
expect kill-leaves-no-helper wait_for 60 sh -c "! ps -p $helpers"
# shellcheck disable=SC2086 # a list
wait $recordings
for row in $faults; do expect "fault-${row%=*}" judged "${row%=*}" "${row#*=}"; done
