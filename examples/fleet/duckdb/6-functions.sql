-- SPDX-License-Identifier: BSD-2-Clause
-- Which functions became more expensive from one kernel to another? Their own CPU time in ms per GB, by samples.
WITH gb AS (
    SELECT sum(bytes) FILTER (WHERE kernel = '6.1.0-test') / 1e9 AS before, sum(bytes) FILTER (WHERE kernel = '6.12.0-test') / 1e9 AS after
    FROM netcost.costs
), used AS (
    SELECT function, module, r.kernel, 1000.0 * self_samples / sample_hz AS ms
    FROM netcost.functions AS f JOIN netcost.recordings AS r USING (recording) JOIN netcost.costs AS c USING (recording)
    WHERE category <> 'idle' AND sample_hz > 0
)
SELECT function, module, coalesce(sum(ms) FILTER (WHERE kernel = '6.1.0-test'), 0) / max(gb.before) AS before_ms_per_gb,
    coalesce(sum(ms) FILTER (WHERE kernel = '6.12.0-test'), 0) / max(gb.after) AS after_ms_per_gb
FROM used, gb
GROUP BY function, module
ORDER BY after_ms_per_gb - before_ms_per_gb DESC, function, module
LIMIT 10;
