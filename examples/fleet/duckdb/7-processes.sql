-- SPDX-License-Identifier: BSD-2-Clause
-- Who uses the network's CPU time? Processes by name, of recordings with --processes.
SELECT name, count(DISTINCT host) AS hosts, sum(network_ns) / 1e6 AS network_ms,
    100 * sum(network_ns) / sum(sum(network_ns)) OVER () AS percent
FROM netcost.processes
WHERE name IS NOT NULL AND network_ns IS NOT NULL
GROUP BY name
ORDER BY network_ms DESC, name;
