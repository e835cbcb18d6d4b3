// SPDX-License-Identifier: BSD-2-Clause
/* Opens the events of a sampler, and explains the kernel's refusals. */
#include "sampler_impl.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <netcost/trace.h>

#include "record/base/perf_event.h"
#include "record/base/privileges.h"
#include "record/base/procfs.h"

/*
 * Optional features, in the order in which they are tried: the first since Linux 6.0, the second since 5.7 with
 * CONFIG_CGROUP_PERF.
 */
static const struct wish {
	bool lost, cgroup;
} wishes[] = { { true, true }, { false, true }, { true, false }, { false, false } };

bool sampler_cgroups(const struct sampler *s)
{
	return s->attr.sample_type & PERF_SAMPLE_CGROUP;
}

/*
 * Returns the attributes of the clock event. If time is sampled, the event has a frequency, because time passes at the
 * same rate on all CPUs. If cycles are sampled, each sample represents the same number of cycles, so that samples can
 * simply be counted. The sampling period is the number of cycles between two samples at the highest clock rate, which
 * cpufreq shows. Without cpufreq, the clock rate of a slow CPU is assumed.
 */
struct perf_event_attr sampler_clock_attr(const struct sampler_options *o)
{
	uint64_t khz = procfs_uint("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", 0);
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_CPU_CLOCK,
					.freq = 1,
					.sample_freq = o->hz };

	if (!o->cycles)
		return attr;
	return (struct perf_event_attr){ .type = PERF_TYPE_HARDWARE,
					 .config = PERF_COUNT_HW_CPU_CYCLES,
					 .pinned = 1, /* the event counts all the time, or never */
					 .sample_period = (khz ? khz : 2000000) * 1000 / o->hz };
}

/*
 * Returns attributes that both kinds of rings share. Reads time_running, not time_enabled. If an event is opened while
 * its CPU comes online, the event is never scheduled, but counts as enabled (6.12: cpu_function_call() fails and its
 * result is ignored).
 */
static struct perf_event_attr ring_attr(void)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(struct perf_event_attr),
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.read_format = PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		/* The kernel counts the bytes since the last wakeup, including those that were read at a tick. */
		.wakeup_watermark = RING_BYTES / 4 * 3,
	};
}

unsigned int sampler_stack_limit(void)
{
	uint64_t most = procfs_uint("/proc/sys/kernel/perf_event_max_stack", TRACE_MAX_STACK);

	return most < TRACE_MAX_STACK ? (unsigned int)most : TRACE_MAX_STACK;
}

/* Returns the attributes of a clock event that takes the samples itself. */
struct perf_event_attr sampler_perf_attr(const struct perf_event_attr *clock, bool user_stacks)
{
	struct perf_event_attr attr = ring_attr();

	attr.type = clock->type;
	attr.config = clock->config;
	attr.freq = clock->freq;
	attr.pinned = clock->pinned;
	/* also copies sample_freq, which is in a union with sample_period */
	attr.sample_period = clock->sample_period;
	attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	attr.exclude_callchain_user = !user_stacks;
	attr.sample_max_stack = (uint16_t)sampler_stack_limit();
	return attr;
}

/* Returns the attributes of the event to which the program writes the samples. */
struct perf_event_attr sampler_bpf_attr(void)
{
	struct perf_event_attr attr = ring_attr();

	attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	attr.sample_period = 1;
	attr.sample_type |= PERF_SAMPLE_RAW;
	return attr;
}

static struct perf_event_attr attr_with(struct perf_event_attr attr, const struct wish *w)
{
	/* without PERF_FORMAT_LOST, PERF_RECORD_LOST records count lost samples */
	attr.read_format |= w->lost ? PERF_FORMAT_LOST : 0;
	attr.sample_type |= w->cgroup ? PERF_SAMPLE_CGROUP : 0;
	return attr;
}

/* Opens the first event, which shows what the kernel supports. */
static int first_event_open(struct sampler *s, int cpu)
{
	const struct perf_event_attr plain = s->attr;
	int fd = -EINVAL;

	for (size_t i = 0; i < sizeof(wishes) / sizeof(*wishes); i++) {
		s->attr = attr_with(plain, &wishes[i]);
		fd = perf_event_open(&s->attr, cpu);
		if (fd != -EINVAL)
			break;
	}
	return fd;
}

int sampler_event_open(struct sampler *s, int cpu)
{
	int fd;

	if (!s->settled) {
		fd = first_event_open(s, cpu);
		s->settled = fd >= 0;
		return fd;
	}
	return perf_event_open(&s->attr, cpu);
}

/* Returns true if this process may load BPF programs. If not, exact times cannot replace samples. */
static bool may_load_programs(void)
{
	return privileges_has(CAP_BPF) || privileges_has(CAP_SYS_ADMIN);
}

void sampler_explain(int err, const struct sampler_options *o, int cpu, char *why, size_t size)
{
	unsigned long max =
		(unsigned long)procfs_uint("/proc/sys/kernel/perf_event_max_sample_rate", 0);
	char paranoid[16];

	procfs_text("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof(paranoid));
	if (err == -EACCES || err == -EPERM)
		snprintf(
			why, size,
			"cannot sample the kernel on all CPUs: perf_event_paranoid is %s; run as root, %s",
			*paranoid ? paranoid : "2",
			may_load_programs() ? "give CAP_PERFMON, or use -F 0" :
					      "or give CAP_BPF and CAP_PERFMON");
	else if (err == -EDQUOT)
		snprintf(
			why, size,
			"cannot lock memory for samples: kernel.perf_event_mlock_kb allows a user %lu KiB per CPU; raise this limit or `ulimit -l`, grant CAP_IPC_LOCK, or end other recordings",
			(unsigned long)procfs_uint("/proc/sys/kernel/perf_event_mlock_kb", 0));
	else if (o->cycles && (err == -ENOENT || err == -EOPNOTSUPP || err == -EINVAL))
		snprintf(
			why, size,
			"cannot count cycles: Linux finds no PMU on this CPU or virtual machine; use --event=cpu-clock");
	else if (err == -EINVAL && max && o->hz > max)
		snprintf(
			why, size,
			"%u Hz is above kernel.perf_event_max_sample_rate (%lu); use -F %lu or raise the limit",
			o->hz, max, max);
	else if (err == -ENODEV)
		snprintf(why, size, "cannot sample CPU %d: it is not online; choose CPUs with -C",
			 cpu);
	else
		snprintf(why, size, "cannot sample CPU %d: %s", cpu, strerror(-err));
}
