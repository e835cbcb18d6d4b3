/* SPDX-License-Identifier: BSD-2-Clause */
/* model_impl.h: what the files that make a model need of each other. */
#ifndef NETCOST_REPORT_MODEL_IMPL_H
#define NETCOST_REPORT_MODEL_IMPL_H

#include <stdint.h>

#include <netcost/trace.h>

#include "model.h"
#include "report/rewrite/rewrite.h"

/* What the files that make a model need of each other. */

/* model_keep.c */

/* Sets m->err and returns -EBADMSG. */
__attribute__((format(printf, 2, 3))) int model_damaged(struct model *m, const char *fmt, ...);

/* Keeps a string; embedded NULs become '?'. */
int model_keep(struct model *m, const char *s, size_t len, model_str *out);
/* Keeps the sentences of a reason (reasons.h). They may be longer than what the trace has: the budget pays for them. */
int model_keep_reason(struct model *m, const char *s, size_t len, model_str *out);
/* Keep the strings of a key, as sentences where the registry says that they are reasons. */
int model_keep_field(struct model *m, const struct trace_record *rec, unsigned int key,
		     model_str *out);
int model_keep_list(struct model *m, const struct trace_record *rec, unsigned int key,
		    struct model_strs *out);

/* counter_add() of a value of that key; steps back are counted. */
void model_count(struct model *m, struct counter *c, uint64_t v, uint64_t wrap, unsigned int type,
		 unsigned int key);

/* One more of that id. Memory for the map is taken from the budget. */
int model_count_id(struct model *m, struct countmap *map, uint32_t id);

/* The CPU of that number; made if it is new. */
int model_get_cpu(struct model *m, uint64_t number, struct model_cpu **cpu);
void model_free_cpu(struct model_cpu *c); /* takes NULL */

/* model_intern.c */
int model_reserve_stacks(struct model *m, size_t need);
int model_module(struct model *m, const struct trace_record *rec);
int model_symbols(struct model *m, const struct trace_record *rec);
int model_stacks(struct model *m, const struct trace_record *rec);
int model_tasks(struct model *m, const struct trace_record *rec);
int model_cgroups(struct model *m, const struct trace_record *rec);
/* Before anybody sees the record. */
int model_begin_samples(struct model *m, const struct trace_record *rec);
int model_samples(struct model *m, const struct trace_record *rec);

/* model_filter.c */
int model_select_tasks(struct model *m, struct trace_column tids, struct trace_column comms);
int model_select_cgroups(struct model *m, struct trace_column paths);
/* Sample by sample: for a filter of tasks, MODEL_CPU_TASKS and MODEL_CPU_CGROUPS. */
int model_count_each(struct model *m, struct model_cpu *cpu, const struct trace_record *rec);
/* n samples of a class that were taken in pauses, besides being counted as others are. */
void model_count_paused(const struct model *m, struct model_cpu *cpu, unsigned int class,
			uint64_t n);
/* When all has been read. */
void model_apply_filter(struct model *m);

/* model_about.c */
int model_context(struct model *m, const struct trace_record *rec);
/* When all has been read. */
void model_join_settings(struct model *m);

int model_source(struct model *m, const struct trace_record *rec);
int model_probe(struct model *m, const struct trace_record *rec);
/* A key of picoseconds, in ns; NaN: absent. */
double model_key_ns(const struct trace_record *rec, unsigned int key);
int model_probe_cost(struct model *m, const struct trace_record *rec);
int model_certificate(struct model *m, const struct trace_record *rec);

/* model_counters.c */
int model_tick(struct model *m, const struct trace_record *rec);
int model_sum(struct model *m, const struct trace_record *rec); /* after a record has been taken */
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
/* Ids are dense. */
int model_check_id(struct model *m, const char *what, uint64_t id, size_t highest);
/* When a counter was read: the middle of its reading; of a trace that does not have that, the tick. */
uint64_t model_read_at(const struct model *m, const struct trace_record *rec);

/* model_pauses.c */
int model_note_pause(struct model *m, const struct trace_record *tick);
void model_follow(struct model *m, const struct trace_record *tick);
void model_count_followed(struct model *m, const struct trace_record *rec);
/* The EXACT_LOSS of a tick has been read: when a pause ended. */
void model_end_pause(struct model *m);

/* model_energy.c */
int model_zone(struct model *m, const struct trace_record *rec);
int model_energy(struct model *m, const struct trace_record *rec);
/* All counters of a tick have been read. -ENOMEM. */
int model_energy_piece(struct model *m);
void model_free_zones(struct model *m);
/* model_processes.c */
int model_processes(struct model *m, const struct trace_record *rec);
/* Makes room for so many more, and for id 0. -ENOMEM. */
int model_reserve_processes(struct model *m, size_t more);
extern const struct store_query model_owner_stats_query, model_rx_fates_query;

/* model_latency.c */
int model_latency_only(struct model *m, const struct trace_record *rec);
int model_tail(struct model *m, const struct trace_record *rec);

/* model_stages.c */
/* Makes m->stages, unless it is there. -ENOMEM. */
int model_make_stages(struct model *m);
int model_stages(struct model *m, const struct trace_record *rec);
/* There is no more: what is on its way is unfinished. */
void model_end_stages(struct model *m);
void model_free_stages(struct model *m);

/* model_stores.c */
int model_take_asked(struct model *m, const struct trace_record *rec);
int model_take_stored(struct model *m, const struct trace_record *rec);
void model_free_stores(struct model *m);

/* ---- a part of the time ---------------------------------------------------------------- */

/*
 * The way from the reader to a model that is about a part of the time. The model gets the records of
 * a trace that was cut to that part.
 */

struct model_window;

/* take: gives the model a record of the window. NULL: no memory. */
struct model_window *model_window_new(const struct cut_plan *plan, struct model *m,
				      int (*take)(struct model *m, const struct trace_record *rec));
void model_window_free(struct model_window *w); /* takes NULL */

int model_window_feed(struct model_window *w, const struct trace_record *rec);
int model_window_read(struct model_window *w, struct trace_reader *r);

/* ---- families of sockets --------------------------------------------------------------- */

/*
 * The kind of socket that a sample's call is on, where the stack does not show it. The first part of
 * a send is the same for all sockets: an undecided sample counts as the task's last decided one did, for the
 * network or for local sockets. That is right for a task with sockets of one kind; if it has both, each kind gets,
 * in the long run, its share of the decided samples.
 */

struct model;
struct socket_families;

/* NULL: no memory. */
struct socket_families *socket_families_new(void);
void socket_families_free(struct socket_families *f); /* takes NULL */

/* Begins a SAMPLES record, whose samples are then decided one after the other. 0 or -ENOMEM. */
int socket_families_begin(struct socket_families *f, const struct model *m,
			  const struct trace_record *rec);
/*
 * The class of the record's i-th sample, whose stack has that class; i rises. Only where the class's family is not SOCKET_NONE:
 * other samples keep theirs.
 */
unsigned int socket_families_decide(struct socket_families *f, const struct model *m, uint32_t i,
				    unsigned int class);

/*
 * All samples of a record at once. *class: the class of each, in their order, valid until the next call. NULL: each has the
 * class of its stack (the model's rules have nothing undecided). Call it once for each record. 0 or -ENOMEM.
 */
int socket_families_see(struct socket_families *f, const struct model *m,
			const struct trace_record *rec, const uint16_t **class);

#endif
