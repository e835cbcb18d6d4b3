/* SPDX-License-Identifier: BSD-2-Clause */
/* other.h: the functions that no category takes: what the rules do not know. */
#ifndef NETCOST_REPORT_OTHER_H
#define NETCOST_REPORT_OTHER_H

#include "report/model/model.h"

struct other_function {
	const char *name; /* "": not known */
	uint64_t samples;
};

struct other {
	unsigned int leaf;
	struct other_function
		*function; /* the innermost ones of the leaf's own stacks, the heaviest first */
	size_t n;
};

/* The leaves that categories are to be found in. */
#define OTHER_LEAVES 2
extern const unsigned int other_leaf[OTHER_LEAVES];

/* -ENOMEM: then there is nothing to free. */
int other_make(struct other *o, const struct model *m, unsigned int leaf);
void other_free(struct other *o);

#endif
