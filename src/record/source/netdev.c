// SPDX-License-Identifier: BSD-2-Clause
/*
 * Records the interface counters of every network namespace that is visible to the recorder. Namespace and name
 * identify an interface.
 */
#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/array.h>
#include <netcost/trace.h>

#include "irq_numbers.h"
#include "irqs.h"
#include "netns.h"
#include "record/base/clock.h"
#include "record/base/procfs.h"

#define NAME_LEN 16 /* IFNAMSIZ */
#define COLUMNS 8   /* number of columns of NETDEV_STATS after the id */

struct device {
	uint32_t netns; /* 1 + index of the namespace */
	bool gone;	/* another interface with this name exists now */
	char name[NAME_LEN];
	const char *class; /* NULL: unknown */
	struct source_count count[COLUMNS];
};

struct netdev {
	struct netns_list *netns;
	struct device *dev;
	size_t dev_size;
	uint32_t ndev;
	struct irqs *irqs; /* NULL: interrupts cannot be read */
	uint32_t nlooked;  /* number of devices whose interrupts have been looked up */
	uint64_t looked_ns;
	/* index that the next line probably has, because lines usually keep their order */
	uint32_t guess;

	char *text;
	size_t text_size;

	/* Columns of this tick. */
	uint64_t *id, *value[COLUMNS];
	size_t n, size;
};

/* The columns of net/dev that are recorded, with the keys of NETDEV_STATS. */
static const struct {
	uint8_t key;
	unsigned int word;
} columns[COLUMNS] = {
	{ TRACE_NETDEV_STATS_RX_PACKETS, 1 }, { TRACE_NETDEV_STATS_RX_BYTES, 0 },
	{ TRACE_NETDEV_STATS_RX_ERRORS, 2 },  { TRACE_NETDEV_STATS_RX_DROPPED, 3 },
	{ TRACE_NETDEV_STATS_TX_PACKETS, 9 }, { TRACE_NETDEV_STATS_TX_BYTES, 8 },
	{ TRACE_NETDEV_STATS_TX_ERRORS, 10 }, { TRACE_NETDEV_STATS_TX_DROPPED, 11 },
};

/* ---- interfaces -------------------------------------------------------------------------- */

/* Stores the driver of an interface's device. sysfs shows only the recorder's own namespace. */
static void driver_of(const struct device *d, char *dst, size_t size)
{
	char path[128], target[256];
	ssize_t len;

	dst[0] = '\0';
	snprintf(path, sizeof(path), "/sys/class/net/%s/device/driver", d->name);
	len = d->netns == 1 && !d->gone ? readlink(path, target, sizeof(target) - 1) : -1;
	if (len <= 0)
		return;
	target[len] = '\0';
	snprintf(dst, size, "%.63s", strrchr(target, '/') ? strrchr(target, '/') + 1 : target);
}

#define LOOPBACK "772" /* ARPHRD_LOOPBACK */

static bool has_device(const struct device *d, const char *link)
{
	char path[128], target[256];

	snprintf(path, sizeof(path), "/sys/class/net/%s/%s", d->name, link);
	return readlink(path, target, sizeof(target)) > 0;
}

/*
 * Returns the class of an interface, or NULL if it is unknown. If a hypervisor provides a network card in two forms
 * (netvsc, net_failover), the kernel counts each packet on both forms and on their master, which has a device as well.
 * Then only the master is physical.
 */
static const char *class_of(const struct device *d)
{
	char path[128], type[16];

	if (d->netns != 1)
		return strcmp(d->name, "lo") ? NULL : "loopback";
	snprintf(path, sizeof(path), "/sys/class/net/%s/type", d->name);
	if (procfs_text(path, type, sizeof(type)))
		return NULL;
	if (!strcmp(type, LOOPBACK))
		return "loopback";
	return has_device(d, "device") && !has_device(d, "master/device") ? "physical" : "virtual";
}

static int define_device(struct netdev *n, struct trace_writer *w, uint32_t id)
{
	const struct device *d = &n->dev[id - 1];
	char driver[64];

	driver_of(d, driver, sizeof(driver));
	trace_writer_begin(w, TRACE_NETDEV);
	trace_writer_uint(w, TRACE_NETDEV_ID, id);
	trace_writer_str(w, TRACE_NETDEV_NAME, d->name);
	trace_writer_uint(w, TRACE_NETDEV_NETNS, d->netns);
	if (driver[0])
		trace_writer_str(w, TRACE_NETDEV_DRIVER, driver);
	if (d->class)
		trace_writer_str(w, TRACE_NETDEV_CLASS, d->class);
	return trace_writer_end(w);
}

/*
 * Returns true if a counter decreased. In that case the interface was deleted, and another interface of the same name
 * was created.
 */
static bool went_back(const struct device *d, const uint64_t *word)
{
	for (int c = 0; c < COLUMNS; c++)
		if (d->count[c].read && word[columns[c].word] < d->count[c].last)
			return true;
	return false;
}

/*
 * Returns the id of an interface. If the interface is new, defines it in the trace. Returns a negative error on
 * failure. word: the numbers of the interface's line in net/dev.
 */
static int64_t device_id(struct netdev *n, struct trace_writer *w, uint32_t netns, const char *name,
			 const uint64_t *word)
{
	int err;

	for (uint32_t k = 0, i = n->guess; k < n->ndev; k++, i++) {
		if (i >= n->ndev)
			i = 0;
		if (n->dev[i].gone || n->dev[i].netns != netns || strcmp(n->dev[i].name, name) != 0)
			continue;
		if (!went_back(&n->dev[i], word))
			return n->guess = i + 1;
		n->dev[i].gone = true;
		break;
	}
	err = array_reserve(&n->dev, &n->dev_size, n->ndev + (size_t)1, sizeof(*n->dev));
	if (err)
		return err;
	n->dev[n->ndev] = (struct device){ .netns = netns };
	snprintf(n->dev[n->ndev].name, NAME_LEN, "%s", name);
	n->dev[n->ndev].class = class_of(&n->dev[n->ndev]);
	err = define_device(n, w, ++n->ndev);
	if (err)
		return err;
	return n->ndev;
}

static int reserve(struct netdev *n)
{
	struct array_column columns[] = { { &n->id, sizeof(*n->id) }, [COLUMNS] = { NULL, 0 } };

	for (int c = 0; c < COLUMNS; c++)
		columns[1 + c] = (struct array_column){ &n->value[c], sizeof(*n->value[c]) };
	return array_reserve_columns(columns, COLUMNS + 1, &n->size, n->n + 1);
}

/* Parses a line: "  eth0: 1 2 3 …". */
static int add_line(struct netdev *n, struct trace_writer *w, uint32_t netns, char *line)
{
	char *colon = strrchr(line, ':'), *name = line + strspn(line, " ");
	const char *p = colon ? colon + 1 : "";
	uint64_t word[16];
	int64_t id;
	int words = 0;

	while (words < 16 && procfs_number(&p, 10, &word[words]))
		words++;
	if (words < 16)
		return 0; /* one of the two header lines */
	*colon = '\0';
	id = device_id(n, w, netns, name, word);
	if (id < 0)
		return (int)id;
	if (n->n == n->size && reserve(n))
		return -ENOMEM;
	n->id[n->n] = (uint64_t)id;
	for (int c = 0; c < COLUMNS; c++)
		n->value[c][n->n] =
			source_count(&n->dev[id - 1].count[c], word[columns[c].word], false);
	n->n++;
	return 0;
}

static int read_ns(struct netdev *n, struct trace_writer *w, uint32_t i)
{
	int fd = netns_open(n->netns, i), err = 0;
	char *line, *rest;
	ssize_t len;

	if (fd < 0)
		return 0;
	len = procfs_reread(fd, &n->text, &n->text_size);
	netns_done(n->netns, i);
	if (len < 0)
		return 0;
	rest = n->text;
	while (!err && (line = strsep(&rest, "\n")))
		err = add_line(n, w, i + 1, line);
	return err;
}

/* Interval of looking up the interrupts of devices, which can change. */
#define LOOK_NS 10000000000ull

/* Writes the interrupts of devices in the recorder's own namespace. sysfs shows no other devices. */
static int tick_irqs(struct netdev *n, struct trace_writer *w, uint64_t now)
{
	bool look = n->nlooked < n->ndev || now - n->looked_ns >= LOOK_NS;
	int err = 0;

	for (uint32_t i = 0; look && i < n->ndev && !err; i++)
		if (n->dev[i].netns == 1 && !n->dev[i].gone)
			err = irqs_look(n->irqs, i + 1, n->dev[i].name);
	if (look) {
		irqs_looked(n->irqs);
		n->nlooked = n->ndev;
		n->looked_ns = now;
	}
	return err ? err : irqs_tick(n->irqs, w);
}

static int netdev_tick(void *ctx, struct trace_writer *w)
{
	struct netdev *n = ctx;
	int err = netns_look(n->netns, now_ns());
	uint64_t began_ns = now_ns(), ended_ns;

	n->n = n->guess = 0;
	for (uint32_t i = 0; i < netns_count(n->netns) && !err; i++)
		err = read_ns(n, w, i);
	if (err)
		return err;
	ended_ns = now_ns();
	trace_writer_begin(w, TRACE_NETDEV_STATS);
	trace_writer_uints(w, TRACE_NETDEV_STATS_ID, n->id, n->n);
	for (int c = 0; c < COLUMNS; c++)
		trace_writer_uints(w, columns[c].key, n->value[c], n->n);
	err = source_end(w, began_ns, ended_ns);
	return err || !n->irqs ? err : tick_irqs(n, w, ended_ns);
}

/* Defines the interfaces in the next file, also those that are gone: ids are consecutive. */
static int netdev_again(void *ctx, struct trace_writer *w)
{
	struct netdev *n = ctx;
	int err = 0;

	for (uint32_t id = 1; id <= n->ndev && !err; id++)
		err = define_device(n, w, id);
	return err;
}

static void netdev_close(void *ctx)
{
	struct netdev *n = ctx;

	netns_free(n->netns);
	irqs_free(n->irqs);
	free(n->dev);
	free(n->text);
	free(n->id);
	for (int c = 0; c < COLUMNS; c++)
		free(n->value[c]);
	free(n);
}

static int netdev_open(void **ctx, const struct source_desc *d, const struct source_host *h,
		       struct source_status *st)
{
	static const struct irqs_paths paths = { IRQ_NUMBERS_NET, "/sys/kernel/irq",
						 "/sys/devices/system/cpu/possible" };
	struct netdev *n = calloc(1, sizeof(*n));
	int err;

	*ctx = n;
	if (!n)
		return -ENOMEM;
	st->via = d->path;
	st->state = "measured";
	err = irqs_new(&n->irqs, &paths, h->cpus, h->irqs);
	return err == -ENOMEM ? err : netns_new(&n->netns, h->admin);
}

const struct source_desc netdev_source = {
	.name = "netdev",
	.path = "/proc/*/net/dev",
	.open = netdev_open,
	.tick = netdev_tick,
	.again = netdev_again,
	.close = netdev_close,
};
