# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: how the hosts were set, what has changed of that, and what scrub leaves of it.


golden settings.txt info --context set-before.nct
golden settings-changed.txt info --context set-after.nct
golden settings-none.txt info --context full.nct
golden settings-often.txt info --context set-often.nct
golden settings-broken.txt info --context set-broken.nct
golden info-context.json info --context --format=json set-after.nct
golden settings.csv info --context --format=csv set-after.nct
golden settings-info.txt info set-after.nct
golden settings-diff.txt diff set-before.nct set-after.nct
golden diff-settings.json diff --format=json set-before.nct set-after.nct
golden settings-diff-many.txt diff set-before.nct set-many.nct
golden settings-diff-one.txt diff full.nct set-after.nct

nothing_otherwise() {
	run diff set-after.nct set-after.nct >"$tmp/out" && ! grep -q 'Settings that differ' "$tmp/out"
}
expect settings-same nothing_otherwise

# A part of the time, and a copy, have the same settings as the whole.
for command in "cut --from=0.2 --to=0.4" recover; do
	settings_stay() {
		# shellcheck disable=SC2086 # a command and its options
		run $command set-after.nct -o copy.nct && run info --context --format=csv set-after.nct >"$tmp/whole" &&
			run info --context --format=csv copy.nct | cmp - "$tmp/whole"
	}
	expect "settings-${command%% *}" settings_stay
done

# Names and unknown settings are private; numbers and words of the kernel are not.
scrubs() {
	rm -f "$tmp/t/set-scrubbed.nct"
	run scrub "$@" -q set-before.nct -o set-scrubbed.nct
}
expect settings-scrubbed scrubs
golden settings-scrubbed.txt info --context set-scrubbed.nct
expect settings-kept scrubs --keep=settings
golden settings-kept.txt info --context set-scrubbed.nct

page_folds_it() {
	run html --no-charts -o out.html set-after.nct &&
		sed -n '/<summary>Settings of the host: 18/,/<.details>/p' "$tmp/t/out.html" |
		grep -q 'fq, then noqueue' &&
		run html --no-charts -o out.html full.nct && ! grep -q '<summary>' "$tmp/t/out.html"
}
expect settings-page page_folds_it
