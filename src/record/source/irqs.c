// SPDX-License-Identifier: BSD-2-Clause
#include "irqs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/array.h>
#include <netcost/cpuset.h>
#include <netcost/trace.h>

#include "record/base/clock.h"
#include "record/base/procfs.h"
#include "source.h"

#define PATH 384
#define NOWHERE UINT32_MAX

/* An interrupt of an interface. One that several share is there for each. */
struct irq {
	uint32_t number, netdev; /* netdev: its place in that list */
	bool there;		 /* when it was looked for last */
	int fd;			 /* its counts; -1: to be opened */
	uint64_t *last;		 /* by place of the CPU: as the kernel had it */
};

/* Never fall, whatever becomes of its interrupts: the kernel begins anew when a driver asks for them again. */
struct netdev {
	uint32_t id;
	uint64_t *count; /* by place of the CPU; TRACE_NIL: not read yet */
};

struct irqs {
	const char *net, *kernel;
	uint32_t *slot; /* of a possible CPU, in their order: its place among those recorded, or NOWHERE */
	unsigned int npossible, ncpus;
	struct irq *irq; /* in order of number */
	size_t nirqs, irq_room;
	struct netdev *netdev;
	size_t nnetdevs, netdev_room;
	char *text; /* of a file */
	size_t text_size;
	uint64_t *row; /* its counts, by place of the CPU */
};

static int find_slots(struct irqs *q, const char *possible, const struct cpuset *cpus)
{
	struct cpuset set;
	int err = procfs_cpus(possible, &set);

	if (err)
		return err;
	q->npossible = set.n;
	q->slot = malloc(set.n * sizeof(*q->slot));
	for (unsigned int k = 0, i = 0; q->slot && k < set.n; k++) { /* both rise */
		while (i < cpus->n && cpus->cpu[i] < set.cpu[k])
			i++;
		q->slot[k] = i < cpus->n && cpus->cpu[i] == set.cpu[k] ? i : NOWHERE;
	}
	cpuset_free(&set);
	return q->slot ? 0 : -ENOMEM;
}

int irqs_new(struct irqs **ip, const struct irqs_paths *paths, const struct cpuset *cpus)
{
	struct irqs *q = calloc(1, sizeof(*q));
	int err = q ? find_slots(q, paths->possible, cpus) : -ENOMEM;

	*ip = NULL;
	if (!err && access(paths->irq, X_OK))
		err = -errno;
	if (!err) {
		q->net = paths->net;
		q->kernel = paths->irq;
		q->ncpus = cpus->n;
		q->row = malloc((q->ncpus + (size_t)1) * sizeof(*q->row));
		err = q->row ? 0 : -ENOMEM;
	}
	if (err)
		irqs_free(q);
	else
		*ip = q;
	return err;
}

static void forget(struct irq *irq)
{
	if (irq->fd >= 0)
		close(irq->fd);
	free(irq->last);
}

void irqs_free(struct irqs *q)
{
	if (!q)
		return;
	for (size_t i = 0; i < q->nirqs; i++)
		forget(&q->irq[i]);
	for (size_t i = 0; i < q->nnetdevs; i++)
		free(q->netdev[i].count);
	free(q->irq);
	free(q->netdev);
	free(q->slot);
	free(q->text);
	free(q->row);
	free(q);
}

/* ---- which are whose --------------------------------------------------------------------- */

static uint64_t *nothing_yet(const struct irqs *q)
{
	uint64_t *v = malloc((q->ncpus + (size_t)1) * sizeof(*v));

	for (unsigned int i = 0; v && i < q->ncpus; i++)
		v[i] = TRACE_NIL;
	return v;
}

static int add(struct irqs *q, uint32_t netdev, uint64_t number)
{
	struct irq *irq;

	for (size_t i = 0; i < q->nirqs; i++)
		if (q->irq[i].number == number && q->irq[i].netdev == netdev) {
			q->irq[i].there = true;
			return 0;
		}
	if (number > UINT32_MAX)
		return 0;
	if (array_reserve(&q->irq, &q->irq_room, q->nirqs + 1, sizeof(*irq)))
		return -ENOMEM;
	irq = &q->irq[q->nirqs];
	*irq = (struct irq){ (uint32_t)number, netdev, true, -1, nothing_yet(q) };
	if (!irq->last)
		return -ENOMEM;
	q->nirqs++;
	return 0;
}

/* Those of a PCI device's queues, a file each; or the only one that it has. *any: it has some. */
static int look_at(struct irqs *q, uint32_t netdev, const char *device, bool *any)
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
		*any = number;
		return number ? add(q, netdev, number) : 0;
	}
	while (!err && (d = readdir(dir))) {
		const char *name = d->d_name;

		if (!procfs_number(&name, 10, &number) || *name)
			continue;
		err = add(q, netdev, number);
		*any = true;
	}
	closedir(dir);
	return err;
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
	/* An interface's device has them, or that in which the device is: virtio. */
	static const char *const devices[] = { "device", "device/.." };
	uint32_t at = find(q, netdev);
	bool any = false;
	int err = 0;

	for (size_t i = 0; i < 2 && !err && !any; i++) {
		char path[PATH];

		snprintf(path, sizeof(path), "%.200s/%.60s/%s", q->net, name, devices[i]);
		err = look_at(q, at, path, &any);
	}
	if (err || !any || at < q->nnetdevs)
		return err;
	if (array_reserve(&q->netdev, &q->netdev_room, q->nnetdevs + 1, sizeof(*q->netdev)))
		return -ENOMEM;
	q->netdev[q->nnetdevs] = (struct netdev){ netdev, nothing_yet(q) };
	return q->netdev[q->nnetdevs++].count ? 0 : -ENOMEM;
}

static int compare(const void *a, const void *b)
{
	const struct irq *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

void irqs_looked(struct irqs *q)
{
	size_t n = 0;

	for (size_t i = 0; i < q->nirqs; i++) {
		if (!q->irq[i].there)
			forget(&q->irq[i]);
		else
			q->irq[n++] = q->irq[i];
	}
	q->nirqs = n;
	if (n)
		qsort(q->irq, n, sizeof(*q->irq), compare);
	for (size_t i = 0; i < n; i++)
		q->irq[i].there = false; /* until it is looked for again */
}

/* ---- a tick ------------------------------------------------------------------------------ */

/* The kernel's counters have 32 bits, and so has ours. One that falls wrapped, or began anew. */
static uint64_t step(uint64_t before, uint64_t now)
{
	if (before == TRACE_NIL)
		return 0;
	if (now < before && before - now < UINT32_MAX / 2)
		return now;
	return (uint32_t)(now - before);
}

static void count(struct irqs *q, struct irq *irq)
{
	uint64_t *total = q->netdev[irq->netdev].count;

	for (unsigned int i = 0; i < q->ncpus; i++) {
		if (q->row[i] == TRACE_NIL)
			continue;
		total[i] = total[i] == TRACE_NIL ?
				   0 :
				   (uint32_t)(total[i] + step(irq->last[i], q->row[i]));
		irq->last[i] = q->row[i];
	}
}

/* Its interrupt may have been given back, and another one have its number now: that is another file. */
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

/* "0,30132\n": of each possible CPU. The kernel cuts it after a page: a number that nothing follows is not whole. */
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
	trace_writer_begin(w, TRACE_IRQ_STATS, 4);
	trace_writer_uint(w, TRACE_IRQ_STATS_NETDEV, n->id);
	trace_writer_uints(w, TRACE_IRQ_STATS_INTERRUPTS, n->count, q->ncpus);
	return source_end(w, began_ns, ended_ns);
}

int irqs_tick(struct irqs *q, struct trace_writer *w)
{
	uint64_t began_ns = now_ns(), ended_ns;
	int err = 0;

	for (size_t i = 0; i < q->nirqs; i++) {
		if (!i || q->irq[i].number != q->irq[i - 1].number)
			read_row(q, &q->irq[i]);
		count(q, &q->irq[i]);
	}
	ended_ns = now_ns();
	for (size_t i = 0; q->nirqs && i < q->nnetdevs && !err; i++)
		err = write_netdev(q, &q->netdev[i], w, began_ns, ended_ns);
	return err;
}
