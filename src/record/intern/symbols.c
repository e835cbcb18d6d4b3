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
/* No function is larger than this. An address that is farther than this after a module's last symbol is not code. */
#define MAX_FUNCTION (1u << 20)

struct symbols {
	const char *path;
	struct ksyms *lazy;	/* NULL: `table` is used */
	struct kallsyms *table; /* NULL: `lazy` is used */
	bool missed; /* set if some new address was not found after the table was last read */
	uint32_t generation;

	struct idmap by_address, by_start;
	/* Addresses that were not found. Each address causes the table to be read again only once. */
	struct idmap unknown;
	uint32_t count;

	/*
	 * Symbols that are not written yet. Their names point into the table, which is kept until these symbols are
	 * written.
	 */
	const char **name;
	uint64_t *module_of;
	int64_t *offset;
	size_t npending, pending_size;

	uint64_t *own; /* start addresses of functions of the recorder's own programs */
	size_t nown;

	/* by id - 1: the module's name, and the build-id of a user-space file (NULL: a kernel module) */
	char **module, **build_id;
	size_t modules_size;
	struct idmap by_file; /* modules of user space by a hash of name and build-id */
	struct idmap by_user; /* by module and offset */
	uint32_t nuser;
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
	for (uint32_t i = 0; i < s->nmodules; i++) {
		free(s->module[i]);
		free(s->build_id[i]);
	}
	free(s->module);
	free(s->build_id);
	idmap_free(&s->by_file);
	idmap_free(&s->by_user);
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

/* Adds a kernel module, or a user-space file with its build-id. Returns the id, or -1 if out of memory. */
static int64_t add_module(struct symbols *s, const char *name, const char *build_id)
{
	const struct array_column columns[] = {
		{ &s->module, sizeof(*s->module) },
		{ &s->build_id, sizeof(*s->build_id) },
	};
	char *copy = strdup(name), *copy_id = build_id ? strdup(build_id) : NULL;

	if (!copy || (build_id && !copy_id) ||
	    array_reserve_columns(columns, 2, &s->modules_size, s->nmodules + (size_t)1)) {
		free(copy);
		free(copy_id);
		return -1;
	}
	s->module[s->nmodules] = copy;
	s->build_id[s->nmodules] = copy_id;
	return ++s->nmodules;
}

/* Returns the id of a module, 0 for the kernel itself, or -1 if out of memory. */
static int64_t module_id(struct symbols *s, const char *name)
{
	if (!*name)
		return 0;
	for (uint32_t i = 0; i < s->nmodules; i++)
		if (!s->build_id[i] && !strcmp(s->module[i], name))
			return i + 1;
	return add_module(s, name, NULL);
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

static int append_pending(struct symbols *s, const char *name, int64_t module, int64_t offset)
{
	const struct array_column columns[] = {
		{ &s->name, sizeof(*s->name) },
		{ &s->module_of, sizeof(*s->module_of) },
		{ &s->offset, sizeof(*s->offset) },
	};

	if (module < 0 || array_reserve_columns(columns, 3, &s->pending_size, s->npending + 1))
		return -ENOMEM;
	s->name[s->npending] = name;
	s->module_of[s->npending] = (uint64_t)module;
	s->offset[s->npending++] = offset;
	return 0;
}

static int add_pending(struct symbols *s, const struct kallsym *k)
{
	if (!k)
		return append_pending(s, "", 0, 0);
	return append_pending(s, k->name, module_id(s, module_name(s, k)),
			      (int64_t)(k->addr - base_of(s, k)));
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

/* ---- user space -------------------------------------------------------------------------- */

#define MAX_USER_MODULES (1u << 14)
#define MAX_USER_SYMBOLS (1u << 18)
#define MAX_USER_OFFSET (UINT64_C(1) << 44)
/* Kernel addresses are below this bit (s390x), or have all of the highest bits set. */
#define USER_ADDRESS (UINT64_C(1) << 62)

uint32_t symbols_user_module(struct symbols *s, const char *file, const char *build_id)
{
	uint64_t key = hash_str(hash_str(HASH_START, file), build_id);
	uint32_t id = idmap_get(&s->by_file, key);
	int64_t added;

	if (id && !strcmp(s->module[id - 1], file) && !strcmp(s->build_id[id - 1], build_id))
		return id;
	if (s->nmodules >= MAX_USER_MODULES && (*file || *build_id))
		return symbols_user_module(s, "", "");
	added = add_module(s, file, build_id);
	return added > 0 && !idmap_set(&s->by_file, key, (uint32_t)added) ? (uint32_t)added : 0;
}

uint32_t symbols_user_id(struct symbols *s, uint32_t module, uint64_t offset)
{
	uint64_t key;
	uint32_t id;

	if (offset >= MAX_USER_OFFSET)
		offset = 0;
	key = module * MAX_USER_OFFSET + offset;
	id = idmap_get(&s->by_user, key);
	if (id)
		return id;
	if (offset && s->nuser >= MAX_USER_SYMBOLS)
		return symbols_user_id(s, module, 0);
	id = s->count + 1;
	if (id >= TRACE_MAX_ID || append_pending(s, "", module, (int64_t)offset) ||
	    idmap_set(&s->by_user, key, id))
		return 0;
	s->nuser++;
	return s->count = id;
}

uint64_t symbols_user_address(uint32_t id)
{
	return USER_ADDRESS | (uint64_t)id << 1 | 1;
}

uint32_t symbols_id(struct symbols *s, uint64_t ip)
{
	uint32_t id = ip >> 61 == USER_ADDRESS >> 61 ? (uint32_t)(ip >> 1) :
						       idmap_get(&s->by_address, ip);
	struct kallsym *k;

	if (id)
		return id;
	k = find(s, ip);
	if (!k && s->lazy)
		/* not kept in by_address, because a later lookup may find the function without reading a table again */
		return unknown_id(s, ip);
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
		if (s->build_id[s->modules_written]) {
			trace_writer_str(w, TRACE_MODULE_BUILD_ID, s->build_id[s->modules_written]);
			trace_writer_str(w, TRACE_MODULE_FILE, s->module[s->modules_written]);
		} else {
			trace_writer_str(w, TRACE_MODULE_NAME, s->module[s->modules_written]);
		}
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
	idmap_free(&s->by_user);
	s->count = s->modules_written = s->nuser = 0;
	s->generation++;
}
