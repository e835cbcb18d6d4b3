/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * irqs.h: hard interrupts of the interfaces of our own network namespace: how often each occurred,
 * and to which interface it belongs.
 */
#ifndef NETCOST_IRQS_H
#define NETCOST_IRQS_H

#include <stdint.h>

struct cpuset;
struct irqs;
struct trace_writer;

/* Must outlive what is made with them. Replaced in tests. */
struct irqs_paths {
	const char *net; /* IRQ_NUMBERS_NET */
	/* /sys/kernel/irq: for a few interrupts it is much less to read than /proc/interrupts */
	const char *irq;
	/* /sys/devices/system/cpu/possible: the CPUs that have counts, in order */
	const char *possible;
};

/*
 * timed: the map of interrupts that a program times (struct netcost_irq), which this adds and
 * removes; -1: no program. -errno: the interrupts cannot be read.
 */
int irqs_new(struct irqs **ip, const struct irqs_paths *paths, const struct cpuset *cpus,
	     int timed);
void irqs_free(struct irqs *q); /* NULL is allowed */

/* Finds the current interrupts: call irqs_look() for each interface, then irqs_looked(), from time to time. -ENOMEM */
int irqs_look(struct irqs *q, uint32_t netdev, const char *name);
void irqs_looked(struct irqs *q);

/* Writes a tick's records: one for each interface with interrupts. */
int irqs_tick(struct irqs *q, struct trace_writer *w);

#endif
