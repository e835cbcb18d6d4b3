# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# A recording with a budget says what one of all the time would have said, within its intervals. Part of run.sh.
# The traces are of real hosts, 11 s with a tick every 50 ms, of which all is left out that makes no difference: a TCP stream
# over loopback, and datagrams back and forth in bursts.

expect thinned-within "$PYTHON" tests/report/thinned.py check "$report" \
	"$PWD/tests/report/traces/stream.nct:2000:300" "$PWD/tests/report/traces/bursts.nct:5000:150"
"$PYTHON" tests/report/thinned.py "$PWD/tests/report/traces/stream.nct" "$tmp/thinned.nct" 1 2000 300
expect thinned-fits "$PYTHON" tests/host/windows.py "$tmp/thinned.nct" 4
