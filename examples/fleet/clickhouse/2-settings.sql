-- SPDX-License-Identifier: BSD-2-Clause
-- Which settings go with cheap packets? Those first whose values differ most; `times`: as dear as with the best value.
-- It goes with: hosts that differ in one setting may differ in others. diff compares two recordings closely.
SELECT subject, name, value, hosts, ns_per_packet, ns_per_packet / least_ns AS times
FROM netcost.setting_costs
GLOBAL ALL INNER JOIN (
    SELECT subject, name, min(ns_per_packet) AS least_ns, max(ns_per_packet) / min(ns_per_packet) AS spread
    FROM netcost.setting_costs
    GROUP BY subject, name
    HAVING count() > 1
) USING subject, name
ORDER BY spread DESC, subject, name, ns_per_packet;
