#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks that an error is reported in one line, with exit status 1 (2 for usage), and that no incomplete file is left.
. tests/lib.sh
need_recorder

# refused NAME STATUS PATTERN COMMAND...: checks that the command prints one line on stderr that matches, and makes no
# trace
refused() {
	name=$1 want=$2 pattern=$3
	shift 3
	rm -f "$tmp/out.nct"
	status=0
	"$@" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
	if [ "$status" -ne "$want" ]; then
		fail "$name" "expected exit status $want, got $status: $(cat "$tmp/stderr")"
	elif [ "$(wc -l <"$tmp/stderr")" -ne 1 ] || ! grep -qE "$pattern" "$tmp/stderr"; then
		fail "$name" "expected one line with '$pattern', got: $(cat "$tmp/stderr")"
	elif [ -e "$tmp/out.nct" ]; then
		fail "$name" "left a trace after"
	else
		pass "$name"
	fi
}

record="$RECORD -q -o $tmp/out.nct"
# shellcheck disable=SC2086 # words
{
	refused err-no-command 1 'no-such-command: command not found' $record -- no-such-command
	refused err-not-executable 1 'Permission denied' $record -- /etc/passwd
	refused err-cpu-offline 1 'CPU 4000 is not online' $record -C 4000 -d 1
	refused err-cpu-list 2 'not a list of CPUs' $record -C 1,x -d 1
	refused err-output-directory 1 'Is a directory' "$RECORD" -q -o "$tmp" -d 1
	refused err-output-nowhere 1 'No such file or directory' "$RECORD" -q -o "$tmp/no/where.nct" -d 1
	refused err-rate 1 'perf_event_max_sample_rate' $record -F 1000000 -d 1
	refused err-nothing 2 'nothing to record' $record -F 0 --exact=off -d 1
	refused err-latency-only 2 'port.*interface=NAME' $record --budget=none --latency-only=port=80 -d 1
	refused err-latency-only-interface 2 'no-such-one: No such device' $record --budget=none --latency-only=interface=no-such-one -d 1
	refused err-host-root 2 '/no/such: No such file' $record --host-root=/no/such -d 1
	refused err-option 2 'frobnicate' $record --frobnicate
	refused err-value 2 "'0x' is not a time from 1ms to 365d, such as 500ms" $record -d 0x
	refused err-duration-unit 2 "'5y' is not a time" $record -d 5y
	refused err-duration-zero 2 "'0' is not a time" $record -d 0
	refused err-duration-empty 2 "'' is not a time" $record --duration=
	refused err-interval-long 2 "'2m' is not a time from 1ms to 1m" $record -i 2m -d 1
	refused err-interval-negative 2 "'-5' is not a time" $record -i -5 -d 1
	refused err-interval-part 2 'whole milliseconds' $record -i 1.5 -d 1
	refused err-budget 2 "'101%' is not a percentage from 0.01% to 100%, such as 5% or 0.5, or none" $record --budget=101% -d 1
	refused err-ratio 2 "'2/3' is not 1/N with N from 1 to 100000" $record --budget=none --stages=2/3 -d 1
	refused err-owners 2 "'' is not 1/N with N from 1 to 100000" $record --budget=none --owners= -d 1
	refused err-ab-of-nothing 2 'give a COMMAND, or the --pid' $record --ab=1s -d 1
	refused err-ab-time 2 "'50ms' is not a time from 100ms to 1h" $record --ab=50ms -- true
	refused err-ab-rotate 2 'cannot be used with' $record --ab=1s --rotate=1m -- true
	refused err-ab-process 1 'cannot watch the process' $record --ab=1s --pid=2147483647
	refused err-ab-recorder 2 'nothing to record' $record --ab=1s -F 0 --exact=off -- touch "$tmp/out.nct"
	refused err-ab-short 1 'the process ended after 0 rounds' "$RECORD" --ab=1s -- true
	refused err-rotate 2 "'1x' is not a time from 1s to 366d.* or a size from 64K to 1T" $record --rotate=1x -d 1
}

# An existing file stays unchanged if nothing is recorded. Otherwise it is renamed to .old.
echo precious >"$tmp/out.nct"
# shellcheck disable=SC2086
$record -- no-such-command 2>/dev/null || :
expect existing-file-stays [ "$(cat "$tmp/out.nct")" = precious ]
# shellcheck disable=SC2086
$record -- true
expect existing-file-kept-as-old [ "$(cat "$tmp/out.nct.old")" = precious ]
spawn sleep 100
cp "$tmp/out.nct" "$tmp/ab.nct"
expect ab-records "$RECORD" --ab=100ms -o "$tmp/out.nct" --pid="$spawned"
expect ab-keeps-only-the-last-trace [ "$("$REPORT" verify "$tmp/out.nct")-$(cmp -s "$tmp/out.nct.old" "$tmp/ab.nct" && echo same)" = "$tmp/out.nct: ok-same" ]
expect mode-is-0600 [ "$(stat -c %a "$tmp/out.nct")" = 600 ]

# The recorder exits with the status of the command as a shell reports it, unless the recording ended the command.
hands_on() {
	want=$1
	shift
	status=0
	"$RECORD" -q --exact=off -F 0 --budget=none --latency -o "$tmp/status.nct" "$@" || status=$?
	[ "$status" -eq "$want" ] && "$REPORT" verify -q "$tmp/status.nct"
}
expect status-of-command hands_on 7 -- sh -c 'exit 7'
expect status-of-signal hands_on 137 -- sh -c 'kill -9 $$'
expect status-of-good-command hands_on 0 -- true
expect status-of-ended-command hands_on 0 -d 200ms -- sleep 100

# This behaviour follows from the table of options.
refused err-near-option 2 'the nearest is --latency$' "$RECORD" --latencey -d 1
refused err-completion 2 'not one of bash, zsh or fish' "$RECORD" --print-completion=ksh
completes() {
	"$RECORD" --print-completion=bash >"$tmp/completion.bash" && bash -n "$tmp/completion.bash" || return 1
	"$RECORD" --help | sed -n 's/^  \(-[a-zA-Z],\|   \) --\([a-z-]*\).*/--\2/p' | sort >"$tmp/listed"
	bash -c '. "$1"; COMP_WORDS=(netcost-record -) COMP_CWORD=1; _netcost_record; printf "%s\n" "${COMPREPLY[@]}"' bash "$tmp/completion.bash" |
		sed 's/=$//' | sort | cmp - "$tmp/listed"
}
expect record-completes completes
has_page() {
	page=$tmp/netcost-record.1
	sh tools/man.sh man/netcost-record.1 "$RECORD --print-man-options" >"$page" && [ "$(wc -l <"$page")" -lt 300 ] &&
		[ "$(grep -c '^\.It Fl' "$page")" -eq "$(wc -l <"$tmp/listed")" ]
}
expect record-has-man-page has_page

# Checks units. The unit of a plain number never changes.
kinds() {
	"$RECORD" -q --exact=off -F 0 --budget=none --latency -o "$tmp/units.nct" "$@" &&
		[ "$("$REPORT" info --format=json "$tmp/units.nct" | sed -n 's/.*"tick_ms": \([0-9]*\).*/\1/p')" = "$tick" ]
}
tick=100
expect units-ms kinds -d 500ms -i 100ms
expect units-s kinds -d 0.5s -i .1s
expect units-plain kinds -d 1 -i 100
expect units-budget "$RECORD" -q -C 0-0 --budget=1.5% -o "$tmp/units.nct" -- true
expect units-budget-in-trace sh -c '"$1" dump "$2" | grep -q "budget_ppm.*15000"' sh "$REPORT" "$tmp/units.nct"

# Records as another user without capabilities.
chmod 755 "$tmp"
cp "$RECORD" "$tmp/recorder"
mkdir -m 777 "$tmp/nobody"
as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}
status=0
as_nobody "$tmp/recorder" -q -o "$tmp/nobody/n.nct" -d 1 2>"$tmp/stderr" || status=$?
cat "$tmp/stderr"
expect unprivileged-says-one-line [ "$(wc -l <"$tmp/stderr")" -eq 1 ]
expect unprivileged-fails [ "$status" -eq 1 ]
expect unprivileged-says-what-to-do grep -q 'CAP_PERFMON' "$tmp/stderr"
expect unprivileged-leaves-nothing [ ! -e "$tmp/nobody/n.nct" ]

# The capabilities named in the README are enough without root.
caps=+bpf,+perfmon,+syslog
expect capabilities-are-enough setpriv --reuid 65534 --regid 65534 --clear-groups \
	--inh-caps "$caps" --ambient-caps "$caps" "$tmp/recorder" -q -o "$tmp/nobody/c.nct" -d 1
expect capabilities-give-everything [ "$("$PYTHON" tests/nct.py "$tmp/nobody/c.nct" \
	'x.check_identity() and any(None not in t[3] for t in x.ticks) and any(kind == SAMPLES for kind, _ in raw_objects(path)) and any(kind == SYMBOLS for kind, _ in raw_objects(path))')" = True ]

# The rings of two recordings exceed the limit of locked memory of a user, unless the kernel allows more. The message
# then names the limit. The test uses a user id of its own, because the limit applies to all processes of a user.
user=$((60000 + $$ % 5000))
as_user() {
	(ulimit -l 64 && exec setpriv --reuid $user --regid $user --clear-groups --inh-caps "$caps" --ambient-caps "$caps" "$@")
}
mkdir -m 777 "$tmp/user"
as_user "$tmp/recorder" -q -d 20 --exact=off -o "$tmp/user/one.nct" 2>"$tmp/user/err" &
one=$!
lib_spawned="$lib_spawned $one"
expect locked-memory-first wait_for 60 test -s "$tmp/user/one.nct"
locked_memory() {
	as_user "$tmp/recorder" -q -d 1 --exact=off -o "$tmp/user/two.nct" 2>"$tmp/stderr" || grep -q 'perf_event_mlock_kb.*ulimit -l' "$tmp/stderr"
}
expect locked-memory-is-named locked_memory
kill "$one"
wait "$one" || :

# The limit of open files is too low. When the kernel refuses to open a file, this is not an error of usage.
status=0
(ulimit -n 20 && exec "$RECORD" -q -d 1 -o "$tmp/files.nct") 2>"$tmp/stderr" || status=$?
cat "$tmp/stderr"
expect few-files-fail [ "$status" -eq 1 ]
expect few-files-say-what-to-do grep -q 'ulimit -Hn' "$tmp/stderr"
# The recorder raises its own soft limit. The recorded command has the original limit.
(ulimit -S -n 30 && exec "$RECORD" -q -o "$tmp/files.nct" -- sh -c 'ulimit -n') >"$tmp/stdout" || :
expect few-files-soft-limit-is-raised [ "$(cat "$tmp/stdout")" = 30 ]

# A full disk is an error. The part that was written stays readable.
mkdir "$tmp/small"
if mount -t tmpfs -o size=16k tmpfs "$tmp/small" 2>/dev/null; then
	status=0
	"$RECORD" -q -F 4999 -o "$tmp/small/f.nct" -d 600 2>"$tmp/stderr" || status=$?
	"$REPORT" summary "$tmp/small/f.nct" >"$tmp/stdout" 2>"$tmp/warning" || status=99
	cat "$tmp/stderr" "$tmp/warning"
	umount "$tmp/small"
	expect disk-full-fails [ "$status" -eq 1 ]
	expect disk-full-is-said grep -q 'No space left on device' "$tmp/stderr"
	expect disk-full-keeps-what-was-written grep -qi 'cut' "$tmp/warning"
else
	skip disk-full "needs full privileges"
fi
"$RECORD" -q -d 1 -o - 2>"$tmp/stderr" | head -c 100 >/dev/null || :
expect reader-gone-is-said grep -q 'Broken pipe' "$tmp/stderr"

# A trace that is written to a pipe equals a trace in a file.
"$RECORD" -q -d 1 -o - >"$tmp/p.nct"
"$REPORT" summary "$tmp/p.nct" >"$tmp/file.txt"
"$REPORT" summary - <"$tmp/p.nct" >"$tmp/stdin.txt"
cat "$tmp/p.nct" | "$REPORT" folded - >"$tmp/pipe.folded"
"$REPORT" folded "$tmp/p.nct" >"$tmp/file.folded"
expect pipe-is-like-file cmp "$tmp/pipe.folded" "$tmp/file.folded"
expect stdin-is-like-file [ "$(wc -l <"$tmp/file.txt")" = "$(wc -l <"$tmp/stdin.txt")" ]

"$RECORD" -q -o - -- echo hello 2>"$tmp/stderr" >"$tmp/o.nct"
expect command-does-not-write-into-the-trace sh -c "'$REPORT' info '$tmp/o.nct' >/dev/null && grep -q hello '$tmp/stderr'"

# --check reports to any user what that user can record.
status=0
as_nobody "$tmp/recorder" --check >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
expect check-fails-for-anybody [ "$status" -eq 1 ]
expect check-has-all-lines [ "$(grep -cE '^(idle|sock_send|rx_softirq|samples|procstat|energy) ' "$tmp/stdout")" -eq 6 ]
# The output of --check fits the width, names each reason once, and does not name a remedy that does not help.
expect check-fits sh -c "! '$RECORD' --check | grep -qE '.{101}' && ! COLUMNS=70 '$RECORD' --check | grep -qE '.{71}'"
check_repeats() {
	COLUMNS=1000 "$RECORD" --check | grep -E '^(sock|rx|tx|hardirq|idle|task|io)_' | grep -o '; no .*' | sort | uniq -d | grep -v 'as for' >"$tmp/twice"
	[ ! -s "$tmp/twice" ]
}
expect check-says-reasons-once check_repeats
expect check-has-the-right-remedy sh -c "! grep -q -e '-F 0' '$tmp/stdout' '$tmp/stderr'"
expect check-says-why-in-a-line [ "$(wc -l <"$tmp/stderr")" -eq 1 ]

# The kernel has no BTF: a private mount namespace hides the file.
status=0
unshare -m sh -c "mount --bind /dev/null /sys/kernel/btf/vmlinux && '$RECORD' -q -d 1 -o '$tmp/b.nct'" \
	2>"$tmp/stderr" || status=$?
cat "$tmp/stderr"
expect no-btf-goes-on-with-samples [ "$status" -eq 0 ]
expect no-btf-is-said-in-a-line [ "$(grep -c BTF "$tmp/stderr")-$(wc -l <"$tmp/stderr")" = 1-1 ]
expect no-btf-is-in-the-report sh -c "'$REPORT' summary --full '$tmp/b.nct' | grep -q 'refused: the kernel has no BTF'"

# The kernel hides addresses of symbols: the recorder reports this, and records. A private mount namespace hides the
# addresses.
sed 's/^[0-9a-f]*/0000000000000000/' /proc/kallsyms >"$tmp/hidden"
status=0
unshare -m sh -c "mount --bind '$tmp/hidden' /proc/kallsyms && '$RECORD' -q -d 1 -o '$tmp/h.nct'" 2>"$tmp/stderr" || status=$?
cat "$tmp/stderr"
expect hidden-symbols-are-recorded [ "$status" -eq 0 ]
expect hidden-symbols-are-said grep -q 'kptr_restrict' "$tmp/stderr"
expect hidden-symbols-are-in-the-report sh -c "'$REPORT' summary --full '$tmp/h.nct' | grep -q kptr_restrict"

# The report gets a file that is not a trace.
: >"$tmp/empty"
echo 'hello, world, this is text' >"$tmp/text"
zstd -q "$tmp/text" -o "$tmp/text.zst"
for command in summary folded info dump; do
	refused "report-$command-empty" 1 'empty' "$REPORT" $command "$tmp/empty"
	refused "report-$command-text" 1 'not a netcost trace' "$REPORT" $command "$tmp/text"
	refused "report-$command-zstd" 1 'not a netcost trace' "$REPORT" $command "$tmp/text.zst"
	refused "report-$command-directory" 1 'irectory' "$REPORT" $command "$tmp"
	refused "report-$command-missing" 1 'No such file' "$REPORT" $command "$tmp/missing"
done
refused report-no-such-option 2 'frobnicate' "$REPORT" summary --frobnicate
