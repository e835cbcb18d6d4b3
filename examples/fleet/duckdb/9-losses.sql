-- SPDX-License-Identifier: BSD-2-Clause
-- Which recordings are not to be trusted: cut off, damaged, or without more than one sample in a hundred?
SELECT host, start, ended, coalesce(samples_lost, 0) / nullif(samples + coalesce(samples_lost, 0), 0) AS lost
FROM netcost.recordings
WHERE ended = 0 OR damage IS NOT NULL OR samples_lost > 0.01 * (samples + samples_lost)
ORDER BY host, start;
