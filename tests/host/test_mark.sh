#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks --mark, which puts marks into running recordings, from any terminal. Nobody can harm a recording that way.
#
# Runs in a network namespace of its own, so that other recordings on this host are not marked.

# Runs in a network namespace of our own, so that other recordings on this host are not marked.
if [ "$(id -u)" -eq 0 ] && [ -z "${NETCOST_TEST_ALONE:-}" ]; then
	exec env NETCOST_TEST_ALONE=1 unshare -n sh "$0"
fi
. tests/lib.sh
need_recorder

# record NAME: starts a recording that the test ends; its process id is in $pid
record() {
	spawn "$RECORD" -q -o "$tmp/$1.nct"
	pid=$spawned
	wait_for 60 [ -s "$tmp/$1.nct" ]
}

# end PID...: ends recordings
end() {
	kill "$@"
	wait "$@" || :
}

# now_ns: the time by the clock of the trace
now_ns() {
	"$PYTHON" -c 'import time; print(time.clock_gettime_ns(time.CLOCK_MONOTONIC))'
}

# marks NAME EXPRESSION: evaluates the expression with m = texts of the marks, t = their times, start and end of the
# recording
marks() {
	"$PYTHON" - "$tmp/$1.nct" "$2" <<'PY'
import sys
sys.path.insert(0, "tests")
import nct
records = list(nct.objects(sys.argv[1]))
marks = sorted((r[1], r[2]) for k, r in records if k == 22)
source = [r for k, r in records if k == 4 and r[1] == "marks"]
print(eval(sys.argv[2], {"t": [m[0] for m in marks], "m": [m[1] for m in marks], "source": source,
                         "start": records[0][1][18], "end": [r[7] for k, r in records if k == nct.END][0]}))
PY
}

# refused NAME STATUS PATTERN COMMAND...: checks that the command prints one line on stderr that matches, and nothing on
# stdout
refused() {
	name=$1 want=$2 pattern=$3
	shift 3
	status=0
	"$@" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
	cat "$tmp/stdout" "$tmp/stderr"
	expect "$name" [ "$status-$(grep -cE "$pattern" "$tmp/stderr")-$(cat "$tmp/stdout" "$tmp/stderr" | wc -l)" = \
		"$want-1-1" ]
}

# caller.py does what netcost-record mark would never do.
cat >"$tmp/caller.py" <<'PY'
import os, socket, struct, sys, time
what, pid = sys.argv[1], int(sys.argv[2])
def call(data=None):
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.settimeout(20)
    s.connect("\0netcost-record/%d" % pid)
    if data is not None:
        s.send(data)
    return s
def request(text):
    return b"ncmark1\0" + struct.pack("=QQ", 1, os.stat("/proc/self/ns/time").st_ino) + text
def status(s):
    try:
        return struct.unpack_from("=Q", s.recv(8192), 8)[0]
    except OSError:
        return "none"
if what == "as-nobody":
    os.setgid(65534)
    os.setuid(65534)
    s = call()
    print(status(s)) # the answer arrives before any request
elif what == "flood":
    seen = {}
    for _ in range(1000):
        try:
            got = status(call(request(b"flood")))
        except OSError:
            got = "no"
        seen[got] = seen.get(got, 0) + 1
    print(seen.get(0, 0), seen.get(1, 0))
elif what == "silent":
    held = []
    for i in range(12):
        held.append(call())
    open(sys.argv[3], "w")
    time.sleep(600)
# makes sockets that belong to no recording: without a number, or with a number but without an answer
elif what == "strangers":
    os.setgid(65534)
    os.setuid(65534)
    names = [b"%d\x1b]0;pwned\x07\x1b[31mred" % i for i in range(50)] + [b"0%d" % i for i in range(1, 51)]
    names += [b"%d" % (2000000000 + i) for i in range(50)] + [b"%d" % (2000000100 + i) for i in range(20)]
    # a socket that looks like a line in /proc/net/unix, which names the recording again
    names += [b"x\n0: 0 0 00010000 0005 01 1 @netcost-record/%d" % pid, b"%d and more" % pid]
    held = []
    for name in names:
        s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        s.bind(b"\0netcost-record/" + name)
        full = name < b"2000000100"
        s.listen(0 if full else 16)
        held.append(s)
        while full:
            c = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            c.setblocking(False)
            held.append(c)
            try:
                c.connect(b"\0netcost-record/" + name)
            except BlockingIOError:
                break
    open(sys.argv[3], "w")
    time.sleep(600)
elif what == "take-the-name": # the process later executes the recorder, so the process id stays the same
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.bind("\0netcost-record/%d" % os.getpid())
    os.set_inheritable(s.fileno(), True)
    os.execv(sys.argv[3], sys.argv[3:])
PY

# ---- errors if there is nothing to mark

refused mark-nothing-runs 1 'no recording is running' "$RECORD" --mark x
refused mark-no-such-process 1 'process 1 is not a netcost-record ' "$RECORD" --mark x --pid 1
refused mark-with-recording-options 2 'only --pid and -q can be used with it' "$RECORD" --mark x -d 1
refused mark-with-a-command 2 'only --pid and -q can be used with it' "$RECORD" --mark x -- true
refused pid-alone 2 'can only be used with --mark' "$RECORD" --pid 1
refused mark-empty 2 '1 to 4095 bytes' "$RECORD" --mark ''
refused mark-too-long 2 '1 to 4095 bytes' "$RECORD" --mark "$(printf %4096s x)"
refused mark-not-utf8 2 'UTF-8' "$RECORD" --mark "$(printf 'a\377')"

# ---- one recording

record one
before=$(now_ns)
expect mark-says-where [ "$("$RECORD" --mark 'deploy 42')" = "marked in netcost-record $pid ($tmp/one.nct)" ]
between=$(now_ns)
expect mark-quiet [ -z "$("$RECORD" -q --mark="zwölf ; \"$(printf '\t')" 2>&1)" ]
long=$(printf %4095s x)
"$RECORD" -q --mark "$long"
chmod 755 "$tmp"
cp "$RECORD" "$tmp/recorder"
refused mark-as-another-user 1 'marks from its own user and from root only' \
	setpriv --reuid 65534 --regid 65534 --clear-groups "$tmp/recorder" --mark intruder
expect recorder-refuses-another-user [ "$("$PYTHON" "$tmp/caller.py" as-nobody "$pid")" = 2 ]
ip netns add "$lib_prefix-other" && lib_namespaces="$lib_namespaces $lib_prefix-other"
refused mark-from-another-namespace 1 'no recording is running' \
	ip netns exec "$lib_prefix-other" "$RECORD" --mark elsewhere
end "$pid"
expect mark-texts-come-back [ "$(marks one "m == ['deploy 42', 'zwölf ; \"\\t', ' ' * 4094 + 'x']")" = True ]
expect mark-times-are-true [ "$(marks one "start < $before < t[0] < $between < t[1] < t[2] < end")" = True ]
expect mark-is-dumped sh -c "'$REPORT' dump '$tmp/one.nct' | grep -q '\"type\":\"mark\".*\"text\":\"deploy 42\"'"
expect mark-is-in-the-summary sh -c "'$REPORT' summary --full '$tmp/one.nct' | grep -q 'deploy 42'"
expect mark-refusals-are-in-the-trace [ "$(marks one 'source[-1][4]')" = '#39 2 #41' ] # reasons.h: 2 marks refused: from another user
expect mark-trace-verifies "$REPORT" verify "$tmp/one.nct"

# ---- several recordings

record two && first=$pid
record three && second=$pid
expect mark-several "$RECORD" --mark both
expect mark-by-pid "$RECORD" --mark only --pid "$second"
end "$first" "$second"
expect mark-several-both [ "$(marks two m)$(marks three m)" = "['both']['both', 'only']" ]

# ---- a recording that gets too many marks, and a recording that does not answer

record flood
spawn "$PYTHON" "$tmp/caller.py" silent "$pid" "$tmp/silent"
wait_for 60 [ -e "$tmp/silent" ]
expect mark-beside-silent-callers timeout 60 "$RECORD" -q --mark patient
kill "$spawned"
read -r taken busy <<EOT
$("$PYTHON" "$tmp/caller.py" flood "$pid")
EOT
expect mark-after-a-flood wait_for 60 "$RECORD" -q --mark after --pid "$pid"
end "$pid"
marks flood 'len(m), source'
# At most 100 are accepted until a frame is written, and frames are 0.8 s apart.
expect flood-is-answered [ "$(marks flood "m.count('flood') == $taken and $taken + $busy == 1000")" = True ]
expect flood-is-bounded [ "$(marks flood 'len(t) >= 100 and all(b - a >= 0.8e9 for a, b in zip(t, t[200:]))')" = True ]
expect flood-is-in-the-trace [ "$(marks flood "source[-1][4].split()[::2] == ['#39', '#40'] and int(source[-1][4].split()[1]) >= $busy")" = True ]

# ---- sockets that belong to no recording

record among
expect mark-answers-at-all wait_for 60 "$RECORD" -q --mark ready --pid "$pid" # the recorder has begun
chmod 777 "$tmp"
spawn "$PYTHON" "$tmp/caller.py" strangers "$pid" "$tmp/strangers-are-there"
wait_for 60 [ -e "$tmp/strangers-are-there" ]
status=0
timeout 60 "$RECORD" --mark found >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
cat -v "$tmp/stdout" "$tmp/stderr"
expect mark-among-strangers [ "$status-$(cat "$tmp/stdout")" = "0-marked in netcost-record $pid ($tmp/among.nct)" ]
expect strangers-names-stay-off-the-terminal [ "$(LC_ALL=C tr -d '\n -~' <"$tmp/stderr" | wc -c)" = 0 ]
expect strangers-get-a-line-each-kind [ "$(wc -l <"$tmp/stderr")" = 2 ]
expect mark-by-pid-among-strangers [ "$(timeout 60 "$RECORD" --mark named --pid "$pid" 2>&1)" = \
	"marked in netcost-record $pid ($tmp/among.nct)" ]
kill "$spawned"
end "$pid"
expect mark-comes-once [ "$(marks among "[t for t in m if t != 'ready']")" = "['found', 'named']" ]

record hung
kill -s STOP "$pid"
refused mark-a-hung-recorder 1 'does not answer' timeout 60 "$RECORD" --mark late
answered=$(now_ns)
kill -s CONT "$pid"
wait_for 60 sh -c "! '$RECORD' -q --mark again 2>&1 | grep ."
end "$pid"
expect mark-comes-late-with-its-own-time [ "$(marks hung "m[:1] == ['late'] and t[0] < $answered < end")" = True ]

"$PYTHON" "$tmp/caller.py" take-the-name 0 "$RECORD" -q -o "$tmp/taken.nct" -d 1
expect no-socket-no-matter [ "$(marks taken 'source[-1][2]')" = refused ]
expect no-socket-is-in-the-summary sh -c "'$REPORT' summary --full '$tmp/taken.nct' | grep -q 'cannot listen for --mark'"
expect check-says-marks sh -c "'$RECORD' --check | grep -qE '^marks +--mark +and SIGUSR1'"
