# SPDX-License-Identifier: BSD-2-Clause
# Results of a machine that was booted twice, `awk -f twice.awk FIRST SECOND`: those of the second time, where only what
# failed both times is a failure, and of the first time those of what was not run again. What failed once is shown.

# name LINE: of a result line, without what follows it
function name(line) {
	sub(/^(ok|not ok|skip) /, "", line)
	return index(line, ": ") ? substr(line, 1, index(line, ": ") - 1) : line
}

FNR == NR {
	if (!/^(ok|not ok|skip) /) next
	first[++n] = $0
	if (/^not ok /) failed[name($0)]
	next
}
/^(ok|not ok|skip) / { again[name($0)] }
/^not ok / && !(name($0) in failed) {
	print "    once: " $0
	next
}
{ print }
END {
	for (i = 1; i <= n; i++)
		if (!(name(first[i]) in again)) print first[i]
}
