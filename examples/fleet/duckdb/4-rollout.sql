-- SPDX-License-Identifier: BSD-2-Clause
-- What did a rollout change? Each host by itself, before and after its mark; the mean change with its 95 % interval.
WITH rollout AS (
    SELECT host, min(time) AS done FROM netcost.marks WHERE text = 'rollout 42' GROUP BY host
), sides AS (
    SELECT host,
        sum(network_ns) FILTER (start < done) / sum(packets) FILTER (start < done) AS before,
        sum(network_ns) FILTER (start >= done) / sum(packets) FILTER (start >= done) AS after
    FROM netcost.costs JOIN rollout USING (host)
    GROUP BY host
)
SELECT count(*) AS hosts, avg(100 * (after / before - 1)) AS percent,
    1.96 * stddev_samp(100 * (after / before - 1)) / sqrt(count(*)) AS ci95_percent
FROM sides
WHERE before > 0 AND after > 0;
