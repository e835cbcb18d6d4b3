# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: the page and the flame graph in a browser.

in_browser() {
	cp "$tmp/t/poisoned.nct" "$tmp/t/<b>\"hostile.nct" && run html -o page.html demo.nct &&
		run html -o hostile.html "<b>\"hostile.nct" && run flamegraph -o graph.svg demo.nct &&
		run flamegraph --icicle -o hostile.svg poisoned.nct && run flamegraph -o idle.svg idle.nct &&
		run html -o idle.html idle.nct && run html -o table.html crowd.nct && run html -o evil.html crowd-evil.nct || return 1
	# The browser stores its profile in that folder. browser.py prints all results.
	(cd "$tmp/t" && TMPDIR=$tmp "$PYTHON" "$OLDPWD/tests/report/browser.py" page.html hostile.html graph.svg hostile.svg \
		table.html idle.html idle.svg evil.html)
}

if command -v chromium >/dev/null; then
	in_browser || lib_failed=1
else
	skip browser "needs chromium"
fi
