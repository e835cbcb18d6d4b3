// SPDX-License-Identifier: BSD-2-Clause
#include "model_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/hash.h>

#include "filter.h"
#include "report/rules/rules.h"

/* Kinds of functions. */
enum {
	PLAIN,
	RAW, /* leads to programs that are attached to tracepoints */
	/* calls programs that are attached to functions, and also calls the traced function itself */
	TRAMPOLINE,
	AROUND,	   /* a function that a trampoline calls before and after a program */
	PERF,	   /* leads to programs that are attached to kprobes and perf events */
	FOREIGN,   /* a BPF program that is not the recorder's own */
	OWN,	   /* one of the recorder's own programs, in a class of probes */
	OWN_OTHER, /* one of the recorder's own programs, in no class of probes */
};

/* Kinds of stacks: PLAIN, FOREIGN, OWN, OWN_OTHER, or LEADS, for a stack that leads to a program. */
#define LEADS RAW

/* Returns the bit of a kind of program that was seen below a caller. */
#define SEEN(kind) (1u << (kind))
#define SEEN_FOREIGN SEEN(OWN_KINDS)

/* The kernel truncates the names of programs to this length. */
#define KERNEL_NAME 15
#define PROGRAM "bpf_prog_"
#define TAG 16

static const struct {
	const char *begin;
	uint8_t is;
} ways[] = {
	{ "bpf_trace_run", RAW },
	{ "__bpf_trace_", RAW },
	{ "__traceiter_", RAW },
	{ "call_trace_", RAW },
	{ "bpf_trampoline_", TRAMPOLINE },
	{ "__bpf_prog_enter", AROUND },
	{ "__bpf_prog_exit", AROUND },
	{ "__bpf_tramp_", AROUND },
	{ "trace_call_bpf", PERF },
	{ "perf_trace_", PERF },
	{ "kprobe_", PERF },
	{ "kretprobe_", PERF },
	{ "__kretprobe_", PERF },
	{ "rethook_", PERF },
	{ "arch_rethook_", PERF },
	{ "fprobe_", PERF },
	{ "ftrace_trampoline", PERF },
	{ "optimized_callback", PERF },
};

static const uint8_t way_of[] = { [RAW] = 0, [TRAMPOLINE] = 1, [AROUND] = 1, [PERF] = 2 };

/* ---- functions --------------------------------------------------------------------------- */

void model_own_free(struct model_own *o)
{
	free(o->symbol);
	free(o->stack);
	idmap_free(&o->names);
	idmap_free(&o->others);
	idmap_free(&o->places);
}

static bool is_off(const struct model *m)
{
	return !m->classes || (m->filter && m->filter->with_own_cost);
}

bool model_own_known(const struct model *m)
{
	return !is_off(m) && (m->own.module || m->own.found);
}

static uint64_t name_key(const char *name, size_t most)
{
	return hash_add(HASH_START, name, strnlen(name, most));
}

int model_own_program(struct model *m, const char *name)
{
	int err = is_off(m) ? 0 : idmap_set(&m->own.names, name_key(name, SIZE_MAX), 1);

	return err || is_off(m) ? err : idmap_set(&m->own.names, name_key(name, KERNEL_NAME), 1);
}

int model_own_other(struct model *m, const char *name)
{
	return is_off(m) ? 0 : idmap_set(&m->own.others, name_key(name, KERNEL_NAME), 1);
}

void model_own_module(struct model *m, uint32_t id, const char *name)
{
	if (!strcmp(name, TRACE_OWN_MODULE))
		m->own.module = id;
}

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

/* Returns the name in bpf_prog_<tag>_<name>, or NULL if the symbol has another form, or contains no name. */
static const char *program_name(const char *symbol)
{
	const char *tag = symbol + strlen(PROGRAM);

	if (!begins(symbol, PROGRAM) || strspn(tag, "0123456789abcdef") != TAG || tag[TAG] != '_')
		return NULL;
	return tag + TAG + 1;
}

static bool is_own(const struct model_own *o, const char *name, uint32_t module)
{
	if (o->module)
		return module == o->module;
	return name && idmap_get(&o->names, name_key(name, SIZE_MAX)) &&
	       !idmap_get(&o->others, name_key(name, KERNEL_NAME));
}

enum own_program model_own_program_of(const char *name)
{
	static const struct {
		const char *begin;
		enum own_program is;
	} programs[] = {
		{ "netcost_sample", OWN_PROGRAM_SAMPLER },
		{ "path_", OWN_PROGRAM_PACKETS },
		/* older recorders used this prefix and the next one */
		{ "latency_", OWN_PROGRAM_PACKETS },
		{ "stages_", OWN_PROGRAM_PACKETS },
		{ "page_", OWN_PROGRAM_REST },
		{ "kfree_skb", OWN_PROGRAM_REST },
		{ "cgroup_mkdir", OWN_PROGRAM_REST },
	};

	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
		if (begins(name, programs[i].begin))
			return programs[i].is;
	return OWN_PROGRAM_PROBE;
}

static uint8_t symbol_is(const struct model_own *o, const char *symbol, uint32_t module)
{
	const char *name = program_name(symbol);

	if (is_own(o, name, module))
		return name && model_own_program_of(name) >= OWN_PROGRAM_PACKETS ? OWN_OTHER : OWN;
	if (begins(symbol, PROGRAM))
		return FOREIGN;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (begins(symbol, ways[i].begin))
			return ways[i].is;
	return PLAIN;
}

int model_own_symbol(struct model *m, uint32_t id, const char *name, uint32_t module)
{
	struct model_own *o = &m->own;

	if (is_off(m))
		return 0;
	if (array_reserve(&o->symbol, &o->nsymbol, id + (size_t)1, sizeof(*o->symbol)))
		return -ENOMEM;
	o->symbol[0] = PLAIN;
	o->symbol[id] = symbol_is(o, name, module);
	o->found |= o->symbol[id] >= OWN;
	return 0;
}

/* ---- stacks ------------------------------------------------------------------------------ */

int model_own_reserve(struct model *m, size_t stacks)
{
	int err = 0;

	if (is_off(m))
		return 0;
	err = array_reserve(&m->own.stack, &m->own.nstack, stacks, sizeof(*m->own.stack));
	if (!err)
		m->own.stack[0] = PLAIN;
	return err;
}

static uint8_t function_of(const struct model *m, uint32_t stack)
{
	uint32_t symbol = m->stack[stack].symbol;

	return symbol ? m->own.symbol[symbol] : PLAIN;
}

bool model_own_function(const struct model *m, uint32_t stack)
{
	uint8_t is = stack && m->own.symbol ? function_of(m, stack) : PLAIN;

	return is == OWN || is == OWN_OTHER;
}

/*
 * Returns a key for the place from which programs are called. The key consists of the symbol of the caller and the kind
 * of the functions that lead from the caller to the program. `stack` is the caller, or one of these functions. If none
 * of these functions shows the kind, the kind is a trampoline.
 */
static uint64_t place_of(const struct model *m, uint32_t stack)
{
	unsigned int way = way_of[TRAMPOLINE];

	for (; stack && m->own.stack[stack] == LEADS; stack = m->stack[stack].parent) {
		uint8_t is = function_of(m, stack);

		if (is >= RAW && is <= PERF)
			way = way_of[is];
	}
	return (uint64_t)m->stack[stack].symbol << 2 | way;
}

static int note(struct model *m, uint32_t caller, unsigned int seen)
{
	uint64_t place = place_of(m, caller);
	unsigned int before = idmap_get(&m->own.places, place);

	m->own.news |= before != (before | seen);
	return idmap_set(&m->own.places, place, before | seen);
}

/* Returns the kind of a stack that calls a plain function. */
static uint8_t call_plain(const struct model *m, uint32_t parent, bool same_leaf)
{
	uint8_t was = m->own.stack[parent];

	if (!same_leaf) /* an interrupt: another leaf begins */
		return PLAIN;
	if (was == LEADS && function_of(m, parent) == TRAMPOLINE)
		return PLAIN; /* this is the traced function itself */
	return was;
}

static uint8_t stack_is(const struct model *m, uint32_t id, bool same_leaf)
{
	uint32_t parent = m->stack[id].parent;
	uint8_t function = function_of(m, id), was = m->own.stack[parent];

	switch (function) {
	case PLAIN:
		return call_plain(m, parent, same_leaf);
	/* if this function is below one of the recorder's own programs, it is a subprogram with a separate name */
	case FOREIGN:
	case OWN:
	case OWN_OTHER:
		return was == OWN || was == OWN_OTHER ? was : function;
	default:
		return was == PLAIN ? LEADS : was;
	}
}

static void set_class(struct model *m, uint32_t id, unsigned int class, enum own_kind kind)
{
	m->class[id] = (uint16_t) class;
	if (stack_classes_leaf(m->classes, class) != LEAF_IDLE)
		m->class[id] = (uint16_t)stack_classes_own(m->classes, class, kind);
}

int model_own_stack(struct model *m, uint32_t id, unsigned int was, unsigned int is)
{
	uint32_t parent = m->stack[id].parent;
	uint8_t before, now;

	m->class[id] = (uint16_t)is;
	if (is_off(m))
		return 0;
	before = m->own.stack[parent];
	now = stack_is(m, id,
		       stack_classes_leaf(m->classes, was) == stack_classes_leaf(m->classes, is));
	m->own.stack[id] = now;
	if (now == OWN || now == OWN_OTHER)
		set_class(m, id, is, now == OWN ? OWN_PROBES : OWN_OTHERS);
	if (now == before || now == PLAIN || now == LEADS)
		return 0;
	return note(m, parent,
		    now == FOREIGN ? SEEN_FOREIGN : SEEN(now == OWN ? OWN_PROBES : OWN_OTHERS));
}

/* Decides whether the functions that lead to a program count as part of the recorder's own programs. */
static void decide(struct model *m, uint32_t id)
{
	unsigned int seen = idmap_get(&m->own.places, place_of(m, id));

	/* Undo an earlier decision. */
	m->class[id] = (uint16_t)stack_classes_measured(m->classes, m->class[id]);
	/*
	 * If the caller leads to both kinds of the recorder's own programs, OWN_PROBES is used, because the cost of a
	 * run in a class includes the functions that lead to the program.
	 */
	if (seen && !(seen & SEEN_FOREIGN))
		set_class(m, id, m->class[id], seen == SEEN(OWN_OTHERS) ? OWN_OTHERS : OWN_PROBES);
}

/*
 * Limits the time that a hostile trace can take. After this number of examinations, no stack is examined a second time.
 */
#define LOOKED_AT_MOST (1u << 24)

void model_own_stacks(struct model *m, uint32_t first)
{
	struct model_own *o = &m->own;

	if (is_off(m))
		return;
	if (o->news && o->looked_at + m->nstacks <= LOOKED_AT_MOST) {
		o->looked_at += m->nstacks;
		first = 1;
	}
	o->news = false;
	for (uint32_t id = first; id <= m->nstacks; id++)
		if (o->stack[id] == LEADS)
			decide(m, id);
}
