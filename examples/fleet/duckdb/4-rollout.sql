-- SPDX-License-Identifier: BSD-2-Clause
-- What did a rollout change? Each host by itself, before and after its mark; the mean change with its 95 % interval.
WITH rollout AS (
    SELECT host, min(time) AS done FROM netcost.marks WHERE text = 'rollout 42' GROUP BY host
), sides AS (
    SELECT host,
        sum(network_ns) FILTER (WHERE start < done) / sum(packets) FILTER (WHERE start < done) AS before,
        sum(network_ns) FILTER (WHERE start >= done) / sum(packets) FILTER (WHERE start >= done) AS after
    FROM netcost.costs JOIN rollout USING (host)
    GROUP BY host
), changes AS (
    SELECT 100 * (after / before - 1) AS percent FROM sides WHERE before > 0 AND after > 0
), summary AS (
    SELECT count(*) AS n, avg(percent) AS mean FROM changes
)
SELECT max(n) AS hosts, avg(percent) AS percent,
    1.96 * sqrt(sum((percent - mean) * (percent - mean)) / (max(n) - 1) / max(n)) AS ci95_percent
FROM changes, summary;
