// SPDX-License-Identifier: BSD-2-Clause
/* Addresses to names, symbol ids and stack ids: kallsyms.c, symbols.c, stacks.c. */
#include "record_util.h"

#include <errno.h>

#include "src/record/kallsyms.h"
#include "src/record/stacks.h"
#include "src/record/symbols.h"

#define STEXT 0xffffffff81000000ull
#define MOD 0xffffffffc0001000ull
#define BPF 0xffffffffc0100000ull

static const char kernel[] = "ffffffff81000000 T _stext\n"
			     "ffffffff81000000 T first\n"
			     "ffffffff81000100 t alpha\n"
			     "ffffffff81000200 T __pfx_beta\n"
			     "ffffffff81000210 T beta\n"
			     "ffffffff81000300 W weak\n"
			     "ffffffff81000380 D some_data\n"
			     "ffffffff81000400 T last\n"
			     "ffffffff81000500 T _etext\n"
			     "ffffffff82000000 d more_data\n"
			     "ffffffff83000000 t init_function\n"
			     "ffffffffc0001000 t mod_first\t[mod]\n"
			     "ffffffffc0001100 T mod_work\t[mod]\n"
			     "ffffffffc0100000 t bpf_prog_6deef7357e7b4530_p\t[bpf]\n";

/* ---- kallsyms ---------------------------------------------------------------------------- */

static struct kallsyms *table_of(const char *text)
{
	struct kallsyms *k = NULL;
	struct tmp t;

	tmp_make(&t);
	CU_ASSERT_EQUAL_FATAL(kallsyms_read(&k, tmp_file(&t, "kallsyms", text)), 0);
	tmp_remove(&t);
	return k;
}

static const char *name_at(const struct kallsyms *k, uint64_t ip)
{
	const struct kallsym *s = kallsyms_find(k, ip);

	return s ? s->name : "-";
}

static void test_lookup(void)
{
	struct kallsyms *k = table_of(kernel);

	CU_ASSERT_FALSE(kallsyms_hidden(k));
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x100), "alpha");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x101), "alpha");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x1ff), "alpha");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x210), "beta");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x300), "weak");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x4ff), "last");
	kallsyms_free(k);
}

static void test_outside_of_text(void)
{
	struct kallsyms *k = table_of(kernel);

	CU_ASSERT_STRING_EQUAL(name_at(k, 0), "-");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT - 1), "-");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x500), "-");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x501), "-");
	CU_ASSERT_STRING_EQUAL(name_at(k, 0xffffffff82000000), "-");
	CU_ASSERT_STRING_EQUAL(name_at(k, 0xffffffff83000010), "init_function");
	CU_ASSERT_STRING_EQUAL(name_at(k, UINT64_MAX), "bpf_prog_6deef7357e7b4530_p");
	kallsyms_free(k);
}

/* Neither padding nor data begins a function: the one before goes on. */
static void test_ignored_symbols(void)
{
	struct kallsyms *k = table_of(kernel);

	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x200), "alpha");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x20f), "alpha");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x380), "weak");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x3ff), "weak");
	kallsyms_free(k);
}

static void test_plainest_alias(void)
{
	struct kallsyms *k = table_of("ffffffff81000000 T _stext\n"
				      "ffffffff81000100 T __x64_sys_send\n"
				      "ffffffff81000100 t sys_send\n"
				      "ffffffff81000100 T _sys_send\n"
				      "ffffffff81000100 T __ia32_sys_send\n"
				      "ffffffff81000200 T zeta\n"
				      "ffffffff81000200 T eta\n"
				      "ffffffff81000300 T __pi_memcpy\n"
				      "ffffffff81000300 T ___memcpy\n");

	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT), "_stext");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x100), "sys_send");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x1ff), "sys_send");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x200), "eta");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x300), "___memcpy");
	kallsyms_free(k);
}

static void test_modules(void)
{
	struct kallsyms *k = table_of(kernel);

	CU_ASSERT_STRING_EQUAL(kallsyms_find(k, STEXT)->module, "");
	CU_ASSERT_STRING_EQUAL(kallsyms_find(k, MOD + 0x100)->name, "mod_work");
	CU_ASSERT_STRING_EQUAL(kallsyms_find(k, MOD + 0x100)->module, "mod");
	CU_ASSERT_STRING_EQUAL(kallsyms_find(k, BPF)->module, "bpf");
	CU_ASSERT_EQUAL(kallsyms_base(k, kallsyms_find(k, STEXT + 0x300)), STEXT);
	CU_ASSERT_EQUAL(kallsyms_base(k, kallsyms_find(k, MOD + 0x100)), MOD);
	CU_ASSERT_EQUAL(kallsyms_base(k, kallsyms_find(k, BPF + 8)), BPF);
	kallsyms_free(k);
}

static void test_unsorted(void)
{
	struct kallsyms *k = table_of("ffffffffc0001100 T mod_work\t[mod]\n"
				      "ffffffff81000300 T c\n"
				      "ffffffff81000500 T _etext\n"
				      "ffffffff81000100 T a\n"
				      "ffffffffc0001000 t mod_first\t[mod]\n"
				      "ffffffff81000000 T _stext\n"
				      "ffffffff81000200 T b\n");

	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x1ff), "a");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x2ff), "b");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x4ff), "c");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x500), "-");
	CU_ASSERT_EQUAL(kallsyms_base(k, kallsyms_find(k, MOD + 0x150)), MOD);
	kallsyms_free(k);
}

/* What is no line of kallsyms is passed over; the lines around it count. */
static void test_garbage(void)
{
	struct kallsyms *k = table_of("\n"
				      "no address at all\n"
				      "ffffffff81000000 T _stext\n"
				      "ffffffff81000050\n"
				      "ffffffff81000060 \n"
				      "ffffffff81000070 T\n"
				      "ffffffff81000080Tglued\n"
				      "ffffffff81000090 TT two_letters\n"
				      "\n\n \t\n"
				      "ffffffff81000100 T a\t\n"
				      "ffffffff81000200 T b\t[open\n"
				      "ffffffff81000300 T c\t]closed[\n"
				      "ffffffff81000400 T d no_newline");

	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0xff), "_stext");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x100), "a");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x200), "b");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x300), "c");
	CU_ASSERT_STRING_EQUAL(kallsyms_find(k, STEXT + 0x200)->module, "");
	CU_ASSERT_STRING_EQUAL(kallsyms_find(k, STEXT + 0x300)->module, "");
	CU_ASSERT_PTR_NOT_NULL(kallsyms_find(k, STEXT + 0x400));
	kallsyms_free(k);
}

/* A copy that went through another system. */
static void test_crlf(void)
{
	struct kallsyms *k = table_of("ffffffff81000000 T _stext\r\n"
				      "\r\n"
				      "ffffffff81000100 T a\r\n"
				      "ffffffff81000200 T _etext\r\n"
				      "ffffffffc0001000 t m\t[mod]\r\n");

	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x100), "a");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x200), "-");
	CU_ASSERT_STRING_EQUAL(name_at(k, MOD), "m");
	CU_ASSERT_STRING_EQUAL(kallsyms_find(k, MOD)->module, "mod");
	CU_ASSERT_EQUAL(kallsyms_base(k, kallsyms_find(k, STEXT + 0x100)), STEXT);
	kallsyms_free(k);
}

static void test_long_lines(void)
{
	static const char end[] = "\nffffffff81000200 T behind\n";
	size_t n = 3u << 20;
	char *text = malloc(n + sizeof(end) + 64);
	struct kallsyms *k;

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	strcpy(text, "ffffffff81000000 T _stext\nffffffff81000100 T long_");
	memset(text + strlen(text), 'x', n);
	strcpy(text + n, end);
	k = table_of(text);
	CU_ASSERT_EQUAL(strncmp(name_at(k, STEXT + 0x100), "long_xxx", 8), 0);
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x200), "behind");
	kallsyms_free(k);
	free(text);
}

/* Larger than the first buffer: 400 000 lines, 13 MiB. */
static void test_large_table(void)
{
	struct tmp t;
	struct kallsyms *k;
	FILE *f;

	tmp_make(&t);
	f = fopen(tmp_path(&t, "kallsyms"), "we");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	for (unsigned int i = 0; i < 400000; i++)
		fprintf(f, "%llx T function_%u\n", STEXT + i * 16ull, i);
	CU_ASSERT_EQUAL(fclose(f), 0);
	CU_ASSERT_EQUAL_FATAL(kallsyms_read(&k, tmp_path(&t, "kallsyms")), 0);
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT), "function_0");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 200000 * 16ull + 15), "function_200000");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 399999 * 16ull), "function_399999");
	kallsyms_free(k);
	tmp_remove(&t);
}

static void test_nothing_there(void)
{
	struct kallsyms *k = (struct kallsyms *)-1;
	struct symbols *s = (struct symbols *)-1;
	struct tmp t;

	tmp_make(&t);
	CU_ASSERT_EQUAL(kallsyms_read(&k, tmp_path(&t, "missing")), -ENOENT);
	CU_ASSERT_PTR_NULL(k);
	CU_ASSERT_EQUAL(kallsyms_read(&k, t.dir), -EISDIR);
	CU_ASSERT_PTR_NULL(k);
	CU_ASSERT_EQUAL(symbols_new(&s, tmp_path(&t, "missing")), -ENOENT);
	CU_ASSERT_PTR_NULL(s);
	CU_ASSERT_EQUAL_FATAL(kallsyms_read(&k, tmp_file(&t, "empty", "")), 0);
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT), "-");
	kallsyms_free(k);
	kallsyms_free(NULL);
	symbols_free(NULL);
	tmp_remove(&t);
}

static void test_hidden(void)
{
	struct kallsyms *k = table_of("0000000000000000 T _stext\n"
				      "0000000000000000 T a\n"
				      "0000000000000000 T _etext\n"
				      "0000000000000000 t m\t[mod]\n");

	CU_ASSERT_TRUE(kallsyms_hidden(k));
	CU_ASSERT_PTR_NULL(kallsyms_find(k, 0));
	CU_ASSERT_PTR_NULL(kallsyms_find(k, STEXT));
	kallsyms_free(k);
}

/* ---- what a trace defines ---------------------------------------------------------------- */

#define MAX_SYMBOLS 256
#define MAX_MODULES 8
#define MAX_STACKS 65536

static struct defined {
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
} defined;

static void copy_str(struct trace_column *c, char *dst, size_t size)
{
	const char *s;
	uint32_t n;

	CU_ASSERT_FATAL(trace_column_str(c, &s, &n));
	snprintf(dst, size, "%.*s", (int)n, s);
}

/* Each symbol's module has been defined before it. */
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

/* A parent comes before its children, a symbol before the stacks it is in. */
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

static void read_defined(struct defined *d, struct mem_trace *t)
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

/* ---- symbols ----------------------------------------------------------------------------- */

/* A table in a file that can be replaced, symbols on it, a trace to write them to. */
struct setup {
	struct tmp tmp;
	const char *path;
	struct symbols *symbols;
	struct stacks *stacks;
	struct mem_trace trace;
};

static void setup(struct setup *s, const char *text)
{
	tmp_make(&s->tmp);
	s->path = tmp_file(&s->tmp, "kallsyms", text);
	s->path = strdup(s->path);
	CU_ASSERT_EQUAL_FATAL(symbols_new(&s->symbols, s->path), 0);
	CU_ASSERT_EQUAL_FATAL(stacks_new(&s->stacks, s->symbols), 0);
	mem_trace_begin(&s->trace);
}

static void write_all(struct setup *s)
{
	CU_ASSERT_EQUAL(symbols_write(s->symbols, s->trace.w), 0);
	CU_ASSERT_EQUAL(stacks_write(s->stacks, s->trace.w), 0);
}

static void new_table(struct setup *s, const char *text)
{
	tmp_file(&s->tmp, "kallsyms", text);
	CU_ASSERT_EQUAL(symbols_refresh(s->symbols), 0);
}

static void teardown(struct setup *s)
{
	mem_trace_end(&s->trace);
	stacks_free(s->stacks);
	symbols_free(s->symbols);
	free((char *)s->path);
	tmp_remove(&s->tmp);
}

static void test_ids_dense_and_stable(void)
{
	struct setup s;

	setup(&s, kernel);
	CU_ASSERT_FALSE(symbols_hidden(s.symbols));
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT + 0x110), 1);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, MOD + 0x100), 2);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT + 0x1ff), 1);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT + 0x210), 3);
	write_all(&s);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT + 0x110), 1);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, BPF), 4);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, MOD), 5);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, MOD + 0x1ff), 2);
	CU_ASSERT_EQUAL(symbols_count(s.symbols), 5);
	write_all(&s);
	write_all(&s); /* nothing new: nothing is written */
	read_defined(&defined, &s.trace);
	CU_ASSERT_EQUAL(defined.symbols, 5);
	CU_ASSERT_EQUAL(defined.modules, 2);
	teardown(&s);
}

static void check_symbol(uint32_t id, const char *name, const char *module, int64_t offset)
{
	const struct defined_symbol *s = &defined.symbol[id];

	CU_ASSERT_STRING_EQUAL(s->name, name);
	CU_ASSERT_STRING_EQUAL(defined.module[s->module], module);
	CU_ASSERT_EQUAL(s->offset, offset);
}

/* The start of the function, whatever address in it was seen; never an address itself. */
static void test_offsets(void)
{
	struct setup s;

	setup(&s, kernel);
	symbols_id(s.symbols, STEXT + 0x42);
	symbols_id(s.symbols, STEXT + 0x2ff);
	symbols_id(s.symbols, MOD + 0x123);
	symbols_id(s.symbols, MOD + 1);
	symbols_id(s.symbols, BPF + 4);
	symbols_id(s.symbols, 4096);
	write_all(&s);
	read_defined(&defined, &s.trace);
	check_symbol(1, "first", "", 0);
	check_symbol(2, "beta", "", 0x210);
	check_symbol(3, "mod_work", "mod", 0x100);
	check_symbol(4, "mod_first", "mod", 0);
	check_symbol(5, "bpf_prog_6deef7357e7b4530_p", "bpf", 0);
	check_symbol(6, "", "", 0);
	teardown(&s);
}

/* Without _stext an offset must still not be an address, which tells where KASLR put the kernel. */
static void test_no_stext(void)
{
	struct setup s;

	setup(&s, "ffffffff81000100 T a\nffffffff81000300 T b\nffffffffc0001000 t m\t[mod]\n");
	symbols_id(s.symbols, STEXT + 0x300);
	write_all(&s);
	read_defined(&defined, &s.trace);
	check_symbol(1, "b", "", 0x200);
	teardown(&s);
}

static void test_unknown_addresses(void)
{
	struct setup s;
	uint32_t id;

	setup(&s, kernel);
	id = symbols_id(s.symbols, STEXT - 1);
	CU_ASSERT_NOT_EQUAL(id, 0);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, 0), id);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT + 0x500), id);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, BPF + (1u << 20) + 1), id);
	CU_ASSERT_NOT_EQUAL(symbols_id(s.symbols, BPF + (1u << 20)), id);
	teardown(&s);
}

static void test_hidden_symbols(void)
{
	struct setup s;

	setup(&s, "0000000000000000 T _stext\n0000000000000000 T a\n");
	CU_ASSERT_TRUE(symbols_hidden(s.symbols));
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT), 1);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, 0), 1);
	write_all(&s);
	CU_ASSERT_EQUAL(symbols_refresh(s.symbols), 0);
	read_defined(&defined, &s.trace);
	check_symbol(1, "", "", 0);
	teardown(&s);
}

#define NEW_MODULE "ffffffffc0200000 t new_work\t[new]\n"

static void test_refresh(void)
{
	const uint64_t ip = 0xffffffffc0200010;
	char more[sizeof(kernel) + sizeof(NEW_MODULE)];
	struct setup s;
	uint32_t unknown, known, alpha;

	snprintf(more, sizeof(more), "%s%s", kernel, NEW_MODULE);
	setup(&s, kernel);
	alpha = symbols_id(s.symbols, STEXT + 0x100);
	unknown = symbols_id(s.symbols, ip);
	write_all(&s);
	new_table(&s, more);
	known = symbols_id(s.symbols, ip);
	CU_ASSERT_NOT_EQUAL(known, unknown);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT + 0x100), alpha);
	write_all(&s);
	read_defined(&defined, &s.trace);
	check_symbol(unknown, "", "", 0);
	check_symbol(known, "new_work", "new", 0);
	teardown(&s);
}

/* What waits to be written points into the table: until then it stays, whoever asks for a refresh. */
static void test_refresh_keeps_what_is_pending(void)
{
	struct setup s;

	setup(&s, kernel);
	symbols_id(s.symbols, STEXT + 0x100);
	symbols_id(s.symbols, 0);
	new_table(&s, NEW_MODULE);
	write_all(&s);
	read_defined(&defined, &s.trace);
	check_symbol(1, "alpha", "", 0x100);
	teardown(&s);
}

/* Nothing was missed, or the table cannot be read any more: what is known stays. */
static void test_refresh_without_need(void)
{
	struct setup s;

	setup(&s, kernel);
	symbols_id(s.symbols, STEXT + 0x100);
	write_all(&s);
	new_table(&s, NEW_MODULE);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT + 0x210), 2);
	symbols_id(s.symbols, 0);
	write_all(&s);
	CU_ASSERT_EQUAL(unlink(s.path), 0);
	CU_ASSERT_EQUAL(symbols_refresh(s.symbols), -ENOENT);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT + 0x100), 1);
	write_all(&s);
	read_defined(&defined, &s.trace);
	check_symbol(2, "beta", "", 0x210);
	teardown(&s);
}

/* Reading the table takes long: not at every flush for an address that stays unknown. */
static void test_refresh_once_an_address(void)
{
	struct setup s;

	setup(&s, kernel);
	symbols_id(s.symbols, 0);
	write_all(&s);
	new_table(&s, kernel);
	CU_ASSERT_EQUAL(unlink(s.path), 0);
	symbols_id(s.symbols, 0);
	CU_ASSERT_EQUAL(symbols_refresh(s.symbols), 0);
	symbols_id(s.symbols, 1);
	CU_ASSERT_EQUAL(symbols_refresh(s.symbols), -ENOENT);
	teardown(&s);
}

/* Where a BPF program or a module was, another one may come. */
static void test_reused_address(void)
{
	struct setup s;
	uint32_t id[3];

	setup(&s, "ffffffff81000000 T _stext\nffffffffc0100000 t one\t[bpf]\n");
	id[0] = symbols_id(s.symbols, BPF + 4);
	symbols_id(s.symbols, 0);
	write_all(&s);
	new_table(&s, "ffffffff81000000 T _stext\nffffffffc0100000 t two\t[bpf]\n");
	id[1] = symbols_id(s.symbols, BPF + 4);
	symbols_id(s.symbols, 1);
	write_all(&s);
	new_table(&s, "ffffffff81000000 T _stext\nffffffffc0100000 t two\t[mod]\n");
	id[2] = symbols_id(s.symbols, BPF + 4);
	write_all(&s);
	CU_ASSERT_NOT_EQUAL(id[0], id[1]);
	CU_ASSERT_NOT_EQUAL(id[1], id[2]);
	read_defined(&defined, &s.trace);
	check_symbol(id[0], "one", "bpf", 0);
	check_symbol(id[1], "two", "bpf", 0);
	check_symbol(id[2], "two", "mod", 0);
	teardown(&s);
}

/* ---- stacks ------------------------------------------------------------------------------ */

#define STACK(s, ...)                                                                              \
	stacks_id((s), (const uint64_t[]){ __VA_ARGS__ },                                          \
		  sizeof((const uint64_t[]){ __VA_ARGS__ }) / 8)

static void test_stack_ids(void)
{
	const uint64_t alpha = STEXT + 0x120, beta = STEXT + 0x220, weak = STEXT + 0x310;
	struct setup s;
	uint32_t id;

	setup(&s, kernel);
	id = STACK(s.stacks, alpha, beta, weak);
	CU_ASSERT_EQUAL(id, 3); /* weak, weak;beta, weak;beta;alpha */
	CU_ASSERT_EQUAL(STACK(s.stacks, alpha, beta, weak), id);
	CU_ASSERT_EQUAL(STACK(s.stacks, alpha + 4, beta + 5, weak + 6), id);
	CU_ASSERT_EQUAL(STACK(s.stacks, beta, weak), 2);
	CU_ASSERT_EQUAL(STACK(s.stacks, weak), 1);
	CU_ASSERT_EQUAL(stacks_count(s.stacks), 3);
	CU_ASSERT_EQUAL(STACK(s.stacks, weak, beta, weak), 4);
	CU_ASSERT_EQUAL(STACK(s.stacks, alpha), 5);
	CU_ASSERT_EQUAL(STACK(s.stacks, 0), 6);
	write_all(&s);
	read_defined(&defined, &s.trace);
	CU_ASSERT_EQUAL(defined.stacks, 6);
	CU_ASSERT_EQUAL(defined.stack[4].parent, 2);
	CU_ASSERT_EQUAL(defined.stack[5].parent, 0);
	CU_ASSERT_STRING_EQUAL(defined.symbol[defined.stack[3].symbol].name, "alpha");
	teardown(&s);
}

/* A return address behind a call that never returns lies in the next function already. */
static void test_return_addresses(void)
{
	struct setup s;

	setup(&s, kernel);
	STACK(s.stacks, STEXT + 0x300, STEXT + 0x300);
	write_all(&s);
	read_defined(&defined, &s.trace);
	CU_ASSERT_STRING_EQUAL(defined.symbol[defined.stack[1].symbol].name, "beta");
	CU_ASSERT_STRING_EQUAL(defined.symbol[defined.stack[2].symbol].name, "weak");
	teardown(&s);
}

static void test_deep_stack(void)
{
	uint64_t ips[3 * TRACE_MAX_STACK];
	uint32_t id, depth = 0;
	struct setup s;

	setup(&s, kernel);
	for (size_t i = 0; i < 3 * TRACE_MAX_STACK; i++)
		ips[i] = STEXT + (i < TRACE_MAX_STACK ? 0x180 : 0x280);
	id = stacks_id(s.stacks, ips, 3 * TRACE_MAX_STACK);
	CU_ASSERT_EQUAL(stacks_id(s.stacks, ips, TRACE_MAX_STACK), id);
	write_all(&s);
	read_defined(&defined, &s.trace);
	for (; id; id = defined.stack[id].parent, depth++)
		CU_ASSERT_STRING_EQUAL(defined.symbol[defined.stack[id].symbol].name, "alpha");
	CU_ASSERT_EQUAL(depth, TRACE_MAX_STACK);
	teardown(&s);
}

/* A stack that was seen before its module's symbols were: named as soon as they are. */
static void test_stack_after_refresh(void)
{
	const uint64_t ip = 0xffffffffc0200010, caller = STEXT + 0x120;
	char more[sizeof(kernel) + sizeof(NEW_MODULE)];
	struct setup s;
	uint32_t before, after;

	snprintf(more, sizeof(more), "%s%s", kernel, NEW_MODULE);
	setup(&s, kernel);
	before = STACK(s.stacks, ip, caller);
	write_all(&s);
	new_table(&s, more);
	after = STACK(s.stacks, ip, caller);
	write_all(&s);
	read_defined(&defined, &s.trace);
	CU_ASSERT_STRING_EQUAL(defined.symbol[defined.stack[before].symbol].name, "");
	CU_ASSERT_STRING_EQUAL(defined.symbol[defined.stack[after].symbol].name, "new_work");
	teardown(&s);
}

/* ---- many random stacks against a model -------------------------------------------------- */

#define FUNCTIONS 60
#define FUNCTION_SIZE 64
#define STACKS 3000
#define DEPTH 40
#define FOLDED (DEPTH * 8)

/* The model: a name by division, a stack by its text. */
static void model_fold(const uint64_t *ips, size_t n, char *text)
{
	*text = '\0';
	while (n--)
		sprintf(text + strlen(text), "f%u;",
			(unsigned int)((ips[n] - (n > 0) - STEXT) / FUNCTION_SIZE));
}

static void fold_defined(uint32_t id, char *text)
{
	uint32_t chain[DEPTH], n = 0;

	for (; id && n < DEPTH; id = defined.stack[id].parent)
		chain[n++] = defined.stack[id].symbol;
	*text = '\0';
	while (n--)
		sprintf(text + strlen(text), "%s;", defined.symbol[chain[n]].name);
}

static void table_of_functions(char *text)
{
	strcpy(text, "ffffffff81000000 T _stext\n");
	for (unsigned int i = 0; i < FUNCTIONS; i++)
		sprintf(text + strlen(text), "%llx t f%u\n", STEXT + i * FUNCTION_SIZE, i);
}

/* Like a profile: most stacks share their outer part with an earlier one. */
static size_t random_stack(uint64_t *rnd, uint64_t (*all)[DEPTH], const size_t *depth, size_t i,
			   uint64_t *ips)
{
	size_t n = 1 + random_below(rnd, DEPTH), kept = 0;

	if (i && random_below(rnd, 4)) {
		size_t other = random_below(rnd, (uint32_t)i), size = depth[other];

		kept = random_below(rnd, (uint32_t)(size < n ? size : n));
		memcpy(ips + n - kept, all[other] + size - kept, kept * sizeof(*ips));
	}
	for (size_t k = 0; k < n - kept; k++)
		ips[k] = STEXT + 1 + random_below(rnd, FUNCTIONS * FUNCTION_SIZE - 1);
	return n;
}

static int compare_nodes(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct defined_stack));
}

static bool nodes_are_unique(void)
{
	qsort(defined.stack + 1, defined.stacks, sizeof(defined.stack[0]), compare_nodes);
	for (uint32_t i = 2; i <= defined.stacks; i++)
		if (!compare_nodes(&defined.stack[i - 1], &defined.stack[i]))
			return false;
	return true;
}

static void test_random_stacks(void)
{
	static uint64_t all[STACKS][DEPTH];
	static size_t depth[STACKS];
	static uint32_t id[STACKS];
	char table[FUNCTIONS * 32 + 64], expected[FOLDED], got[FOLDED];
	uint64_t rnd = 20241120;
	unsigned int wrong = 0;
	struct setup s;

	table_of_functions(table);
	setup(&s, table);
	for (size_t i = 0; i < STACKS; i++) {
		depth[i] = random_stack(&rnd, all, depth, i, all[i]);
		id[i] = stacks_id(s.stacks, all[i], depth[i]);
		wrong += id[i] == 0 || id[i] > stacks_count(s.stacks);
		if (i % 100 == 99)
			write_all(&s);
	}
	/* Once more, with other entries in the cache: the same ids. */
	for (size_t i = 0; i < STACKS; i++)
		wrong += stacks_id(s.stacks, all[i], depth[i]) != id[i];
	CU_ASSERT_EQUAL(wrong, 0);
	read_defined(&defined, &s.trace);
	CU_ASSERT_EQUAL(defined.stacks, stacks_count(s.stacks));
	for (size_t i = 0; i < STACKS; i++) {
		model_fold(all[i], depth[i], expected);
		fold_defined(id[i], got);
		wrong += strcmp(expected, got) != 0;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(nodes_are_unique());
	teardown(&s);
}

static const struct unit_test tests[] = {
	{ "lookup", test_lookup },
	{ "outside_of_text", test_outside_of_text },
	{ "ignored_symbols", test_ignored_symbols },
	{ "plainest_alias", test_plainest_alias },
	{ "modules", test_modules },
	{ "unsorted", test_unsorted },
	{ "garbage", test_garbage },
	{ "crlf", test_crlf },
	{ "long_lines", test_long_lines },
	{ "large_table", test_large_table },
	{ "nothing_there", test_nothing_there },
	{ "hidden", test_hidden },
	{ "ids_dense_and_stable", test_ids_dense_and_stable },
	{ "offsets", test_offsets },
	{ "no_stext", test_no_stext },
	{ "unknown_addresses", test_unknown_addresses },
	{ "hidden_symbols", test_hidden_symbols },
	{ "refresh", test_refresh },
	{ "refresh_keeps_what_is_pending", test_refresh_keeps_what_is_pending },
	{ "refresh_without_need", test_refresh_without_need },
	{ "refresh_once_an_address", test_refresh_once_an_address },
	{ "reused_address", test_reused_address },
	{ "stack_ids", test_stack_ids },
	{ "return_addresses", test_return_addresses },
	{ "deep_stack", test_deep_stack },
	{ "stack_after_refresh", test_stack_after_refresh },
	{ "random_stacks", test_random_stacks },
};

int main(void)
{
	return unit_main("record_symbols", tests, sizeof(tests) / sizeof(tests[0]));
}
