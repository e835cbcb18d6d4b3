-- SPDX-License-Identifier: BSD-2-Clause
-- On which hosts does one CPU do more than three quarters of the network's work? Interrupts or RPS may be set badly.
SELECT host, count() AS cpus, argMax(cpu, ns) AS busiest, max(ns) / sum(ns) AS share
FROM (
    SELECT host, cpu, sum(assumeNotNull(network_ns)) AS ns
    FROM netcost.leaves WHERE isNotNull(network_ns)
    GROUP BY host, cpu
)
GROUP BY host
HAVING count() > 1 AND max(ns) > 0.75 * sum(ns)
ORDER BY host;
