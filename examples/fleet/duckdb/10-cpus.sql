-- SPDX-License-Identifier: BSD-2-Clause
-- On which hosts does one CPU do more than three quarters of the network's work? Interrupts or RPS may be set badly.
WITH cpus AS (
    SELECT host, cpu, sum(network_ns) AS ns FROM netcost.leaves WHERE network_ns IS NOT NULL GROUP BY host, cpu
), hosts AS (
    SELECT host, count(*) AS cpus, max(ns) AS most, sum(ns) AS whole FROM cpus GROUP BY host
)
SELECT host, hosts.cpus, cpu AS busiest, most / whole AS share
FROM hosts JOIN cpus USING (host)
WHERE hosts.cpus > 1 AND ns = most AND most > 0.75 * whole
ORDER BY host;
