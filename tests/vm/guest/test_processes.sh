#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What is counted by process, on each rung: calls of two at once, and many that live for a moment. The host judges whether
# all of it sums to what the CPUs' counters have (tests/vm/judge_processes.sh).
. ./lib.sh

cat >/tmp/some <<-SH
	sockcalls sendto 500 inet >/dev/null &
	sockcalls recvfrom 300 inet >/dev/null &
	i=0
	while [ \$i -lt 300 ]; do
		/bin/busybox true
		i=\$((i + 1))
	done
	wait
SH
for rung in fentry kprobe tracepoint; do
	trace=/out/processes-$rung.nct
	NETCOST_RUNG=$rung netcost-record -q -F 0 -i 300 --processes --exact=entry -o "$trace" -- sh /tmp/some 2>/tmp/err
	expect processes-$rung:recording [ ! -s /tmp/err ]
	cat /tmp/err
	expect processes-$rung:verify netcost-report verify "$trace"
	netcost-report processes --sort=calls "$trace" >/tmp/report
	cat /tmp/report
	expect processes-$rung:report grep -q sockcalls /tmp/report
done

# Hits of the page cache: of a file that is there, read page by page by `dd` alone, beside one of which it reads nothing.
# Counted where functions are.
dd if=/dev/zero of=/tmp/pages bs=4096 count=1000 2>/dev/null

# hits PAGES: of a dd that reads so many
hits() {
	echo "dd if=/tmp/pages of=/dev/null bs=4096 count=$1 2>/dev/null" >/tmp/reads
	NETCOST_RUNG=$rung netcost-record -q -F 0 --processes --exact=entry -o /tmp/pages.nct -- sh /tmp/reads
	netcost-report processes --format=json /tmp/pages.nct | tr -d ' \n' | sed 's/{"kind"/\n&/g' |
		sed -n 's/.*"name":"dd".*"page_hits":\([0-9a-z]*\).*/\1/p'
}

for rung in fentry kprobe tracepoint; do
	some=$(hits 0)
	all=$(hits 1000)
	netcost-report dump /tmp/pages.nct | grep '"page-cache"'
	echo "$rung: $some hits, and $all with those of 1000 pages"
	case $rung in
	tracepoint) expect pages-$rung [ "$all" = null ] ;;
	*) expect pages-$rung [ $(((all - some) / 10)) -eq 100 ] ;;
	esac
done

# What is counted in the place of a PMU; the host judges that rows sum.
NETCOST_PMU=software netcost-record -q -F 0 -i 300 --processes --exact=entry -o /out/processes-software.nct -- sh /tmp/some
expect processes-software:verify netcost-report verify /out/processes-software.nct
netcost-report processes --format=json /out/processes-software.nct | tr -d ' ' >/tmp/report
expect processes-software:clock grep -q '"cycles":[1-9]' /tmp/report
netcost-record --check -F 0 --processes >/tmp/check
grep -E '^(pmu|page-cache)' /tmp/check
expect processes-no-pmu grep -q '^pmu  *absent  *no PMU' /tmp/check
