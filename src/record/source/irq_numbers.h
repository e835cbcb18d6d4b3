/* SPDX-License-Identifier: BSD-2-Clause */
/* irq_numbers.h: finds the interrupts of the interfaces of the recorder's own network namespace, in sysfs. */
#ifndef NETCOST_IRQ_NUMBERS_H
#define NETCOST_IRQ_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* value of the parameter `net` below; replaced in tests */
#define IRQ_NUMBERS_NET "/sys/class/net"

/* Callback for an interrupt. A return value other than 0 ends the loop. */
typedef int irq_number_fn(void *ctx, uint32_t number);

/*
 * irq_numbers_of() calls found() for each interrupt of one interface, irq_numbers() for each interrupt of all
 * interfaces. Both set *any if there are interrupts. irq_numbers_any() returns true if any interface has interrupts
 * now.
 */
int irq_numbers_of(const char *net, const char *name, irq_number_fn *found, void *ctx, bool *any);
int irq_numbers(const char *net, irq_number_fn *found, void *ctx, bool *any);
bool irq_numbers_any(const char *net);

#endif
