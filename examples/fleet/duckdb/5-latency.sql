-- SPDX-License-Identifier: BSD-2-Clause
-- p99 of packets' latency over all hosts, by hook: the end of the bucket that it is in, 3 % above it at most.
WITH buckets AS (
    SELECT hook, upper_ns, sum(packets) AS n FROM netcost.latency_buckets GROUP BY hook, upper_ns
), ranks AS (
    SELECT hook, upper_ns, sum(n) OVER (PARTITION BY hook ORDER BY upper_ns) AS up_to, sum(n) OVER (PARTITION BY hook) AS whole
    FROM buckets
)
SELECT hook, max(whole) AS packets, min(upper_ns) FILTER (WHERE up_to >= 0.99 * whole) AS p99_ns
FROM ranks
GROUP BY hook
ORDER BY hook;
