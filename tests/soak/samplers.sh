#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2154 # $spawned is set by tests/lib.sh
# Samples by perf and by a BPF program: the same shares, losses counted to the sample.
. tests/lib.sh
need_recorder
need_command zstd
. tests/soak/lib/quiet.sh

tool="$PYTHON tests/host/samplers.py"

"$RECORD" --check --exact=off --sampler=bpf -q || skip_all "no sampling by BPF here"

# ---- both at once on a load that never sleeps (perf.sh says why)

for cpu in $(seq 0 $(($(getconf _NPROCESSORS_ONLN) - 1))); do
	spawn taskset -c "$cpu" "$BUILD/tests/sockcalls" send 1000000000
done
sleep 0.3
both() {
	"$RECORD" -q --exact=off -o "$tmp/perf.nct" -- "$RECORD" -q --exact=off --sampler=bpf -d 5 -o "$tmp/bpf.nct"
}
expect samplers-record-both both
# shellcheck disable=SC2086 # words
amount samplers-agree both $tool agree "$tmp/perf.nct" "$tmp/bpf.nct"
expect samplers-bpf-is-said sh -c "'$REPORT' info '$tmp/bpf.nct' | grep -q 'samples 999 Hz, bpf, cpu-clock'"

"$REPORT" summary "$tmp/bpf.nct" | grep '^  cost ' >"$tmp/cost"
cat "$tmp/cost"
expect samplers-bpf-cost grep -qE 'BPF programs [0-9.]+, recorder' "$tmp/cost"

# ---- only CPUs that are inside the network: as many as the exact times say, and nothing of user mode

if "$RECORD" --check --net-only -q; then
	net_only() {
		"$RECORD" -q --net-only -d 5 -o "$tmp/net.nct"
	}
	expect samplers-net-only-records net_only
	expect samplers-net-only-verify "$REPORT" verify -q "$tmp/net.nct"
	# shellcheck disable=SC2086 # words
	amount samplers-net-only net_only $tool inside "$tmp/net.nct" "$REPORT"
else
	skip samplers-net-only "no exact times here"
fi

# ---- 10 kHz, and a recorder that does not come round to reading for a while

# held SAMPLER: records and is stopped for a second
cat >"$tmp/held" <<END
"$RECORD" -q --exact=off --sampler="\$1" -F 10000 -d 3 -o "$tmp/\$1.nct" &
p=\$!
sleep 1
kill -STOP \$p
sleep 1
kill -CONT \$p
wait \$p
END
expect samplers-10khz-perf-records sh "$tmp/held" perf
# shellcheck disable=SC2086 # words
expect samplers-10khz-perf $tool counted "$tmp/perf.nct" 1000

need_command bpftool
status=0
# shellcheck disable=SC2086 # words
generated=$($tool runs sh "$tmp/held" bpf) || status=$?
if [ "$status" -eq 3 ]; then
	skip samplers-10khz-bpf "the kernel does not count runs of programs"
else
	# shellcheck disable=SC2086 # words
	expect samplers-10khz-bpf $tool counted "$tmp/bpf.nct" 1000 "$generated"
fi
