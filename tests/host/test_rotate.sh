#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks a recording in several files (--rotate): no data is lost between two files, each file is a complete trace, and
# the handling of finished files (--keep, --post) never delays the recording.
. tests/lib.sh
need_recorder
need_command zstd
chmod 711 "$tmp"

rotated() {
	"$PYTHON" tests/host/rotate.py "$@"
}

# files DIR: prints the finished files of the folder in order
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

# more_than N DIR: succeeds if the folder has more than N finished files
more_than() {
	[ "$(files "$2" | wc -l)" -gt "$1" ]
}

no_parts() {
	[ -z "$(find "$1" -name '*.part')" ]
}

# begun N DIR: succeeds if the file with this number or a later file exists, finished or not
begun() {
	find "$2" -name 'r-*.nct*' | sed 's/.*-0*\([0-9]*\)\.nct.*/\1/' | awk -v n="$1" '$1 >= n { found = 1 } END { exit !found }'
}

# start DIR OPTION...: starts a recording to r.nct in DIR, with a file per second, until the test ends it. Messages go
# to DIR.why. Sets $pid
start() {
	dir=$1
	shift
	mkdir -p "$dir"
	"$RECORD" -q -i 100 --rotate=1s "$@" -o "$dir/r.nct" 2>"$dir.why" &
	pid=$!
	lib_spawned="$lib_spawned $pid"
}

# end PID: ends the recording and sets $status
end() {
	status=0
	kill "$1"
	wait "$1" || status=$?
}

# ---- simultaneous recordings, one for each check

for stranger in r.nct r-20200101T000000Z-000001.nct r-20990101T000000Z-000001.nct r-notes.nct; do
	mkdir -p "$tmp/n"
	echo precious >"$tmp/n/$stranger"
done
start "$tmp/n" --keep=2 --exact=off
keep=$pid
# shellcheck disable=SC2016 # the command's own variable
start "$tmp/p" --exact=off \
	--post="[ -f \"\$NETCOST_FILE\" ] && '$REPORT' verify \"\$NETCOST_FILE\" >/dev/null && echo \"\$NETCOST_FILE\" >>'$tmp/seen'"
post=$pid
# A slow command does not delay the files. If --keep deletes a file first, the command is not run for it.
start "$tmp/q" --keep=1 --exact=off --post="until [ -e '$tmp/go' ]; do sleep 0.1; done"
slow=$pid
start "$tmp/f" --exact=off --post='exit 7'
failing=$pid
# With windows, a file may begin while exact counting is paused.
start "$tmp/w" --budget=0.05
budget=$pid

# Ends before the other recordings: a busy host may run fewer commands than there are files, and then some are skipped.
wait_for 60 more_than 2 "$tmp/p"
end "$post"
files "$tmp/p" >"$tmp/there"
expect post-sees-each-file-once cmp "$tmp/there" "$tmp/seen"

# Records samples, and exact counts by process, at the same time. A separate program counts the generated samples, too.
start "$tmp/e" --exact=entry --budget=none --processes --owners --latency-by=process --stages=1/8 --certify
all=$pid
wait_for 60 sh -c "ls '$tmp'/e/*.part"
spawn "$PYTHON" tests/host/generated.py count "$all" "$tmp/generated" >"$tmp/counter"
counter=$spawned
wait_for 60 grep -q counting "$tmp/counter"
wait_for 60 more_than 0 "$tmp/e"
loaded=$(rotated load 1000 3)
expect rotate-goes-on wait_for 60 more_than 5 "$tmp/e"
end "$all"
wait "$counter"
expect rotate-ends-well [ "$status" -eq 0 ]
expect rotate-leaves-no-part no_parts "$tmp/e"
first=$(files "$tmp/e" | head -n 1)
# exact_has N TRACE...: checks that at least N calls were counted; other traffic is counted, too
exact_has() {
	least=$1
	shift
	rotated exact "$@" >"$tmp/exact"
	cat "$tmp/exact"
	awk -v n="$least" '{ exit $1 < n || $2 < n }' "$tmp/exact"
}
# shellcheck disable=SC2046 # lists of files
{
	expect rotate-loses-no-sample "$PYTHON" tests/host/generated.py judge "$first" "$tmp/generated" none \
		$(files "$tmp/e" | tail -n +2)
	expect rotate-counts-1000-of-1000 rotated calls "$loaded" 1000 $(files "$tmp/e")
	expect rotate-counters-have-them exact_has 1000 $(files "$tmp/e")
	expect rotate-seams-of-all rotated seams $(files "$tmp/e")
}
expect rotate-each-has-all all_verified "$tmp/e"
# Merges the files: the result is one trace.
# shellcheck disable=SC2046 # lists of files
{
	expect rotate-merges "$REPORT" merge -q $(files "$tmp/e") -o "$tmp/joined.nct"
	expect rotate-merged-is-sound "$REPORT" verify "$tmp/joined.nct"
	expect rotate-merged-has-all rotated joined "$tmp/joined.nct" $(files "$tmp/e")
	expect rotate-reports-as-one sh -c '"$@" | grep -c " recorded 20" | grep -qx 1' sh "$REPORT" summary --full $(files "$tmp/e")
}

# said FILE PATTERN: succeeds if a record of the file matches
said() {
	"$REPORT" dump "$1" | grep -q "$2"
}
second=$(files "$tmp/e" | sed -n 2p)
expect rotate-second-has-costs said "$second" '"type":"probe_cost"'
expect rotate-second-has-settings said "$second" '"type":"context"'
expect rotate-second-has-points said "$second" '"type":"probe","of":3,'
expect rotate-second-is-certified said "$second" '"type":"certificate"'
expect rotate-second-says-why-it-ended said "$second" 'the next file continues'

expect rotate-in-windows wait_for 60 more_than 2 "$tmp/w"
end "$budget"
# shellcheck disable=SC2046
expect rotate-seams-of-windows rotated seams $(files "$tmp/w")
expect rotate-each-has-windows all_verified "$tmp/w"
# shellcheck disable=SC2046
{
	expect rotate-merges-windows "$REPORT" merge -q $(files "$tmp/w") -o "$tmp/windows.nct"
	expect rotate-merged-windows-are-sound "$REPORT" verify "$tmp/windows.nct"
	expect rotate-merged-windows-have-all rotated joined "$tmp/windows.nct" $(files "$tmp/w")
}

expect keep-goes-on wait_for 60 begun 5 "$tmp/n"
end "$keep"
expect keep-2-of-them [ "$(grep -L precious "$tmp"/n/* | wc -l)" -eq 2 ]
expect keep-all-strangers [ "$(grep -l precious "$tmp"/n/* | wc -l)" -eq 4 ]
expect keep-the-last-ones sh -c "! ls '$tmp/n' | grep -v '2020\|2099' | grep -- '-00000[123].nct'"

expect post-slow-does-not-block wait_for 60 begun 5 "$tmp/q"
touch "$tmp/go"
end "$slow"
cat "$tmp/q.why"
expect post-not-for-deleted-files grep -q 'skipped for .*-000002.nct: --keep deleted the file first' "$tmp/q.why"
expect post-counts-what-was-not-run grep -q "0 --post commands failed, and [1-9][0-9]* were skipped" "$tmp/q.why"

expect post-failure-is-said wait_for 60 grep -q -- '--post ended with status 7 for .*/r-.*-000001.nct' "$tmp/f.why"
watched=$(cat "/proc/$failing/fdinfo/"* | grep -c ^tfd) && kill -KILL "$(pgrep -oP "$failing")" # the process that starts commands
expect post-killed-does-not-spin wait_for 60 sh -c "[ \$(cat /proc/$failing/fdinfo/* | grep -c ^tfd) -lt $watched ]"
end "$failing"
expect post-failure-does-not-end-it [ "$status" -eq 0 ]

# Rotates by size: a file has at least that size.
mkdir "$tmp/z"
spawn "$RECORD" -q -i 10 -F 0 --exact=entry --rotate=64K -o "$tmp/z/r.nct"
expect rotate-by-size wait_for 60 more_than 1 "$tmp/z"
end "$spawned"
expect rotate-by-size-not-sooner [ "$(stat -c %s "$(files "$tmp/z" | head -n 1)")" -ge 65536 ]
expect rotate-by-size-verified all_verified "$tmp/z"

# An interface that is deleted and created again is another one. The next files define both.
netns_pair here there
ip netns exec "$here" "$PYTHON" -c "import socket; [socket.socket(2, 2).sendto(b'x', ('$there_ip', 9)) for _ in range(99)]"
start "$tmp/i" --exact=off
wait_for 60 more_than 0 "$tmp/i"
ip -n "$here" link del eth0 && ip link add eth0 netns "$here" type veth peer name eth0 netns "$there"
wait_for 60 more_than "$(($(files "$tmp/i" | wc -l) + 2))" "$tmp/i"
end "$pid"
expect rotate-interface-created-again all_verified "$tmp/i"

# Kills the recorder at the end of a file: earlier files are complete, and the written part of the last file is
# readable.
killed=0
for _ in 1 2 3; do
	rm -rf "$tmp/k"
	start "$tmp/k" --exact=off
	wait_for 60 more_than 0 "$tmp/k"
	kill -9 "$pid"
	wait "$pid" 2>/dev/null || :
	part=$(find "$tmp/k" -name '*.part' -size +0)
	if all_verified "$tmp/k" && { [ -z "$part" ] || "$REPORT" summary "$part" >/dev/null; }; then killed=$((killed + 1)); fi
done
expect rotate-killed-leaves-whole-files [ "$killed" -eq 3 ]

# ---- errors

# refused NAME STATUS PATTERN COMMAND...: checks that the command prints one line that matches
refused() {
	name=$1 want=$2 pattern=$3
	shift 3
	status=0
	"$@" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
	cat "$tmp/stderr"
	expect "$name" [ "$status-$(grep -c -e "$pattern" "$tmp/stderr")-$(wc -l <"$tmp/stderr")" = "$want-1-1" ]
}
mkfifo "$tmp/fifo"
refused rotate-to-stdout 2 'use -o FILE' "$RECORD" -q --rotate=1s -d 1 -o -
refused rotate-to-a-pipe 2 'a pipe or a device' "$RECORD" -q --rotate=1s -d 1 -o "$tmp/fifo"
refused rotate-to-a-folder 2 'is a folder' "$RECORD" -q --rotate=1s -d 1 -o "$tmp"
refused rotate-by-nonsense 2 'a time from 1s' "$RECORD" -q --rotate=5 -d 1 -o "$tmp/r.nct"
refused keep-alone 2 'only be used with --rotate' "$RECORD" -q --keep=2 -d 1 -o "$tmp/r.nct"
refused post-alone 2 'only be used with --rotate' "$RECORD" -q --post=true -d 1 -o "$tmp/r.nct"
refused rotate-nowhere 1 'cannot create .*: No such file or directory' \
	"$RECORD" -q --rotate=1s -d 1 -o "$tmp/no/where.nct"

# A full disk: finished files stay, and so does the written part of the last file.
mkdir "$tmp/l"
if mount -t tmpfs -o size=128k tmpfs "$tmp/l" 2>/dev/null; then
	status=0
	"$RECORD" -q -i 20 --rotate=1s -F 4999 -o "$tmp/l/r.nct" 2>"$tmp/stderr" || status=$?
	cat "$tmp/stderr"
	whole=0
	! all_verified "$tmp/l" || whole=$(files "$tmp/l" | wc -l)
	umount "$tmp/l"
	expect rotate-disk-full-fails [ "$status" -eq 1 ]
	expect rotate-disk-full-is-said grep -q 'part: No space left on device' "$tmp/stderr"
	expect rotate-disk-full-keeps-files [ "$whole" -ge 1 ]
else
	skip rotate-disk-full "needs full privileges"
fi

# The folder is renamed: the recording continues in the renamed folder, even if another folder gets its name.
start "$tmp/m" --exact=off
wait_for 60 sh -c "[ -s '$tmp'/m/*-000001.nct.part ]"
mv "$tmp/m" "$tmp/moved"
mkdir "$tmp/m"
expect rotate-moved-folder-goes-on wait_for 60 more_than 1 "$tmp/moved"
end "$pid"
cat "$tmp/m.why"
expect rotate-moved-folder-ends-well [ "$status" -eq 0 ]
expect rotate-moved-folder-leaves-others-alone [ -z "$(ls -A "$tmp/m")" ]

# Another user takes each name in a sticky folder: the recorder's files get other names. Files of this user are not
# passed to --post.
mkdir -m 1777 "$tmp/s"
# shellcheck disable=SC2016 # the command's own variable
start "$tmp/s" --exact=off --post='stat -c "%u %F" "$NETCOST_FILE"' >"$tmp/owners"
wait_for 60 sh -c "[ -s '$tmp'/s/*-000001.nct.part ]"
stranger=$(ls "$tmp"/s/*-000001.nct.part)
setpriv --reuid 65534 --regid 65534 --clear-groups sh -c "echo evil >'${stranger%.part}'"
wait_for 60 sh -c "ls '$tmp'/s/r-*-000002.nct"
end "$pid"
cat "$tmp/s.why" "$tmp/owners"
expect rotate-taken-name-ends-well [ "$status" -eq 0 ]
expect rotate-taken-name-stays [ "$(cat "${stranger%.part}")" = evil ]
rm -f "${stranger%.part}"
expect rotate-taken-name-gets-another all_verified "$tmp/s"
expect rotate-taken-name-leaves-no-part no_parts "$tmp/s"
expect post-gets-only-our-files [ "$(sort -u "$tmp/owners")-$(wc -l <"$tmp/owners")" = "0 regular file-$(files "$tmp/s" | wc -l)" ]

# In a folder of another user no file is passed to a command. Without a command, files are written.
mkdir "$tmp/o"
chown 65534 "$tmp/o"
refused post-in-a-folder-of-another-user 2 'another user can replace files' \
	"$RECORD" -q --rotate=1s --post=true -d 1 -o "$tmp/o/r.nct"
expect post-in-a-folder-of-another-user-writes-nothing [ -z "$(ls -A "$tmp/o")" ]

# Exact counting pauses at most ends of files; the oldest files are gone, as after a week.
mkdir "$tmp/kept"
expect rotate-windows "$RECORD" -q -F 199 -d 6 -i 250 --rotate=1s --keep=4 -o "$tmp/kept/r.nct"
expect rotate-windows-join "$REPORT" merge -q "$tmp"/kept/*.nct -o "$tmp/kept.nct"
expect rotate-windows-are-whole rotated whole "$REPORT" "$tmp/kept.nct" "$tmp"/kept/*.nct

# The folder is deleted: the next file cannot be opened.
start "$tmp/g" --exact=off
wait_for 60 sh -c "[ -s '$tmp'/g/*-000001.nct.part ]"
rm -r "$tmp/g"
status=0
wait "$pid" || status=$?
cat "$tmp/g.why"
expect rotate-no-folder-fails [ "$status" -eq 1 ]
expect rotate-no-folder-is-said grep -q 'cannot write .*part: No such file or directory' "$tmp/g.why"
expect rotate-no-folder-says-what-is-lost grep -q 'part was deleted during the recording: its data is lost' "$tmp/g.why"
