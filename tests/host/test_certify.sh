#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks --certify: it passes on this host, fails if a probe is missing, and reports why it is not possible. It leaves
# nothing behind, and changes no figure.
. tests/lib.sh
need_recorder

# certified OPTION...: records into t.nct with the environment $with; the states are in $states, messages in err
with=
certified() {
	# shellcheck disable=SC2086 # words
	env $with "$RECORD" --certify -F 0 -i 100 -o "$tmp/t.nct" "$@" >/dev/null 2>"$tmp/err" </dev/null || :
	"$REPORT" dump "$tmp/t.nct" | grep '^{"type":"certificate"' >"$tmp/certificates" || :
	cat "$tmp/err" "$tmp/certificates"
	states=$(sed 's/.*"when":"\([a-z]*\)","state":"\([a-z]*\)".*/\1 \2/' "$tmp/certificates" | tr '\n' ' ')
}

# of EXPRESSION: evaluates the expression with c = the certificates
of() {
	"$PYTHON" -c 'import json, sys; c = [json.loads(line) for line in open(sys.argv[1])]; print(eval(sys.argv[2]))' \
		"$tmp/certificates" "$1"
}

# In a network namespace of the test, a certificate only sees the interfaces of the test.
netns_pair client server
in_client="ip netns exec $lib_prefix-client"
links() {
	ip -n "$lib_prefix-client" -o link | sort
}

links >"$tmp/before"
not_passed() {
	case $states in *passed* | "") return 1 ;; esac
}
for mode in calls entry full; do
	certified --exact=$mode -- sleep 0.2
	# Other load may make the result too imprecise, but never wrong.
	expect "certify-$mode" sh -c 'case $1 in *failed*) exit 1 ;; "start "[pi]*" end "[pi]*) ;; *) exit 1 ;; esac' sh "$states"
	expect "certify-$mode-time" [ "$(of 'all(abs(x["found_ns"] - x["injected_ns"]) <= x["error_ns"] for x in c if x["state"] == "passed")')" = True ]
	expect "certify-$mode-packets" [ "$(of 'all(x["packets"] == x["packets_counted"] > 0 and x["bytes"] == x["bytes_counted"] for x in c if x["state"] == "passed")')" = True ]
	echo "CPU time of both: $(of 'sum(x["cpu_ns"] for x in c) / 1e6') ms"
	expect "certify-$mode-verifies" "$REPORT" verify -q "$tmp/t.nct"
	"$REPORT" summary --full "$tmp/t.nct" >"$tmp/out"
	expect "certify-$mode-in-the-summary" grep -qE '^  certificate start +(injected [0-9.]+ [mu]s, found [0-9.]+ \+- +[0-9.]+ [mu]s in RX softirq|impossible)' "$tmp/out"
done
expect certify-is-reported grep -qE '^netcost-record: certificate: end: .*(passed$|impossible)' "$tmp/err"

# Checks that injected work is in no counter: two certificates have 12 ms of RX softirq, which must not appear in the
# ticks.
"$REPORT" dump "$tmp/t.nct" | "$PYTHON" -c '
import json, sys
records = [json.loads(line) for line in sys.stdin]
cpu = next(r["cpu"] for r in records if r["type"] == "certificate")
rx = [r["ns"][cpu] for r in records if r["type"] == "exact" and r["event"] == 6]
seen = [r["at_ns"] for r in records if r["type"] in ("certificate", "tick")]
print((rx[-1] - rx[0]) / 1e6, "ms of RX softirq in the ticks")
sys.exit(not (seen == sorted(seen) and len(rx) > 2))' >"$tmp/order" || echo "out of order" >>"$tmp/order"
cat "$tmp/order"
expect certify-is-around-the-ticks [ "$(grep -c order "$tmp/order")" = 0 ]

# ---- a missing probe: the recorder attaches it, and the test detaches it

if ldd "$RECORD" | grep -q libbpf; then
	for what in calls:softirq_entry calls:softirq_exit calls:sched_switch calls:sock_send_length calls:sock_recv_length \
		entry:softirq_entry entry:sched_switch; do
		with="NETCOST_TEST_UNPLUG=${what#*:} LD_PRELOAD=$PWD/$BUILD/tests/unplug.so"
		certified -q --exact=${what%:*} -- true
		# with other load, one or both certificates can be too imprecise
		expect "certify-without-$what" not_passed
	done
	# The probe is only used by this method.
	if "$RECORD" --check --exact=entry | grep -q '^sock_send *tracepoint'; then
		for what in sys_enter sys_exit sock_send_length; do
			with="NETCOST_TEST_UNPLUG=$what LD_PRELOAD=$PWD/$BUILD/tests/unplug.so"
			certified -q --exact=entry -- true
			expect "certify-without-entry:$what" not_passed
		done
	fi
else
	skip certify-without "needs a shared libbpf"
fi
with=NETCOST_RUNG=samples
certified -q -F 99 -- true
expect certify-without-rungs [ "$states" = "start failed end failed " ]
expect certify-without-rungs-why [ "$(of 'c[0]["why"]')" = "nothing is counted exactly: excluded by NETCOST_RUNG" ]

expect certify-failure-is-an-error grep -q '^netcost-record: certificate: end: .*failed: ' "$tmp/err"
"$REPORT" summary --full "$tmp/t.nct" >"$tmp/out"
expect certify-failure-in-the-summary grep -q 'failed' "$tmp/out"

# ---- not possible

with=
certified -F 99 --exact=off -- true
expect certify-off [ "$states $(of 'c[0]["why"]')" = "start impossible end impossible  --exact=off" ]
chmod 755 "$tmp"
cp "$RECORD" "$tmp/recorder"
mkdir -m 777 "$tmp/nobody"
caps=+bpf,+perfmon,+syslog
setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps "$caps" --ambient-caps "$caps" \
	"$tmp/recorder" -q --certify -F 0 -o "$tmp/nobody/t.nct" -- true
"$REPORT" summary --full "$tmp/nobody/t.nct" | grep -A 1 '^  certificate' | tr -s ' \n' ' ' >"$tmp/out"
cat "$tmp/out"
echo
expect certify-refused grep -q 'impossible: cannot create a network namespace: Operation not permitted' "$tmp/out"
expect certify-check grep -qE '^certificate +(passed|impossible) ' <<-END
	$("$RECORD" --check --certify)
END

# ---- no program is left, even after an interrupted or killed recorder

# programs: prints the ids of all programs of --certify, including those of other recorders
programs() {
	bpftool prog show 2>/dev/null | sed -n 's/^\([0-9]*\): .*name certify_.*/\1/p'
}
none_left() {
	[ -z "$(programs | grep -xF -f "$tmp/left")" ]
}
: >"$tmp/left"
for signal in TERM KILL; do
	for after in 0.05 0.1 0.15 0.2 0.25; do
		$in_client "$RECORD" -q --certify -F 0 -d 5 -o "$tmp/k.nct" </dev/null 2>/dev/null &
		recorder=$!
		sleep $after
		kill -s $signal $recorder
		wait $recorder 2>/dev/null || :
		programs >>"$tmp/left"
	done
done
if command -v bpftool >/dev/null; then expect certify-leaves-no-program wait_for 60 none_left; fi
links >"$tmp/after"
expect certify-leaves-no-link cmp "$tmp/before" "$tmp/after"
