/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model.h: collects the data that a report needs from a trace, in one pass. The memory of a model depends on the number
 * of stacks, CPUs and interfaces, not on the number of samples and ticks. The file may be hostile, so every id, length
 * and CPU number is checked when the model is built. Code that reads a model needs no checks.
 */
#ifndef NETCOST_REPORT_MODEL_H
#define NETCOST_REPORT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/idmap.h>
#include <netcost/trace.h>

#include "model_records.h"
#include "report/store/store.h"
#include "report/rewrite/rewrite.h"
#include "report/spec/spec.h"
#include "report/rules/rules.h"

/* ---- own programs ---------------------------------------------------------------------- */

/*
 * Finds the stacks below the recorder's own BPF programs (the PROGRAM records), called own programs here. The samples
 * of these stacks belong to the leaf "netcost itself", not to the leaf in which a program ran.
 *
 * A function belongs to an own program if its module is TRACE_OWN_MODULE. In traces of recorders without that module,
 * the name of the function decides: bpf_prog_<tag>_<name of an own program>, unless the host has another program of
 * that name.
 *
 * The functions around a program (bpf_trace_run1, a trampoline, a kprobe's handler) count as own functions if no other
 * programs were seen below the same caller before the sample was counted. Otherwise these functions stay in their leaf.
 * So the recorder's own part may be too small, but never includes the cost of other programs.
 *
 * The time of own programs in the idle task stays idle time. If a program is interrupted and another leaf begins, the
 * time of the interrupt belongs to the new leaf.
 */

struct model;

struct model_own {
	uint8_t *symbol, *stack; /* kinds of the symbols and stacks: see model_own.c */
	size_t nsymbol, nstack;	 /* capacity */
	/* hashes of the names of the recorder's own programs, and of the host's other programs */
	struct idmap names, others;
	/* maps a caller of programs to the kinds of programs seen below the caller */
	struct idmap places;
	bool news; /* a caller's set of kinds changed after stacks were defined for this caller */
	uint64_t looked_at; /* number of stacks that were examined a second time */
	uint32_t module;    /* id of TRACE_OWN_MODULE; 0: the trace does not contain this module */
	bool found;	    /* one of the recorder's own programs was found by its name */
};

/* The purpose of one of the recorder's own programs, derived from its name. */
enum own_program {
	OWN_PROGRAM_PROBE, /* a program in a class of probes (netcost/probes.h) */
	/* the program of bpf/sample.bpf.c, whose cost is part of the cost of a sample */
	OWN_PROGRAM_SAMPLER,
	OWN_PROGRAM_PACKETS, /* a program of --latency, --tail or --stages, which is in no class */
	/* A program that counts drops, new cgroups or page cache hits in almost no time. It is in no class. */
	OWN_PROGRAM_REST,
};

enum own_program model_own_program_of(const char *name);

/*
 * Returns true if samples below the recorder's own programs are in a separate leaf. The trace must contain the module
 * of these programs, or functions with their names, and the user must want this leaf.
 */
bool model_own_known(const struct model *m);

/* Returns true if the innermost function of a stack is a BPF program of the recorder. */
bool model_own_function(const struct model *m, uint32_t stack);

struct stack_classes;
struct classifier;
struct socket_families;
struct filter;
struct model_window;

/* ---- the model --------------------------------------------------------------------------- */

/*
 * Called with each record before the model reads it, and with NULL after the last record. Returns 0 or a negative
 * errno.
 */
typedef int model_see_fn(void *ctx, const struct model *m, const struct trace_record *rec);

struct model {
	/* Complete after model_read(). With a window, the status is as for a whole trace. */
	struct trace_status status;
	uint64_t records[UINT8_MAX + 1]; /* number of records, by type */
	uint64_t read_tick[UINT8_MAX +
			   /* number of the last tick with such a record, by type; 0: no such record */
			   1];
	uint64_t samples;	     /* number of samples that the filter selects */
	uint64_t samples_in_all;     /* number of samples in the whole trace */
	const struct filter *filter; /* NULL: everything is selected */
	uint64_t nselected,
		/* number of tasks and cgroups that the filter selects, if it names any */
		nselected_cgroups;
	/* Number of CPUs in HEADER. In contrast, header.ncpus is the number of selected CPUs. */
	uint64_t recorded_cpus;
	struct model_window *window; /* NULL: the whole time */
	uint64_t origin_ns;	     /* origin of the displayed times; 0: header.start_ns */
	/* the data that was left out of the window; used only with a window */
	struct sound_result sound;
	bool gap; /* frames are missing, with their definitions and counters */
	struct {
		/* number of references to lost definitions */
		uint64_t stacks, symbols, tasks, cgroups;
	} lost;

	struct model_header header;
	uint32_t *header_cpus;			    /* array with header.ncpus elements */
	struct model_clock clock_first, clock_last; /* valid if records[TRACE_CLOCK] */
	uint64_t first_ns, last_ns; /* times of all frames; last_ns 0: there is no frame */
	struct {
		uint64_t at_ns;
		model_str why;
	} end;		   /* valid if status.ended */
	struct sums *sums; /* sums of the ticks; NULL: no sums */
	char note[160]; /* a false statement of the trace about itself; empty: no false statement */

	struct model_setting *setting; /* one entry per setting after model_read() */
	size_t nsettings;
	struct model_source *source;
	struct model_probe probe[MODEL_PROBES]; /* probes in the order of the trace */
	struct model_probe_cost probe_cost[NETCOST_PROBE_COUNT];
	/* The first moments that the user marked. records[TRACE_MARK] is the number of all of them. */
	struct model_moment moment[MODEL_MOMENTS];
	size_t nmoments;
	/* NULL: there are no such records, or they are not kept */
	struct store *store[MODEL_STORES];
	struct model_asked *asked; /* types requested with model_ask(); NULL: no request */
	size_t nasked;
	/* process[id], if kept. process[0] stands for the processes that were not distinguished. */
	struct model_process *process;
	uint32_t nprocesses;			/* highest process id */
	bool process_has[MODEL_PROCESS_VALUES]; /* true for the columns that the trace contains */
	/* One softirq in N was examined; this is N. 0: receivers were not recorded. */
	uint64_t owners_every;
	struct model_latency_only latency_only;
	struct model_tail tail[NETCOST_LATENCY_COUNT];
	struct model_stages *stages; /* see model_stages.h; NULL: not recorded */
	struct model_certificate certificate[MODEL_CERTIFICATES];
	size_t ncertificates;
	struct model_netdev *netdev; /* netdev and zone are indexed by id - 1 */
	struct model_zone *zone;
	struct model_program *program;	 /* indexed by id - 1 */
	struct model_protocol *protocol; /* indexed by id - 1 */
	struct model_drop *drop;
	struct model_other *other;
	size_t nsources, nprobes, nnetdevs, nzones, nprograms, nprotocols, ndrops, nothers;

	/* The following arrays are indexed by id. Index 0 is the empty stack, or the unknown symbol. */
	model_str *symbol;
	/* Module of each symbol; all are 0 unless modules are kept. module_name[] is indexed by module. */
	uint32_t *module;
	/*
	 * User-space files, by module: the number of addresses in the file, and the number of those with a known
	 * function.
	 */
	struct model_user_file {
		model_str name; /* MODEL_KERNEL for a module of the kernel */
		model_str build_id;
		uint32_t addresses, named;
	} * user_file;
	struct user_names *user_names;
	bool has_user;		/* the trace has user-space files */
	model_str *module_name; /* module_name[0] stands for the kernel itself */
	struct model_stack *stack;
	uint64_t *count; /* number of samples of each stack */
	/* Samples by stack and task, if kept; only in traces with user-space stacks. by_pair contains index + 1. */
	struct model_pair {
		uint32_t stack, task;
		uint64_t count;
	} * pair;
	struct idmap by_pair;
	uint32_t npairs;
	uint16_t *class; /* class of each stack */
	const uint16_t *
		/* class of each sample of the record; NULL: all samples have the class of their stack */
		sample_class;
	struct stack_classes *classes; /* NULL: there is no classifier, see model_leaf() */
	struct model_own own;	       /* the stacks below the recorder's own programs */
	struct model_task *task;       /* NULL unless kept */
	model_str (*cgroup)[MODEL_CGROUP_NAMES];		/* NULL unless kept */
	uint32_t nmodules, nsymbols, nstacks, ntasks, ncgroups; /* highest ids */

	struct model_cpu *cpu[TRACE_MAX_CPU]; /* NULL: the trace contains no data about the CPU */
	unsigned int cpu_end;		      /* highest CPU number + 1 */
	struct model_owners owners[MODEL_OWNERS_COUNT];

	uint64_t ticks;
	struct counter at_ns;	   /* times of the ticks */
	struct model_pause *pause; /* array with npauses elements, in chronological order */
	size_t npauses;
	struct model_windows windows;
	struct model_followed followed;
	uint64_t exact_tick_ns; /* time of the last tick with exact counters */
	double pause_off_ns;	/* total duration of all pauses before the last one; NaN: unknown */
	bool pause_ends;	/* a pause ends at this tick */
	struct counter torn, self_user_us, self_system_us;
	struct counter self_at_ns;    /* times of the readings of self_user_us and self_system_us */
	struct counter drops_at_ns;   /* time of the readings of drops */
	struct counter softnet_at_ns; /* time of the readings of softnet_stat */
	/* time in which runs of the recorder's own programs were counted */
	struct counter counted_ns;
	/* time in which runs of other BPF programs were counted */
	struct counter others_counted_ns;
	double energy_reading_ns; /* total time spent reading energy counters */
	uint64_t energy_reads;	  /* number of reads of energy counters */
	bool energy_due;	  /* this tick's energy counters have been read */
	/* index of the energy zone of each CPU's package; 0: unknown */
	uint8_t package[TRACE_MAX_CPU];
	uint16_t core[TRACE_MAX_CPU]; /* index of the energy zone of each CPU's core; 0: unknown */
	/* the largest number of other BPF programs that were left out at the same time */
	uint64_t others_left_out;
	/* Value of others_counted_ns.sum at the end of each interval. */
	uint64_t others_piece_ns[MODEL_PIECES];
	size_t others_pieces;
	/* number of readings of the other programs in the last interval; number of readings in each earlier interval */
	uint64_t others_looks, others_looks_most;
	uint64_t self_maxrss_kib;
	/* Number of EXACT records of events or parts that this version does not know. */
	uint64_t unknown_events;
	uint64_t unknown_probes; /* number of PROBE_RUNS records that this version does not know */
	/* number of decreases of counters; the next field is the key of the first one */
	uint64_t backwards;
	const struct trace_key_desc *backwards_key;

	/* The following fields are the state of the pass. */
	struct budget budget; /* memory for names and ids that are kept */
	struct socket_families *families;
	uint64_t seq;
	unsigned int keep;
	uint32_t *tick_cpu, tick_ncpus; /* CPUs of the last TICK */
	uint16_t *mark;			/* mark of each symbol */
	uint8_t *depth;			/* depth of each stack */
	/* tasks and cgroups that are selected, if the filter names any */
	bool *selected, *selected_cgroup;
	char *strings;
	size_t strings_len;
	struct model_caps {
		size_t process, pause, source, setting, netdev, zone, program, protocol, drop,
			other, symbol, mark, task, cgroup, strings, tick_cpu;
		size_t stack, count, class, depth, module, module_name, user_file, selected,
			selected_cgroup, pair;
	} cap;
	model_see_fn *see; /* NULL: no function */
	void *see_ctx;
	char err[160];
};

/*
 * Optional data: data that only some reports need and that costs memory, or data that most reports need and that costs
 * time.
 */
enum model_keep {
	MODEL_TASKS = 1,      /* the names of tasks */
	MODEL_CPU_STACKS = 2, /* samples by stack for each CPU */
	/* The paths of cgroups. A sample of an undefined cgroup is then an error. */
	MODEL_CGROUPS = 8,
	/* Keep neither counters nor leaves. Requires a model without a classifier. */
	MODEL_ONLY_STACKS = 4,
	MODEL_MODULES = 32,	 /* the modules of symbols */
	MODEL_CPU_TASKS = 16,	 /* samples by task and leaf, for each CPU: see model_owners */
	MODEL_PROCESSES = 128,	 /* counters by process */
	MODEL_LATENCY = 256,	 /* packet latency */
	MODEL_LATENCY_BY = 4096, /* packet latency by interface, cgroup or process */
	MODEL_STAGES = 512,	 /* packet paths */
	/* packet paths by the first of stages_by; the higher bits stand for the other elements of stages_by */
	MODEL_STAGES_BY = 8192,
	/* samples by stack and task, in traces with user-space stacks; needs MODEL_TASKS */
	MODEL_STACK_TASKS = 2048,
	MODEL_BY_STACK = 1024,	/* count samples only by stack, not by class */
	MODEL_CPU_CGROUPS = 64, /* samples by cgroup and leaf, for each CPU; needs MODEL_CGROUPS */
};

/* Creates a model. The classifier must outlive the model. Returns NULL if out of memory. */
struct model *model_new(unsigned int keep, const struct classifier *classifier);
void model_free(struct model *m); /* m may be NULL */
/*
 * Limits the model to the part of the trace that the filter selects. Call the function before the first record. The
 * filter must outlive the model.
 */
void model_set_filter(struct model *m, const struct filter *filter);
/*
 * Limits the memory of names and ids. 0 means the default. Call the function after model_set_filter() and before the
 * first record.
 */
void model_set_memory(struct model *m, uint64_t bytes);

/*
 * Limits the model to a part of the time. Call the function before the first record. The plan must outlive the model.
 * Returns 0 or -ENOMEM.
 */
int model_set_window(struct model *m, const struct cut_plan *plan);

/*
 * Requests the counts of records of more types; `types` is a list terminated by 0. See store_query_all(). Call the
 * function before the first record. Returns 0 or -ENOMEM.
 */
int model_ask(struct model *m, const uint8_t *types);
/* Returns the store of a requested type, or NULL if there were no such records, or if the type was not requested. */
const struct store *model_answer(const struct model *m, unsigned int type);

void model_set_see(struct model *m, model_see_fn *see, void *ctx);

/*
 * Adds one record. Returns 0, -EBADMSG if the record contradicts earlier records (see m->err), BUDGET_SPENT, or
 * -ENOMEM.
 */
int model_feed(struct model *m, const struct trace_record *rec);

/*
 * Adds all records. Returns 0 if all records were read, even if the file was cut off (see m->status). Otherwise,
 * returns an error of trace_reader_next() or model_feed(), and m->err or m->status.what contains the reason.
 */
int model_read(struct model *m, struct trace_reader *r);

/* The name of functions with lost definitions. */
#define MODEL_LOST "[lost]"

/* Describe the data that is missing because of damage. The text is empty if there is no damage. Return dst. */
char *damage_text(const struct trace_status *st, char *dst, size_t size);
char *model_damage(const struct model *m, char *dst, size_t size);

const char *model_string(const struct model *m, model_str s);
extern const struct store_query model_process_stats_query;
/* Returns the number of rows of packet dispositions. */
size_t model_fates(const struct model *m);
struct model_fate model_fate(const struct model *m, size_t i);
/* Return the path or another name of a cgroup, if these are kept. An empty string means unknown. */
const char *model_cgroup(const struct model *m, uint64_t id);
const char *model_cgroup_name(const struct model *m, uint64_t id, enum model_cgroup_name name);
/* Returns the seconds since the start of the recording. The result is negative for times before the start. */
double model_seconds(const struct model *m, uint64_t at_ns);
/* Returns CLOCK_REALTIME at a time of the trace, or 0 if it is unknown. */
uint64_t model_real_ns(const struct model *m, uint64_t at_ns);
/* Compares two settings by subject and name, as required by qsort(). */
int model_setting_compare(const struct model *ma, const struct model_setting *a,
			  const struct model *mb, const struct model_setting *b);
/* Returns true if the setting changed during the recording. */
bool model_setting_changed(const struct model *m, const struct model_setting *s);
/* Returns true if the values of the setting are known, or if it is known that the setting disappeared. */
bool model_setting_known(const struct model *m, const struct model_setting *s);
/* Return the names of an exact event, or NULL if the event is from a newer version. */
const char *model_event_key(uint64_t event);
const char *model_part_key(uint64_t part);
const char *model_part_title(uint64_t part);
const char *model_probe_key(uint64_t probe);
const char *model_probe_title(uint64_t probe);
/* Returns the leaf of a class. Without a classifier there are only two leaves: user mode, and the rest. */
enum leaf model_leaf(const struct model *m, unsigned int class);
/* Selects the stacks that are counted. */
struct model_choice {
	unsigned int leaves; /* only stacks of these leaves */
	/* only stacks of these categories, by number; NULL: all categories */
	const bool *categories;
};
bool model_is_chosen(const struct model *m, uint32_t stack, const struct model_choice *of);
/* Returns true if the innermost function of a stack is known and is a user-space function. */
bool model_is_user(const struct model *m, uint32_t stack);
/* Returns the class of sample i of the SAMPLES record that is being read. The stack must be defined. */
static inline unsigned int model_class(const struct model *m, size_t i, uint64_t stack)
{
	return m->sample_class ? m->sample_class[i] : m->class[stack];
}
/*
 * Returns true if some of the host's CPUs are missing in the model. In this case, host-wide counts do not match the
 * model's figures.
 */
bool model_is_of_some_cpus(const struct model *m);
/* Returns the source with this name, or NULL if the trace does not contain it. */
const struct model_source *model_find_source(const struct model *m, const char *name);
const struct model_probe *model_find_probe(const struct model *m, enum netcost_of of,
					   uint64_t number);
/* Returns true if the trace contains a method of measuring this object, and the method is not "off". */
bool model_is_measured(const struct model *m, enum netcost_of of, uint64_t number);
bool model_has_probes(const struct model *m, enum netcost_of of);
/* Returns true if packets were followed only a part of the time. */
bool model_follows_in_windows(const struct model *m);
/* Returns the title of a probe's event or part, or NULL if the probe belongs to neither. */
const char *model_probe_of(const struct model_probe *p);
/* Reads a PROBE_COST record, except for `why`, into cost[], and returns the entry, or NULL for an unknown probe. */
struct model_probe_cost *model_read_probe_cost(struct model_probe_cost *cost,
					       const struct trace_record *rec);
/*
 * Returns true if all CPUs and tasks are selected. Only in this case do host-wide counts and counts by process match
 * the model's figures.
 */
bool model_is_of_all(const struct model *m);
/* Returns true if the filter selects samples of this task and cgroup. */
bool model_is_selected(const struct model *m, uint64_t task, uint64_t cgroup);
/* Sums a CPU's samples by leaf. */
void model_leaves(const struct model *m, const struct model_cpu *c, uint64_t leaf[LEAF_COUNT]);
/*
 * Returns the leaf in which one of the recorder's own programs ran, for a class of stacks below the program. Returns
 * LEAF_OWN if the stacks of the class are not below such a program.
 */
enum leaf model_own_leaf(const struct model *m, unsigned int class, enum own_kind *kind);
/*
 * Counts a CPU's samples below the recorder's own programs, by the leaf in which the programs ran. all: samples taken
 * while exact times were counted. others: the part of these samples in programs without a class of probes. paused:
 * samples taken in pauses.
 */
void model_own_samples(const struct model *m, const struct model_cpu *c, uint64_t all[LEAF_COUNT],
		       uint64_t others[LEAF_COUNT], uint64_t paused[LEAF_COUNT]);
/*
 * A period around a moment in which exact counting was either paused throughout or not paused at all. All fields are
 * initially zero.
 */
struct model_around {
	uint64_t from_ns, to_ns;
	bool paused;
};
void model_find_pause(const struct model *m, struct model_around *around, uint64_t at_ns);
/*
 * Returns true if exact counting was paused at this moment. `around` contains the result for the previous moment. That
 * result stays valid until the next record is read.
 */
static inline bool model_is_paused(const struct model *m, struct model_around *around,
				   uint64_t at_ns)
{
	if (at_ns < around->from_ns || at_ns >= around->to_ns)
		model_find_pause(m, around, at_ns);
	return around->paused;
}
/*
 * Returns the number of packets with a known latency at a checkpoint. The number is for the whole time, and is
 * estimated from windows. *ci95 is the half-width of its 95 % interval. Both are NaN if there are too few windows for
 * an interval. Without pauses, the result is the counted number, and *ci95 is 0.
 */
double model_packets_in_all(const struct model *m, enum netcost_latency hook, double *ci95);
/* Returns how long exact counting was paused between two moments. */
double model_paused_ns(const struct model *m, uint64_t from_ns, uint64_t to_ns);
/* Return the number of lost samples of one CPU, and of all CPUs. */
uint64_t model_lost(const struct model_cpu *c);
uint64_t model_samples_lost(const struct model *m);
/* Returns the known CPU with the lowest number that is at least `cpu`, or NULL. */
struct model_cpu *model_next_cpu(const struct model *m, unsigned int cpu);
/* Samples of one owner and leaf. Owner 0 is unknown. */
struct model_owned {
	uint32_t owner;
	unsigned int leaf;
	uint64_t samples;
	const struct countmap *map; /* NULL: of all CPUs */
	const struct model_owners *owners;
	size_t at;
};
/*
 * Begins with a CPU's samples or, if c is NULL, with the samples of all CPUs in model_owners. One of the two is empty.
 */
struct model_owned model_owned(const struct model *m, const struct model_cpu *c,
			       enum model_owners_of of);
bool model_owned_next(struct model_owned *o); /* false at the end */
#define model_for_each_cpu(m, c)                                                                   \
	for ((c) = model_next_cpu(m, 0); (c); (c) = model_next_cpu(m, (c)->cpu + 1))

#endif
