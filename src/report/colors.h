/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * colors.h: the colour of each leaf, the same in all pictures. After Okabe and Ito, "Color Universal Design"
 * (2008): people who are colour-blind can tell them apart. Dark text is readable on all of them.
 */
#ifndef NETCOST_REPORT_COLORS_H
#define NETCOST_REPORT_COLORS_H

#include "leaf.h"

/* "#rrggbb" */
extern const char *const leaf_color[LEAF_COUNT];

/* What is common to several leaves: of the network, of others too. */
#define COLOR_NETWORK "#f7dfb5"
#define COLOR_MIXED "#e3e3e3"

/* Of a set of leaves. */
const char *color_of(unsigned int leaves);

#endif
