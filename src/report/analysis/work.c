// SPDX-License-Identifier: BSD-2-Clause
#include "work.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "known.h"
#include "report/model/filter.h"

static double so_far(const struct counter *c)
{
	return c->readings && !c->unknown ? (double)c->sum : NAN;
}

static const enum netcost_event polling[] = { NETCOST_EV_RX_SOFTIRQ, NETCOST_EV_RX_THREAD,
					      NETCOST_EV_RX_BUSY_POLL };

/* Were programs of XDP loaded on the host, as far as its settings were recorded? */
static bool has_xdp(const struct model *m)
{
	for (size_t i = 0; i < m->nsettings; i++) {
		const struct model_setting *s = &m->setting[i];

		if (!strcmp(model_string(m, s->subject), "bpf") &&
		    !strcasecmp(model_string(m, s->name), "xdp"))
			return true;
	}
	return false;
}

static bool counts_polls(const struct model *m)
{
	const struct model_cpu *c;

	model_for_each_cpu(m, c)
	{
		if (c->packets[NETCOST_EV_RX_SOFTIRQ].readings)
			return true;
	}
	return false;
}

enum work_softnet work_softnet(const struct model *m)
{
	return counts_polls(m) ? WORK_SOFTNET_UNUSED :
	       has_xdp(m)      ? WORK_SOFTNET_MISSES_XDP :
				 WORK_SOFTNET_COUNTS;
}

struct work_cpu work_of_cpu(const struct model *m, const struct model_cpu *c)
{
	bool counted = c && !filter_has_tasks(m->filter); /* calls are those of all tasks */
	struct work_cpu w;

	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++) {
		w.calls[e] = counted ? so_far(&c->calls[e]) : NAN;
		w.bytes[e] = counted ? so_far(&c->bytes[e]) : NAN;
	}
	w.polled = NAN;
	for (size_t i = 0; counted && i < sizeof(polling) / sizeof(*polling); i++)
		known_add(&w.polled, so_far(&c->packets[polling[i]]));
	return w;
}

static void add_interfaces(struct work_host *w, const struct model *m)
{
	double told_ns = NAN;
	size_t n = 0;

	for (size_t i = 0; i < m->nnetdevs; i++) {
		const struct model_netdev *d = &m->netdev[i];

		known_add(&w->rx_packets, so_far(&d->counter[NETDEV_RX_PACKETS]));
		known_add(&w->rx_bytes, so_far(&d->counter[NETDEV_RX_BYTES]));
		known_add(&w->tx_packets, so_far(&d->counter[NETDEV_TX_PACKETS]));
		known_add(&w->tx_bytes, so_far(&d->counter[NETDEV_TX_BYTES]));
		/* They are read one right after the other; one that came later has been told of for less. */
		if (d->at_ns.readings && !(told_ns >= (double)d->at_ns.sum))
			told_ns = (double)d->at_ns.sum;
		n += d->at_ns.readings > 0;
	}
	w->told_ns = n ? told_ns : NAN;
}

struct work_host work_of_host(const struct model *m)
{
	struct work_host w = { NAN, NAN, NAN, NAN, NAN, NAN };
	bool counts = work_softnet(m) == WORK_SOFTNET_COUNTS;
	const struct model_cpu *c;

	model_for_each_cpu(m, c)
	{
		if (counts && filter_takes_cpu(m->filter, c->cpu))
			known_add(&w.processed, so_far(&c->processed));
	}
	/* Interfaces are those of all CPUs and tasks. */
	if (model_is_of_all(m))
		add_interfaces(&w, m);
	return w;
}

struct work_cpu work_cpu_since(const struct work_cpu *now, const struct work_cpu *before)
{
	struct work_cpu w;

	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++) {
		w.calls[e] = now->calls[e] - before->calls[e];
		w.bytes[e] = now->bytes[e] - before->bytes[e];
	}
	w.polled = now->polled - before->polled;
	return w;
}

struct work_host work_host_since(const struct work_host *now, const struct work_host *before)
{
	return (struct work_host){
		.told_ns = now->told_ns - before->told_ns,
		.rx_packets = now->rx_packets - before->rx_packets,
		.rx_bytes = now->rx_bytes - before->rx_bytes,
		.tx_packets = now->tx_packets - before->tx_packets,
		.tx_bytes = now->tx_bytes - before->tx_bytes,
		.processed = now->processed - before->processed,
	};
}
