#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks limits of the classification of samples, which the trace records and the report shows: hidden names of
# functions, cgroups outside of the recorder's cgroup namespace, and the kernel's limit of stacks.
. tests/lib.sh
need_recorder
need_command setpriv unshare

# If the kernel shows symbols to every user, this cannot be tested.
setpriv --bounding-set=-syslog --inh-caps=-syslog "$RECORD" -q -d 1 --exact=off -o "$tmp/hidden.nct" 2>/dev/null
"$REPORT" --full "$tmp/hidden.nct" >"$tmp/hidden.txt"
if "$REPORT" dump "$tmp/hidden.nct" | grep '"source"' | grep '"symbols"' | grep -q refused; then
	expect limits-hidden-names grep -q 'the kernel hid the names of its functions' "$tmp/hidden.txt"
	expect limits-hidden-names-not-idle sh -c "! grep -q 'idle CPUs, as a rule' '$tmp/hidden.txt'"
else
	skip limits-hidden-names "needs kernel.kptr_restrict or kernel.perf_event_paranoid to hide names"
fi

unshare -C "$RECORD" -q -d 1 -o "$tmp/namespace.nct"
if has_cgroup2; then
	expect limits-cgroup-namespace sh -c "'$REPORT' info '$tmp/namespace.nct' | tr -s ' \n' ' ' | grep -q 'cgroups .*recorded inside a cgroup namespace'"
else
	skip limits-cgroup-namespace "needs cgroups"
fi
for setting in kptr_restrict perf_event_max_stack perf_event_max_contexts_per_stack; do
	expect limits-setting-$setting sh -c "'$REPORT' info --context '$tmp/namespace.nct' | grep -q '^  kernel  *$setting  *$(cat /proc/sys/kernel/$setting)\$'"
done
# No stack of the samples reaches the usual limit. With a lower limit, the number of truncated stacks is reported.
expect limits-stacks-counted sh -c "'$REPORT' dump '$tmp/namespace.nct' | grep '\"sample_loss\"' | grep -q '\"cut\"'"
