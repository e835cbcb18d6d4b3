// SPDX-License-Identifier: BSD-2-Clause
/* What the kernel's no to a sampler means, and what to do about it. */
#include "sampler_impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "record/base/procfs.h"

void sampler_explain(int err, const struct sampler_options *o, int cpu, char *why, size_t size)
{
	unsigned int hz = o->hz;
	unsigned long max =
		(unsigned long)procfs_uint("/proc/sys/kernel/perf_event_max_sample_rate", 0);
	long paranoid = (long)procfs_int("/proc/sys/kernel/perf_event_paranoid", 2);

	if (err == -EACCES || err == -EPERM)
		snprintf(
			why, size,
			"cannot sample the kernel on all CPUs: perf_event_paranoid is %ld; run as root, give "
			"CAP_PERFMON, or use -F 0",
			paranoid);
	else if (o->cycles && (err == -ENOENT || err == -EOPNOTSUPP || err == -EINVAL))
		snprintf(
			why, size,
			"cannot count cycles: this CPU, or virtual machine, has no PMU that Linux knows; use "
			"--event=cpu-clock");
	else if (err == -EINVAL && max && hz > max)
		snprintf(
			why, size,
			"%u Hz is above kernel.perf_event_max_sample_rate (%lu); use -F %lu or raise it",
			hz, max, max);
	else if (err == -ENODEV)
		snprintf(why, size, "cannot sample CPU %d: it is not online; choose CPUs with -C",
			 cpu);
	else
		snprintf(why, size, "cannot sample CPU %d: %s", cpu, strerror(-err));
}
