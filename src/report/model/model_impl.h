/* SPDX-License-Identifier: BSD-2-Clause */
/* model_impl.h: the interface between the files that build a model. */
#ifndef NETCOST_REPORT_MODEL_IMPL_H
#define NETCOST_REPORT_MODEL_IMPL_H

#include <stdint.h>

#include <netcost/trace.h>

#include "model.h"
#include "report/rewrite/rewrite.h"

/* name in user_file[] of a kernel module; no string has this number */
#define MODEL_KERNEL ((model_str)-1)

/* model_keep.c */

/* Writes a message to m->err. Returns -EBADMSG. */
__attribute__((format(printf, 2, 3))) int model_damaged(struct model *m, const char *fmt, ...);

/* Keeps a string. Embedded NULs become '?'. */
int model_keep(struct model *m, const char *s, size_t len, model_str *out);
/*
 * Keeps a reason as whole sentences (reasons.h), which may be longer than its text in the trace. The budget accounts
 * for their length.
 */
int model_keep_reason(struct model *m, const char *s, size_t len, model_str *out);
/* Keeps the strings of a key. If the registry marks the key as a reason, the strings are kept as sentences. */
int model_keep_field(struct model *m, const struct trace_record *rec, unsigned int key,
		     model_str *out);
int model_keep_list(struct model *m, const struct trace_record *rec, unsigned int key,
		    struct model_strs *out);

/* Calls counter_add() with a value of the key, and counts decreases. */
void model_count(struct model *m, struct counter *c, uint64_t v, uint64_t wrap, unsigned int type,
		 unsigned int key);

/* Adds n to the count of an id. The map's memory is charged to the budget. */
int model_count_id(struct model *m, struct countmap *map, uint32_t id, uint64_t n);
/* Adds n samples to an owner and leaf, whose id is owner * LEAF_COUNT + leaf. */
int model_count_owner(struct model *m, struct model_cpu *cpu, enum model_owners_of of, uint32_t id,
		      uint64_t n);

/* Finds the CPU with this number, or creates it. */
int model_get_cpu(struct model *m, uint64_t number, struct model_cpu **cpu);
void model_free_cpu(struct model_cpu *c); /* c may be NULL */

/* model_intern.c */
struct socket_families *socket_families_new(void);    /* NULL: out of memory */
void socket_families_free(struct socket_families *f); /* f may be NULL */
int model_reserve_stacks(struct model *m, size_t need);
int model_module(struct model *m, const struct trace_record *rec);
int model_symbols(struct model *m, const struct trace_record *rec);
int model_stacks(struct model *m, const struct trace_record *rec);
int model_tasks(struct model *m, const struct trace_record *rec);
int model_cgroups(struct model *m, const struct trace_record *rec);
/* Prepares a SAMPLES record. Call the function before any other code reads the record. */
int model_begin_samples(struct model *m, const struct trace_record *rec);
int model_samples(struct model *m, const struct trace_record *rec);

/* model_filter.c */
int model_select_tasks(struct model *m, struct trace_column tids, struct trace_column comms);
int model_select_cgroups(struct model *m, struct trace_column paths);
/* Counts the samples one by one, as a filter of tasks and MODEL_CPU_CGROUPS require. */
int model_count_each(struct model *m, struct model_cpu *cpu, const struct trace_record *rec);
/* Counts n samples of a class as samples taken in pauses, in addition to the normal count. */
void model_count_paused(const struct model *m, struct model_cpu *cpu, unsigned int class,
			uint64_t n);
/* Applies the filter to the model. Call the function after the last record. */
void model_apply_filter(struct model *m);

/* model_about.c */
int model_context(struct model *m, const struct trace_record *rec);
/* Call the function after the last record. */
void model_join_settings(struct model *m);

int model_source(struct model *m, const struct trace_record *rec);
int model_probe(struct model *m, const struct trace_record *rec);
/* Reads a key in picoseconds. Returns the value in ns, or NaN if the key is absent. */
double model_key_ns(const struct trace_record *rec, unsigned int key);
int model_probe_cost(struct model *m, const struct trace_record *rec);
int model_certificate(struct model *m, const struct trace_record *rec);

/* model_counters.c */
int model_tick(struct model *m, const struct trace_record *rec);
/* Call the function after the model has read the record. */
int model_sum(struct model *m, const struct trace_record *rec);
int model_probe_runs(struct model *m, const struct trace_record *rec);
int model_exact(struct model *m, const struct trace_record *rec);
int model_per_cpu(struct model *m, const struct trace_record *rec);
int model_softnet(struct model *m, const struct trace_record *rec);
int model_netdev(struct model *m, const struct trace_record *rec);
int model_netdev_stats(struct model *m, const struct trace_record *rec);
int model_program(struct model *m, const struct trace_record *rec);
int model_program_stats(struct model *m, const struct trace_record *rec);
int model_self(struct model *m, const struct trace_record *rec);
int model_mark(struct model *m, const struct trace_record *rec);
int model_counter_names(struct model *m, const struct trace_record *rec);
int model_protocols(struct model *m, const struct trace_record *rec);
int model_drop_reasons(struct model *m, const struct trace_record *rec);
int model_drops(struct model *m, const struct trace_record *rec);
int model_other_programs(struct model *m, const struct trace_record *rec);
int model_other_stats(struct model *m, const struct trace_record *rec);
int model_irqs(struct model *m, const struct trace_record *rec);
void model_free_netdevs(struct model *m);
/* Checks that the ids of definitions are consecutive. */
int model_check_id(struct model *m, const char *what, uint64_t id, size_t highest);

/* model_own.c */
void model_own_free(struct model_own *o);
/* Add a definition. Call the function for a stack after m->stack[id] is set. Return 0 or -ENOMEM. */
int model_own_program(struct model *m, const char *name);
int model_own_other(struct model *m, const char *name);
void model_own_module(struct model *m, uint32_t id, const char *name);
int model_own_symbol(struct model *m, uint32_t id, const char *name, uint32_t module);
int model_own_reserve(struct model *m, size_t stacks);
/*
 * Sets the class of a stack. `is` is the stack's class if only its own functions are considered. `was` is the class of
 * the stack's caller in the same sense. Returns 0 or -ENOMEM.
 */
int model_own_stack(struct model *m, uint32_t id, unsigned int was, unsigned int is);
/* Call after a record has defined the stacks from `first` on. */
void model_own_stacks(struct model *m, uint32_t first);

/* model_pauses.c */
int model_note_pause(struct model *m, const struct trace_record *tick);
void model_follow(struct model *m, const struct trace_record *tick);
void model_count_followed(struct model *m, const struct trace_record *rec);
/*
 * Ends a pause. Call the function when the EXACT_LOSS of a tick has been read, because this record shows when the pause
 * ended.
 */
void model_end_pause(struct model *m);

/* model_energy.c */
int model_zone(struct model *m, const struct trace_record *rec);
int model_energy(struct model *m, const struct trace_record *rec);
/* Call the function when all counters of a tick have been read. Returns 0 or -ENOMEM. */
int model_energy_piece(struct model *m);
void model_free_zones(struct model *m);

/* model_latency.c */
int model_latency_only(struct model *m, const struct trace_record *rec);
int model_tail(struct model *m, const struct trace_record *rec);

/* model_stages.c */
/* Creates m->stages unless it exists. Returns 0 or -ENOMEM. */
int model_make_stages(struct model *m);
int model_stages(struct model *m, const struct trace_record *rec);
/* Counts packets in flight as unfinished. Call the function after the last record. */
void model_end_stages(struct model *m);
void model_free_stages(struct model *m);

/* model_stores.c */
int model_processes(struct model *m, const struct trace_record *rec);
int model_take_asked(struct model *m, const struct trace_record *rec);
int model_take_stored(struct model *m, const struct trace_record *rec);
void model_free_stores(struct model *m);

/* ---- time windows ------------------------------------------------------------------- */

/*
 * Passes records from the reader to a model of a part of the time. The model gets the same records as from a trace that
 * was cut to this part.
 */

struct model_window;

/* Creates a window. `take` passes a record of the window to the model. Returns NULL if out of memory. */
struct model_window *model_window_new(const struct cut_plan *plan, struct model *m,
				      int (*take)(struct model *m, const struct trace_record *rec));
void model_window_free(struct model_window *w); /* w may be NULL */

int model_window_feed(struct model_window *w, const struct trace_record *rec);
int model_window_read(struct model_window *w, struct trace_reader *r);

#endif
