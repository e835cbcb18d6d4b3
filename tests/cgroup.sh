# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Functions for the cgroups netcost-spin-PID, which tests/host/spin makes and cannot remove if it is killed. To be
# sourced.

# with_cgroup2 DIR COMMAND...: mounts the cgroup2 hierarchy at DIR for that command only. The host need not have mounted
# it.
with_cgroup2() {
	# shellcheck disable=SC2016 # the inner shell's
	unshare -m sh -c 'mount -t cgroup2 none "$1" && shift && "$@"' sh "$@"
}

# cgroups_sweep DIR: removes the cgroups of processes that have ended. DIR is an empty folder
# shellcheck disable=SC2016 # the inner shell's
cgroups_sweep() {
	[ "$(id -u)" -eq 0 ] || return 0
	# shellcheck disable=SC2016 # the inner shell's
	with_cgroup2 "$1" sh -c 'for cgroup in "$0"/netcost-spin-*; do
			[ -d "$cgroup" ] || continue
			state=$(sed "s/.*) //" "/proc/${cgroup##*-}/stat" 2>/dev/null)
			case $state in "" | Z* | X*) rmdir "$cgroup" ;; esac
		done' "$1" 2>/dev/null || :
}
