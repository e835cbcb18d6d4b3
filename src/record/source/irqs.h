/* SPDX-License-Identifier: BSD-2-Clause */
/* irqs.h: counts hard interrupts of the interfaces of the recorder's own network namespace, by interface. */
#ifndef NETCOST_IRQS_H
#define NETCOST_IRQS_H

#include <stdint.h>

struct cpuset;
struct irqs;
struct trace_writer;

/* Paths of files. They must outlive the objects that use them. Tests replace them. */
struct irqs_paths {
	const char *net; /* IRQ_NUMBERS_NET */
	/* /sys/kernel/irq; reading it for a few interrupts costs much less than reading /proc/interrupts */
	const char *irq;
	/* /sys/devices/system/cpu/possible, which lists the CPUs that have counts, in order */
	const char *possible;
};

/*
 * Starts counting. timed is the map of the interrupts that a program times (struct netcost_irq); this code adds and
 * removes its elements. If there is no program, timed is -1. Returns 0, or -errno if interrupts cannot be read.
 */
int irqs_new(struct irqs **ip, const struct irqs_paths *paths, const struct cpuset *cpus,
	     int timed);
void irqs_free(struct irqs *q); /* NULL is allowed */

/*
 * irqs_look() and irqs_looked() scan for the current interrupts. From time to time, call irqs_look() for each
 * interface, then irqs_looked(). irqs_look() returns 0 or -ENOMEM.
 */
int irqs_look(struct irqs *q, uint32_t netdev, const char *name);
void irqs_looked(struct irqs *q);

/*
 * Writes a tick's records: one for each interface with interrupts. On hosts with more than 65536 counters (interrupts
 * times possible CPUs), each tick reads only the interfaces whose turn it is.
 */
int irqs_tick(struct irqs *q, struct trace_writer *w);

#endif
