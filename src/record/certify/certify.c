// SPDX-License-Identifier: BSD-2-Clause
#include "certify.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <netcost/reasons.h>
#include <netcost/text_append.h>

#include "bpf/spin.h"
#include "bpf/wire.h"
#include "certify_judge.h"
#include "certify_spin.h"
#include "certify_traffic.h"
#include "record/base/clock.h"
#include "record/base/privileges.h"
#include "record/exact/attach_verified.h"
#include "record/exact/exact.h"
#include "record/exact/ladder.h"

/*
 * Number of batches. Every other batch spins, so a certificate spins for 6 ms, and two certificates cost less than 50
 * ms of CPU time.
 */
#define BATCHES 120
#define PACKETS 5 /* number of packets in a batch */
#define SPIN_NS 20000
/*
 * Maximum duration of all batches. On a busy CPU the thread makes little progress. The batches that are finished within
 * this time must suffice.
 */
#define LONGEST_NS 150000000
#define SWITCH_NS 100000
#define SWITCH_TRIES 20

struct work {
	struct certificate *c; /* NULL: the thread ends */
	struct exact *exact;
	const struct ladder *ladder;
	const struct selftest *before;

	volatile struct netcost_selftest *counted;
	volatile struct netcost_spin *spin;
	struct certify_traffic traffic;
	struct certify_batch batch[BATCHES];
	size_t batches;
};

/* A thread that waits in its own network namespace, with its program, for the next certificate. */
struct certifier {
	struct work w;
	bool runs;
	pthread_t thread;
	sem_t go, done;
	int err; /* negative errno if the namespace could not be created */
	struct certify_spin *spin;
	char why[CERTIFY_WHY]; /* why there is no program */
};

/* ---- results ----------------------------------------------------------------------------- */

/* Adds a reason and sets the state. A certificate that has failed stays failed. */
__attribute__((format(printf, 3, 4))) static void
say(struct certificate *c, enum certify_state state, const char *fmt, ...)
{
	char why[CERTIFY_WHY];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	text_append(c->why, sizeof(c->why), " ", "%s", why);
	if (c->state != CERTIFY_FAILED)
		c->state = state;
}

const char *certify_state_name(enum certify_state state)
{
	return state == CERTIFY_PASSED ? "passed" :
	       state == CERTIFY_FAILED ? "failed" :
					 "impossible";
}

char *certify_found(const struct certificate *c, char *dst, size_t size)
{
	dst[0] = '\0';
	if (c->injected_ns)
		text_append(dst, size, ", ", "injected %.2f ms, found %.2f +- %.2f in RX softirq",
			    (double)c->injected_ns * 1e-6, (double)c->found_ns * 1e-6,
			    (double)c->error_ns * 1e-6);
	if (c->packets)
		text_append(dst, size, ", ", "%llu of %llu packets",
			    (unsigned long long)c->packets_counted, (unsigned long long)c->packets);
	if (c->tested)
		text_append(dst, size, ", ", "%llu of %llu kinds of calls",
			    (unsigned long long)c->seen, (unsigned long long)c->tested);
	return dst;
}

char *certify_text(const struct certificate *c, char *dst, size_t size)
{
	char why[2 * CERTIFY_WHY];

	certify_found(c, dst, size);
	text_append(dst, size, ": ", "%s", certify_state_name(c->state));
	if (*c->why)
		text_append(dst, size, ": ", "%s", reason_text(c->why, why, sizeof(why)));
	return dst;
}

/* ---- calls ------------------------------------------------------------------------------- */

static struct exact_reading reading(struct work *w)
{
	struct exact_reading r;

	exact_read(w->exact, (unsigned int)w->c->cpu, false, &r);
	return r;
}

static uint64_t network_kinds(const struct selftest *t, bool seen)
{
	const struct selftest_event *send = &t->event[NETCOST_EV_SOCK_SEND],
				    *recv = &t->event[NETCOST_EV_SOCK_RECV];

	return seen ? send->seen + recv->seen : send->tested + recv->tested;
}

/*
 * Tests the kinds of calls. PROBE records the kinds that the methods cannot see, and this test looks for further unseen
 * kinds. Some kinds may have become impossible since PROBE was written, for example io_uring.
 */
static void test_kinds(struct work *w)
{
	uint64_t before = network_kinds(w->before, false) - network_kinds(w->before, true), unseen;
	struct selftest now;

	attach_test(w->exact, w->ladder, &now);
	w->c->tested = network_kinds(&now, false);
	w->c->seen = network_kinds(&now, true);
	unseen = w->c->tested - w->c->seen;
	if (now.why[0])
		say(w->c, CERTIFY_IMPOSSIBLE, "%s", now.why);
	else if (!w->c->seen)
		say(w->c, CERTIFY_FAILED, reason_certify_blind, (unsigned int)w->c->tested);
	else if (unseen > before)
		say(w->c, CERTIFY_FAILED, reason_certify_kinds, (unsigned int)unseen,
		    (unsigned int)w->c->tested, (unsigned int)before);
}

/* Returns the number of this thread's context switches, as the kernel counts them. */
static uint64_t own_switches(void)
{
	struct rusage ru;

	return getrusage(RUSAGE_THREAD, &ru) ? 0 : (uint64_t)(ru.ru_nvcsw + ru.ru_nivcsw);
}

/*
 * Tests whether context switches are counted. If the sleep expires before the task has blocked, there is no context
 * switch, and the sleep is repeated.
 */
static void test_switches(struct work *w)
{
	const struct timespec pause = { .tv_nsec = SWITCH_NS };
	struct exact_reading before = reading(w), after;
	uint64_t switches = own_switches(), began = switches;

	for (int i = 0; i < SWITCH_TRIES && switches == began; i++) {
		nanosleep(&pause, NULL);
		switches = own_switches();
	}
	after = reading(w);
	if (!before.at_ns ||
	    after.calls[NETCOST_EV_TASK] - before.calls[NETCOST_EV_TASK] < switches - began)
		say(w->c, CERTIFY_FAILED, reason_certify_switches);
}

/* ---- packets ----------------------------------------------------------------------------- */

static int64_t rx_ns(struct work *w)
{
	struct exact_reading r = reading(w);

	return (int64_t)(r.ns[NETCOST_EV_RX_SOFTIRQ] + r.ns[NETCOST_EV_RX_THREAD]);
}

static int run_batch(struct work *w, bool spins)
{
	struct certify_batch b = { .spins = spins, .spun_ns = -w->spin->spun_ns };
	int err;

	w->spin->ns = spins ? SPIN_NS : 0;
	/*
	 * The duration of the batch includes the readings, so that a disturbance between the readings shows in the
	 * duration.
	 */
	b.wall_ns = -now_ns();
	b.rx_ns = -rx_ns(w);
	err = certify_traffic_send(&w->traffic, PACKETS);
	b.rx_ns += rx_ns(w);
	b.wall_ns += now_ns();
	b.spun_ns += w->spin->spun_ns;
	w->batch[w->batches++] = b;
	return err;
}

static void judge_time(struct work *w)
{
	uint64_t turn_ns = w->spin->turns ? w->spin->spun_ns / w->spin->turns : 0;
	struct certificate *c = w->c;
	struct certify_time t;

	certify_judge(&t, w->batch, w->batches, PACKETS * turn_ns);
	if (!t.known) {
		say(c, CERTIFY_IMPOSSIBLE, reason_certify_busy, (unsigned int)t.used, BATCHES);
		return;
	}
	c->injected_ns = t.injected_ns;
	c->found_ns = t.found_ns;
	c->error_ns = t.error_ns;
	if (!certify_is_found(&t))
		say(c, CERTIFY_FAILED, reason_certify_time, (double)t.found_ns * 1e-6,
		    (double)t.injected_ns * 1e-6);
	else if (!certify_is_clear(&t))
		say(c, CERTIFY_IMPOSSIBLE, reason_certify_vague, (double)t.error_ns * 1e-6);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * Compares the packets and bytes with the counters. A packet is counted if both its send and its receive are counted.
 */
static void judge_calls(struct work *w, const struct netcost_selftest *before)
{
	const volatile struct netcost_selftest *now = w->counted;
	struct certificate *c = w->c;
	const int send = NETCOST_EV_SOCK_SEND, recv = NETCOST_EV_SOCK_RECV;

	c->packets = w->traffic.sent;
	c->bytes = c->packets * CERTIFY_SIZE;
	c->packets_counted = least(now->calls[send] - before->calls[send],
				   now->calls[recv] - before->calls[recv]);
	c->bytes_counted = least(now->bytes[send] - before->bytes[send],
				 now->bytes[recv] - before->bytes[recv]);
	if (c->packets_counted != c->packets)
		say(c, CERTIFY_FAILED, reason_certify_packets,
		    (unsigned long long)c->packets_counted, (unsigned long long)c->packets);
	if (c->bytes_counted != c->bytes)
		say(c, CERTIFY_FAILED, reason_certify_bytes, (unsigned long long)c->bytes_counted,
		    (unsigned long long)c->bytes);
}

/*
 * Compares the packets with the witness. The witness also counts messages of other tasks, because it cannot distinguish
 * tasks on one CPU.
 */
static void judge_witness(struct work *w, const struct exact_reading *before)
{
	struct exact_reading now = reading(w);
	uint64_t sends = now.sends_inside + now.sends_outside - before->sends_inside -
			 before->sends_outside,
		 recvs = now.recvs_inside + now.recvs_outside - before->recvs_inside -
			 before->recvs_outside,
		 seen = least(sends, recvs);

	if (w->ladder->witness && seen < w->c->packets)
		say(w->c, CERTIFY_FAILED, reason_certify_witness, (unsigned long long)seen,
		    (unsigned long long)w->c->packets);
}

/* Returns true if the packets took the intended path. */
static bool passed_by(struct work *w, int err)
{
	if (err)
		say(w->c, CERTIFY_IMPOSSIBLE, reason_certify_traffic, -err);
	else if (w->spin->elsewhere)
		say(w->c, CERTIFY_IMPOSSIBLE, reason_certify_elsewhere);
	else if (w->spin->runs < w->traffic.sent)
		say(w->c, CERTIFY_IMPOSSIBLE, reason_certify_past,
		    (unsigned long long)w->spin->runs, (unsigned long long)w->traffic.sent);
	return w->c->state == CERTIFY_NOT_MADE || w->c->state == CERTIFY_FAILED;
}

static void run_batches(struct work *w)
{
	uint64_t until = now_ns() + LONGEST_NS, cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	struct exact_reading began = reading(w);
	struct netcost_selftest before;
	int err = 0;

	memcpy(&before, (const void *)w->counted, sizeof(before));
	for (unsigned int i = 0; i < BATCHES && !err && now_ns() < until; i++)
		err = run_batch(w, i % 2);
	/* on some kernels, the time of a softirq is not part of the CPU time of the thread that it interrupts */
	if (clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns < w->spin->spun_ns)
		w->c->cpu_ns += w->spin->spun_ns;
	if (!passed_by(w, err))
		return;
	judge_time(w);
	judge_calls(w, &before);
	judge_witness(w, &began);
}

static void run_traffic(struct work *w)
{
	int err = certify_traffic_open(&w->traffic);

	w->counted = err ? NULL : exact_selftest_begin(w->exact);
	if (err)
		say(w->c, CERTIFY_IMPOSSIBLE, reason_certify_traffic, -err);
	else if (!w->counted)
		say(w->c, CERTIFY_IMPOSSIBLE, reason_no_test_run, errno);
	else
		run_batches(w);
	if (w->counted)
		exact_selftest_end(w->exact);
	certify_traffic_close(&w->traffic);
}

/* ---- thread of a certificate ------------------------------------------------------------- */

/* Binds the thread to its present CPU, because the counters of only one CPU are read. */
static int stay(struct work *w)
{
	size_t size = CPU_ALLOC_SIZE(1 << 13);
	int cpu = sched_getcpu();
	cpu_set_t *one = CPU_ALLOC(1 << 13);
	int err = one && cpu >= 0 ? 0 : -ENOMEM;

	if (!err) {
		CPU_ZERO_S(size, one);
		CPU_SET_S(cpu, size, one);
		err = sched_setaffinity(0, size, one) ? -errno : 0;
		w->c->cpu = (uint64_t)cpu;
	}
	CPU_FREE(one);
	return err;
}

/* Lets the thread run on any CPU again, so that it can leave a CPU that is busy at the next certificate. */
static void leave(void)
{
	cpu_set_t any;

	memset(&any, 0xff, sizeof(any));
	sched_setaffinity(0, sizeof(any), &any);
}

static void inject(struct certifier *p)
{
	struct work *w = &p->w;
	int err = p->err ? p->err : stay(w);

	if (err) {
		say(w->c, CERTIFY_IMPOSSIBLE, reason_certify_netns, -err);
		return;
	}
	test_kinds(w);
	test_switches(w);
	if (p->spin && (err = certify_spin_attach(p->spin)))
		snprintf(p->why, sizeof(p->why), reason_certify_programs, -err, -err);
	if (!p->spin || err) {
		say(w->c, CERTIFY_IMPOSSIBLE, "%s", p->why);
		return;
	}
	w->spin = certify_spin_shared(p->spin);
	memset((void *)(uintptr_t)w->spin, 0, sizeof(*w->spin));
	w->spin->cpu = w->c->cpu;
	w->batches = 0;
	run_traffic(w);
	certify_spin_detach(p->spin);
}

/*
 * The namespace and the program need rights that are given up when the recording has begun. So they exist from the
 * first certificate to the last.
 */
static void *run(void *arg)
{
	struct certifier *p = arg;
	uint64_t began_ns = 0;
	bool confined = false;

	p->err = certify_enter();
	if (!p->err)
		certify_spin_new(&p->spin, p->why, sizeof(p->why));
	for (;;) {
		while (sem_wait(&p->go))
			;
		if (!p->w.c)
			return NULL;
		inject(p);
		leave();
		p->w.c->cpu_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - began_ns;
		if (!confined)
			privileges_keep(PRIVILEGES_RECORDER | PRIVILEGES_CERTIFY, -1);
		confined = true;
		began_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		sem_post(&p->done);
	}
}

static void run_thread(struct certifier *p)
{
	int err = p->runs ? 0 : pthread_create(&p->thread, NULL, run, p);

	p->runs = !err;
	if (err) {
		say(p->w.c, CERTIFY_IMPOSSIBLE, reason_certify_netns, err);
		return;
	}
	sem_post(&p->go);
	while (sem_wait(&p->done))
		;
}

static bool is_counted(const struct ladder *l)
{
	return ladder_rung(l, NETCOST_EV_RX_SOFTIRQ) != RUNG_SAMPLES &&
	       ladder_rung(l, NETCOST_EV_SOCK_SEND) != RUNG_SAMPLES &&
	       ladder_rung(l, NETCOST_EV_SOCK_RECV) != RUNG_SAMPLES;
}

int certifier_new(struct certifier **pp, struct exact *e, const struct ladder *l,
		  const struct selftest *before)
{
	struct certifier *p = calloc(1, sizeof(*p));

	*pp = p;
	if (!p)
		return -ENOMEM;
	p->w = (struct work){ .exact = e, .ladder = l, .before = before };
	sem_init(&p->go, 0, 0);
	sem_init(&p->done, 0, 0);
	return 0;
}

void certifier_free(struct certifier *p)
{
	if (!p)
		return;
	p->w.c = NULL;
	if (p->runs) {
		sem_post(&p->go);
		pthread_join(p->thread, NULL);
	}
	certify_spin_free(p->spin);
	free(p);
}

void certify(struct certificate *c, struct certifier *p, const char *exact_why)
{
	*c = (struct certificate){ .at_ns = now_ns() };
	if (p)
		p->w.c = c;
	if (!p && !*exact_why)
		say(c, CERTIFY_IMPOSSIBLE, reason_exact_off);
	else if (!p)
		say(c, CERTIFY_FAILED, reason_certify_nothing, exact_why);
	else if (!is_counted(p->w.ladder))
		say(c, CERTIFY_FAILED, reason_certify_not_all);
	else
		run_thread(p);
	if (c->state == CERTIFY_NOT_MADE)
		c->state = CERTIFY_PASSED;
	c->took_ns = now_ns() - c->at_ns;
}
