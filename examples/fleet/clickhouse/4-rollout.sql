-- SPDX-License-Identifier: BSD-2-Clause
-- What did a rollout change? Each host by itself, before and after its mark; the mean change with its 95 % interval.
SELECT count() AS hosts, avg(change) AS percent, 1.96 * stddevSamp(change) / sqrt(count()) AS ci95_percent
FROM (
    SELECT host,
        sumIf(network_ns, start < done) / sumIf(packets, start < done) AS before,
        sumIf(network_ns, start >= done) / sumIf(packets, start >= done) AS after,
        100 * (after / before - 1) AS change
    FROM (SELECT host, start, network_ns, packets FROM netcost.costs)
    GLOBAL ALL INNER JOIN (
        SELECT host, min(assumeNotNull(time)) AS done FROM netcost.marks WHERE text = 'rollout 42' GROUP BY host
    ) USING host
    GROUP BY host
)
WHERE before > 0 AND after > 0;
