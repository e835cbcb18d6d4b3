// SPDX-License-Identifier: BSD-2-Clause
#include "symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/array.h>
#include <netcost/hash.h>
#include <netcost/idmap.h>
#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "record/kernel/kallsyms.h"
#include "record/kernel/ksyms.h"

#define UNKNOWN_KEY UINT64_MAX /* no function starts at this address */
/* No function is larger than this. An address further behind a module's last symbol is not code. */
#define MAX_FUNCTION (1u << 20)

struct symbols {
	const char *path;
	struct ksyms *lazy;	/* NULL: `table` is used */
	struct kallsyms *table; /* NULL: `lazy` is used */
	bool missed;		/* a new address was not found since the table was read */
	uint32_t generation;

	struct idmap by_address, by_start;
	/* Addresses that were not found. Each address causes the table to be read again only once. */
	struct idmap unknown;
	uint32_t count;

	/* Symbols that are not written yet. Their names are in the table, which is kept until they are written. */
	const char **name;
	uint64_t *module_of;
	int64_t *offset;
	size_t npending, pending_size;

	uint64_t *own; /* start addresses of functions of the recorder's own programs */
	size_t nown;

	char **module; /* names of modules, by id - 1 */
	size_t modules_size;
	uint32_t nmodules, modules_written;
};

int symbols_new(struct symbols **sp, const char *path, struct ksyms *lazy)
{
	struct symbols *s = calloc(1, sizeof(*s));
	int err;

	*sp = s;
	if (!s) {
		ksyms_free(lazy);
		return -ENOMEM;
	}
	s->path = path;
	s->lazy = lazy;
	err = lazy ? 0 : kallsyms_read(&s->table, path);
	if (err) {
		symbols_free(s);
		*sp = NULL;
	}
	return err;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->nmodules; i++)
		free(s->module[i]);
	free(s->module);
	free(s->own);
	free(s->name);
	free(s->module_of);
	free(s->offset);
	idmap_free(&s->by_address);
	idmap_free(&s->by_start);
	idmap_free(&s->unknown);
	kallsyms_free(s->table);
	ksyms_free(s->lazy);
	free(s);
}

const char *symbols_via(const struct symbols *s)
{
	return s->lazy ? reason_snprintf : s->path;
}

bool symbols_hidden(const struct symbols *s)
{
	return s->table && kallsyms_hidden(s->table);
}

uint32_t symbols_count(const struct symbols *s)
{
	return s->count;
}

uint32_t symbols_generation(const struct symbols *s)
{
	return s->generation;
}

/* Returns the id of a module, 0 for the kernel itself, or -1 if out of memory. */
static int64_t module_id(struct symbols *s, const char *name)
{
	if (!*name)
		return 0;
	for (uint32_t i = 0; i < s->nmodules; i++)
		if (!strcmp(s->module[i], name))
			return i + 1;
	if (array_reserve(&s->module, &s->modules_size, s->nmodules + (size_t)1,
			  sizeof(*s->module)))
		return -1;
	s->module[s->nmodules] = strdup(name);
	if (!s->module[s->nmodules])
		return -1;
	return ++s->nmodules;
}

int symbols_set_own(struct symbols *s, const uint64_t *start, size_t n)
{
	if (!n)
		return 0;
	s->own = malloc(n * sizeof(*start));
	if (!s->own || module_id(s, TRACE_OWN_MODULE) < 0)
		return -ENOMEM;
	memcpy(s->own, start, n * sizeof(*start));
	s->nown = n;
	return 0;
}

/*
 * Maximum size of the padding before a function's first instruction (kCFI), which may be part of the function's symbol.
 */
#define BEFORE_FUNCTION 16

static const char *module_name(const struct symbols *s, const struct kallsym *k)
{
	for (size_t i = 0; i < s->nown; i++)
		if (k->addr <= s->own[i] && s->own[i] - k->addr <= BEFORE_FUNCTION)
			return TRACE_OWN_MODULE;
	return k->module;
}

static uint64_t base_of(const struct symbols *s, const struct kallsym *k)
{
	return s->lazy ? ksyms_base(s->lazy, k) : kallsyms_base(s->table, k);
}

static int add_pending(struct symbols *s, const struct kallsym *k)
{
	const struct array_column columns[] = {
		{ &s->name, sizeof(*s->name) },
		{ &s->module_of, sizeof(*s->module_of) },
		{ &s->offset, sizeof(*s->offset) },
	};
	int64_t module = k ? module_id(s, module_name(s, k)) : 0;

	if (module < 0 || array_reserve_columns(columns, 3, &s->pending_size, s->npending + 1))
		return -ENOMEM;
	s->name[s->npending] = k ? k->name : "";
	s->module_of[s->npending] = (uint64_t)module;
	s->offset[s->npending++] = k ? (int64_t)(k->addr - base_of(s, k)) : 0;
	return 0;
}

static uint64_t hash_str(uint64_t h, const char *s)
{
	return hash_add(h, s, strlen(s) + 1); /* the hash includes the NUL */
}

/* Returns a hash of start, name and module, because the addresses of a module or BPF program may be reused. */
static uint64_t symbol_key(const struct kallsym *k)
{
	return hash_str(hash_str(k->addr, k->name), k->module);
}

static uint32_t intern(struct symbols *s, const struct kallsym *k)
{
	uint64_t key = k ? symbol_key(k) : UNKNOWN_KEY;
	uint32_t id = idmap_get(&s->by_start, key);

	if (id)
		return id;
	id = s->count + 1;
	if (id >= TRACE_MAX_ID || add_pending(s, k) || idmap_set(&s->by_start, key, id))
		return 0;
	return s->count = id;
}

static int miss(struct symbols *s, uint64_t ip)
{
	if (idmap_get(&s->unknown, ip))
		return 0;
	s->missed = true;
	return idmap_set(&s->unknown, ip, 1);
}

void symbols_prefetch(const struct symbols *s, uint64_t ip)
{
	idmap_prefetch(&s->by_address, ip);
}

static struct kallsym *find(struct symbols *s, uint64_t ip)
{
	struct kallsym *k;

	if (s->lazy) /* an unknown address is looked up only once between two refreshes */
		return idmap_get(&s->unknown, ip) ? NULL : ksyms_find(s->lazy, ip);
	k = kallsyms_find(s->table, ip);
	return k && ip - k->addr <= MAX_FUNCTION ? k : NULL;
}

static uint32_t known_id(struct symbols *s, struct kallsym *k)
{
	return k->id ? k->id : (k->id = intern(s, k));
}

static uint32_t unknown_id(struct symbols *s, uint64_t ip)
{
	return miss(s, ip) ? 0 : intern(s, NULL);
}

uint32_t symbols_id(struct symbols *s, uint64_t ip)
{
	uint32_t id = idmap_get(&s->by_address, ip);
	struct kallsym *k;

	if (id)
		return id;
	k = find(s, ip);
	if (!k && s->lazy)
		return unknown_id(s, ip); /* a later lookup may find it without another table */
	id = k ? known_id(s, k) : unknown_id(s, ip);
	return id && !idmap_set(&s->by_address, ip, id) ? id : 0;
}

int symbols_refresh(struct symbols *s)
{
	struct kallsyms *fresh;
	int err;

	if (!s->missed || symbols_hidden(s) || s->npending)
		return 0;
	s->missed = false;
	if (s->lazy) {
		idmap_free(&s->unknown);
		return 0;
	}
	err = kallsyms_read(&fresh, s->path);
	if (err)
		return err;
	kallsyms_free(s->table);
	s->table = fresh;
	idmap_free(&s->by_address);
	s->generation++;
	return 0;
}

static int write_modules(struct symbols *s, struct trace_writer *w)
{
	int err = 0;

	for (; s->modules_written < s->nmodules && !err; s->modules_written++) {
		trace_writer_begin(w, TRACE_MODULE);
		trace_writer_uint(w, TRACE_MODULE_ID, s->modules_written + 1);
		trace_writer_str(w, TRACE_MODULE_NAME, s->module[s->modules_written]);
		err = trace_writer_end(w);
	}
	return err;
}

int symbols_write(struct symbols *s, struct trace_writer *w)
{
	size_t n = s->npending;
	int err = write_modules(s, w);

	s->npending = 0;
	if (err || !n)
		return err;
	trace_writer_begin(w, TRACE_SYMBOLS);
	trace_writer_uint(w, TRACE_SYMBOLS_FIRST, s->count - n + 1);
	trace_writer_strs(w, TRACE_SYMBOLS_NAME, s->name, n);
	trace_writer_uints(w, TRACE_SYMBOLS_MODULE, s->module_of, n);
	trace_writer_ints(w, TRACE_SYMBOLS_OFFSET, s->offset, n);
	return trace_writer_end(w);
}

void symbols_again(struct symbols *s)
{
	if (s->lazy)
		ksyms_forget_ids(s->lazy);
	else
		kallsyms_forget_ids(s->table);
	idmap_free(&s->by_address);
	idmap_free(&s->by_start);
	s->count = s->modules_written = 0;
	s->generation++;
}
