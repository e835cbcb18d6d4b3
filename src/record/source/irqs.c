// SPDX-License-Identifier: BSD-2-Clause
#include "irqs.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/types.h> /* the program's __u64 */

#include <netcost/array.h>
#include <netcost/cpuset.h>
#include <netcost/trace.h>

#include "bpf/wire.h"
#include "cpu_table.h"
#include "record/base/clock.h"
#include "record/base/procfs.h"
#include "source.h"

#define PATH 384

/* What is counted of an interrupt: how often it came, and if a program times it, runs of its handlers and their time. */
enum counted { INTERRUPTS, RUNS, NS, COUNTED };

/* An interrupt of an interface. One that several share is there for each. */
struct irq {
	uint32_t number, netdev; /* netdev: its place in that list */
	bool there;		 /* when it was looked for last */
	uint64_t *last[COUNTED]; /* by place of the CPU: as the kernel had it */
};

/* Never fall, whatever becomes of its interrupts: the kernel begins anew when a driver asks for them again. */
struct netdev {
	uint32_t id;
	uint64_t *count[COUNTED]; /* by place of the CPU; TRACE_NIL: not read yet */
};

struct irqs {
	struct cpu_table *table;
	const char *net;
	const struct cpuset *cpus;
	unsigned int ncpus;
	struct irq *irq; /* in order of number */
	size_t nirqs, irq_room;
	struct netdev *netdev;
	size_t nnetdevs, netdev_room;
	uint64_t *row;		   /* of the file, or of the map */
	int timed;		   /* the map; -1: none */
	struct netcost_irq *value; /* one of its elements: of all CPUs that there can be */
};

static int time_all(int timed, const char *net);

static int open_map(struct irqs *q, int timed)
{
	q->timed = timed;
	if (timed < 0)
		return 0;
	q->value = calloc((size_t)libbpf_num_possible_cpus(), sizeof(*q->value));
	return q->value ? time_all(timed, q->net) : -ENOMEM;
}

int irqs_new(struct irqs **ip, const char *net, const char *interrupts, const struct cpuset *cpus,
	     int timed)
{
	struct irqs *q = calloc(1, sizeof(*q));
	int err = q ? cpu_table_open(&q->table, interrupts, cpus) : -ENOMEM;

	*ip = NULL;
	if (!err) {
		q->net = net;
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

void irqs_free(struct irqs *q)
{
	if (!q)
		return;
	cpu_table_close(q->table);
	for (size_t i = 0; i < q->nirqs; i++)
		free_counts(q->irq[i].last);
	for (size_t i = 0; i < q->nnetdevs; i++)
		free_counts(q->netdev[i].count);
	free(q->irq);
	free(q->netdev);
	free(q->row);
	free(q->value);
	free(q);
}

/* ---- which there are --------------------------------------------------------------------- */

/* Calls found() for each interrupt. */
typedef int found_fn(void *ctx, uint32_t number);

/* Those of a PCI device's queues, a file each; or the only one that it has. *any: it has some. */
static int each_of_device(const char *device, found_fn *found, void *ctx, bool *any)
{
	char path[PATH];
	struct dirent *d;
	uint64_t number;
	DIR *dir;
	int err = 0;

	snprintf(path, sizeof(path), "%.350s/msi_irqs", device);
	dir = opendir(path);
	if (!dir) {
		snprintf(path, sizeof(path), "%.350s/irq", device);
		number = procfs_uint(path, 0);
		*any = number && number <= UINT32_MAX;
		return *any ? found(ctx, (uint32_t)number) : 0;
	}
	while (!err && (d = readdir(dir))) {
		const char *name = d->d_name;

		if (!procfs_number(&name, 10, &number) || *name || number > UINT32_MAX)
			continue;
		err = found(ctx, (uint32_t)number);
		*any = true;
	}
	closedir(dir);
	return err;
}

static int each_of_interface(const char *net, const char *name, found_fn *found, void *ctx,
			     bool *any)
{
	/* An interface's device has them, or that in which the device is: virtio. */
	static const char *const devices[] = { "device", "device/.." };
	int err = 0;

	*any = false;
	for (size_t i = 0; i < 2 && !err && !*any; i++) {
		char path[PATH];

		snprintf(path, sizeof(path), "%.200s/%.60s/%s", net, name, devices[i]);
		err = each_of_device(path, found, ctx, any);
	}
	return err;
}

/* Of all interfaces that there are now. */
static int each(const char *net, found_fn *found, void *ctx, bool *any)
{
	DIR *dir = opendir(net);
	struct dirent *d;
	bool one;
	int err = 0;

	*any = false;
	while (dir && !err && (d = readdir(dir)))
		if (d->d_name[0] != '.') {
			err = each_of_interface(net, d->d_name, found, ctx, &one);
			*any |= one;
		}
	if (dir)
		closedir(dir);
	return err;
}

static int ignore(void *ctx, uint32_t number)
{
	(void)ctx, (void)number;
	return 0;
}

bool irqs_any(const char *net)
{
	bool any;

	each(net, ignore, NULL, &any);
	return any;
}

/* ---- which are timed --------------------------------------------------------------------- */

static int time_irq(void *ctx, uint32_t number)
{
	struct netcost_irq *nothing = calloc((size_t)libbpf_num_possible_cpus(), sizeof(*nothing));
	int timed = *(const int *)ctx, err = nothing ? 0 : -ENOMEM;

	/* It may be there already. Where there is no room its time is in what it interrupts. */
	if (!err)
		bpf_map_update_elem(timed, &number, nothing, BPF_NOEXIST);
	free(nothing);
	return err;
}

/* Already when the recording begins. */
static int time_all(int timed, const char *net)
{
	bool any;

	return each(net, time_irq, &timed, &any);
}

/* ---- which are whose --------------------------------------------------------------------- */

static int nothing_yet(const struct irqs *q, uint64_t *counts[COUNTED])
{
	for (int what = 0; what < COUNTED; what++) {
		counts[what] = malloc((q->ncpus + (size_t)1) * sizeof(*counts[what]));
		for (unsigned int i = 0; counts[what] && i < q->ncpus; i++)
			counts[what][i] = TRACE_NIL;
	}
	if (counts[INTERRUPTS] && counts[RUNS] && counts[NS])
		return 0;
	free_counts(counts);
	return -ENOMEM;
}

/* An interface whose interrupts are looked for. */
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
	*irq = (struct irq){ .number = number, .netdev = l->netdev, .there = true };
	if (nothing_yet(q, irq->last))
		return -ENOMEM;
	q->nirqs++;
	return 0;
}

/* Its place in the list; it is added for good when it has interrupts. */
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
	int err = each_of_interface(q->net, name, add, &l, &any);

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

/* Another driver may ask for one of that number. Where an interface still has it, it is timed again from the next look. */
static void leave(const struct irqs *q, struct irq *irq)
{
	free_counts(irq->last);
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
	for (size_t i = 0; i < n; i++)
		q->irq[i].there = false; /* until it is looked for again */
}

/* ---- a tick ------------------------------------------------------------------------------ */

/* The kernel's counters have 32 bits, and so has ours; those of programs have 64. */
static uint64_t mask(enum counted what)
{
	return what == INTERRUPTS ? UINT32_MAX : UINT64_MAX;
}

/* One that falls wrapped, or began anew. */
static uint64_t step(enum counted what, uint64_t before, uint64_t now)
{
	if (before == TRACE_NIL)
		return 0;
	if (now < before && before - now < mask(what) / 2)
		return now;
	return (now - before) & mask(what);
}

/* Adds what is in the row. */
static void count(struct irqs *q, struct irq *irq, enum counted what)
{
	uint64_t *total = q->netdev[irq->netdev].count[what], *last = irq->last[what];

	for (unsigned int i = 0; i < q->ncpus; i++) {
		if (q->row[i] == TRACE_NIL)
			continue;
		total[i] = total[i] == TRACE_NIL ?
				   0 :
				   (total[i] + step(what, last[i], q->row[i])) & mask(what);
		last[i] = q->row[i];
	}
}

/* What the program counted. */
static void read_timed(struct irqs *q, struct irq *irq)
{
	if (bpf_map_lookup_elem(q->timed, &irq->number, q->value))
		return;
	for (unsigned int i = 0; i < q->ncpus; i++)
		q->row[i] = q->value[q->cpus->cpu[i]].runs;
	count(q, irq, RUNS);
	for (unsigned int i = 0; i < q->ncpus; i++)
		q->row[i] = q->value[q->cpus->cpu[i]].ns;
	count(q, irq, NS);
}

/* " 38:          0      30132  PCI-MSIX-0000:00:03.0   1-edge      virtio2-input.0" */
static void read_row(struct irqs *q, const char *line)
{
	const struct irq *end = q->irq + q->nirqs;
	struct irq key, *irq;
	uint64_t number;

	if (!procfs_number(&line, 10, &number) || *line != ':' || number > UINT32_MAX)
		return;
	key.number = (uint32_t)number;
	irq = bsearch(&key, q->irq, q->nirqs, sizeof(*q->irq), compare);
	if (!irq)
		return;
	cpu_table_row(q->table, line + 1, q->row);
	while (irq > q->irq && irq[-1].number == number)
		irq--;
	for (; irq < end && irq->number == number; irq++)
		count(q, irq, INTERRUPTS);
}

static int write_netdev(const struct irqs *q, const struct netdev *n, struct trace_writer *w,
			uint64_t began_ns, uint64_t ended_ns)
{
	trace_writer_begin(w, TRACE_IRQ_STATS, q->timed < 0 ? 4 : 6);
	trace_writer_uint(w, TRACE_IRQ_STATS_NETDEV, n->id);
	trace_writer_uints(w, TRACE_IRQ_STATS_INTERRUPTS, n->count[INTERRUPTS], q->ncpus);
	if (q->timed >= 0) {
		trace_writer_uints(w, TRACE_IRQ_STATS_RUNS, n->count[RUNS], q->ncpus);
		trace_writer_uints(w, TRACE_IRQ_STATS_NS, n->count[NS], q->ncpus);
	}
	return source_end(w, began_ns, ended_ns);
}

int irqs_tick(struct irqs *q, struct trace_writer *w)
{
	uint64_t began_ns = now_ns(), ended_ns;
	char *line, *rest = q->nirqs ? cpu_table_read(q->table) : NULL;
	int err = 0;

	if (!rest)
		return 0;
	for (size_t i = 0; i < q->nirqs && q->timed >= 0; i++)
		read_timed(q, &q->irq[i]);
	ended_ns = now_ns();
	while ((line = strsep(&rest, "\n")))
		read_row(q, line);
	for (size_t i = 0; i < q->nnetdevs && !err; i++)
		err = write_netdev(q, &q->netdev[i], w, began_ns, ended_ns);
	return err;
}
