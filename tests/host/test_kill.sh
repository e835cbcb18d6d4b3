#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks that the written data can be read, however a recording ends. After a kill, all data that was written stays, and
# the report says that the trace is cut.
. tests/lib.sh
need_recorder

# grown FILE: succeeds if the file has grown since the last call
grown() {
	had=${size:-0}
	size=$(stat -c %s "$1" 2>/dev/null || echo 0)
	[ "$size" -gt "$had" ]
}

# start NAME OPTION...: starts a recording to NAME.nct, and waits for its first frame. Sets $victim to its pid
start() {
	name=$1
	shift
	rm -f "$tmp/$name.nct"
	"$RECORD" -q "$@" -o "$tmp/$name.nct" &
	victim=$!
	lib_spawned="$lib_spawned $victim"
	size=0
	wait_for 60 grown "$tmp/$name.nct"
}

# ended NAME SIGNAL: checks that the signal ends the recording and that the trace is closed properly
ended() {
	start "$2"
	kill -s "$2" "$victim"
	status=0
	wait "$victim" || status=$?
	"$REPORT" summary "$tmp/$2.nct" >/dev/null 2>"$tmp/err" || status=99
	cat "$tmp/err"
	expect "$1" [ "$status" -eq 0 -a ! -s "$tmp/err" ]
}

# Kills the recorder after the first frame and after later frames. The former file is intact, and so are the ticks of
# each frame. A frame is written at a tick.
readable=0 kept=0
for frames in 0 1 2 0 1; do
	start k
	for _ in $(seq $frames); do wait_for 60 grown "$tmp/k.nct"; done
	cp "$tmp/k.nct" "$tmp/before.nct"
	kill -9 "$victim"
	wait "$victim" 2>/dev/null || :
	! "$REPORT" summary "$tmp/k.nct" >/dev/null 2>"$tmp/err" || ! grep -qi cut "$tmp/err" || readable=$((readable + 1))
	cat "$tmp/err"
	! "$PYTHON" - "$tmp/before.nct" "$tmp/k.nct" $frames <<'PY' || kept=$((kept + 1))
import sys
sys.path.insert(0, "tests")
import nct
before, after = (list(nct.objects(path)) for path in sys.argv[1:3])
ticks = sum(kind == nct.TICK for kind, _ in before)
print("%d objects before the kill, %d after; %d ticks in %s frames after the first" % (len(before), len(after), ticks, sys.argv[3]))
sys.exit(not (after[:len(before)] == before and ticks >= int(sys.argv[3])))
PY
done
expect kill-5-readable-and-said-to-be-cut [ "$readable" -eq 5 ]
expect kill-5-keep-what-was-written [ "$kept" -eq 5 ]

ended term-closes-the-trace TERM
ended hup-closes-the-trace HUP
# Ctrl-C reaches the whole foreground process group; a background process of a script ignores SIGINT by default.
"$PYTHON" - "$RECORD" "$tmp" <<'PY' || lib_failed=1
import os, signal, subprocess, sys, time
record, tmp = sys.argv[1:]
child = subprocess.Popen([record, "-q", "-o", tmp + "/i.nct", "--", "sh", "-c", "echo $$ >%s/pid.new; mv %s/pid.new %s/pid; exec sleep 600" % (tmp, tmp, tmp)],
                         start_new_session=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
while not os.path.exists(tmp + "/pid"):
    time.sleep(0.01)
os.killpg(child.pid, signal.SIGINT)
status = child.wait()
print("ok int-closes-the-trace" if status == 0 else "not ok int-closes-the-trace: expected status 0, got %d" % status)
there = os.path.exists("/proc/%s" % open(tmp + "/pid").read().strip())
print("not ok int-ended-the-command: it still runs" if there else "ok int-ended-the-command")
sys.exit(bool(status or there))
PY
expect int-is-complete [ -z "$("$REPORT" summary "$tmp/i.nct" 2>&1 >/dev/null)" ]

start m -i 100
kill -s USR1 "$victim"
expect usr1-goes-on wait_for 60 grown "$tmp/m.nct"
kill "$victim"
wait "$victim"
expect usr1-marks [ "$("$PYTHON" -c "
import sys
sys.path.insert(0, 'tests')
import nct
print([r[2] for t, r in nct.objects('$tmp/m.nct') if t == 22])")" = "['SIGUSR1']" ]
expect child-ends-it "$RECORD" -q -o "$tmp/c.nct" -- true
expect duration-ends-it timeout 60 "$RECORD" -q -d 1 -o "$tmp/d.nct"
expect frames-mix-no-definitions [ "$("$PYTHON" -c "
import sys
sys.path.insert(0, 'tests')
import nct
whole = {t.number for t in nct.TYPES if t.of == 'WHOLE'}
kinds = [kind for kind, _ in nct.objects('$tmp/d.nct')]
print(sum((a in whole) != (b in whole) for a, b in zip(kinds, kinds[1:]) if nct.FRAME not in (a, b)))")" = 0 ]
