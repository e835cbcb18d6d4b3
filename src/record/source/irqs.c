// SPDX-License-Identifier: BSD-2-Clause
#include "irqs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/types.h> /* the program's __u64 */

#include <netcost/array.h>
#include <netcost/cpuset.h>
#include <netcost/trace.h>

#include "bpf/wire.h"
#include "irq_numbers.h"
#include "record/base/clock.h"
#include "record/base/procfs.h"
#include "source.h"

#define PATH 384
#define NOWHERE UINT32_MAX
/*
 * Number of counters (interrupts times possible CPUs) to read in a tick, on average. The kernel formats each counter as
 * text, and another CPU may have written the counter. So reading a counter takes tens of ns.
 */
#define EACH_TICK 65536

/* The counters of an interrupt: its number of occurrences and, if a program times it, its handlers' runs and time. */
enum counted { INTERRUPTS, RUNS, NS, COUNTED };

/* An interrupt of an interface. If several interfaces share an interrupt, each interface has its own entry. */
struct irq {
	uint32_t number, netdev; /* netdev: index in irqs.netdev */
	bool there;		 /* the last scan found the interrupt */
	bool timed;		 /* the program's counters have been read */
	int fd;			 /* file with the interrupt's counts; -1: not open yet */
	/* the kernel's last values, by slot of the CPU; NULL: all 0, such as RUNS and NS of an idle queue */
	uint64_t *last[COUNTED];
};

/*
 * The counters of an interface. They do not restart when a driver requests its interrupts again, although the kernel's
 * counters restart at 0.
 */
struct netdev {
	uint32_t id;
	uint64_t *count[COUNTED]; /* counters by slot of the CPU; TRACE_NIL: not read yet */
	size_t nirqs;
	bool begun, due; /* it has been read; it is read in this tick */
};

struct irqs {
	const char *net, *kernel;
	const struct cpuset *cpus;
	uint32_t *slot; /* for each possible CPU, its index among the recorded CPUs, or NOWHERE */
	unsigned int npossible, ncpus;
	struct irq *irq; /* sorted by number */
	size_t nirqs, irq_room;
	struct netdev *netdev;
	size_t nnetdevs, netdev_room, turn; /* turn: the next interface to read */
	int64_t left; /* number of counters that may still be read; if negative, later ticks read fewer */
	char *text; /* contents of a file */
	size_t text_size;
	uint64_t *row; /* counts of the file, or of the map, by slot of the CPU */
	int timed;     /* descriptor of the map of timed interrupts; -1: interrupts are not timed */
	struct netcost_irq *value; /* one element of the map, with values of all possible CPUs */
};

/* ---- timed interrupts -------------------------------------------------------------------- */

static int time_irq(void *ctx, uint32_t number)
{
	struct netcost_irq *nothing = calloc((size_t)libbpf_num_possible_cpus(), sizeof(*nothing));
	int timed = *(const int *)ctx, err = nothing ? 0 : -ENOMEM;

	/*
	 * The element may exist already. If the map is full, the interrupt's time remains in the time of the task or
	 * softirq that it interrupts.
	 */
	if (!err)
		bpf_map_update_elem(timed, &number, nothing, BPF_NOEXIST);
	free(nothing);
	return err;
}

/* Fills the map when the recording begins. */
static int open_map(struct irqs *q, int timed)
{
	bool any;

	q->timed = timed;
	if (timed < 0)
		return 0;
	q->value = calloc((size_t)libbpf_num_possible_cpus(), sizeof(*q->value));
	return q->value ? irq_numbers(q->net, time_irq, &timed, &any) : -ENOMEM;
}

/* ---- creation and release ---------------------------------------------------------------- */

static int find_slots(struct irqs *q, const char *possible, const struct cpuset *cpus)
{
	struct cpuset set;
	int err = procfs_cpus(possible, &set);

	if (err)
		return err;
	q->npossible = set.n;
	q->slot = malloc(set.n * sizeof(*q->slot));
	for (unsigned int k = 0, i = 0; q->slot && k < set.n; k++) { /* both lists are sorted */
		while (i < cpus->n && cpus->cpu[i] < set.cpu[k])
			i++;
		q->slot[k] = i < cpus->n && cpus->cpu[i] == set.cpu[k] ? i : NOWHERE;
	}
	cpuset_free(&set);
	return q->slot ? 0 : -ENOMEM;
}

int irqs_new(struct irqs **ip, const struct irqs_paths *paths, const struct cpuset *cpus, int timed)
{
	struct irqs *q = calloc(1, sizeof(*q));
	int err = q ? find_slots(q, paths->possible, cpus) : -ENOMEM;

	*ip = NULL;
	if (!err && access(paths->irq, X_OK))
		err = -errno;
	if (!err) {
		q->net = paths->net;
		q->kernel = paths->irq;
		q->cpus = cpus;
		q->ncpus = cpus->n;
		q->row = malloc((q->ncpus + (size_t)1) * sizeof(*q->row));
		err = q->row ? open_map(q, timed) : -ENOMEM;
	}
	if (err)
		irqs_free(q);
	else
		*ip = q;
	return err;
}

static void free_counts(uint64_t *counts[COUNTED])
{
	for (int what = 0; what < COUNTED; what++)
		free(counts[what]);
}

static void forget(struct irq *irq)
{
	if (irq->fd >= 0)
		close(irq->fd);
	free_counts(irq->last);
}

void irqs_free(struct irqs *q)
{
	if (!q)
		return;
	free(q->slot);
	free(q->text);
	for (size_t i = 0; i < q->nirqs; i++)
		forget(&q->irq[i]);
	for (size_t i = 0; i < q->nnetdevs; i++)
		free_counts(q->netdev[i].count);
	free(q->irq);
	free(q->netdev);
	free(q->row);
	free(q->value);
	free(q);
}

/* ---- interrupts of interfaces ------------------------------------------------------------ */

static uint64_t *new_counts(const struct irqs *q, uint64_t value)
{
	uint64_t *counts = malloc((q->ncpus + (size_t)1) * sizeof(*counts));

	for (unsigned int i = 0; counts && i < q->ncpus; i++)
		counts[i] = value;
	return counts;
}

static int nothing_yet(const struct irqs *q, uint64_t *counts[COUNTED])
{
	for (int what = 0; what < COUNTED; what++)
		counts[what] = new_counts(q, TRACE_NIL);
	if (counts[INTERRUPTS] && counts[RUNS] && counts[NS])
		return 0;
	free_counts(counts);
	return -ENOMEM;
}

/* The interface whose interrupts are being looked up. */
struct look {
	struct irqs *q;
	uint32_t netdev;
};

static int add(void *ctx, uint32_t number)
{
	const struct look *l = ctx;
	struct irqs *q = l->q;
	struct irq *irq;

	if (q->timed >= 0 && time_irq(&q->timed, number))
		return -ENOMEM;
	for (size_t i = 0; i < q->nirqs; i++)
		if (q->irq[i].number == number && q->irq[i].netdev == l->netdev) {
			q->irq[i].there = true;
			return 0;
		}
	if (array_reserve(&q->irq, &q->irq_room, q->nirqs + 1, sizeof(*irq)))
		return -ENOMEM;
	irq = &q->irq[q->nirqs];
	*irq = (struct irq){ .number = number, .netdev = l->netdev, .there = true, .fd = -1 };
	irq->last[INTERRUPTS] = new_counts(q, TRACE_NIL);
	if (!irq->last[INTERRUPTS])
		return -ENOMEM;
	q->nirqs++;
	return 0;
}

/* Returns the interface's index in the list. Interfaces are added only when they have interrupts. */
static uint32_t find(const struct irqs *q, uint32_t id)
{
	uint32_t i = 0;

	while (i < q->nnetdevs && q->netdev[i].id != id)
		i++;
	return i;
}

int irqs_look(struct irqs *q, uint32_t netdev, const char *name)
{
	struct look l = { q, find(q, netdev) };
	bool any;
	int err = irq_numbers_of(q->net, name, add, &l, &any);

	if (err || !any || l.netdev < q->nnetdevs)
		return err;
	if (array_reserve(&q->netdev, &q->netdev_room, q->nnetdevs + 1, sizeof(*q->netdev)))
		return -ENOMEM;
	q->netdev[q->nnetdevs] = (struct netdev){ .id = netdev };
	if (nothing_yet(q, q->netdev[q->nnetdevs].count))
		return -ENOMEM;
	q->nnetdevs++;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct irq *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/*
 * Stops timing an interrupt, because another driver may request an interrupt of that number. If another interface still
 * uses the interrupt, the interrupt is timed again after the next scan.
 */
static void leave(const struct irqs *q, struct irq *irq)
{
	forget(irq);
	if (q->timed >= 0)
		bpf_map_delete_elem(q->timed, &irq->number);
}

void irqs_looked(struct irqs *q)
{
	size_t n = 0;

	for (size_t i = 0; i < q->nirqs; i++) {
		if (q->irq[i].there)
			q->irq[n++] = q->irq[i];
		else
			leave(q, &q->irq[i]);
	}
	q->nirqs = n;
	if (n)
		qsort(q->irq, n, sizeof(*q->irq), compare);
	for (size_t i = 0; i < q->nnetdevs; i++)
		q->netdev[i].nirqs = 0;
	for (size_t i = 0; i < n; i++) {
		q->irq[i].there = false; /* absent until the next scan finds it again */
		q->netdev[q->irq[i].netdev].nirqs++;
	}
}

/* ---- a tick ------------------------------------------------------------------------------ */

/*
 * Returns the mask of a counter's bits. The kernel's and the trace's counters of interrupts have 32 bits. The programs'
 * counters have 64 bits.
 */
static uint64_t mask(enum counted what)
{
	return what == INTERRUPTS ? UINT32_MAX : UINT64_MAX;
}

/* Returns the increase of a counter. If the value decreased, the counter has wrapped or restarted. */
static uint64_t step(enum counted what, uint64_t before, uint64_t now)
{
	if (before == TRACE_NIL)
		return 0;
	if (now < before && before - now < mask(what) / 2)
		return now;
	return (now - before) & mask(what);
}

/* Adds the row to the totals. */
static void count(struct irqs *q, struct irq *irq, enum counted what)
{
	uint64_t *total = q->netdev[irq->netdev].count[what], *last = irq->last[what];

	for (unsigned int i = 0; i < q->ncpus; i++) {
		if (q->row[i] == TRACE_NIL)
			continue;
		total[i] = total[i] == TRACE_NIL ?
				   0 :
				   (total[i] + step(what, last ? last[i] : 0, q->row[i])) &
					   mask(what);
		if (last)
			last[i] = q->row[i];
	}
}

/* Allocates the last values of an interrupt's runs before they are needed. */
static int remember_timed(const struct irqs *q, struct irq *irq)
{
	uint64_t before = irq->timed ? 0 : TRACE_NIL;
	unsigned int i = 0;

	irq->timed = true;
	while (i < q->ncpus && !q->value[q->cpus->cpu[i]].runs)
		i++;
	if (i == q->ncpus || irq->last[NS])
		return 0;
	free(irq->last[RUNS]);
	irq->last[RUNS] = new_counts(q, before);
	irq->last[NS] = irq->last[RUNS] ? new_counts(q, before) : NULL;
	return irq->last[NS] ? 0 : -ENOMEM;
}

/* Reads the counters of the program that times interrupts. */
static void read_timed(struct irqs *q, struct irq *irq)
{
	if (bpf_map_lookup_elem(q->timed, &irq->number, q->value) || remember_timed(q, irq))
		return;
	for (unsigned int i = 0; i < q->ncpus; i++)
		q->row[i] = q->value[q->cpus->cpu[i]].runs;
	count(q, irq, RUNS);
	for (unsigned int i = 0; i < q->ncpus; i++)
		q->row[i] = q->value[q->cpus->cpu[i]].ns;
	count(q, irq, NS);
}

/* Reads the file again. If that fails, reopens it, because the interrupt may have been freed and its number reused. */
static bool reread(struct irqs *q, struct irq *irq)
{
	char path[PATH];

	if (irq->fd >= 0 && procfs_reread(irq->fd, &q->text, &q->text_size) >= 0)
		return true;
	if (irq->fd >= 0)
		close(irq->fd);
	snprintf(path, sizeof(path), "%.350s/%u/per_cpu_count", q->kernel, irq->number);
	irq->fd = open(path, O_RDONLY | O_CLOEXEC);
	return irq->fd >= 0 && procfs_reread(irq->fd, &q->text, &q->text_size) >= 0;
}

/*
 * Parses the file: "0,30132\n" has one number per possible CPU. The kernel truncates the text after a page, so a number
 * without a separator after it is incomplete.
 */
static void read_row(struct irqs *q, struct irq *irq)
{
	const char *p;
	uint64_t v;

	for (unsigned int i = 0; i < q->ncpus; i++)
		q->row[i] = TRACE_NIL;
	if (!reread(q, irq))
		return;
	p = q->text;
	for (unsigned int k = 0; k < q->npossible && procfs_number(&p, 10, &v) && *p; k++, p++)
		if (q->slot[k] != NOWHERE && v <= UINT32_MAX)
			q->row[q->slot[k]] = v;
}

static int write_netdev(const struct irqs *q, const struct netdev *n, struct trace_writer *w,
			uint64_t began_ns, uint64_t ended_ns)
{
	trace_writer_begin(w, TRACE_IRQ_STATS);
	trace_writer_uint(w, TRACE_IRQ_STATS_NETDEV, n->id);
	trace_writer_uints(w, TRACE_IRQ_STATS_INTERRUPTS, n->count[INTERRUPTS], q->ncpus);
	if (q->timed >= 0) {
		trace_writer_uints(w, TRACE_IRQ_STATS_RUNS, n->count[RUNS], q->ncpus);
		trace_writer_uints(w, TRACE_IRQ_STATS_NS, n->count[NS], q->ncpus);
	}
	return source_end(w, began_ns, ended_ns);
}

/*
 * Chooses the interfaces that are read in this tick. Usually these are all interfaces. On hosts with many interrupts
 * and CPUs, the interfaces take turns. An interface that was never read is read at once.
 */
static void choose(struct irqs *q)
{
	q->left += EACH_TICK;
	if (q->left > EACH_TICK)
		q->left = EACH_TICK;
	for (size_t i = 0; i < q->nnetdevs; i++) {
		q->netdev[i].due = !q->netdev[i].begun;
		q->left -= q->netdev[i].due ? (int64_t)(q->netdev[i].nirqs * q->npossible) : 0;
	}
	for (size_t n = 0; n < q->nnetdevs && q->left > 0; n++) {
		struct netdev *d = &q->netdev[q->turn % q->nnetdevs];

		q->left -= d->due ? 0 : (int64_t)(d->nirqs * q->npossible);
		d->due = true;
		q->turn = (q->turn + 1) % q->nnetdevs;
	}
	for (size_t i = 0; i < q->nnetdevs; i++)
		q->netdev[i].begun |= q->netdev[i].due;
}

int irqs_tick(struct irqs *q, struct trace_writer *w)
{
	uint64_t began_ns = now_ns(), ended_ns;
	const struct irq *read = NULL;
	int err = 0;

	choose(q);
	for (size_t i = 0; i < q->nirqs; i++) {
		if (!q->netdev[q->irq[i].netdev].due)
			continue;
		if (!read || q->irq[i].number != read->number)
			read_row(q, &q->irq[i]);
		read = &q->irq[i];
		count(q, &q->irq[i], INTERRUPTS);
	}
	for (size_t i = 0; i < q->nirqs && q->timed >= 0; i++)
		if (q->netdev[q->irq[i].netdev].due)
			read_timed(q, &q->irq[i]);
	ended_ns = now_ns();
	for (size_t i = 0; q->nirqs && i < q->nnetdevs && !err; i++)
		if (q->netdev[i].due)
			err = write_netdev(q, &q->netdev[i], w, began_ns, ended_ns);
	return err;
}
