// SPDX-License-Identifier: BSD-2-Clause
#include "own_sample.h"

#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <netcost/reasons.h>

#include "record/base/clock.h"
#include "record/base/perf_event.h"
#include "record/base/procfs.h"
#include "sampler_impl.h"

#define HZ 4000u /* rate that gives enough samples in some milliseconds */
/* nobody reads the ring: when it is full, the kernel still takes samples, and drops them */
#define OWN_RING_BYTES (64u << 10)

/* minimum time of sampling the recorder's calls; sampling goes on if fewer than ENOUGH_HITS calls were hit */
#define SAMPLED_NS 4000000
#define LONGEST_NS 20000000
#define ENOUGH_HITS 12
#define FEWEST_HITS 6
#define MOST_CALLS 16384

/* ---- samples ----------------------------------------------------------------------------- */

struct sampled {
	int fd;
	const struct perf_event_mmap_page *page;
	size_t bytes;
};

static struct perf_event_attr own_attr(const struct sampler_options *o)
{
	uint64_t most = procfs_uint("/proc/sys/kernel/perf_event_max_sample_rate", HZ);
	struct sampler_options faster = *o;
	struct perf_event_attr clock;

	faster.hz = most && most < HZ ? (unsigned int)most : HZ;
	clock = sampler_clock_attr(&faster);
	return sampler_perf_attr(&clock, o->user_stacks);
}

static void end_samples(struct sampled *s)
{
	if (s->page)
		munmap((void *)(uintptr_t)s->page, s->bytes);
	if (s->fd >= 0)
		close(s->fd);
}

/* Opens the sampler on this CPU. Returns -ENOTSUP if the samples of a program cannot be measured here. */
static int begin_samples(struct sampled *s, const struct sampler_options *o)
{
	struct perf_event_attr attr = own_attr(o);
	void *page;
	int err = 0;

	*s = (struct sampled){ .bytes = (size_t)sysconf(_SC_PAGESIZE) + OWN_RING_BYTES, .fd = -1 };
	if (o->network_only >= 0)
		return -ENOTSUP;
	s->fd = perf_event_open(&attr, sched_getcpu());
	if (s->fd < 0)
		return s->fd;
	page = mmap(NULL, s->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
	s->page = page == MAP_FAILED ? NULL : page;
	if (!s->page || ioctl(s->fd, PERF_EVENT_IOC_ENABLE, 0)) {
		err = -errno;
		end_samples(s);
	}
	return err;
}

/* Returns a number that changes with each sample. */
static uint64_t taken(const struct sampled *s)
{
	return *(const volatile __u64 *)&s->page->data_head;
}

/* ---- calls ------------------------------------------------------------------------------- */

/* Opens a datagram socket that is connected to itself over loopback. Returns the socket or -errno. */
static int open_self(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if (!bind(fd, (struct sockaddr *)&address, size) &&
	    !getsockname(fd, (struct sockaddr *)&address, &size) &&
	    !connect(fd, (struct sockaddr *)&address, size))
		return fd;
	close(fd);
	return -EADDRNOTAVAIL;
}

struct calls {
	double ns[MOST_CALLS];
	size_t n;
};

/* Returns the number of this thread's context switches. */
static long switches(void)
{
	struct rusage use = { 0 };

	getrusage(RUSAGE_THREAD, &use);
	return use.ru_nvcsw + use.ru_nivcsw;
}

/*
 * Makes calls, and sorts their times by whether a sample hit the call. The kernel counts each sample, so the number
 * shows which calls were hit. A call in which another task ran is left out.
 */
static void call_and_sort(int self, const struct sampled *s, struct calls *hit,
			  struct calls *others)
{
	uint64_t first = now_ns(), ended = first;
	long switched = switches(), before_call;
	char message[64] = { 0 };

	while ((ended - first < SAMPLED_NS || hit->n < ENOUGH_HITS) && ended - first < LONGEST_NS &&
	       others->n < MOST_CALLS && hit->n < MOST_CALLS) {
		uint64_t before = taken(s), began = now_ns();
		struct calls *to;

		(void)!send(self, message, sizeof(message), MSG_DONTWAIT);
		(void)!recv(self, message, sizeof(message), MSG_DONTWAIT);
		ended = now_ns();
		before_call = switched;
		switched = switches();
		if (switched != before_call)
			continue;
		to = taken(s) == before ? others : hit;
		to->ns[to->n++] = (double)(ended - began);
	}
}

/* ---- cost of a sample -------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double nth(const struct calls *c, double rank)
{
	return c->ns[(size_t)fmax(0, fmin(rank, (double)c->n - 1))];
}

/* Returns the difference between the median times of calls with and without a sample, and its rank-based interval. */
static struct own_sample_cost difference(struct calls *hit, struct calls *others, char *why,
					 size_t whysize)
{
	double middle = ((double)hit->n - 1) / 2, half = sqrt((double)hit->n);
	struct own_sample_cost c = { NAN, NAN, (unsigned int)hit->n };

	qsort(hit->ns, hit->n, sizeof(*hit->ns), compare);
	qsort(others->ns, others->n, sizeof(*others->ns), compare);
	if (hit->n < FEWEST_HITS || !others->n) {
		snprintf(why, whysize, reason_few_samples, (unsigned int)hit->n);
		return c;
	}
	c.ns = nth(hit, middle) - nth(others, ((double)others->n - 1) / 2);
	c.ci95 = (nth(hit, middle + half) - nth(hit, middle - half)) / 2;
	if (!(c.ns > c.ci95)) {
		snprintf(why, whysize, reason_few_samples, (unsigned int)hit->n);
		c.ns = c.ci95 = NAN;
	}
	return c;
}

static int sample_calls(const struct sampler_options *o, struct calls *hit, struct calls *others)
{
	struct sampled s;
	int self = open_self(), err;

	if (self < 0)
		return self;
	err = begin_samples(&s, o);
	if (!err) {
		call_and_sort(self, &s, hit, others);
		end_samples(&s);
	}
	close(self);
	return err;
}

struct own_sample_cost own_sample_cost(const struct sampler_options *o, char *why, size_t whysize)
{
	struct calls *calls = calloc(2, sizeof(*calls));
	struct own_sample_cost cost = { NAN, NAN, 0 };
	int err = calls ? sample_calls(o, &calls[0], &calls[1]) : -ENOMEM;

	*why = '\0';
	if (err == -ENOTSUP)
		snprintf(why, whysize, reason_sample_program);
	else if (err)
		snprintf(why, whysize, reason_no_own_samples, -err);
	else
		cost = difference(&calls[0], &calls[1], why, whysize);
	free(calls);
	return cost;
}
