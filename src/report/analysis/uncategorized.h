/* SPDX-License-Identifier: BSD-2-Clause */
/* uncategorized.h: the functions that no category takes: what the rules do not know. */
#ifndef NETCOST_REPORT_UNCATEGORIZED_H
#define NETCOST_REPORT_UNCATEGORIZED_H

#include "report/model/model.h"

struct uncategorized_function {
	const char *name; /* "": not known */
	uint64_t samples;
};

struct uncategorized {
	unsigned int leaf;
	struct uncategorized_function
		*function; /* the innermost ones of the leaf's own stacks, the heaviest first */
	size_t n;
};

/* The leaves that categories are to be found in. */
#define UNCATEGORIZED_LEAVES 2
extern const unsigned int uncategorized_leaf[UNCATEGORIZED_LEAVES];

/* -ENOMEM: then there is nothing to free. */
int uncategorized_make(struct uncategorized *o, const struct model *m, unsigned int leaf);
void uncategorized_free(struct uncategorized *o);

#endif
