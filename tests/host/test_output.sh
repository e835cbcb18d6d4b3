#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks where a trace is written: links and pipes of other users, readers that stop reading, and commands that cannot
# run.
. tests/lib.sh
need_recorder
chmod 711 "$tmp"

as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

# one_line PATTERN: checks that the message is one line and matches
one_line() {
	cat "$tmp/stderr"
	[ "$(wc -l <"$tmp/stderr")" -eq 1 ] && grep -q "$1" "$tmp/stderr"
}

# status COMMAND...: prints the exit status; stderr is in $tmp/stderr
status() {
	status=0
	timeout -k 1 120 "$@" 2>"$tmp/stderr" || status=$?
	echo "$status"
}

# Makes a symbolic link to a device in a folder that every user can write. The link belongs to the test's user, because
# with fs.protected_symlinks 1 the kernel would not follow a link of another user.
link=/dev/shm/$lib_prefix.nct
echo precious >"$tmp/victim"
ln -s "$tmp/victim" "$link"
"$RECORD" -q -d 1 -F 0 -o "$link" || :
expect link-in-dev-is-not-followed grep -qx precious "$tmp/victim"
expect link-in-dev-made-room [ -f "$link" -a ! -L "$link" ]
rm -f "$link" "$link.old"

# Pipes: a pipe of another user is refused. An own pipe without a reader does not block the recorder.
cat >"$tmp/reader.py" <<'PY'
import os, select, shutil, sys
p = os.open(sys.argv[1], os.O_RDONLY | os.O_NONBLOCK)
print("opened", file=sys.stderr, flush=True)
select.select([p], [], [])
os.set_blocking(p, True)
shutil.copyfileobj(os.fdopen(p, "rb"), sys.stdout.buffer)
PY
mkdir -m 1777 "$tmp/sticky"
as_nobody mkfifo -m 666 "$tmp/sticky/p"
spawn as_nobody "$PYTHON" "$tmp/reader.py" "$tmp/sticky/p" >"$tmp/stolen" 2>"$tmp/opened"
wait_for 60 test -s "$tmp/opened"
expect pipe-of-another-user-is-refused [ "$(status "$RECORD" -q -d 1 -F 0 -o "$tmp/sticky/p")" -eq 1 ]
expect pipe-of-another-user-is-said one_line 'the pipe belongs to another user'
expect pipe-of-another-user-gets-nothing [ ! -s "$tmp/stolen" ]
mkfifo "$tmp/p"
expect pipe-without-reader-is-refused [ "$(status "$RECORD" -q -d 1 -F 0 -o "$tmp/p")" -eq 1 ]
expect pipe-without-reader-is-said one_line 'the pipe has no reader; start one first'
spawn "$PYTHON" "$tmp/reader.py" "$tmp/p" >"$tmp/read.nct" 2>"$tmp/opened"
wait_for 60 test -s "$tmp/opened"
expect pipe-of-our-own [ "$(status "$RECORD" -q -d 1 -F 0 -o "$tmp/p")" -eq 0 ]
wait "$spawned"
expect pipe-of-our-own-has-all "$REPORT" verify "$tmp/read.nct"

# A reader that stops: if it continues, no data is lost. If it never continues, only the end of the trace is lost, and
# the recording still ends normally.
stalled() {
	"$PYTHON" tests/host/stalled.py "$@" 2>"$tmp/stderr"
}
expect stalled-for-a-moment [ "$(stalled "$tmp/m.nct" full none "$RECORD" -q -i 10 -d 2 -o -)" = 0 ]
expect stalled-for-a-moment-has-all "$REPORT" verify "$tmp/m.nct"
expect stalled-ends-when-the-time-is-over [ "$(stalled "$tmp/d.nct" never none "$RECORD" -q -i 10 -d 1 -o -)" = 1 ]
expect stalled-is-said one_line 'stopped before the last [0-9.]* KiB; the trace is truncated'
expect stalled-left-a-cut-trace sh -c "'$REPORT' summary --full '$tmp/d.nct' 2>&1 >/dev/null | grep -qi cut"
for s in TERM INT HUP; do
	expect "stalled-ends-by-$s" [ "$(stalled "$tmp/s.nct" never $s "$RECORD" -q -i 10 -o -)" = 1 ]
done

# The user who called sudo can read the trace; an existing file keeps its owner.
SUDO_UID=65534 SUDO_GID=65533 "$RECORD" -q -d 1 -F 0 -o "$tmp/u.nct"
expect sudo-gives-the-file [ "$(stat -c '%u %g %a' "$tmp/u.nct")" = '65534 65533 600' ]
SUDO_UID=65534x SUDO_GID=65533 "$RECORD" -q -d 1 -F 0 -o "$tmp/u.nct"
expect sudo-nonsense-is-nobody [ "$(stat -c '%u %g' "$tmp/u.nct")" = '0 0' ]
expect sudo-old-stays-theirs [ "$(stat -c '%u %g' "$tmp/u.nct.old")" = '65534 65533' ]

# A file size limit (in blocks of 512 bytes) is an error, like a full disk.
expect file-limit-fails [ "$(status sh -c "ulimit -f 20; exec '$RECORD' -q -i 10 -d 20 -o '$tmp/l.nct'")" -eq 1 ]
expect file-limit-is-said one_line 'File too large; the trace ends with the data written so far'
expect file-limit-keeps-what-was-written sh -c "'$REPORT' summary --full '$tmp/l.nct' 2>&1 >/dev/null | grep -qi cut"
"$RECORD" -q -o "$tmp/c.nct" -- grep SigIgn /proc/self/status >"$tmp/ignored"
expect file-limit-ends-the-command [ $((0x$(cut -f 2 "$tmp/ignored") & 0x1001000)) -eq 0 ]

# A script without its interpreter: the message names the interpreter, and all former files are unchanged.
printf '#!/no/such/interpreter\n' >"$tmp/script"
chmod 755 "$tmp/script"
mkdir "$tmp/former"
echo former >"$tmp/former/x.nct"
echo before >"$tmp/former/x.nct.old"
expect no-interpreter-fails [ "$(status "$RECORD" -q -o "$tmp/former/x.nct" -- "$tmp/script")" -eq 1 ]
expect no-interpreter-is-said one_line "cannot run $tmp/script: .*check that its interpreter exists"
expect no-interpreter-keeps-files [ "$(cat "$tmp/former/x.nct" "$tmp/former/x.nct.old" | tr '\n' ' ')" = 'former before ' ]
expect no-interpreter-leaves-nothing [ "$(ls -A "$tmp/former" | wc -l)" -eq 2 ]
expect old-makes-room "$RECORD" -q -o "$tmp/former/x.nct" -- true
expect old-made-room [ "$(cat "$tmp/former/x.nct.old")-$(ls -A "$tmp/former" | wc -l)" = former-2 ]

# Standard output under another name: its content stays, and the command does not write into the trace.
echo there >"$tmp/o"
"$RECORD" -q -o /dev/stdout -- echo hello >>"$tmp/o" 2>"$tmp/stderr"
expect dev-stdout-appends [ "$(head -n 1 "$tmp/o")" = there ]
expect dev-stdout-is-the-traces one_line hello
tail -c +7 "$tmp/o" >"$tmp/o.nct"
expect dev-stdout-has-all "$REPORT" verify "$tmp/o.nct"
