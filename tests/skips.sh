#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Reads result lines, and says of each test that was skipped, but may not be by the list, that this is a failure.
#
#	sh tests/skips.sh [LIST] <RESULTS        LIST: tests/skips
set -eu
list=${1:-tests/skips}
sep=' | '

# allowed NAME REASON
allowed() {
	while IFS= read -r line; do
		case $line in '' | '#'*) continue ;; esac
		reasons=${line#*"$sep"}
		# shellcheck disable=SC2254 # patterns
		case $1 in ${line%%"$sep"*}) case $2 in ${reasons%%"$sep"*}) return ;; esac ;; esac
	done <"$list"
	return 1
}

while IFS= read -r result; do
	case $result in 'skip '*) ;; *) continue ;; esac
	result=${result#skip } name=${result%%: *} reason=${result#*: }
	[ "$name" != "$result" ] || reason="no reason given"
	allowed "$name" "$reason" ||
		echo "not ok skips: $name was skipped, which $list does not allow: $reason"
done
