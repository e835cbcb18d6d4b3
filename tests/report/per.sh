# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: costs of what the user counted (--per).

golden summary-per.txt summary --per=requests=1000 full.nct
golden summary-per.json summary --per=requests=1000 --format=json energy.nct
golden summary-per-energy.txt summary --per=requests=12345 --from=5 --to=18 energy.nct
golden bad-per.txt --per=requests full.nct
golden bad-per-count.txt --per=requests=-1 full.nct
golden diff-per-packet.txt diff --per=packet varied-one-size.nct varied.nct
expect varied-keeps-rules run verify -q varied.nct varied-one-size.nct varied-steady.nct
expect per-in-page sh -c "cd '$tmp/t' && '$report' html -o - --no-charts --per=requests=7 full.nct | grep -q 'Each of 7 requests'"
