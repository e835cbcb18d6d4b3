/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * colors.h: the colour of each leaf, and of each part of the RX softirq, the same in all pictures. They follow Okabe and
 * Ito, "Color Universal Design" (2008), and P. Tol's "light" scheme: people who are colour-blind can distinguish them.
 * Dark text is readable on all of them.
 */
#ifndef NETCOST_REPORT_COLORS_H
#define NETCOST_REPORT_COLORS_H

#include <stddef.h>

#include "report/rules/rules.h"

/* "#rrggbb" */
extern const char *const leaf_color[LEAF_COUNT];

/* What several leaves have in common: only of the network, or also of others. */
#define COLOR_NETWORK "#f2c879"
#define COLOR_MIXED "#e3e3e3"
#define COLOR_KERNEL "#d9a58c" /* next to user mode and idle time */
#define COLOR_SELF "#d4d4d4"   /* what is in none of the parts next to it */

/* Of a set of leaves. */
const char *color_of(unsigned int leaves);

/*
 * The colour of a category inside a leaf. Each part of the RX softirq has its own, both exact and by samples.
 * i: its number among its neighbours, for categories that only some rules have.
 */
const char *category_color(const char *key, size_t i);

#endif
