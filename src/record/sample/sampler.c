// SPDX-License-Identifier: BSD-2-Clause
/*
 * Takes samples through perf's own rings, one per CPU, with kernel chains only. The NetSoft'24 paper (IV-B) finds
 * perf's own samples cheaper than a BPF program that copies stacks. A BPF program that takes the samples writes them to
 * the same rings, so that the other code is the same in both cases.
 */
#include "sampler_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <netcost/cpuset.h>

#include "record/base/clock.h"
#include "record/base/perf_event.h"
#include "sampler_hole.h"

#define LIVES_NS 10000000u /* a CPU that was sampled less than this time ago is online */
/* how often the clock of each event is compared with the monotonic clock, because clocks drift apart */
#define READ_NS 3000000000u
/* two timer ticks of any kernel, because with a bad clock, time advances only at ticks */
#define STILL_US 20000

static bool format_lost(const struct sampler *s)
{
	return s->attr.read_format & PERF_FORMAT_LOST;
}

uint64_t sampler_period(const struct sampler *s)
{
	return s->clock.freq ? 0 : s->clock.sample_period;
}

const char *sampler_name(const struct sampler *s)
{
	return s && s->bpf ? "bpf" : "perf";
}

const struct bpf_program *sampler_program(const struct sampler *s)
{
	return s->bpf ? sampler_bpf_program(s->bpf) : NULL;
}

static int ring_map(const struct sampler *s, struct ring *r)
{
	void *map =
		mmap(NULL, s->page_size + RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);

	if (map == MAP_FAILED)
		/* perf_mmap() returns EPERM above the limit of locked memory */
		return errno == EPERM ? -EDQUOT : -errno;
	r->page = map;
	r->data = (uint8_t *)map + s->page_size;
	if (!s->bpf)
		return 0;
	r->clock_fd = sampler_bpf_clock(s->bpf, &s->clock, r->cpu, r->fd);
	return r->clock_fd < 0 ? r->clock_fd : 0;
}

static void ring_close(const struct sampler *s, struct ring *r)
{
	if (r->page)
		munmap(r->page, s->page_size + RING_BYTES);
	if (r->names_fd >= 0)
		close(r->names_fd);
	if (r->clock_fd >= 0)
		close(r->clock_fd);
	if (r->fd >= 0)
		close(r->fd);
	r->page = NULL;
	r->fd = r->clock_fd = r->names_fd = -1;
}

/*
 * Opens a separate event for names and exits of tasks, and new cgroups. Its records go into the same ring, which keeps
 * them in order with the samples. The event is separate because the kernel counts all lost records of an event
 * together, and the sampler's event should count only lost samples.
 */
static int names_open(const struct sampler *s, struct ring *r)
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
		.cgroup = sampler_cgroups(s),
	};

	r->names_fd = perf_event_open(&attr, r->cpu);
	if (r->names_fd < 0)
		return r->names_fd;
	return ioctl(r->names_fd, PERF_EVENT_IOC_SET_OUTPUT, r->fd) ? -errno : 0;
}

/* Opens a ring. fd is the descriptor of the sampler's event, or a negative errno. */
static int ring_open(const struct sampler *s, struct ring *r, int fd)
{
	int err;

	if (fd < 0)
		return fd;
	r->fd = fd;
	err = ring_map(s, r);
	return err ? err : names_open(s, r);
}

/* Creates a sampler whose rings are all closed. Returns NULL if out of memory. */
static struct sampler *make_sampler(const struct cpuset *cpus)
{
	struct sampler *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->ring = calloc(cpus->n, sizeof(*s->ring));
	if (!s->ring) {
		free(s);
		return NULL;
	}
	s->n = cpus->n;
	s->epoll_fd = -1;
	s->page_size = (size_t)sysconf(_SC_PAGESIZE);
	for (unsigned int i = 0; i < s->n; i++)
		s->ring[i] = (struct ring){
			.fd = -1, .clock_fd = -1, .names_fd = -1, .cpu = (int)cpus->cpu[i]
		};
	return s;
}

int sampler_new(struct sampler **sp, const struct cpuset *cpus, const struct sampler_options *o,
		char *why, size_t whysize)
{
	struct sampler *s = make_sampler(cpus);
	int err = 0;

	*sp = NULL;
	if (!s) {
		snprintf(why, whysize, "out of memory");
		return -ENOMEM;
	}
	s->clock = sampler_clock_attr(o);
	s->stack_limit = sampler_stack_limit();
	s->attr = o->network_only >= 0 ? sampler_bpf_attr() :
					 sampler_perf_attr(&s->clock, o->user_stacks);
	if (o->network_only >= 0)
		err = sampler_bpf_load(&s->bpf, o->network_only, why, whysize);
	for (unsigned int i = 0; i < s->n && !err; i++) {
		err = ring_open(s, &s->ring[i], sampler_event_open(s, s->ring[i].cpu));
		if (err)
			sampler_explain(err, o, s->ring[i].cpu, why, whysize);
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
	sampler_bpf_free(s->bpf);
	free(s->ring);
	free(s);
}

static int ring_start(struct ring *r)
{
	if (ioctl(r->names_fd, PERF_EVENT_IOC_ENABLE, 0) ||
	    ioctl(r->fd, PERF_EVENT_IOC_ENABLE, 0) ||
	    (r->clock_fd >= 0 && ioctl(r->clock_fd, PERF_EVENT_IOC_ENABLE, 0)))
		return -errno;
	return 0;
}

int sampler_start(struct sampler *s)
{
	int err = 0;

	for (unsigned int i = 0; i < s->n && !err; i++) {
		err = ring_start(&s->ring[i]);
		if (!err)
			hole_end(&s->ring[i].hole, now_ns());
	}
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

/* ---- lost samples and offline CPUs ------------------------------------------------------- */

/*
 * Reads how long the event ran, by the kernel's clock. Also reads *lost if the kernel counts lost samples. If the ring
 * had no room for the two records of a throttling, the kernel counts these records as lost samples, too. Returns false
 * if the time is unknown.
 */
static bool event_read(const struct sampler *s, struct ring *r, uint64_t *running_ns)
{
	uint64_t value[3]; /* count, time, and number of lost samples */
	ssize_t size = format_lost(s) ? sizeof(value) : sizeof(value) - sizeof(value[0]);

	if (r->fd < 0 || read(r->fd, value, sizeof(value)) != size)
		return false;
	*running_ns = value[1];
	r->full = false;
	if (format_lost(s))
		r->lost = value[2];
	return true;
}

/*
 * Returns true if the CPU was sampled recently and no sample can have been lost. In that case the event need not be
 * read. Reading the event would interrupt that CPU.
 */
static bool ring_lives(const struct ring *r, uint64_t now)
{
	return !r->full && now < r->sampled_ns + LIVES_NS && now < r->hole.read_ns + READ_NS;
}

/*
 * Returns true if the CPU may have gone offline. The kernel then removes its events, permanently and without notice,
 * and their time stops. The time may also stop for a while on an overloaded host or with a bad clock.
 */
static bool ring_suspected(const struct sampler *s, struct ring *r)
{
	uint64_t running_ns = r->hole.running_ns, again_ns, now;
	bool known = event_read(s, r, &running_ns);

	now = now_ns();
	if (known && (!hole_suspected(&r->hole, running_ns, now) ||
		      (event_read(s, r, &again_ns) && again_ns != running_ns))) {
		hole_read(&r->hole, running_ns, now);
		return false;
	}
	r->suspect_ns = now;
	r->suspect_running_ns = running_ns;
	return true;
}

/* Checks a suspected ring again, some time later. */
static bool ring_stands_still(const struct sampler *s, struct ring *r)
{
	uint64_t running_ns;
	bool known = event_read(s, r, &running_ns);

	if (known && running_ns != r->suspect_running_ns) {
		hole_read(&r->hole, running_ns, now_ns());
		return false;
	}
	hole_begin(&r->hole, r->suspect_running_ns, r->suspect_ns);
	return true;
}

/*
 * Returns true if a new event runs. If an event is opened while its CPU comes online, the event exists but never runs,
 * because perf_install_in_context() ignores that the CPU cannot be called yet (seen on 6.12).
 */
static bool ring_runs(const struct sampler *s, struct ring *r, uint64_t *running_ns)
{
	*running_ns = 0;
	if (event_read(s, r, running_ns) && !*running_ns) {
		usleep(STILL_US);
		event_read(s, r, running_ns);
	}
	return *running_ns > 0;
}

/* Opens and starts a ring again, as sampler_new() and sampler_start() did. The old ring has been drained. */
static bool ring_revive(struct sampler *s, struct ring *r)
{
	int fd = sampler_event_open(s, r->cpu);
	uint64_t running_ns, now;

	if (fd < 0)
		return false; /* the CPU is still offline, or no event can be opened now */
	r->lost_before += r->lost;
	r->lost = 0;
	/* close the old ring before the new one is mapped, because locked memory is limited */
	ring_close(s, r);
	if (!ring_open(s, r, fd) && !ring_poll(s, r) && !ring_start(r) &&
	    ring_runs(s, r, &running_ns)) {
		now = now_ns();
		hole_end(&r->hole, now);
		hole_read(&r->hole, running_ns, now);
		return true;
	}
	ring_close(s, r);
	return false;
}

bool sampler_lives(struct sampler *s)
{
	uint64_t now = now_ns();
	bool all = true;

	for (unsigned int i = 0; i < s->n; i++) {
		struct ring *r = &s->ring[i];
		uint64_t head = r->page ? __atomic_load_n(&r->page->data_head, __ATOMIC_RELAXED) :
					  0;

		all &= r->page && !r->hole.since_ns && !r->full && head != r->seen_head &&
		       now < r->hole.read_ns + READ_NS &&
		       head - r->page->data_tail < RING_BYTES / 8;
		r->seen_head = head;
	}
	return all;
}

bool sampler_tend(struct sampler *s)
{
	unsigned int suspects = 0;
	uint64_t now = now_ns();
	bool changed = false;

	for (unsigned int i = 0; i < s->n; i++) {
		struct ring *r = &s->ring[i];

		r->suspected = !r->hole.since_ns && !ring_lives(r, now) && ring_suspected(s, r);
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
	uint64_t running_ns;

	for (unsigned int i = 0; i < s->n; i++) {
		if (s->ring[i].clock_fd >= 0)
			ioctl(s->ring[i].clock_fd, PERF_EVENT_IOC_DISABLE, 0);
		ioctl(s->ring[i].fd, PERF_EVENT_IOC_DISABLE, 0);
		event_read(s, &s->ring[i], &running_ns); /* updates the number of lost samples */
	}
}

struct sampler_loss sampler_loss(const struct sampler *s, unsigned int i)
{
	const struct ring *r = &s->ring[i];

	return (struct sampler_loss){
		.lost = s->bpf	       ? sampler_bpf_lost(s->bpf, r->cpu) :
			format_lost(s) ? r->lost_before + r->lost :
					 r->lost_records,
		.throttled = r->throttled,
		.unsampled_ns = hole_ns(&r->hole, now_ns()),
	};
}

int sampler_drain(struct sampler *s, const struct sampler_sink *sink)
{
	int err = 0;

	for (unsigned int i = 0; i < s->n && !err; i++)
		err = ring_drain(s, i, sink);
	return err;
}
