/* SPDX-License-Identifier: BSD-2-Clause */
/* model_impl.h: the interface between the files that build a model. */
#ifndef NETCOST_REPORT_MODEL_IMPL_H
#define NETCOST_REPORT_MODEL_IMPL_H

#include <stdint.h>

#include <netcost/trace.h>

#include "model.h"
#include "report/rewrite/rewrite.h"

/* model_keep.c */

/* Sets m->err and returns -EBADMSG. */
__attribute__((format(printf, 2, 3))) int model_damaged(struct model *m, const char *fmt, ...);

/* Keeps a string; embedded NULs become '?'. */
int model_keep(struct model *m, const char *s, size_t len, model_str *out);
/*
 * Keeps the sentences of a reason (reasons.h). They may be longer than their text in the trace;
 * the budget accounts for them.
 */
int model_keep_reason(struct model *m, const char *s, size_t len, model_str *out);
/* Keeps the strings of a key, as sentences if the registry marks them as reasons. */
int model_keep_field(struct model *m, const struct trace_record *rec, unsigned int key,
		     model_str *out);
int model_keep_list(struct model *m, const struct trace_record *rec, unsigned int key,
		    struct model_strs *out);

/* Calls counter_add() for a value of that key, and counts decreases. */
void model_count(struct model *m, struct counter *c, uint64_t v, uint64_t wrap, unsigned int type,
		 unsigned int key);

/* Adds one to the count of that id. The map's memory is charged to the budget. */
int model_count_id(struct model *m, struct countmap *map, uint32_t id);

/* Returns the CPU of that number; creates a new one. */
int model_get_cpu(struct model *m, uint64_t number, struct model_cpu **cpu);
void model_free_cpu(struct model_cpu *c); /* accepts NULL */

/* model_intern.c */
int model_reserve_stacks(struct model *m, size_t need);
int model_module(struct model *m, const struct trace_record *rec);
int model_symbols(struct model *m, const struct trace_record *rec);
int model_stacks(struct model *m, const struct trace_record *rec);
int model_tasks(struct model *m, const struct trace_record *rec);
int model_cgroups(struct model *m, const struct trace_record *rec);
/* Call it before any other code sees the record. */
int model_begin_samples(struct model *m, const struct trace_record *rec);
int model_samples(struct model *m, const struct trace_record *rec);

/* model_filter.c */
int model_select_tasks(struct model *m, struct trace_column tids, struct trace_column comms);
int model_select_cgroups(struct model *m, struct trace_column paths);
/* Counts sample by sample: for a filter of tasks, MODEL_CPU_TASKS and MODEL_CPU_CGROUPS. */
int model_count_each(struct model *m, struct model_cpu *cpu, const struct trace_record *rec);
/* Counts n samples of a class as taken in pauses, in addition to the normal count. */
void model_count_paused(const struct model *m, struct model_cpu *cpu, unsigned int class,
			uint64_t n);
/* Call it after the last record. */
void model_apply_filter(struct model *m);

/* model_about.c */
int model_context(struct model *m, const struct trace_record *rec);
/* Call it after the last record. */
void model_join_settings(struct model *m);

int model_source(struct model *m, const struct trace_record *rec);
int model_probe(struct model *m, const struct trace_record *rec);
/* Reads a key in picoseconds as ns; NaN: absent. */
double model_key_ns(const struct trace_record *rec, unsigned int key);
int model_probe_cost(struct model *m, const struct trace_record *rec);
int model_certificate(struct model *m, const struct trace_record *rec);

/* model_counters.c */
int model_tick(struct model *m, const struct trace_record *rec);
/* call it after a record has been taken */
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
/* Checks that ids are dense. */
int model_check_id(struct model *m, const char *what, uint64_t id, size_t highest);
/* Returns when a counter was read: the middle of the reading, or the time of the tick if the trace does not have it. */
uint64_t model_read_at(const struct model *m, const struct trace_record *rec);

/* model_pauses.c */
int model_note_pause(struct model *m, const struct trace_record *tick);
void model_follow(struct model *m, const struct trace_record *tick);
void model_count_followed(struct model *m, const struct trace_record *rec);
/* Call it when the EXACT_LOSS of a tick has been read, which shows when a pause ended. */
void model_end_pause(struct model *m);

/* model_energy.c */
int model_zone(struct model *m, const struct trace_record *rec);
int model_energy(struct model *m, const struct trace_record *rec);
/* Call it when all counters of a tick have been read. -ENOMEM. */
int model_energy_piece(struct model *m);
void model_free_zones(struct model *m);
/* model_processes.c */
int model_processes(struct model *m, const struct trace_record *rec);
/* Makes room for `more` more, and for id 0. -ENOMEM. */
int model_reserve_processes(struct model *m, size_t more);
extern const struct store_query model_owner_stats_query, model_rx_fates_query;

/* model_latency.c */
int model_latency_only(struct model *m, const struct trace_record *rec);
int model_tail(struct model *m, const struct trace_record *rec);

/* model_stages.c */
/* Creates m->stages unless it exists. -ENOMEM. */
int model_make_stages(struct model *m);
int model_stages(struct model *m, const struct trace_record *rec);
/* Call it after the last record: packets in flight are unfinished. */
void model_end_stages(struct model *m);
void model_free_stages(struct model *m);

/* model_stores.c */
int model_take_asked(struct model *m, const struct trace_record *rec);
int model_take_stored(struct model *m, const struct trace_record *rec);
void model_free_stores(struct model *m);

/* ---- time windows ------------------------------------------------------------------- */

/*
 * Passes records from the reader to a model of a part of the time. The model gets the records of a
 * trace that was cut to that part.
 */

struct model_window;

/* take: gives the model a record of the window. Returns NULL if out of memory. */
struct model_window *model_window_new(const struct cut_plan *plan, struct model *m,
				      int (*take)(struct model *m, const struct trace_record *rec));
void model_window_free(struct model_window *w); /* accepts NULL */

int model_window_feed(struct model_window *w, const struct trace_record *rec);
int model_window_read(struct model_window *w, struct trace_reader *r);

/* ---- families of sockets --------------------------------------------------------------- */

/*
 * The socket family of a sample's call where the stack does not show it. The first part of a send
 * is the same for all sockets, so an undecided sample gets the family of the task's last decided
 * one: network or local. That is right for a task with one family of sockets; for a task with
 * both, each family gets its share of the decided samples in the long run.
 */

struct model;
struct socket_families;

/* Returns NULL if out of memory. */
struct socket_families *socket_families_new(void);
void socket_families_free(struct socket_families *f); /* accepts NULL */

/* Begins a SAMPLES record, whose samples are then decided one after the other. Returns 0 or -ENOMEM. */
int socket_families_begin(struct socket_families *f, const struct model *m,
			  const struct trace_record *rec);
/*
 * Returns the class of sample i of the record, given its stack's class; i must increase. Call it
 * only if the class's family is not SOCKET_NONE: other samples keep their class.
 */
unsigned int socket_families_decide(struct socket_families *f, const struct model *m, uint32_t i,
				    unsigned int class);

/*
 * Decides all samples of a record. *class: the class of each in their order, valid until the next call; NULL: each
 * sample has its stack's class, as the rules have nothing undecided. Call it once per record. Returns 0 or -ENOMEM.
 */
int socket_families_see(struct socket_families *f, const struct model *m,
			const struct trace_record *rec, const uint16_t **class);

#endif
