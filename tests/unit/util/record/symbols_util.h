/* SPDX-License-Identifier: BSD-2-Clause */
/* symbols_util.h: symbols and stacks of a test's kernel table, and the definitions that a trace has of them. */
#ifndef NETCOST_TESTS_SYMBOLS_UTIL_H
#define NETCOST_TESTS_SYMBOLS_UTIL_H

#include "record_util.h"

#include "record/intern/stacks.h"
#include "record/intern/symbols.h"

/* ---- definitions of a trace -------------------------------------------------------------- */

#define MAX_SYMBOLS 256
#define MAX_MODULES 8
#define MAX_STACKS 65536

struct defined {
	struct defined_symbol {
		char name[64];
		uint64_t module;
		int64_t offset;
	} symbol[MAX_SYMBOLS + 1];
	char module[MAX_MODULES + 1][64];
	struct defined_stack {
		uint32_t parent, symbol;
	} stack[MAX_STACKS + 1];
	uint32_t symbols, modules, stacks;
};

extern struct defined defined;

void read_defined(struct defined *d, struct mem_trace *t);

/* ---- what is tested ---------------------------------------------------------------------- */

/* A kernel table in a file that the test can replace, the symbols read from it, and a trace to write them to. */
struct setup {
	struct tmp tmp;
	const char *path;
	struct symbols *symbols;
	struct stacks *stacks;
	struct mem_trace trace;
};

void setup(struct setup *s, const char *text);
uint32_t stack_id(struct stacks *s, const uint64_t *ips, size_t n);
void write_all(struct setup *s);
/* Writes the remaining definitions, ends the trace, and reads all of its definitions into `defined`. */
void read_back(struct setup *s);
void new_table(struct setup *s, const char *text);
void teardown(struct setup *s);

#endif
