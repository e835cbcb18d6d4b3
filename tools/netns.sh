# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Pairs of network namespaces, for the demo and the live tests. To be sourced.

# netns_join A B: creates both, joined by a veth pair named eth0 in each. A has 10.77.0.1 and
# fd77::1, B has 10.77.0.2 and fd77::2; nothing of this is visible outside of the two namespaces. They
# look neither for a router nor for each other's hardware address, because those packets would occasionally
# be counted with the others.
netns_join() {
	for netns_new; do
		ip netns add "$netns_new"
		ip netns exec "$netns_new" sh -c 'echo 0 >/proc/sys/net/ipv6/conf/default/router_solicitations' 2>/dev/null || :
	done
	# Created directly in the namespaces: no interface appears on the host, not even briefly.
	ip link add eth0 netns "$1" type veth peer name eth0 netns "$2"
	netns_up "$1" 1
	netns_up "$2" 2
	netns_knows "$1" "$2" 2
	netns_knows "$2" "$1" 1
}

# netns_knows A B NUMBER: sets B's hardware address in A permanently
netns_knows() {
	netns_address=$(ip netns exec "$2" cat /sys/class/net/eth0/address)
	ip -n "$1" neigh replace "10.77.0.$3" nud permanent dev eth0 lladdr "$netns_address"
	ip -n "$1" neigh replace "fd77::$3" nud permanent dev eth0 lladdr "$netns_address"
}

netns_up() {
	ip -n "$1" addr add "10.77.0.$2/24" dev eth0
	ip -n "$1" addr add "fd77::$2/64" dev eth0 nodad
	ip -n "$1" link set lo up
	ip -n "$1" link set eth0 up
}

# netns_remove NAME: removes it, and ends everything that still runs in it
netns_remove() {
	for netns_pid in $(ip netns pids "$1" 2>/dev/null); do
		kill -9 "$netns_pid" 2>/dev/null || :
	done
	ip netns del "$1" 2>/dev/null || :
}

# netns_listening NAME PORT: succeeds if a process listens on that TCP port
netns_listening() {
	ip netns exec "$1" ss -Hltn "sport = :$2" | grep -q .
}

# wait_for SECONDS COMMAND...: waits until the command succeeds; fails after that time
wait_for() {
	wait_until=$(($(date +%s) + $1))
	shift
	while ! "$@" >/dev/null 2>&1; do
		[ "$(date +%s)" -le "$wait_until" ] || return 1
		sleep 0.05
	done
}
