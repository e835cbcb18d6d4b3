# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# What the guest's tests share: result lines as in tests/lib.sh, without a trap's work: the machine ends soon.

pass() {
	echo "ok $1"
}

fail() {
	echo "not ok $1: $2"
}

# expect NAME COMMAND...: passes if the command succeeds
expect() {
	name=$1
	shift
	if "$@"; then pass "$name"; else fail "$name" "failed ($?): $*"; fi
}

# until_so COMMAND...: waits until the command succeeds, 300 s at most
until_so() {
	for _ in $(seq 3000); do
		! "$@" || return 0
		sleep 0.1
	done
	return 1
}

no_device() {
	[ ! -e "/sys/class/net/$1" ]
}

has_own_network() {
	[ "$(readlink "/proc/$1/ns/net")" != "$(readlink /proc/self/ns/net)" ]
}

# namespace_after DEVICE: makes a namespace with the peer of this device as eth0. The pid of a
# process in it is in $host. Killing that process removes both devices, but with a delay (a socket
# may still have data to send), so the previous test may still have a device of this name.
namespace_after() {
	until_so no_device "$1" || fail "$1" "is still there"
	ip link add "$1" type veth || fail "$1" "ip: $?" # the peer is veth0, because busybox cannot set its name
	unshare -n sleep 100000 &
	host=$!
	until_so has_own_network $host || fail "$1-namespace" "not available"
	ip link set veth0 netns $host
	nsenter -t $host -n ip link set veth0 name eth0
}
