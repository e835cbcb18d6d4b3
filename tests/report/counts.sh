# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: what record types count, as tables that follow from the registry.

golden counts-interfaces.txt counts netdev_stats full.nct
expect counts-interfaces-once "$PYTHON" tests/report/interfaces.py "$plain" "$tmp"
golden counts-drops.txt counts drops drops.nct
golden counts-drops.json counts drops --format=json drops.nct
golden counts-drops-every.csv counts drops --by=reason --every=2s --rows=1 --format=csv drops.nct
golden counts-interrupts.txt counts irq_stats hardirq.nct
golden counts-softirqs.txt counts softirqs full.nct
golden counts-events.txt counts exact --by=event --sort=calls --rows=3 full.nct
golden counts-processes.txt counts process_stats --by=cgroup processes.nct
golden counts-owner_stats.json counts owner_stats --format=json owners.nct
golden counts-none.txt counts drops nosamples.nct
golden counts-by.txt counts drops --by=reason,of drops.nct
golden counts-sort.txt counts drops --sort=reason drops.nct
golden counts-table.txt counts drips drops.nct
golden help-counts.txt counts --help
golden who-service.txt who --by=service -n 1 peers.nct
golden counts-peers.json counts peers --format=json peers.nct

# Interfaces, drops, interrupts and protocols agree with summary, in total and in intervals.
for trace in full drops hardirq latency processes; do
	expect "counts-as-summary-$trace" "$PYTHON" tests/report/counts.py "$plain" "$tmp/t/$trace.nct"
done
