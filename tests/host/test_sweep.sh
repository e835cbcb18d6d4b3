#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks that the remains of a killed tests/host/spin are removed, and that nothing else is removed.
. tests/lib.sh
need_root
need_command unshare
mkdir "$tmp/cgroups"

# has_cgroup PID: succeeds if the cgroup of that process exists
has_cgroup() {
	with_cgroup2 "$tmp/cgroups" test -d "$tmp/cgroups/netcost-spin-$1"
}

spin() {
	spawn "$BUILD/tests/spin" -t 0 -r 1000 -g 1000 egress - - >"$tmp/blocks"
	wait_for 60 has_cgroup "$spawned" || skip_all "needs cgroups"
}

spin
alive=$spawned
spin
kill -9 "$spawned"
wait "$spawned" || :
expect sweep-left-after has_cgroup "$spawned"
cgroups_sweep "$tmp/cgroups"
expect sweep-removed eval "! has_cgroup $spawned"
expect sweep-in-use has_cgroup "$alive"
kill "$alive"
wait "$alive" || :
expect sweep-itself eval "! has_cgroup $alive"
