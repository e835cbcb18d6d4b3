/* SPDX-License-Identifier: BSD-2-Clause */
/* irqs.h: hard interrupts of interfaces, of our own network namespace: how often each came, and which are whose. */
#ifndef NETCOST_IRQS_H
#define NETCOST_IRQS_H

#include <stdint.h>

struct cpuset;
struct irqs;
struct trace_writer;

/* Live as long as what is made with them. Others in tests. */
struct irqs_paths {
	const char *net; /* IRQ_NUMBERS_NET */
	/* /sys/kernel/irq: of a few interrupts, much less to read than /proc/interrupts */
	const char *irq;
	/* /sys/devices/system/cpu/possible: the CPUs that it has counts of, in order */
	const char *possible;
};

/*
 * timed: the map of those that a program times (struct netcost_irq), which are put there and taken out; -1: there is no
 * program. -errno: they cannot be read.
 */
int irqs_new(struct irqs **ip, const struct irqs_paths *paths, const struct cpuset *cpus,
	     int timed);
void irqs_free(struct irqs *q); /* takes NULL */

/* Which interrupts there are: irqs_look() for each interface, then irqs_looked(), from time to time. -ENOMEM */
int irqs_look(struct irqs *q, uint32_t netdev, const char *name);
void irqs_looked(struct irqs *q);

/* Writes the records of a tick: one for each interface that has interrupts. */
int irqs_tick(struct irqs *q, struct trace_writer *w);

#endif
