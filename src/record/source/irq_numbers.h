/* SPDX-License-Identifier: BSD-2-Clause */
/* irq_numbers.h: the interrupts of the interfaces of our own network namespace, from sysfs. */
#ifndef NETCOST_IRQ_NUMBERS_H
#define NETCOST_IRQ_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* the parameter `net` below; replaced in tests */
#define IRQ_NUMBERS_NET "/sys/class/net"

/* Called for each interrupt; a return value other than 0 ends the loop. */
typedef int irq_number_fn(void *ctx, uint32_t number);

/* The interrupts of one interface; of all interfaces that exist now. *any: there are some. */
int irq_numbers_of(const char *net, const char *name, irq_number_fn *found, void *ctx, bool *any);
int irq_numbers(const char *net, irq_number_fn *found, void *ctx, bool *any);
bool irq_numbers_any(const char *net);

#endif
