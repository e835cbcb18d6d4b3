# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: small files that stand for very much, and what they may cost.

mkdir "$tmp/large"
"$PYTHON" tests/report/large_traces.py "$tmp/large"
ROOM=48 # MiB in addition to --memory, for the program itself and the buffers of frames

# peak MIB ARGUMENTS...: returns the report's exit status, or 99 if it used more memory
peak() {
	peak_mib=$1
	shift
	"$PYTHON" tests/report/peak.py "$peak_mib" "$report" "$@" >/dev/null 2>"$tmp/err" || return $?
}

# refused MIB ARGUMENTS...: checks that the report uses no more memory, says that the trace is too
# large and not that it is damaged, and leaves no file
refused() {
	status=0
	rm -f "$tmp/out.file"
	peak "$@" || status=$?
	if [ "$status" -ne 1 ] || ! grep -q 'too large for --memory: .*set --memory=' "$tmp/err" || grep -q damaged "$tmp/err" ||
		[ -e "$tmp/out.file" ]; then
		echo "status $status of $*"
		tail -n 2 "$tmp/err"
		[ ! -e "$tmp/out.file" ] || echo "there is a file"
		return 1
	fi
}

# opens MIB ARGUMENTS...: checks that the report succeeds with that much memory
opens() {
	rm -f "$tmp/out.file"
	if ! peak "$@"; then
		echo "$*"
		tail -n 2 "$tmp/err"
		return 1
	fi
}

LIMIT=4 # MiB of names and ids

# commands SORT: prints the commands that keep data of that sort; "copies" are commands that keep no
# names
commands() {
	case $1 in
	all) printf '%s\n' summary timeline top 'folded -o @' 'export perfetto -o @' 'flamegraph -o @' 'html --no-charts -o @' 'dump --samples' ;;
	tasks) printf '%s\n' summary 'summary --by=task' 'dump --samples' 'html --no-charts -o @' ;;
	cgroups) printf '%s\n' summary 'summary --by=cgroup' 'html --no-charts -o @' ;;
	modules) printf '%s\n' top 'html --no-charts -o @' ;;
	processes) printf '%s\n' summary 'timeline --by=process' who 'html --no-charts -o @' ;;
	copies) printf '%s\n' verify 'cut * -o @' 'merge * -o @' 'recover * -o @' ;;
	none) printf '%s\n' 'summary --full' top info dump verify 'cut * -o @' 'merge * -o @' 'recover * -o @' ;;
	esac
}

# each VERB SORT MIB: checks "refused" or "opens" for all commands of that sort
each() {
	commands "$2" | while read -r command; do
		words=$(echo "$command" | sed "s|@|$tmp/out.file|; s|\*|$file|")
		[ "${command%\* -o @}" != "$command" ] || words="$words $file"
		# shellcheck disable=SC2086 # words
		"$1" $(($3 + ROOM)) $words --memory="$3" || return 1
	done
}

# Only the data that a command keeps is charged, whatever else the trace defines.
while read -r trace refused opened; do
	file=$tmp/large/$trace.nct
	keeps() { each refused "$refused" $LIMIT && each opens "$opened" $LIMIT; }
	expect "large-$trace" keeps
done <<END
tasks tasks none
named-tasks tasks none
sampled-tasks tasks none
symbols all copies
names all copies
functions all copies
stacks all copies
cgroups cgroups none
paths cgroups none
modules modules copies
zones all copies
settings all copies
netdevs all nothing
programs all nothing
processes processes none
END

# A recording of a build host opens with less than 20 MiB, which its 40 000 process ids alone once
# needed.
file=$tmp/large/processes.nct
expect large-build-host each opens processes 18
expect large-build-host-tasks each opens tasks 18
expect large-build-host-diff opens $((2 * 18 + ROOM)) diff --memory=18 "$file" "$file"
expect large-build-host-scrub opens $((18 + ROOM)) scrub --memory=18 "$file" -o "$tmp/out.file"
expect large-build-host-tables opens $((18 + ROOM)) export tables --memory=18 -o "$tmp/out.tables" "$file"

# There is one map of stacks for each CPU.
expect large-cpus refused $((LIMIT + ROOM)) folded --per-cpu --memory=$LIMIT -o "$tmp/out.file" "$tmp/large/cpus.nct"
expect large-window refused $((LIMIT + ROOM)) summary --memory=$LIMIT --from=0.1 "$tmp/large/symbols.nct"
expect large-scrub refused $((LIMIT + ROOM)) scrub --memory=$LIMIT "$tmp/large/netdevs.nct" -o "$tmp/out.file"
expect large-second refused $((LIMIT + ROOM)) merge --memory=$LIMIT "$tmp/t/full.nct" "$tmp/large/netdevs.nct" -o "$tmp/out.file"
too_large_status() {
	! "$report" verify --memory=1 --format=json "$tmp/large/netdevs.nct" >"$tmp/out" && grep -q '"status": "too large"' "$tmp/out"
}
expect large-status too_large_status

# The memory limit is sufficient for the data, and is not exceeded.
large_fits() {
	for command in 'summary --by=task' 'html --no-charts -o /dev/null'; do
		# shellcheck disable=SC2086
		peak $((24 + ROOM)) $command --memory=24 "$tmp/large/sampled-tasks.nct" || return 1
	done
}
expect large-fits large_fits
expect large-dumps peak "$ROOM" dump "$tmp/large/tasks.nct"

# An hour of a build host, with the default limit.
if [ "${NETCOST_TIER:-gate}" = all ]; then
	"$PYTHON" tests/report/large_traces.py "$tmp/large" 25 processes
	file=$tmp/large/processes.nct
	by_itself() {
		commands "$1" | while read -r command; do
			words=$(echo "$command" | sed "s|@|$tmp/out.file|; s|\*|$file|")
			[ "${command%\* -o @}" != "$command" ] || words="$words $file"
			# shellcheck disable=SC2086
			opens $((512 + ROOM)) $words || return 1
		done
	}
	for sort in none tasks processes cgroups; do
		expect large-hour-$sort by_itself $sort
	done
	expect large-hour-scrub opens $((512 + ROOM)) scrub "$file" -o "$tmp/out.file"
	expect large-hour-tables opens $((512 + ROOM)) export tables -o "$tmp/out.tables" "$file"
	expect large-hour-diff opens $((1024 + ROOM)) diff "$file" "$file"
	"$PYTHON" tests/report/large_traces.py "$tmp/large" 8 tasks
	expect large-by-itself refused $((512 + ROOM)) html --no-charts -o "$tmp/out.file" "$tmp/large/tasks.nct"
fi

# ---- a failure leaves no output file, except for files that existed before

fails_half_way() {
	for command in 'html --no-charts -o' 'flamegraph -o' 'folded -o' 'export perfetto -o'; do
		rm -f "$tmp/out.file"
		# shellcheck disable=SC2086
		! PEAK_FILE=200 peak 1000 $command "$tmp/out.file" "$tmp/t/full.nct" && grep -q 'cannot write' "$tmp/err" &&
			[ ! -e "$tmp/out.file" ] || return 1
	done
	for command in recover scrub cut; do
		! PEAK_FILE=900 peak 1000 $command "$tmp/t/full.nct" -o "$tmp/out.file" && grep -q 'cannot write' "$tmp/err" &&
			[ ! -e "$tmp/out.file" ] || return 1
	done
}
expect no-file-when-it-fails fails_half_way

leaves_devices() {
	echo nothing >"$tmp/text.nct"
	mknod "$tmp/null" c 1 3 || return 1
	! "$report" recover "$tmp/text.nct" -o "$tmp/null" 2>/dev/null && [ -c "$tmp/null" ]
}
if [ "$(id -u)" -eq 0 ]; then
	expect leaves-devices leaves_devices
else
	skip leaves-devices "needs root"
fi
rm -rf "$tmp/large"
