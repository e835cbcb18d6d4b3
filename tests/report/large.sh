# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: small files that stand for very much, and what they may cost.

mkdir "$tmp/large"
"$PYTHON" tests/report/large_traces.py "$tmp/large"
ROOM=48 # MiB beside what --memory allows: the program itself, buffers of frames

# peak MIB ARGUMENTS...: the report's exit status, 99 if it took more memory
peak() {
	peak_mib=$1
	shift
	"$PYTHON" tests/report/peak.py "$peak_mib" "$report" "$@" >/dev/null 2>"$tmp/err" || return $?
}

# refused MIB ARGUMENTS...: it says that the trace is too large, in that much memory, and leaves no file
refused() {
	status=0
	rm -f "$tmp/out.file"
	peak "$@" || status=$?
	if [ "$status" -ne 1 ] || ! grep -q 'damaged: too large: .*--memory' "$tmp/err" || [ -e "$tmp/out.file" ]; then
		echo "status $status of $*"
		tail -n 2 "$tmp/err"
		[ ! -e "$tmp/out.file" ] || echo "there is a file"
		return 1
	fi
}

for trace in tasks named-tasks sampled-tasks symbols names functions stacks cgroups paths netdevs modules zones \
	programs settings; do
	file=$tmp/large/$trace.nct
	refuses_all() {
		for command in 'summary' 'summary --by=task' 'summary --by=cgroup' timeline top 'dump --samples' info; do
			# shellcheck disable=SC2086 # words
			refused $((16 + ROOM)) $command --memory=16 "$file" || return 1
		done
		for command in folded flamegraph 'html --no-charts'; do
			# shellcheck disable=SC2086
			refused $((16 + ROOM)) $command --memory=16 -o "$tmp/out.file" "$file" || return 1
		done
		for command in recover scrub cut merge; do
			refused $((16 + ROOM)) $command --memory=16 "$file" "$tmp/out.file" || return 1
		done
		status=0
		"$report" verify --memory=16 "$file" >"$tmp/out" || status=$?
		[ "$status" -eq 1 ] && grep -q 'damaged: too large' "$tmp/out"
	}
	expect "large-$trace" refuses_all
done

# One map of stacks for each CPU.
expect large-cpus refused $((16 + ROOM)) folded --per-cpu --memory=16 -o "$tmp/out.file" "$tmp/large/cpus.nct"
expect large-by-itself refused $((256 + ROOM)) html --no-charts -o "$tmp/out.file" "$tmp/large/tasks.nct"
expect large-window refused $((16 + ROOM)) summary --memory=16 --from=0.1 "$tmp/large/tasks.nct"
expect large-second refused $((16 + ROOM)) merge --memory=16 "$tmp/t/full.nct" "$tmp/large/tasks.nct" "$tmp/out.file"

# What is allowed is enough for what is there, and is all that it takes.
large_fits() {
	for command in 'summary --by=task' 'html --no-charts -o /dev/null'; do
		# shellcheck disable=SC2086
		peak $((96 + ROOM)) $command --memory=96 "$tmp/large/sampled-tasks.nct" || return 1
	done
}
expect large-fits large_fits
expect large-dumps peak "$ROOM" dump "$tmp/large/tasks.nct"

# ---- what fails on the way leaves no file, but for what is none

fails_half_way() {
	for command in 'html --no-charts -o' 'flamegraph -o' 'folded -o'; do
		rm -f "$tmp/out.file"
		# shellcheck disable=SC2086
		! PEAK_FILE=200 peak 1000 $command "$tmp/out.file" "$tmp/t/full.nct" && grep -q 'cannot write' "$tmp/err" &&
			[ ! -e "$tmp/out.file" ] || return 1
	done
	for command in recover scrub cut; do
		! PEAK_FILE=900 peak 1000 $command "$tmp/t/full.nct" "$tmp/out.file" && grep -q 'cannot write' "$tmp/err" &&
			[ ! -e "$tmp/out.file" ] || return 1
	done
}
expect no-file-when-it-fails fails_half_way

leaves_devices() {
	echo nothing >"$tmp/text.nct"
	mknod "$tmp/null" c 1 3 || return 1
	! "$report" recover "$tmp/text.nct" "$tmp/null" 2>/dev/null && [ -c "$tmp/null" ]
}
if [ "$(id -u)" -eq 0 ]; then
	expect leaves-devices leaves_devices
else
	skip leaves-devices "needs root"
fi
rm -rf "$tmp/large"
