# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: what one more packet, byte, call and wake-up costs; costs of what the user counted.

golden help-prices.txt prices --help
golden prices.txt prices prices.nct
golden prices.json prices --format=json prices.nct
golden prices.csv prices --format=csv prices.nct
golden prices-one-size.txt prices prices-one-size.nct
golden prices-steady.txt prices prices-steady.nct
golden prices-short.txt prices prices-short.nct
golden prices-cpu.txt prices --cpu=0 prices.nct
golden prices-task.txt prices --task=a prices.nct
golden prices-part.txt prices --from=10 --to=40 prices.nct
golden prices-every.txt prices --every=2s prices.nct
golden prices-full.txt prices full.nct
golden prices-no-ticks.txt prices nosamples.nct
golden diff-prices.txt diff --per=packet prices-one-size.nct prices.nct
expect prices-keep-rules run verify -q prices.nct prices-one-size.nct prices-steady.nct prices-short.nct
expect prices-in-page sh -c "cd '$tmp/t' && '$report' html --no-charts prices.nct | grep -q 'id=\"prices\"'"

# Of what the user counted.
golden summary-per.txt summary --per=requests=1000 full.nct
golden summary-per.json summary --per=requests=1000 --format=json energy.nct
golden summary-per-energy.txt summary --per=requests=12345 --from=5 --to=18 energy.nct
golden bad-per.txt --per=requests full.nct
golden bad-per-count.txt --per=requests=-1 full.nct
expect per-in-page sh -c "cd '$tmp/t' && '$report' html --no-charts --per=requests=7 full.nct | grep -q 'Each of 7 requests'"

# Recordings whose truth is known.
in_all || return 0
expect prices-of-known-truth "$PYTHON" tests/report/prices_traces.py check "$plain" "${PRICES_TRACES:-100}"
