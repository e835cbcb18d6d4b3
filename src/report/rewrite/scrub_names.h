/* SPDX-License-Identifier: BSD-2-Clause */
/* scrub_names.h: names and the numbers that stand for them, from 1 on in order of first appearance. */
#ifndef NETCOST_REPORT_SCRUB_NAMES_H
#define NETCOST_REPORT_SCRUB_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "scrub_class.h"

/* Zeroed: empty. */
struct scrub_names {
	void *tree;
	uint32_t count[SCRUB_CLASSES];
};

/* Names of different classes have nothing to do with each other. 0: no memory. */
uint32_t scrub_number(struct scrub_names *s, enum scrub_class class, const void *name, size_t n);
/* 0: it has none yet. */
uint32_t scrub_find(const struct scrub_names *s, enum scrub_class class, const void *name,
		    size_t n);
void scrub_names_free(struct scrub_names *s);

#endif
