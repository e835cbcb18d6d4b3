# SPDX-License-Identifier: BSD-2-Clause
# Results of a machine that was booted twice, `awk -f twice.awk FIRST SECOND`: those of the second time, where only what
# failed both times is a failure. What failed once is shown.

# name LINE: of a result line, without what follows it
function name(line) {
	sub(/^(ok|not ok|skip) /, "", line)
	return index(line, ": ") ? substr(line, 1, index(line, ": ") - 1) : line
}

FNR == NR {
	if (/^not ok /) failed[name($0)] = $0
	next
}
/^(ok|skip) / { delete failed[name($0)] }
/^not ok / {
	if (!(name($0) in failed)) {
		print "    once: " $0
		next
	}
	delete failed[name($0)]
}
{ print }
END { for (n in failed) print failed[n] } # it was not run again
