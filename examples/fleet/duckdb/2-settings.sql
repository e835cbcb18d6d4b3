-- SPDX-License-Identifier: BSD-2-Clause
-- Which settings go with cheap packets? Those first whose values differ most; `times`: as dear as with the best value.
-- It goes with: hosts that differ in one setting may differ in others. diff compares two recordings closely.
WITH spreads AS (
    SELECT subject, name, min(ns_per_packet) AS least, max(ns_per_packet) AS most
    FROM netcost.setting_costs
    GROUP BY subject, name
    HAVING count(*) > 1
)
SELECT subject, name, value, hosts, ns_per_packet, ns_per_packet / least AS times
FROM netcost.setting_costs JOIN spreads USING (subject, name)
ORDER BY most / least DESC, subject, name, ns_per_packet;
