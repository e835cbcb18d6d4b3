-- SPDX-License-Identifier: BSD-2-Clause
-- p99 of packets' latency over all hosts, by hook: the end of the bucket that it is in, 3 % above it at most.
SELECT hook, arraySum(arrayMap(b -> b.2, buckets)) AS packets,
    arrayFirst((b, up_to) -> up_to >= 0.99 * packets, buckets, arrayCumSum(arrayMap(b -> b.2, buckets))).1 AS p99_ns
FROM (
    SELECT hook, arraySort(groupArray((upper_ns, n))) AS buckets
    FROM (SELECT hook, upper_ns, sum(packets) AS n FROM netcost.latency_buckets GROUP BY hook, upper_ns)
    GROUP BY hook
)
ORDER BY hook;
