#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs and misses of the recorder's own BPF programs, as far as this kernel tells them.
. ./lib.sh

stats=/proc/sys/kernel/bpf_stats_enabled

# row NAME: prints runs, excluded runs and missed kprobes of a program as info shows them, which leaves out columns without
# values
row() {
	awk -v name="$1" '/^BPF programs/ { on = 1; l = /left out/; m = /missed/ }
		on && $1 == name { print $2, l ? $6 : "-", m ? $(6 + l) : "-"; exit }' /tmp/info
}

# recorded RUNG OPTION...: records; the output of info is in /tmp/info
recorded() {
	export NETCOST_RUNG="$1"
	rung=$1
	shift
	netcost-record -q -F 0 -o "/out/programs-$rung.nct" "$@" >/dev/null 2>/tmp/err
	cat /tmp/err
	netcost-report info "/out/programs-$rung.nct" >/tmp/info
	sed -n '/^BPF programs/,/^$/p' /tmp/info
}

# ran NAME PROGRAM MOST MISSED: checks that the program ran once a call, and at most MOST times in
# all. MISSED: a number, or "-" for not known
ran() {
	# shellcheck disable=SC2046 # three words
	set -- "$1" "$3" "$4" $(row "$2")
	expect "$1" [ "${4:-0}" -ge 1000 -a "${4:-0}" -lt "$2" -a "$6" = "$3" ]
}

# Info wraps long lines.
says_since() {
	tr -s '\n ' ' ' </tmp/info | grep -q 'known only since Linux 6.7'
}

# With the statistics always enabled, the kernel counts each of a thousand calls.
echo 1 >$stats
recorded fentry -- sockcalls sendto 1000 inet
ran programs-fentry fentry_1 1200 -
ran programs-fexit fexit_1 1200 -
expect programs-function grep -q 'fentry_1 .* __.*sys_sendto$' /tmp/info
missed=0 # missed kprobes are known since Linux 6.7
case $(uname -r) in 6.1.*) missed=- ;; esac
recorded kprobe -- sockcalls sendto 1000 inet
# The program is also attached to functions that a send calls.
ran programs-kprobe kprobe_begin 5000 $missed
ran programs-kretprobe kprobe_end 5000 0
netcost-report info --format=json /out/programs-kprobe.nct >/tmp/json
if [ $missed = - ]; then
	expect programs-missed-is-said says_since
	expect programs-recursion-is-null grep -q '"runs_left_out": null' /tmp/json
else
	expect programs-missed-is-known eval '! says_since'
	expect programs-recursion-is-0 [ "$(row kprobe_end | cut -d ' ' -f 2)" = 0 ]
fi

# Otherwise the statistics are enabled for a part of the time only. The cost of a run is unknown
# ("-") on a machine that does not run for longer than that.
echo 0 >$stats
for rung in fentry kprobe; do
	recorded $rung -i 100 -d 2
	expect "programs-part-$rung" grep -q 'counted for [0-9.]* ms' /tmp/info
	netcost-report summary --full "/out/programs-$rung.nct" | grep -A 5 '^  cost ' >/tmp/cost
	cat /tmp/cost
	expect "programs-cost-$rung" grep -q 'CPU time: probes [0-9.]*' /tmp/cost
	expect "programs-statistics-$rung" grep -q "the kernel's statistics (program code only): [0-9.]* %, counted in" /tmp/cost
done
