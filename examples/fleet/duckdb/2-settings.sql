-- SPDX-License-Identifier: BSD-2-Clause
-- Which settings go with cheap packets? Those first whose values differ most; `times`: as dear as with the best value.
-- It goes with: hosts that differ in one setting may differ in others. diff compares two recordings closely.
SELECT subject, name, value, hosts, ns_per_packet,
    ns_per_packet / min(ns_per_packet) OVER setting AS times
FROM netcost.setting_costs
WINDOW setting AS (PARTITION BY subject, name)
QUALIFY count(*) OVER setting > 1
ORDER BY max(ns_per_packet) OVER setting / min(ns_per_packet) OVER setting DESC, subject, name, ns_per_packet;
