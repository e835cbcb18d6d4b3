/* SPDX-License-Identifier: BSD-2-Clause */
/* percpu.h: a text file of /proc with a row a CPU, as columns of a record. */
#ifndef NETCOST_PERCPU_H
#define NETCOST_PERCPU_H

#include <stdint.h>

#define PERCPU_MAX_COLUMNS 16

struct cpuset;
struct trace_writer;
struct percpu;

struct percpu_column {
	uint8_t key;	   /* of the record */
	unsigned int word; /* of the row, from 0 */
};

struct percpu_desc {
	const char *path;
	uint8_t type;	   /* of the record */
	unsigned int base; /* of the numbers: 10 or 16 */
	const char *
		end; /* how the first row begins that is about no CPU, nor any behind it; NULL: none is */
	/* Which CPU a row is about; -1: none. `row` counts from 0. */
	int (*cpu_of_row)(const char *line, unsigned int row, const uint64_t *word,
			  unsigned int words);
	const struct percpu_column *column;
	unsigned int ncolumns;
};

extern const struct percpu_desc percpu_procstat, percpu_softnet;

/* -errno if the file cannot be read. */
int percpu_new(struct percpu **pp, const struct percpu_desc *d, const struct cpuset *cpus);
void percpu_free(struct percpu *p);
int percpu_tick(struct percpu *p, struct trace_writer *w);

#endif
