# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# What samples are of: all of the time, cycles, or only CPUs inside the network. Part of run.sh.

golden netonly-summary.txt summary --full netonly.nct
# Counters for all CPUs of the host are not used in figures that cover only some of the CPUs.
golden somecpus-summary.txt summary --full somecpus.nct
golden somecpus-timeline.txt timeline somecpus.nct
golden somecpus-info.txt info somecpus.nct
golden netonly-timeline.txt timeline netonly.nct
golden netonly-task.txt summary --by=task netonly.nct
golden info-netonly.json info --format=json netonly.nct
golden cycles-summary.txt summary --full cycles.nct
golden cycles-noexact-summary.txt summary --full cycles-noexact.nct
golden cycles-noexact-top.txt top cycles-noexact.nct

# If the stack of a socket call does not show its kind, the kind of the task's last call is assumed.
# The first call is unknown. Counted by hand: sends by network sockets 4, receives 1, local 6.
run summary --format=csv --table=inside families.nct >"$tmp/families" 2>/dev/null
expect families-by-hand awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
	$col["cpu"] == "all" { n[$col["key"]] = $col["samples"] }
	END { exit !(n["sock_send"] == 4 && n["sock_recv"] == 1 && n["sock_local"] == 6) }' "$tmp/families"
expect families-sorted "$PYTHON" tests/report/sorted.py same examples/rules/default.rules "$report" "$tmp/t/families.nct"
golden families-interval.txt summary --by=task families.nct
