# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: what README.md and docs show is what the program prints, and their commands work.

for doc in README.md CONTRIBUTING.md CHANGELOG.md docs/*.md; do
	expect "document-$doc" "$PYTHON" tools/excerpts.py --check --build="$BUILD" "$doc"
done
expect readme-is-short test "$(wc -l <README.md)" -le 120
