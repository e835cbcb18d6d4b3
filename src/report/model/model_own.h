/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model_own.h: which stacks are below BPF programs of the recorder's own, those of the records PROGRAM. Their samples belong
 * to the leaf "netcost itself" and not to the leaf that a program ran in.
 *
 * A function is an own program's if its module is TRACE_OWN_MODULE. Recorders before that module existed are judged by
 * names: bpf_prog_<tag>_<name of an own program>, unless the host has another program of that name.
 *
 * What leads to a program and back (bpf_trace_run1, a trampoline, a kprobe's handler) is own where own programs, and no
 * others, have been seen below the same caller when a sample is counted. Elsewhere it stays in its leaf: the own part is then too small, and never
 * somebody else's.
 *
 * The idle task's own programs stay idle time. What interrupts a program and begins another leaf belongs to that leaf.
 */
#ifndef NETCOST_REPORT_MODEL_OWN_H
#define NETCOST_REPORT_MODEL_OWN_H

#include <stdbool.h>
#include <stdint.h>

#include <netcost/idmap.h>

struct model;

struct model_own {
	uint8_t *symbol, *stack;    /* what each is: see model_own.c */
	size_t nsymbol, nstack;	    /* room */
	struct idmap names, others; /* of own programs and of others: a hash each */
	struct idmap places;	    /* callers of programs: whose programs were seen there */
	bool news;		    /* of a place that stacks were defined for before */
	uint64_t looked_at;	    /* stacks, again */
	uint32_t module;	    /* TRACE_OWN_MODULE's id; 0: the trace has none */
	bool found;		    /* an own program, by its name */
};

/* What an own program does, by its name. */
enum own_program {
	OWN_PROGRAM_PROBE,   /* in a class of probes (netcost/probes.h) */
	OWN_PROGRAM_SAMPLER, /* bpf/sample.bpf.c: the cost of a sample includes it */
	OWN_PROGRAM_PACKETS, /* in no class: of --latency, --tail and --stages */
	OWN_PROGRAM_REST, /* in no class: it counts drops, new cgroups or hits of the page cache, in almost no time */
};

enum own_program model_own_program_of(const char *name);

/*
 * Is it known which samples are below own programs: does the trace name their module, or has it functions that are called as
 * they are? And are these to be in a leaf of their own?
 */
bool model_own_known(const struct model *m);

void model_own_free(struct model_own *o);

/* A definition. Stacks: after m->stack[id] is set. Return 0 or -ENOMEM. */
int model_own_program(struct model *m, const char *name);
int model_own_other(struct model *m, const char *name);
void model_own_module(struct model *m, uint32_t id, const char *name);
int model_own_symbol(struct model *m, uint32_t id, const char *name, uint32_t module);
int model_own_reserve(struct model *m, size_t stacks);
/*
 * The class of a stack that is in the class `is` if what it calls is looked at alone; `was`: its caller's in the same sense.
 * -ENOMEM.
 */
int model_own_stack(struct model *m, uint32_t id, unsigned int was, unsigned int is);
/* A record has defined the stacks from `first` on. */
void model_own_stacks(struct model *m, uint32_t first);

#endif
