-- SPDX-License-Identifier: BSD-2-Clause
-- On which hosts does one CPU do more than three quarters of the network's work? Interrupts or RPS may be set badly.
WITH cpus AS (
    SELECT host, cpu, sum(network_ns) AS ns FROM netcost.leaves WHERE network_ns IS NOT NULL GROUP BY host, cpu
)
SELECT host, count(*) AS cpus, arg_max(cpu, ns) AS busiest, max(ns) / sum(ns) AS share
FROM cpus
GROUP BY host
HAVING count(*) > 1 AND max(ns) > 0.75 * sum(ns)
ORDER BY host;
