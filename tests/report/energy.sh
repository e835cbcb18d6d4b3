# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: energy counters in every state, and the power of the network as a range.

golden summary-energy.txt --full energy.nct
golden summary-energy.json --format=json energy.nct
golden summary-energy-given.txt --full --idle-watts=35.5 energy.nct
golden summary-energy-given-much.txt --full --idle-watts=3550 energy.nct
golden summary-energy-steady.txt --full energy-steady.nct
golden summary-energy-noexact.txt --full energy-noexact.nct
golden summary-energy-part.txt --full --from=5 --to=18 energy.nct
golden diff-energy.txt diff energy-noexact.nct energy.nct
golden timeline-energy.txt timeline energy.nct
golden bad-watts.txt --idle-watts=0 energy.nct
expect energy-keeps-rules run verify -q energy.nct energy-noexact.nct energy-steady.nct

# A part that is cut out gives the same report as that part of the whole trace.
energy_alone() {
	run --format=json "$@" | "$PYTHON" -c 'import json, sys; print(json.load(sys.stdin)["energy"])'
}
energy_cut() {
	run cut -q --from=5 --to=18 energy.nct -o energy-cut.nct && run verify -q energy-cut.nct &&
		[ "$(energy_alone energy-cut.nct)" = "$(energy_alone --from=5 --to=18 energy.nct)" ]
}
expect energy-cut energy_cut
energy_scrubbed() {
	run scrub -q energy.nct -o energy-scrubbed.nct &&
		[ "$(run dump energy.nct | grep '^{"type":"energy')" = "$(run dump energy-scrubbed.nct | grep '^{"type":"energy')" ] &&
		run --full energy-scrubbed.nct | grep -q 'modelled by the hypervisor (QEMU)'
}
expect energy-is-not-private energy_scrubbed
expect energy-in-page sh -c "cd '$tmp/t' && '$report' html -o - --no-charts energy.nct | grep -q 'vanished after 10.0 s'"

# Weights of folded stacks sum to all the energy, and no more.
folded_energy() {
	run folded --weight=energy "$@" full.nct | awk '{ sum += $NF } END { exit sum != 4000000 }' &&
		! run folded --weight=energy "$@" full.nct | grep -q do_idle.intel_idle
}
expect folded-energy folded_energy
expect folded-energy-per-cpu folded_energy --per-cpu
golden folded-energy.txt folded --weight=energy full.nct
golden folded-energy-none.txt folded --weight=energy nosamples.nct
golden folded-energy-cpu.txt folded --weight=energy --cpu=0 full.nct

# There are recordings of each kind with known truth.
in_all || return 0
expect energy-of-known-truth "$PYTHON" tests/report/energy_traces.py check "$plain" "${ENERGY_TRACES:-200}"
