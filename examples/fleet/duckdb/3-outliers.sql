-- SPDX-License-Identifier: BSD-2-Clause
-- Which hosts are beyond 3 sigma of the others of their kind?
WITH kinds AS (
    SELECT kind, count(*) AS n, sum(ns_per_packet) AS s, sum(ns_per_packet * ns_per_packet) AS squares
    FROM netcost.host_costs
    GROUP BY kind
    HAVING count(*) > 4
), others AS (
    SELECT host, kind, ns_per_packet, (s - ns_per_packet) / (n - 1) AS mean,
        sqrt((squares - ns_per_packet * ns_per_packet - (s - ns_per_packet) * (s - ns_per_packet) / (n - 1)) / (n - 2)) AS sigma
    FROM netcost.host_costs JOIN kinds USING (kind)
)
SELECT host, kind, ns_per_packet, (ns_per_packet - mean) / sigma AS sigmas
FROM others
WHERE abs(ns_per_packet - mean) > 3 * sigma
ORDER BY host;
