// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tests the sampler of a CPU that goes offline and returns. The test simulates the kernel's events: it replaces
 * perf_event_open() and the calls on its descriptors.
 */
#include "unit.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <netcost/cpuset.h>

#include "record/base/clock.h"
#include "record/sample/sampler_impl.h"

#define FDS 256

enum cpu { ONLINE, COMING_UP, OFFLINE };

struct event {
	bool there;
	/* the CPU was online when the event was opened; otherwise the event never runs */
	bool runs;
	uint64_t format, began_ns, stopped_ns;
};

static enum cpu cpu;
static struct event event[FDS]; /* events, indexed by descriptor */

static int event_new(const struct perf_event_attr *attr)
{
	int fd;

	if (cpu == OFFLINE) {
		errno = ENODEV;
		return -1;
	}
	fd = memfd_create("event", MFD_CLOEXEC);
	CU_ASSERT_FATAL(fd >= 0 && fd < FDS);
	CU_ASSERT_EQUAL_FATAL(ftruncate(fd, sysconf(_SC_PAGESIZE) + RING_BYTES), 0);
	event[fd] = (struct event){
		.there = true,
		.runs = cpu == ONLINE,
		.format = attr->read_format,
	};
	return fd;
}

/* Replaces the C library's syscall(), which is only used for perf_event_open(). */
long syscall(long number, ...)
{
	const struct perf_event_attr *attr;
	va_list ap;

	va_start(ap, number);
	attr = va_arg(ap, const struct perf_event_attr *);
	va_end(ap);
	if (number != SYS_perf_event_open)
		abort();
	return event_new(attr);
}

int ioctl(int fd, unsigned long request, ...)
{
	if (request == PERF_EVENT_IOC_ENABLE)
		event[fd].began_ns = now_ns();
	return 0;
}

/* Reads an event: time_enabled always advances, time_running only if the event was ever scheduled. */
static ssize_t event_read(const struct event *e, void *to, size_t size)
{
	uint64_t value[4] = { 0 }, now = e->stopped_ns ? e->stopped_ns : now_ns();
	size_t n = 1;

	if (e->format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		value[n++] = now - e->began_ns;
	if (e->format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		value[n++] = e->runs ? now - e->began_ns : 0;
	n += e->format & PERF_FORMAT_LOST ? 1 : 0;
	CU_ASSERT_FATAL(size >= n * sizeof(*value));
	memcpy(to, value, n * sizeof(*value));
	return (ssize_t)(n * sizeof(*value));
}

ssize_t read(int fd, void *to, size_t size)
{
	struct iovec file = { .iov_base = to, .iov_len = size };

	return fd >= 0 && fd < FDS && event[fd].there ? event_read(&event[fd], to, size) :
							readv(fd, &file, 1);
}

static void cpu_goes(void)
{
	cpu = OFFLINE;
	for (int fd = 0; fd < FDS; fd++)
		if (event[fd].there && !event[fd].stopped_ns)
			event[fd].stopped_ns = now_ns();
}

static uint64_t unsampled(const struct sampler *s)
{
	return sampler_loss(s, 0).unsampled_ns;
}

/* Waits for longer than two clocks may differ. */
static void wait_a_while(void)
{
	usleep(5000);
}

static void test_goes_and_comes(void)
{
	const struct sampler_options options = { .hz = 99, .network_only = -1 };
	uint32_t numbers[] = { 0 };
	const struct cpuset cpus = { .cpu = numbers, .n = 1 };
	struct sampler *s;
	uint64_t before;
	char why[256];

	cpu = ONLINE;
	CU_ASSERT_EQUAL_FATAL(sampler_new(&s, &cpus, &options, why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(sampler_start(s), 0);
	wait_a_while();
	CU_ASSERT_FALSE(sampler_tend(s));
	CU_ASSERT_EQUAL(unsampled(s), 0);

	cpu_goes();
	wait_a_while();
	CU_ASSERT_TRUE(sampler_tend(s));
	CU_ASSERT(unsampled(s) > 0);

	/* An event that can be opened but never runs is not a sampler. */
	cpu = COMING_UP;
	for (int tick = 0; tick < 2; tick++) {
		CU_ASSERT_FALSE(sampler_tend(s));
		before = unsampled(s);
		wait_a_while();
		CU_ASSERT(unsampled(s) > before);
	}

	cpu = ONLINE;
	CU_ASSERT_TRUE(sampler_tend(s));
	before = unsampled(s);
	wait_a_while();
	CU_ASSERT_FALSE(sampler_tend(s));
	CU_ASSERT_EQUAL(unsampled(s), before);
	sampler_stop(s);
	sampler_free(s);
}

static const struct unit_test tests[] = {
	{ "goes_and_comes", test_goes_and_comes },
};

int main(void)
{
	return unit_main("record_sampler", tests, sizeof(tests) / sizeof(tests[0]));
}
