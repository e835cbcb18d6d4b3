#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A recording in several files (--rotate): nothing is lost where one ends and the next begins, each is a trace of its own,
# and what is done with finished files (--keep, --post) never holds up the recording.
. tests/lib.sh
need_recorder
need_command zstd taskset
. tests/host/quiet.sh

rotated() {
	"$PYTHON" tests/host/rotate.py "$@"
}

# files DIR: its finished ones, in order
files() {
	find "$1" -name 'r-*.nct' | LC_ALL=C sort
}

# all_verified DIR
all_verified() {
	for file in $(files "$1"); do
		"$REPORT" verify "$file" >"$tmp/verified" || {
			cat "$tmp/verified"
			return 1
		}
	done
}

# more_than N DIR: finished files are there
more_than() {
	[ "$(files "$2" | wc -l)" -gt "$1" ]
}

no_parts() {
	[ -z "$(find "$1" -name '*.part')" ]
}

# ---- samples: 24 rotations, all CPUs busy; what was generated is counted by somebody else

mkdir "$tmp/s"
for cpu in $(seq 0 $(($(getconf _NPROCESSORS_ONLN) - 1))); do
	spawn taskset -c "$cpu" sh -c 'while :; do :; done'
	busy="${busy:-} $spawned"
done
"$RECORD" -q --exact=off -i 200 --rotate=1s -d 32 -o "$tmp/s/r.nct" 2>"$tmp/why" &
recorder=$!
lib_spawned="$lib_spawned $recorder"
sleep 0.5
"$PYTHON" tests/host/generated.py count "$recorder" "$tmp/generated" >"$tmp/counter" &
counter=$!
status=0
wait "$recorder" || status=$?
wait "$counter"
# shellcheck disable=SC2086 # a list
kill $busy
cat "$tmp/why"
expect rotate-ends-well [ "$status" -eq 0 ]
expect rotate-24-times more_than 23 "$tmp/s"
expect rotate-leaves-no-part no_parts "$tmp/s"
first=$(files "$tmp/s" | head -n 1)
# shellcheck disable=SC2046 # lists of files
{
	expect rotate-loses-no-sample "$PYTHON" tests/host/generated.py judge "$first" "$tmp/generated" none \
		$(files "$tmp/s" | tail -n +2)
	expect rotate-seams-of-samples rotated seams $(files "$tmp/s")
}
expect rotate-each-is-a-trace all_verified "$tmp/s"

# ---- what is exact, by process, and with everything else that there is

mkdir "$tmp/e"
"$RECORD" -q --exact=entry --processes --owners --latency-by=process --stages=1/8 --certify -i 100 --rotate=1s -d 9 \
	-o "$tmp/e/r.nct" &
recorder=$!
lib_spawned="$lib_spawned $recorder"
wait_for 20 more_than 0 "$tmp/e"
loaded=$(rotated load 1000 5)
status=0
wait "$recorder" || status=$?
expect rotate-exact-ends-well [ "$status" -eq 0 ]
# exact_has N TRACE...: at least, as other traffic is counted, too
exact_has() {
	least=$1
	shift
	rotated exact "$@" >"$tmp/exact"
	cat "$tmp/exact"
	awk -v n="$least" '{ exit $1 < n || $2 < n }' "$tmp/exact"
}
expect rotate-exact-goes-over-seams more_than 6 "$tmp/e"
# shellcheck disable=SC2046
{
	expect rotate-counts-1000-of-1000 [ "$(rotated calls "$loaded" $(files "$tmp/e"))" = "1000 1000" ]
	expect rotate-counters-have-them exact_has 1000 $(files "$tmp/e")
	expect rotate-seams-of-all rotated seams $(files "$tmp/e")
}
expect rotate-each-has-all all_verified "$tmp/e"

# said FILE PATTERN: in one of its records
said() {
	"$REPORT" dump "$1" | grep -q "$2"
}
second=$(files "$tmp/e" | sed -n 2p)
expect rotate-second-has-costs said "$second" '"type":"probe_cost"'
expect rotate-second-has-settings said "$second" '"type":"context"'
expect rotate-second-has-points said "$second" '"type":"stage_point"'
expect rotate-second-is-certified said "$second" '"type":"certificate"'
expect rotate-second-says-why-it-ended said "$second" 'the next file goes on'

# In windows: a file may begin while nothing exact is counted.
mkdir "$tmp/w"
expect rotate-budget "$RECORD" -q --budget=0.05 -i 100 --rotate=1s -d 6 -o "$tmp/w/r.nct"
# shellcheck disable=SC2046
expect rotate-seams-of-windows rotated seams $(files "$tmp/w")
expect rotate-each-has-windows all_verified "$tmp/w"

# By size: a file is at least so large, and not much larger.
mkdir "$tmp/z"
"$RECORD" -q -i 10 -F 0 --exact=entry --rotate=64K -d 6 -o "$tmp/z/r.nct"
expect rotate-by-size more_than 1 "$tmp/z"
expect rotate-by-size-not-sooner [ "$(stat -c %s "$(files "$tmp/z" | head -n 1)")" -ge 65536 ]
expect rotate-by-size-verified all_verified "$tmp/z"

# ---- a kill at a seam

now_ns() {
	"$PYTHON" -c 'import time; print(time.clock_gettime_ns(time.CLOCK_MONOTONIC))'
}

kill_eight() {
	readable=0 complete=0
	for i in 0 1 2 3 4 5 6 7; do
		rm -rf "$tmp/k"
		mkdir "$tmp/k"
		"$RECORD" -q --rotate=1s -i 100 -o "$tmp/k/r.nct" &
		victim=$!
		wait_for 10 more_than 1 "$tmp/k"
		sleep "$(awk "BEGIN { print 0.9 + $i * 0.02 }")"
		killed=$(now_ns)
		kill -9 "$victim"
		wait "$victim" 2>/dev/null || :
		part=$(find "$tmp/k" -name '*.part')
		# shellcheck disable=SC2046,SC2086
		last=$(rotated last $(files "$tmp/k") $part)
		echo "kill $i: $(((killed - last) / 1000000)) ms are missing"
		[ $((killed - last)) -gt 1050000000 ] || complete=$((complete + 1))
		! all_verified "$tmp/k" || readable=$((readable + 1))
	done
}
all_complete() {
	[ "$complete" -eq 8 ]
}
kill_eight
expect rotate-killed-leaves-whole-files [ "$readable" -eq 8 ]
amount rotate-killed-at-a-seam-loses-a-second kill_eight all_complete

# ---- which files stay

mkdir "$tmp/n"
for stranger in r.nct r-20200101T000000Z-000001.nct r-20990101T000000Z-000001.nct r-notes.nct; do
	echo precious >"$tmp/n/$stranger"
done
"$RECORD" -q -i 100 --rotate=1s --keep=2 -d 5 --exact=off -o "$tmp/n/r.nct"
expect keep-2-of-them [ "$(grep -L precious "$tmp"/n/* | wc -l)" -eq 2 ]
expect keep-all-strangers [ "$(grep -l precious "$tmp"/n/* | wc -l)" -eq 4 ]
expect keep-the-last-ones sh -c "ls '$tmp/n' | grep -v 2099 | grep -q -- '-00000[45].nct'"

# ---- what is run for each

mkdir "$tmp/p"
# shellcheck disable=SC2016 # the command's own variable
"$RECORD" -q -i 100 --rotate=1s -d 4 --exact=off -o "$tmp/p/r.nct" \
	--post="[ -f \"\$NETCOST_FILE\" ] && '$REPORT' verify \"\$NETCOST_FILE\" >/dev/null && echo \"\$NETCOST_FILE\" >>'$tmp/seen'"
files "$tmp/p" >"$tmp/there"
expect post-sees-each-file-once cmp "$tmp/there" "$tmp/seen"

# A slow one: files go on as if it were not there. Then --keep is faster, and it is not run for what was deleted.
mkdir "$tmp/q"
"$RECORD" -q -i 100 --rotate=1s --keep=1 -d 6 -o "$tmp/q/r.nct" --post="sleep 3; echo done >>'$tmp/slow'" 2>"$tmp/why"
cat "$tmp/why"
expect post-slow-does-not-block sh -c "grep -q -- '-00000[56].nct' '$tmp/why' || ls '$tmp/q' | grep -q -- '-00000[56].nct'"
expect post-not-for-deleted-files grep -q 'not run for .*-000002.nct: --keep deletes it first' "$tmp/why"
expect post-counts-what-was-not-run grep -q "of --post's commands 0 failed, and [1-9][0-9]* were not run" "$tmp/why"

status=0
"$RECORD" -q -i 100 --rotate=1s -d 3 --exact=off -o "$tmp/q/f.nct" --post='exit 7' 2>"$tmp/why" || status=$?
cat "$tmp/why"
expect post-failure-is-said grep -q -- '--post ended with status 7 for .*/f-.*-000001.nct' "$tmp/why"
expect post-failure-does-not-end-it [ "$status" -eq 0 ]

# ---- what goes wrong

# refused NAME STATUS PATTERN COMMAND...: one line that matches
refused() {
	name=$1 want=$2 pattern=$3
	shift 3
	status=0
	"$@" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
	cat "$tmp/stderr"
	expect "$name" [ "$status-$(grep -c -e "$pattern" "$tmp/stderr")-$(wc -l <"$tmp/stderr")" = "$want-1-1" ]
}
mkfifo "$tmp/fifo"
refused rotate-to-stdout 2 'give -o FILE' "$RECORD" -q --rotate=1s -d 1 -o -
refused rotate-to-a-pipe 2 'a pipe or a device' "$RECORD" -q --rotate=1s -d 1 -o "$tmp/fifo"
refused rotate-to-a-folder 2 'is a folder' "$RECORD" -q --rotate=1s -d 1 -o "$tmp"
refused rotate-by-nonsense 2 'give a time' "$RECORD" -q --rotate=5 -d 1 -o "$tmp/r.nct"
refused keep-alone 2 'only be used with --rotate' "$RECORD" -q --keep=2 -d 1 -o "$tmp/r.nct"
refused post-alone 2 'only be used with --rotate' "$RECORD" -q --post=true -d 1 -o "$tmp/r.nct"
refused rotate-nowhere 1 'cannot write .*: No such file or directory' \
	"$RECORD" -q --rotate=1s -d 1 -o "$tmp/no/where.nct"

# A disk that runs full: what was finished stays, and so does what was written of the last one.
mkdir "$tmp/l"
if mount -t tmpfs -o size=128k tmpfs "$tmp/l" 2>/dev/null; then
	status=0
	"$RECORD" -q -i 20 --rotate=1s -d 60 -F 4999 -o "$tmp/l/r.nct" 2>"$tmp/stderr" || status=$?
	cat "$tmp/stderr"
	whole=0
	! all_verified "$tmp/l" || whole=$(files "$tmp/l" | wc -l)
	umount "$tmp/l"
	expect rotate-disk-full-fails [ "$status" -eq 1 ]
	expect rotate-disk-full-is-said grep -q 'part: No space left on device' "$tmp/stderr"
	expect rotate-disk-full-keeps-files [ "$whole" -ge 1 ]
else
	skip rotate-disk-full "cannot mount a tmpfs"
fi

# The folder goes away: the next file cannot be begun. What there was is whole.
begun() {
	[ -s "$(echo "$1"/*.part)" ]
}
mkdir "$tmp/g"
"$RECORD" -q -i 100 --rotate=2s -d 20 --exact=off -o "$tmp/g/r.nct" 2>"$tmp/stderr" &
recorder=$!
lib_spawned="$lib_spawned $recorder"
wait_for 10 begun "$tmp/g"
sleep 0.5
mv "$tmp/g" "$tmp/gone"
status=0
wait "$recorder" || status=$?
cat "$tmp/stderr"
expect rotate-no-folder-fails [ "$status" -eq 1 ]
expect rotate-no-folder-is-said grep -q 'cannot write .*part: No such file or directory' "$tmp/stderr"
expect rotate-no-folder-ends-the-trace sh -c "'$REPORT' verify '$tmp'/gone/*.part"
