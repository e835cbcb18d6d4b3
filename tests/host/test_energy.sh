#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Energy counters that advance at a known rate, wrap, vanish, are refused, are no numbers, or stand still.
. tests/lib.sh
need_recorder

# Anybody can go there, and run the recorder: root may read everything.
chmod 755 "$tmp"
mkdir "$tmp/powercap" "$tmp/nobody"
chmod 777 "$tmp/nobody"
install -m 755 "$RECORD" "$tmp/recorder"
has_counters() {
	[ -s "$tmp/powercap/intel-rapl:1/energy_uj" ]
}
spawn "$PYTHON" tests/host/powercap.py "$tmp/powercap"
wait_for 5 has_counters
caps=+bpf,+perfmon,+syslog
NETCOST_POWERCAP=$tmp/powercap setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps "$caps" --ambient-caps "$caps" \
	"$tmp/recorder" -q -i 500 -d 6 -o "$tmp/nobody/e.nct"
"$REPORT" verify -q "$tmp/nobody/e.nct" && pass energy-keeps-rules || fail energy-keeps-rules "see above"
"$REPORT" --format=json "$tmp/nobody/e.nct" >"$tmp/e.json"
"$REPORT" "$tmp/nobody/e.nct" | sed -n '/^Energy/,/^$/p'
for what in package dram vanished constant unreadable refused cost range; do
	expect "energy-$what" "$PYTHON" tests/host/energy.py "$what" "$tmp/e.json"
done
expect energy-says-where sh -c "'$REPORT' dump '$tmp/nobody/e.nct' | grep '\"source\"' | grep -q '$tmp/powercap'"

# Two sockets whose counters step while they are recorded: each Joule is in the report.
"$PYTHON" tests/host/powercap_steps.py make "$tmp/steps" 65534
NETCOST_POWERCAP=$tmp/steps setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps "$caps" --ambient-caps "$caps" \
	"$tmp/recorder" -q -i 200 -o "$tmp/nobody/steps.nct" -- "$PYTHON" "$PWD/tests/host/powercap_steps.py" step "$tmp/steps" 0.2
"$REPORT" --format=json "$tmp/nobody/steps.nct" >"$tmp/steps.json"
expect energy-steps-exact "$PYTHON" tests/host/powercap_steps.py check "$tmp/steps.json"
expect energy-steps-keep-rules "$REPORT" verify -q "$tmp/nobody/steps.nct"

# None of them can be read; and there are none.
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
