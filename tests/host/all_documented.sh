#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks that each netcost-record command of README.md, docs and man pages records. The duration in the command is
# shortened. The example's command is replaced by `true`, its interface by lo, its folder by a folder of the test, and
# another host by this host.

# Runs in a network namespace of its own, because --mark reaches all recordings in a namespace.
if [ "$(id -u)" -eq 0 ] && [ -z "${NETCOST_TEST_ALONE:-}" ]; then
	exec env NETCOST_TEST_ALONE=1 unshare -n sh "$0"
fi
. tests/lib.sh
need_recorder

PATH=$PWD/$BUILD:$PATH
export PATH

# documented: prints the documented commands, one per line
documented() {
	{
		sed -n '/^```sh$/,/^```$/p' README.md docs/*.md
		awk '/^\.Sh/ { on = $2 == "EXAMPLES" } on' man/netcost-record.1 | sed 's/\\-/-/g'
	} | sed -n '/^\(sudo \|ssh [^ ]* \)*\(build\/\)*netcost-record /p' | sed 's/ *#.*//' | sort -u
}

# shorter: prints the same commands, changed so that they can be run here
shorter() {
	sed -e 's/^\(sudo \|ssh [^ ]* \)*//' -e 's,build/netcost,netcost,g' -e 's/ -d [0-9]*/ -d 1/' -e 's/ -- .*/ -- true/' \
		-e 's/=eth0/=lo/' -e 's,-o [^ ]*/,-o ,' -e 's,=/host,=/,' \
		-e "s/--ab=10s --pid=1234/--ab=0.1s --pid=$marked/" -e '/ -d \| -- \|--check\|--mark\|--live\|--ab/!s/$/ -d 1/'
}

mkdir "$tmp/folder"
spawn "$RECORD" -q -o "$tmp/marked.nct"
marked=$spawned
wait_for 60 [ -s "$tmp/marked.nct" ]
n=0
documented >"$tmp/commands"
shorter <"$tmp/commands" >"$tmp/shorter"
while read -r command; do
	n=$((n + 1))
	status=0
	(cd "$tmp/folder" && sh -c "$command") >"$tmp/out" 2>&1 </dev/null || status=$?
	case $command in
	*--live*) wanted="2 .*terminal" ;; # tests/host/test_live.sh has one
	*--event=cycles*) wanted="\\(0\\|1 .*no PMU\\) " ;; # a PMU is missing in some virtual machines
	*) wanted="0 " ;;
	esac
	echo "$status $(tr '\n' ' ' <"$tmp/out")" >"$tmp/was"
	expect "documented-$n: $command" grep -q "^$wanted" "$tmp/was"
done <"$tmp/shorter"
expect documented-some test "$n" -ge 25
kill "$marked"
wait "$marked"
expect documented-marks test "$(netcost-report timeline "$tmp/marked.nct" | grep -c "deploy 42")" -ge 1
