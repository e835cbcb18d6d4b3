/* SPDX-License-Identifier: BSD-2-Clause */
/* irqs.h: hard interrupts of interfaces, of our own network namespace: /proc/interrupts, and which are whose. */
#ifndef NETCOST_IRQS_H
#define NETCOST_IRQS_H

#include <stdbool.h>
#include <stdint.h>

#define IRQS_NET "/sys/class/net"

struct cpuset;
struct irqs;
struct trace_writer;

/* Has any interface here interrupts of its own? net: IRQS_NET, or another one in tests; likewise below. */
bool irqs_any(const char *net);

/*
 * interrupts: /proc/interrupts. timed: the map of those that a program times (struct netcost_irq), which are put there
 * and taken out; -1: there is no program. -errno: they cannot be read.
 */
int irqs_new(struct irqs **ip, const char *net, const char *interrupts, const struct cpuset *cpus,
	     int timed);
void irqs_free(struct irqs *q); /* takes NULL */

/* Which interrupts there are: irqs_look() for each interface, then irqs_looked(), from time to time. -ENOMEM */
int irqs_look(struct irqs *q, uint32_t netdev, const char *name);
void irqs_looked(struct irqs *q);

/* Writes the records of a tick: one for each interface that has interrupts. */
int irqs_tick(struct irqs *q, struct trace_writer *w);

#endif
