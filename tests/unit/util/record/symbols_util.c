// SPDX-License-Identifier: BSD-2-Clause
#include "symbols_util.h"

struct defined defined;

/* ---- definitions of a trace -------------------------------------------------------------- */

static void copy_str(struct trace_column *c, char *dst, size_t size)
{
	const char *s;
	uint32_t n;

	CU_ASSERT_FATAL(trace_column_str(c, &s, &n));
	snprintf(dst, size, "%.*s", (int)n, s);
}

/* Reads symbols and checks that the module of each was defined before. */
static void read_symbols(struct defined *d, const struct trace_record *rec)
{
	struct trace_column name = trace_record_column(rec, TRACE_SYMBOLS_NAME);
	struct trace_column module = trace_record_column(rec, TRACE_SYMBOLS_MODULE);
	struct trace_column offset = trace_record_column(rec, TRACE_SYMBOLS_OFFSET);

	CU_ASSERT_EQUAL(trace_record_uint(rec, TRACE_SYMBOLS_FIRST, 0), d->symbols + 1);
	while (name.n) {
		struct defined_symbol *s = &d->symbol[++d->symbols];

		CU_ASSERT_FATAL(d->symbols <= MAX_SYMBOLS);
		copy_str(&name, s->name, sizeof(s->name));
		CU_ASSERT(trace_column_uint(&module, &s->module));
		CU_ASSERT(trace_column_int(&offset, &s->offset));
		CU_ASSERT(s->module <= d->modules);
	}
	CU_ASSERT_EQUAL(module.n, 0);
	CU_ASSERT_EQUAL(offset.n, 0);
}

/* Reads stacks and checks that each comes after its parent and after its symbol. */
static void read_stacks(struct defined *d, const struct trace_record *rec)
{
	struct trace_column up = trace_record_column(rec, TRACE_STACKS_UP);
	struct trace_column symbol = trace_record_column(rec, TRACE_STACKS_SYMBOL);
	uint64_t u, s;
	bool sound = true;

	CU_ASSERT_EQUAL(trace_record_uint(rec, TRACE_STACKS_FIRST, 0), d->stacks + 1);
	while (trace_column_uint(&up, &u)) {
		uint32_t id = ++d->stacks;

		CU_ASSERT_FATAL(id <= MAX_STACKS);
		sound &= trace_column_uint(&symbol, &s) && u >= 1 && u <= id && s >= 1 &&
			 s <= d->symbols;
		d->stack[id] = (struct defined_stack){ id - (uint32_t)u, (uint32_t)s };
	}
	CU_ASSERT(sound);
	CU_ASSERT_EQUAL(symbol.n, 0);
}

void read_defined(struct defined *d, struct mem_trace *t)
{
	struct trace_record rec;
	int got;

	memset(d, 0, sizeof(*d));
	mem_trace_read(t);
	while ((got = trace_reader_next(t->r, &rec)) == 1) {
		if (rec.type == TRACE_MODULE) {
			CU_ASSERT_EQUAL(trace_record_uint(&rec, TRACE_MODULE_ID, 0), ++d->modules);
			CU_ASSERT_FATAL(d->modules <= MAX_MODULES);
			trace_record_str(&rec, TRACE_MODULE_NAME, d->module[d->modules],
					 sizeof(d->module[0]));
		} else if (rec.type == TRACE_SYMBOLS) {
			read_symbols(d, &rec);
		} else if (rec.type == TRACE_STACKS) {
			read_stacks(d, &rec);
		}
	}
	CU_ASSERT_EQUAL(got, 0);
}

/* ---- what is tested ---------------------------------------------------------------------- */

void setup(struct setup *s, const char *text)
{
	tmp_make(&s->tmp);
	s->path = tmp_file(&s->tmp, "kallsyms", text);
	s->path = strdup(s->path);
	CU_ASSERT_EQUAL_FATAL(symbols_new(&s->symbols, s->path, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(stacks_new(&s->stacks, s->symbols), 0);
	mem_trace_begin(&s->trace);
}

uint32_t stack_id(struct stacks *s, const uint64_t *ips, size_t n)
{
	uint32_t id;

	stacks_ids(s, &(struct chain){ ips, n }, 1, &id);
	return id;
}

void write_all(struct setup *s)
{
	CU_ASSERT_EQUAL(symbols_write(s->symbols, s->trace.w), 0);
	CU_ASSERT_EQUAL(stacks_write(s->stacks, s->trace.w), 0);
}

void read_back(struct setup *s)
{
	write_all(s);
	read_defined(&defined, &s->trace);
}

void new_table(struct setup *s, const char *text)
{
	tmp_file(&s->tmp, "kallsyms", text);
	CU_ASSERT_EQUAL(symbols_refresh(s->symbols), 0);
}

void teardown(struct setup *s)
{
	mem_trace_end(&s->trace);
	stacks_free(s->stacks);
	symbols_free(s->symbols);
	free((char *)s->path);
	tmp_remove(&s->tmp);
}
