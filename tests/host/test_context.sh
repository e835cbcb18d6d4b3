#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2154 # netns_pair sets client
# Checks the settings of the host: if a setting differs between two recordings, diff must name it, and no other setting.
. tests/lib.sh
need_recorder
need_command tc nft zstd

netns_pair client server

# record NAME [COMMAND...]: records inside the namespace, so interfaces and rules are those of the namespace
record() {
	name=$1
	shift
	[ $# -gt 0 ] || set -- true
	ip netns exec "$client" "$RECORD" -q -F 0 -o "$tmp/$name.nct" -- "$@"
}

# set_gro 0|1: like `ethtool -K eth0 gro`, because not every host has ethtool
cat >"$tmp/gro.py" <<'PY'
import array, fcntl, socket, struct, sys
SIOCETHTOOL, ETHTOOL_SGRO = 0x8946, 0x2c
value = array.array("I", [ETHTOOL_SGRO, int(sys.argv[1])])
request = struct.pack("16sP16x", b"eth0", value.buffer_info()[0])
fcntl.ioctl(socket.socket(socket.AF_INET, socket.SOCK_DGRAM), SIOCETHTOOL, request)
PY
set_gro() {
	ip netns exec "$client" "$PYTHON" "$tmp/gro.py" "$1"
}

add_rules() {
	{
		echo "add table inet test"
		echo "add chain inet test many"
		i=0
		while [ $i -lt "$1" ]; do
			echo "add rule inet test many tcp dport $i counter"
			i=$((i + 1))
		done
	} >"$tmp/rules.nft"
	ip netns exec "$client" nft -f "$tmp/rules.nft"
}

set_gro 1
if ! add_rules 7 2>"$tmp/why"; then
	skip_all "needs nf_tables"
fi
record before
set_gro 0
ip netns exec "$client" tc qdisc replace dev eth0 root pfifo limit 100
add_rules 1000
record after

cat >"$tmp/otherwise.py" <<'PY'
import json, sys
rows = json.load(sys.stdin)["set_otherwise"]
for r in rows:
    print(r)
# BPF programs and similar settings belong to the whole host.
found = {(r["subject"], r["name"], r["before"], r["after"]) for r in rows if r["subject"].startswith(("interface", "nftables"))}
sys.exit(found != {("interface eth0", "generic-receive-offload", "on", "off"),
                   ("interface eth0", "qdisc", "noqueue", "pfifo"), ("nftables", "rules", "7", "1007")})
PY
names_three() {
	"$REPORT" diff --format=json "$tmp/before.nct" "$tmp/after.nct" | "$PYTHON" "$tmp/otherwise.py"
}
expect context-diff-names-three names_three

shows_three() {
	"$REPORT" diff "$tmp/before.nct" "$tmp/after.nct" >"$tmp/text" &&
		sed -n '/^Settings that differ$/,/^$/p' "$tmp/text" >"$tmp/set" && cat "$tmp/set" && [ "$(sed -n '3,$p' "$tmp/set" | grep -c -e '^  interface' -e '^  nftables')" -eq 3 ]
}
expect context-diff-begins-with-them shows_three

# A setting that changes during the recording is in the trace with its first and its last value.
record changing sh -c 'ip link set eth0 mtu 1400; ip link add late0 type veth peer name late1; tc qdisc del dev eth0 root'
says_then() {
	"$REPORT" info --context "$tmp/changing.nct" >"$tmp/text" &&
		grep -Eq '^  interface eth0 +mtu +1500, then 1400$' "$tmp/text" &&
		grep -Eq '^  interface eth0 +qdisc +pfifo, then noqueue$' "$tmp/text" &&
		grep -Eq '^  interface late0 +driver +veth$' "$tmp/text" &&
		"$REPORT" verify -q "$tmp/changing.nct"
}
expect context-changes says_then

# The number of settings is limited. Very many interfaces must not use it up before the other settings; rules are
# counted up to a limit.
add_rules 4000
record many
interfaces_last() {
	"$REPORT" dump "$tmp/many.nct" | "$PYTHON" -c '
import json, sys
records = [json.loads(line) for line in sys.stdin if line.startswith("{\"type\":\"context\"")]
subjects = [s for r in records if r["at_ns"] == records[0]["at_ns"] for s in r["subject"]] # the changes are made later
first = next(i for i, s in enumerate(subjects) if s.startswith("interface "))
print(subjects[first:])
sys.exit(any(not s.startswith("interface ") for s in subjects[first:]))'
}
expect context-interfaces-come-last interfaces_last
expect context-many-rules sh -c "'$REPORT' info --context '$tmp/many.nct' | grep -Eq '^  nftables +rules +over 5000$'"

# sysfs shows the interfaces of the namespace in which it was mounted. The recorder must ignore interfaces of other
# namespaces.
says_why() {
	nsenter --net="/run/netns/$client" "$RECORD" -q -F 0 -o "$tmp/sysfs.nct" -- true &&
		"$REPORT" info --context "$tmp/sysfs.nct" >"$tmp/text" &&
		grep -Eq '^  interface eth0 +queues +/sys shows another network namespace$' "$tmp/text" &&
		! grep -q '^  interface eth0 rx-' "$tmp/text"
}
expect context-other-sysfs says_why

# No trace contains addresses or the name of the host.
is_discreet() {
	! "$REPORT" dump "$tmp/after.nct" | grep '"context"' |
		grep -F -e "$client_ip" -e fd77:: -e "$(uname -n)\"" -e "$(cat /sys/class/net/*/address | sort -u | grep -v 00:00:00:00:00:00 | head -n 1)"
}
expect context-without-addresses is_discreet
