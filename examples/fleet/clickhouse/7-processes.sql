-- SPDX-License-Identifier: BSD-2-Clause
-- Who uses the network's CPU time? Processes by name, of recordings with --processes.
SELECT assumeNotNull(name) AS name, uniqExact(host) AS hosts, sum(assumeNotNull(network_ns)) / 1e6 AS network_ms,
    100 * sum(assumeNotNull(network_ns)) / (
        SELECT sum(assumeNotNull(network_ns)) FROM netcost.processes WHERE isNotNull(name) AND isNotNull(network_ns)
    ) AS percent
FROM netcost.processes
WHERE isNotNull(name) AND isNotNull(network_ns)
GROUP BY name
ORDER BY network_ms DESC, name;
