-- SPDX-License-Identifier: BSD-2-Clause
-- Which functions became more expensive from one kernel to another? Their own CPU time in ms per GB, by samples.
SELECT function, module,
    sumIf(1000 * self_samples / hz, kernel = '6.1.0-test') /
        (SELECT sumIf(bytes, kernel = '6.1.0-test') / 1e9 FROM netcost.costs) AS before_ms_per_gb,
    sumIf(1000 * self_samples / hz, kernel = '6.12.0-test') /
        (SELECT sumIf(bytes, kernel = '6.12.0-test') / 1e9 FROM netcost.costs) AS after_ms_per_gb
FROM (SELECT recording, function, module, self_samples FROM netcost.functions WHERE category != 'idle')
GLOBAL ALL INNER JOIN (
    SELECT recording, kernel, hz
    FROM (SELECT recording, kernel FROM netcost.costs)
    GLOBAL ALL INNER JOIN (
        SELECT recording, assumeNotNull(sample_hz) AS hz FROM netcost.recordings WHERE sample_hz > 0
    ) USING recording
) USING recording
GROUP BY function, module
ORDER BY after_ms_per_gb - before_ms_per_gb DESC, function, module
LIMIT 10;
