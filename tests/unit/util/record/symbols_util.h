/* SPDX-License-Identifier: BSD-2-Clause */
/* symbols_util.h: symbols and stacks of a test table, and the definitions of a trace. */
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

/* A table in a file that can be replaced, its symbols, and a trace to write them to. */
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
/* Ends the writing and checks the definitions of the trace against `defined`. */
void read_back(struct setup *s);
void new_table(struct setup *s, const char *text);
void teardown(struct setup *s);

#endif
