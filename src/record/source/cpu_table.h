/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu_table.h: files of /proc with a column for each CPU, below a heading that names them; as PER_CPU columns. */
#ifndef NETCOST_CPU_TABLE_H
#define NETCOST_CPU_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct cpu_table;
struct cpuset;

/* -errno of the file, -ENOMEM. cpus: those recorded. */
int cpu_table_open(struct cpu_table **tp, const char *path, const struct cpuset *cpus);
void cpu_table_close(struct cpu_table *t); /* takes NULL */

/* Reads the file, and its heading. The rows, each ended by a line feed but the last one; NULL: it cannot be read. */
char *cpu_table_read(struct cpu_table *t);
/* The numbers of a row, from behind its name, of each recorded CPU; TRACE_NIL: there is none. */
void cpu_table_row(const struct cpu_table *t, const char *numbers, uint64_t *values);

#endif
