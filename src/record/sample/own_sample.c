// SPDX-License-Identifier: BSD-2-Clause
#include "own_sample.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/base/perf_event.h"
#include "record/base/procfs.h"
#include "sampler_impl.h"

#define HZ 4000u /* enough in some milliseconds */
#define OWN_RING_BYTES                                                                             \
	(64u << 10) /* never read: samples of longer than that are dropped, after they were taken */

struct own_sample {
	int fd;
	const struct perf_event_mmap_page *page;
	size_t bytes;
};

static uint64_t fastest(void)
{
	uint64_t most = procfs_uint("/proc/sys/kernel/perf_event_max_sample_rate", HZ);

	return most && most < HZ ? most : HZ;
}

static struct perf_event_attr own_attr(const struct sampler_options *o)
{
	struct sampler_options faster = *o;
	struct perf_event_attr clock;

	faster.hz = (unsigned int)fastest();
	clock = sampler_clock_attr(&faster);
	return sampler_perf_attr(&clock);
}

int own_sample_new(struct own_sample **sp, const struct sampler_options *o, unsigned int cpu)
{
	struct perf_event_attr attr = own_attr(o);
	struct own_sample *s;
	void *page;

	*sp = NULL;
	if (o->network_only >= 0)
		return -ENOTSUP;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->bytes = (size_t)sysconf(_SC_PAGESIZE) + OWN_RING_BYTES;
	s->fd = perf_event_open(&attr, (int)cpu);
	if (s->fd < 0) {
		int err = s->fd;

		free(s);
		return err;
	}
	page = mmap(NULL, s->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
	s->page = page == MAP_FAILED ? NULL : page;
	if (!s->page || ioctl(s->fd, PERF_EVENT_IOC_ENABLE, 0)) {
		int err = -errno;

		own_sample_free(s);
		return err;
	}
	*sp = s;
	return 0;
}

void own_sample_free(struct own_sample *s)
{
	if (!s)
		return;
	if (s->page)
		munmap((void *)(uintptr_t)s->page, s->bytes);
	close(s->fd);
	free(s);
}

uint64_t own_sample_taken(const struct own_sample *s)
{
	return *(const volatile __u64 *)&s->page->data_head;
}
