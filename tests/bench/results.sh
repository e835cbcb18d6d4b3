#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `make bench-results`: runs the bench and keeps what it prints as RESULTS.md, with the figures of Netto's paper (paper.md).
set -eu
cd "$(dirname "$0")"
new=$(mktemp)
trap 'rm -f "$new"' EXIT
{
	echo "# What recording costs: one run of the bench"
	echo
	echo "Written by \`make bench-results\` ($(date +%Y-%m-%d)); [run.sh](run.sh) says how to run parts of it. Budgets are ratios within this run."
	echo
	sh run.sh "$@"
	cat paper.md
} >"$new"
! grep -q "^not ok\|^skip" "$new" || { cat "$new"; exit 1; }
cat "$new" >RESULTS.md
cat RESULTS.md
