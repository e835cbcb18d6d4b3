/* SPDX-License-Identifier: BSD-2-Clause */
/* idmend.h: the ids of one sort, as the file has them and as they are dense. */
#ifndef NETCOST_REPORT_IDMEND_H
#define NETCOST_REPORT_IDMEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct idmend_range {
	uint32_t first, n; /* in the file */
	uint32_t out;
};

struct idmend {
	struct idmend_range *range; /* rising */
	size_t nranges, size;
	uint32_t next;	   /* the file's next id is this or, if open, more */
	uint32_t out_next; /* the next dense one */
	uint32_t stand_in; /* dense id of what stands for all lost ones; 0: not needed yet */
	bool open;	   /* definitions may be missing since the last one */
	bool shifted;	   /* dense ids are not the file's */
	uint64_t lost;
};

enum idmend_found {
	IDMEND_OK,
	IDMEND_LOST,
	IDMEND_UNDEFINED,
};

void idmend_init(struct idmend *d);
void idmend_free(struct idmend *d);

/* May the file define n ids from first on? */
bool idmend_may_define(const struct idmend *d, uint64_t first, uint32_t n);
/* It did: they are dense from d->out_next on. -ENOMEM. Without kept, they are lost. */
int idmend_define(struct idmend *d, uint32_t first, uint32_t n, bool kept);
/* The dense id of one of the file's. 0 is 0. */
enum idmend_found idmend_find(const struct idmend *d, uint64_t id, uint32_t *out);

#endif
