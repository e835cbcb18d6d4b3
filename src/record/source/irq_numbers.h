/* SPDX-License-Identifier: BSD-2-Clause */
/* irq_numbers.h: which interrupts the interfaces of our own network namespace have, as sysfs says. */
#ifndef NETCOST_IRQ_NUMBERS_H
#define NETCOST_IRQ_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* net, below: this, or another one in tests */
#define IRQ_NUMBERS_NET "/sys/class/net"

/* Called for each interrupt; what is not 0 ends it. */
typedef int irq_number_fn(void *ctx, uint32_t number);

/* Those of one interface; those of all that there are now. *any: there are some. */
int irq_numbers_of(const char *net, const char *name, irq_number_fn *found, void *ctx, bool *any);
int irq_numbers(const char *net, irq_number_fn *found, void *ctx, bool *any);
bool irq_numbers_any(const char *net);

#endif
