#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2154 # $spawned is set by tests/lib.sh
# Checks network namespaces that appear and disappear during a recording: the recorder finds them, reads their counters
# to the end, and closes their files.
. tests/lib.sh
need_recorder
need_command unshare nsenter zstd

gone=$lib_prefix-gone peer=$lib_prefix-peer
lib_namespaces="$lib_namespaces $gone $peer"
# Names that distinguish the test's namespaces from others on this machine.
gone_if=ncg$$ peer_if=ncp$$ ended_if=nce$$ late_if=ncl$$

join() {
	ip netns add "$gone"
	ip link add "$gone_if" netns "$gone" type veth peer name "$peer_if" netns "$peer"
}

has_moved() {
	[ "$(readlink "/proc/$spawned/ns/net")" != "$(readlink /proc/self/ns/net)" ]
}

# inside IF: starts a process in a namespace of its own with one more interface
inside() {
	spawn unshare -n sleep 600
	wait_for 60 has_moved
	nsenter -t "$spawned" -n ip link add "$1" type veth peer name "${1}b"
}

# is_kept PID: succeeds if the recorder has net/dev of that process's namespace open
is_kept() {
	# shellcheck disable=SC2010 # what a link leads to is wanted
	ls -l "/proc/$recorder/fd" 2>/dev/null | grep -q " /proc/$1/net/dev\( (deleted)\)*\$"
}

is_not_kept() {
	! is_kept "$1"
}

record() {
	rm -f "$tmp/t.nct" # removes the previous recording
	spawn "$RECORD" -q -F 0 -o "$tmp/t.nct" "$@"
	recorder=$spawned
	wait_for 60 [ -s "$tmp/t.nct" ]
}

finish() {
	kill "$recorder"
	wait "$recorder"
}

peer_is_alone() {
	! ip -n "$peer" link show "$peer_if"
}

cat >"$tmp/netdev.py" <<'PY'
import sys
sys.path.insert(0, "tests")
import nct
NETDEV, NETDEV_STATS = 17, 18
defined, ticks, classes = {}, [], set()  # by id: (namespace, name); per tick: received packets by id; (namespace, name, class)
for kind, r in nct.objects(sys.argv[1]):
    if kind == NETDEV:
        defined[r[1]] = (r[3], r[2])
        classes.add((r[3], r[2], r.get(5)))
    elif kind == NETDEV_STATS:
        ticks.append(dict(zip(r[1], r[2])))
at = lambda name: [ns for ns, n in defined.values() if n == name]
ids = lambda name: [i for i, (_, n) in defined.items() if n == name]
lo = lambda ns: next(i for i, d in defined.items() if d == (ns, "lo"))
print(eval(sys.argv[2]))
PY

trace() {
	"$PYTHON" "$tmp/netdev.py" "$tmp/t.nct" "$1"
}

ip netns add "$peer"
ip -n "$peer" link set lo up
join
inside "$ended_if"
ended=$spawned

# ---- default ticks

record
expect netns-files-are-kept wait_for 240 is_kept "$ended"
ip netns del "$gone"
kill "$ended"
expect netns-interfaces-go-with-it wait_for 60 peer_is_alone
expect netns-files-are-closed wait_for 240 is_not_kept "$ended"
join
inside "$late_if"
late=$spawned
expect netns-late-ones-are-kept wait_for 240 is_kept "$late"
ip netns exec "$peer" "$PYTHON" -c '
import socket
s = socket.socket(type=socket.SOCK_DGRAM)
for _ in range(50):
    s.sendto(b"", ("127.0.0.1", 9))'
packets=$(ip netns exec "$peer" awk '$1 == "lo:" { print $3 }' /proc/net/dev)
has_all() {
	[ "$(trace "ticks[-1].get(lo(at('$peer_if')[0]))")" = "$packets" ]
}
expect netns-kept-file-is-read-anew wait_for 60 has_all
finish

expect netns-verify "$REPORT" verify "$tmp/t.nct"
expect netns-found [ "$(trace "len(at('$peer_if')), len(at('$ended_if'))")" = "(1, 1)" ]
expect netns-late-process-is-found [ "$(trace "len(at('$late_if'))")" = 1 ]
expect netns-same-name-is-another [ "$(trace "len(set(at('$gone_if')))")" = 2 ]
expect netns-old-one-is-read-no-more [ "$(trace "[i in ticks[-1] for i in ids('$gone_if')]")" = "[False, True]" ]
# the kernel gives a new namespace the inode number of one that has ended
expect netns-same-number-is-another [ "$(trace "len(set(at('$gone_if') + at('$ended_if') + at('$late_if')))")" = 4 ]

# ---- an interface that is deleted, and another with its name, whose counters begin at 0

create() {
	ip -n "$peer" link add name "nca$$" type veth peer name "ncb$$"
	ip -n "$peer" link set "nca$$" up && ip -n "$peer" link set "ncb$$" up
}
record -i 100
create
has_sent() {
	[ "$(trace "any(ticks[-1].get(i, 0) > 1 for i in ids('nca$$'))")" = True ]
}
expect netns-interface-is-found wait_for 60 has_sent
ip -n "$peer" link del "nca$$" && create
is_another() {
	[ "$(trace "len(ids('nca$$'))")" = 2 ]
}
expect netns-same-interface-is-another wait_for 240 is_another
finish
expect netns-nothing-was-reset [ "$("$REPORT" verify "$tmp/t.nct")" = "$tmp/t.nct: ok" ]

# ---- longer ticks: no file stays open between them

record -i 1500
three_ticks() {
	[ "$(trace 'len(ticks) >= 3')" = True ]
}
expect netns-goes-on wait_for 60 three_ticks
expect netns-nothing-is-kept-for-long wait_for 240 is_not_kept "$late"
finish
expect netns-read-all-the-same [ "$(trace "[ids(n)[0] in ticks[-1] for n in ('$peer_if', '$late_if')]")" = "[True, True]" ]

# ---- classes of interfaces: the recorder runs in a namespace of ip-netns(8), and then in the test's own

has_class() {
	[ "$(trace "(1, '$1', '$2') in classes")" = True ]
}
rm -f "$tmp/t.nct"
spawn ip netns exec "$peer" "$RECORD" -q -F 0 -i 100 -o "$tmp/t.nct"
recorder=$spawned
wait_for 60 [ -s "$tmp/t.nct" ]
ip -n "$peer" link add "ncc$$" type veth peer name "ncd$$"
expect netns-class-of-late-interface wait_for 60 has_class "ncc$$" virtual
finish
expect netns-classes [ "$(trace "{(n, c) for ns, n, c in classes if ns == 1} == {('lo', 'loopback')} | {(n, 'virtual') for n in ('$peer_if', 'nca$$', 'ncb$$', 'ncc$$', 'ncd$$')}")" = True ]
expect netns-classes-of-others [ "$(trace "{(n == 'lo', c) for ns, n, c in classes if ns != 1} == {(False, None), (True, 'loopback')}")" = True ]
"$RECORD" -q -F 0 -d 0.3 -o "$tmp/own.nct"
mv "$tmp/own.nct" "$tmp/t.nct"
for i in /sys/class/net/*/device; do
	[ -e "$i" ] && [ ! -e "${i%device}master" ] || continue
	i=${i%/device}
	expect netns-class-physical has_class "${i##*/}" physical
done
