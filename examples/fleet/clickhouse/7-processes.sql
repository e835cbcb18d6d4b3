-- SPDX-License-Identifier: BSD-2-Clause
-- Who uses the network's CPU time? Processes by name, of recordings with --processes.
SELECT process AS name, uniqExact(host) AS hosts, sum(ns) / 1e6 AS network_ms,
    100 * sum(ns) / (
        SELECT sum(assumeNotNull(network_ns)) FROM netcost.processes WHERE isNotNull(name) AND isNotNull(network_ns)
    ) AS percent
FROM (
    SELECT host, assumeNotNull(name) AS process, assumeNotNull(network_ns) AS ns
    FROM netcost.processes
    WHERE isNotNull(name) AND isNotNull(network_ns)
)
GROUP BY process
ORDER BY network_ms DESC, name;
