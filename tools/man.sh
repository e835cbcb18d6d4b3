#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# man.sh PAGE COMMAND: prints the man page. The output of COMMAND replaces its line `.\" OPTIONS` or `.\" COMMANDS`. The
# list of commands has groups, each of which is a list of its own.
set -eu
printed=$($2)
[ -n "$printed" ] || exit 1
case $1 in
*/netcost-report.1)
	printed=$(printf '%s\n' "$printed" | awk '/^\.Ss/ { if (open) print ".El"; print; print ".Bl -tag -width Ds -compact"; open = 1; next } { print } END { print ".El" }')
	;;
esac
while IFS= read -r line; do
	case $line in
	'.\" OPTIONS' | '.\" COMMANDS') printf '%s\n' "$printed" ;;
	*) printf '%s\n' "$line" ;;
	esac
done <"$1"
