#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks energy counters that step by known amounts, wrap, disappear, cannot be read, are not numbers, or do not change.
. tests/lib.sh
need_recorder

# Any user can enter this folder and run the recorder. The test runs as another user, because root could read every
# file.
chmod 755 "$tmp"
mkdir "$tmp/nobody"
chmod 777 "$tmp/nobody"
install -m 755 "$RECORD" "$tmp/recorder"
caps=+bpf,+perfmon,+syslog
# Checks two sockets with counters that step during the recording: the report has each Joule.
"$PYTHON" tests/host/powercap_steps.py make "$tmp/steps" 65534
NETCOST_POWERCAP=$tmp/steps setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps "$caps" --ambient-caps "$caps" \
	"$tmp/recorder" -q -i 50 -o "$tmp/nobody/steps.nct" -- "$PYTHON" "$PWD/tests/host/powercap_steps.py" step "$tmp/steps"
"$REPORT" --format=json "$tmp/nobody/steps.nct" >"$tmp/steps.json"
expect energy-steps-exact "$PYTHON" tests/host/powercap_steps.py check "$tmp/steps.json"
expect energy-says-where sh -c "'$REPORT' dump '$tmp/nobody/steps.nct' | grep '\"source\"' | grep -q '$tmp/steps'"
expect energy-is-shown sh -c "'$REPORT' --full '$tmp/nobody/steps.nct' | grep -q '^Energy'"
expect energy-steps-keep-rules "$REPORT" verify -q "$tmp/nobody/steps.nct"

# Checks a folder in which no zone can be read, and a folder without zones.
mkdir "$tmp/empty"
refused() {
	mkdir -p "$tmp/closed/intel-rapl:0" && echo package-0 >"$tmp/closed/intel-rapl:0/name" &&
		echo 5 >"$tmp/closed/intel-rapl:0/energy_uj" && chmod 400 "$tmp/closed/intel-rapl:0/energy_uj" &&
		NETCOST_POWERCAP=$tmp/closed setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps "$caps" \
			--ambient-caps "$caps" "$tmp/recorder" --check 2>&1 | grep '^energy' | tee "$tmp/said" | grep -q refused
}
absent() {
	NETCOST_POWERCAP=$tmp/empty "$RECORD" --check 2>&1 | grep '^energy' | grep -q absent
}
expect energy-all-refused refused
expect energy-absent absent
