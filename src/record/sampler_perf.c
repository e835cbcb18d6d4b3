// SPDX-License-Identifier: BSD-2-Clause
/*
 * Samples through perf's own ring: one event and one ring a CPU, kernel chains only. The NetSoft'24 paper
 * (IV-B) finds this path cheaper than a BPF program that copies stacks.
 */
#include "sampler.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <netcost/cpuset.h>
#include <netcost/trace.h>

#include "clock.h"
#include "procfs.h"
#include "sampler_hole.h"

/*
 * 512 KiB and its page of control are what perf_event_mlock_kb lets anybody have on each CPU (516), and
 * hold half a second of full-depth stacks at 999 Hz, or several of usual ones.
 */
#define RING_BYTES (512u << 10)
#define MAX_RECORD 65536 /* perf_event_header.size has 16 bits */
#define STILL_US 20000	 /* two ticks of any kernel: where its clock is bad, it goes by those */

struct ring {
	int fd, cpu;
	int names_fd;			   /* of the event that tells of tasks' names and ends */
	struct perf_event_mmap_page *page; /* NULL: its CPU is back, but there is no ring to be had */
	uint8_t *data;
	uint64_t lost_records, throttled;
	uint64_t lost, lost_before; /* as the kernel counts: of this event, of those before it */
	struct hole hole;
	bool suspected;				 /* of having no CPU any more */
	uint64_t suspect_ns, suspect_enabled_ns; /* since when, and how long it had been enabled */
};

struct sampler {
	struct ring *ring;
	unsigned int n;
	size_t page_size;
	struct perf_event_attr attr;
	int epoll_fd; /* not ours; -1: nobody waits */
	uint64_t tag;
	uint8_t copy[MAX_RECORD];
};

static bool format_lost(const struct sampler *s)
{
	return s->attr.read_format & PERF_FORMAT_LOST;
}

static int perf_event_open(struct perf_event_attr *attr, int cpu)
{
	return (int)syscall(SYS_perf_event_open, attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static struct perf_event_attr make_attr(unsigned int hz)
{
	uint64_t max_stack = procfs_uint("/proc/sys/kernel/perf_event_max_stack", TRACE_MAX_STACK);

	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(struct perf_event_attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.freq = 1,
		.sample_freq = hz,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_LOST,
		.disabled = 1,
		.exclude_callchain_user = 1,
		.sample_max_stack = max_stack < TRACE_MAX_STACK ? (uint16_t)max_stack :
								  TRACE_MAX_STACK,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = RING_BYTES / 2,
	};
}

static void explain(int err, unsigned int hz, int cpu, char *why, size_t size)
{
	unsigned long max =
		(unsigned long)procfs_uint("/proc/sys/kernel/perf_event_max_sample_rate", 0);
	long paranoid = (long)procfs_int("/proc/sys/kernel/perf_event_paranoid", 2);

	if (err == -EACCES || err == -EPERM)
		snprintf(
			why, size,
			"cannot sample the kernel on all CPUs: perf_event_paranoid is %ld; run as root, give "
			"CAP_PERFMON, or use -F 0",
			paranoid);
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

static int event_open(struct sampler *s, int cpu)
{
	int fd = perf_event_open(&s->attr, cpu);

	if (fd < 0 && errno == EINVAL && format_lost(s)) {
		/* before Linux 6.0: count PERF_RECORD_LOST instead */
		s->attr.read_format &= ~(uint64_t)PERF_FORMAT_LOST;
		fd = perf_event_open(&s->attr, cpu);
	}
	return fd < 0 ? -errno : fd;
}

static int ring_map(const struct sampler *s, struct ring *r)
{
	void *map =
		mmap(NULL, s->page_size + RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);

	if (map == MAP_FAILED)
		return -errno;
	r->page = map;
	r->data = (uint8_t *)map + s->page_size;
	return 0;
}

static void ring_close(const struct sampler *s, struct ring *r)
{
	if (r->page)
		munmap(r->page, s->page_size + RING_BYTES);
	if (r->names_fd >= 0)
		close(r->names_fd);
	if (r->fd >= 0)
		close(r->fd);
	r->page = NULL;
	r->fd = r->names_fd = -1;
}

/*
 * Names and ends come from an event of their own, into the same ring, which keeps them in order with the
 * samples: the kernel counts all lost records of an event alike, and the sampler's are to be samples.
 */
static int names_open(struct ring *r)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.comm = 1,
		.task = 1,
	};

	r->names_fd = perf_event_open(&attr, r->cpu);
	if (r->names_fd < 0 || ioctl(r->names_fd, PERF_EVENT_IOC_SET_OUTPUT, r->fd))
		return -errno;
	return 0;
}

/* fd: the sampler's event there, or a negative errno. */
static int ring_open(const struct sampler *s, struct ring *r, int fd)
{
	int err;

	if (fd < 0)
		return fd;
	r->fd = fd;
	err = ring_map(s, r);
	return err ? err : names_open(r);
}

int sampler_perf_new(struct sampler **sp, const struct cpuset *cpus, unsigned int hz, char *why,
		     size_t whysize)
{
	struct sampler *s = calloc(1, sizeof(*s));
	int err = 0;

	*sp = NULL;
	if (s) {
		s->n = cpus->n;
		s->attr = make_attr(hz);
		s->epoll_fd = -1;
		s->page_size = (size_t)sysconf(_SC_PAGESIZE);
		s->ring = calloc(s->n, sizeof(*s->ring));
	}
	if (!s || !s->ring) {
		free(s);
		snprintf(why, whysize, "out of memory");
		return -ENOMEM;
	}
	for (unsigned int i = 0; i < s->n; i++)
		s->ring[i] = (struct ring){ .fd = -1, .names_fd = -1, .cpu = (int)cpus->cpu[i] };
	for (unsigned int i = 0; i < s->n && !err; i++) {
		err = ring_open(s, &s->ring[i], event_open(s, s->ring[i].cpu));
		if (err)
			explain(err, hz, s->ring[i].cpu, why, whysize);
	}
	if (err)
		sampler_free(s);
	else
		*sp = s;
	return err;
}

void sampler_free(struct sampler *s)
{
	if (!s)
		return;
	for (unsigned int i = 0; i < s->n; i++)
		ring_close(s, &s->ring[i]);
	free(s->ring);
	free(s);
}

static int ring_start(struct ring *r)
{
	if (ioctl(r->names_fd, PERF_EVENT_IOC_ENABLE, 0) || ioctl(r->fd, PERF_EVENT_IOC_ENABLE, 0))
		return -errno;
	hole_end(&r->hole, now_ns());
	return 0;
}

int sampler_start(struct sampler *s)
{
	int err = 0;

	for (unsigned int i = 0; i < s->n && !err; i++)
		err = ring_start(&s->ring[i]);
	return err;
}

static int ring_poll(const struct sampler *s, const struct ring *r)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.u64 = s->tag };

	if (s->epoll_fd < 0)
		return 0;
	return epoll_ctl(s->epoll_fd, EPOLL_CTL_ADD, r->fd, &ev) ? -errno : 0;
}

int sampler_poll_add(struct sampler *s, int epoll_fd, uint64_t tag)
{
	int err = 0;

	s->epoll_fd = epoll_fd;
	s->tag = tag;
	for (unsigned int i = 0; i < s->n && !err; i++)
		err = ring_poll(s, &s->ring[i]);
	return err;
}

/* ---- what was not sampled ---------------------------------------------------------------- */

/* The time that the event was enabled, by the kernel's clock; *lost if it counts that. False: it does not say. */
static bool event_read(const struct sampler *s, struct ring *r, uint64_t *enabled_ns)
{
	uint64_t value[3]; /* the count, the time, what was lost of the count */
	ssize_t size = format_lost(s) ? sizeof(value) : sizeof(value) - sizeof(value[0]);

	if (r->fd < 0 || read(r->fd, value, sizeof(value)) != size)
		return false;
	*enabled_ns = value[1];
	if (format_lost(s))
		r->lost = value[2];
	return true;
}

/*
 * The kernel takes the events off a CPU that goes offline, for good, and says nothing: their time stands still
 * from then on. So it may do for a while where a host is short of time, or its clock is bad.
 */
static bool ring_suspected(const struct sampler *s, struct ring *r)
{
	uint64_t enabled_ns = r->hole.enabled_ns, again_ns, now;
	bool told = event_read(s, r, &enabled_ns);

	now = now_ns();
	if (told && (!hole_suspected(&r->hole, enabled_ns, now) ||
		     (event_read(s, r, &again_ns) && again_ns != enabled_ns))) {
		hole_read(&r->hole, enabled_ns, now);
		return false;
	}
	r->suspect_ns = now;
	r->suspect_enabled_ns = enabled_ns;
	return true;
}

/* Some time later. */
static bool ring_stands_still(const struct sampler *s, struct ring *r)
{
	uint64_t enabled_ns;
	bool told = event_read(s, r, &enabled_ns);

	if (told && enabled_ns != r->suspect_enabled_ns) {
		hole_read(&r->hole, enabled_ns, now_ns());
		return false;
	}
	hole_begin(&r->hole, r->suspect_enabled_ns, r->suspect_ns);
	return true;
}

/* As sampler_perf_new() and sampler_start() did. What was in the old ring has been taken. */
static bool ring_revive(struct sampler *s, struct ring *r)
{
	int fd = event_open(s, r->cpu);

	if (fd < 0)
		return false; /* it is still offline, or there is no event to be had now */
	r->lost_before += r->lost;
	r->lost = 0;
	ring_close(s, r); /* before the new one: what may be locked in memory is limited */
	if (!ring_open(s, r, fd) && !ring_poll(s, r) && !ring_start(r))
		return true;
	ring_close(s, r);
	return false;
}

bool sampler_tend(struct sampler *s)
{
	unsigned int suspects = 0;
	bool changed = false;

	for (unsigned int i = 0; i < s->n; i++) {
		struct ring *r = &s->ring[i];

		r->suspected = !r->hole.since_ns && ring_suspected(s, r);
		suspects += r->suspected;
	}
	if (suspects)
		usleep(STILL_US);
	for (unsigned int i = 0; i < s->n; i++) {
		struct ring *r = &s->ring[i];

		if (r->suspected)
			changed |= ring_stands_still(s, r);
		if (r->hole.since_ns)
			changed |= ring_revive(s, r);
	}
	return changed;
}

void sampler_stop(struct sampler *s)
{
	uint64_t enabled_ns;

	for (unsigned int i = 0; i < s->n; i++) {
		ioctl(s->ring[i].fd, PERF_EVENT_IOC_DISABLE, 0);
		event_read(s, &s->ring[i], &enabled_ns); /* for what was lost by now */
	}
}

struct sampler_loss sampler_loss(const struct sampler *s, unsigned int i)
{
	const struct ring *r = &s->ring[i];

	return (struct sampler_loss){
		.lost = format_lost(s) ? r->lost_before + r->lost : r->lost_records,
		.throttled = r->throttled,
		.unsampled_ns = hole_ns(&r->hole, now_ns()),
	};
}

/* ---- the ring ---------------------------------------------------------------------------- */

/* PERF_RECORD_SAMPLE with TID, TIME, CALLCHAIN */
struct sample_record {
	struct perf_event_header header;
	uint32_t tgid, tid;
	uint64_t time_ns, nr, ips[];
};

struct comm_record {
	struct perf_event_header header;
	uint32_t tgid, tid;
	char comm[];
};

struct exit_record {
	struct perf_event_header header;
	uint32_t tgid, parent_tgid, tid, parent_tid;
};

struct lost_record {
	struct perf_event_header header;
	uint64_t id, lost;
};

static int on_sample(const struct sampler_sink *sink, unsigned int i,
		     const struct sample_record *rec)
{
	unsigned int mode = rec->header.misc & PERF_RECORD_MISC_CPUMODE_MASK;
	uint64_t ips[TRACE_MAX_STACK];
	struct sample s = {
		.i = i,
		.time_ns = rec->time_ns,
		.tgid = rec->tgid,
		.tid = rec->tid,
		.user = mode != PERF_RECORD_MISC_KERNEL,
		.ips = ips,
	};

	for (uint64_t k = 0; k < rec->nr && s.nips < TRACE_MAX_STACK; k++)
		if (rec->ips[k] <
		    (uint64_t)PERF_CONTEXT_MAX) /* else a marker: PERF_CONTEXT_KERNEL … */
			ips[s.nips++] = rec->ips[k];
	return sink->sample(sink->ctx, &s);
}

static int on_record(struct ring *r, unsigned int i, const struct sampler_sink *sink,
		     const struct perf_event_header *h)
{
	switch (h->type) {
	case PERF_RECORD_SAMPLE:
		return on_sample(sink, i, (const struct sample_record *)h);
	case PERF_RECORD_LOST:
		r->lost_records += ((const struct lost_record *)h)->lost;
		return 0;
	case PERF_RECORD_THROTTLE:
		r->throttled++;
		return 0;
	case PERF_RECORD_COMM: {
		const struct comm_record *c = (const struct comm_record *)h;

		sink->renamed(sink->ctx, c->tgid, c->tid, c->comm);
		return 0;
	}
	case PERF_RECORD_EXIT:
		sink->exited(sink->ctx, ((const struct exit_record *)h)->tid);
		return 0;
	default:
		return 0;
	}
}

/* A record, in one piece: one that crosses the ring's end is put together in s->copy. */
static const struct perf_event_header *record_at(struct sampler *s, struct ring *r, uint64_t pos)
{
	size_t at = pos & (RING_BYTES - 1), first = RING_BYTES - at;
	const struct perf_event_header *h = (const struct perf_event_header *)(r->data + at);

	if (h->size <= first) /* sizes are multiples of 8: the header itself never crosses */
		return h;
	memcpy(s->copy, h, first);
	memcpy(s->copy + first, r->data, h->size - first);
	return (const struct perf_event_header *)s->copy;
}

static int ring_drain(struct sampler *s, unsigned int i, const struct sampler_sink *sink)
{
	struct ring *r = &s->ring[i];
	uint64_t head, tail;
	int err = 0;

	if (!r->page)
		return 0;
	head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	tail = r->page->data_tail;

	while (tail < head && !err) {
		const struct perf_event_header *h = record_at(s, r, tail);
		uint16_t size = h->size;

		if (size < sizeof(*h))
			return -EBADMSG; /* the kernel never does that */
		err = on_record(r, i, sink, h);
		tail += size;
	}
	__atomic_store_n(&r->page->data_tail, tail, __ATOMIC_RELEASE);
	return err;
}

int sampler_drain(struct sampler *s, const struct sampler_sink *sink)
{
	int err = 0;

	for (unsigned int i = 0; i < s->n && !err; i++)
		err = ring_drain(s, i, sink);
	return err;
}
