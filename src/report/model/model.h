/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model.h: collects the data that a report needs from a trace, in one pass. The memory of a model depends on the number
 * of stacks, CPUs and interfaces, not on the number of samples and ticks. The file may be hostile: every id, length and
 * CPU number is checked when the model is built, so code that reads a model needs no checks.
 */
#ifndef NETCOST_REPORT_MODEL_H
#define NETCOST_REPORT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/culprits.h>
#include <netcost/events.h>
#include <netcost/idmap.h>
#include <netcost/latency.h>
#include <netcost/parts.h>
#include <netcost/probe_of.h>
#include <netcost/probes.h>
#include <netcost/trace.h>

#include "report/store/store.h"
#include "report/rewrite/rewrite.h"
#include "report/spec/spec.h"
#include "report/base/stats.h"
#include "report/rules/rules.h"

/* Basic types of a model: strings and counters. */

typedef uint32_t model_str; /* see model_string() */

struct model_strs { /* n consecutive strings */
	model_str first;
	uint32_t n;
};

/*
 * A cumulative counter that is read at ticks. A decrease is reported, not repaired, and adds nothing. A counter wraps
 * at most once between two readings.
 */
struct counter {
	uint64_t first, last;
	uint64_t sum; /* sum of the increases */
	uint32_t readings, backwards, wraps;
	/* Used only for EXACT: the counter was unknown at a tick, so its total increase is unknown. */
	bool unknown;
};

/*
 * Adds a reading of a counter. TRACE_NIL is ignored. `wrap` is the largest value of the counter, which is followed by
 * 0; wrap = 0 means that the counter does not wrap.
 */
void counter_add(struct counter *c, uint64_t v, uint64_t wrap);
/* returns NaN if there are fewer than two readings */
double counter_moved(const struct counter *c);
double counter_last(const struct counter *c); /* returns NaN if there is no reading */

/* ---- own programs ---------------------------------------------------------------------- */

/*
 * Finds the stacks below the recorder's own BPF programs (the PROGRAM records). The samples of these stacks belong to
 * the leaf "netcost itself", not to the leaf in which a program ran.
 *
 * A function belongs to an own program if its module is TRACE_OWN_MODULE. In traces of recorders without that module,
 * the name of the function decides: bpf_prog_<tag>_<name of an own program>, unless the host has another program of
 * that name.
 *
 * The functions around a program (bpf_trace_run1, a trampoline, a kprobe's handler) count as own functions if only own
 * programs have been seen below the same caller by the time a sample is counted. Otherwise these functions stay in
 * their leaf. So the own part may be too small, but never includes the cost of other programs.
 *
 * The time of own programs in the idle task stays idle time. If a program is interrupted and another leaf begins, the
 * time of the interrupt belongs to the new leaf.
 */

struct model;

struct model_own {
	uint8_t *symbol, *stack; /* kinds of the symbols and stacks: see model_own.c */
	size_t nsymbol, nstack;	 /* capacity */
	/* hashes of the names of own programs, and of the host's other programs */
	struct idmap names, others;
	struct idmap places; /* maps a caller of programs to the kinds of programs seen below it */
	bool news; /* a caller's set of kinds changed after stacks were defined for this caller */
	uint64_t looked_at; /* number of stacks that were examined a second time */
	uint32_t module;    /* id of TRACE_OWN_MODULE; 0: the trace does not contain this module */
	bool found;	    /* an own program was found by its name */
};

/* The purpose of an own program, derived from its name. */
enum own_program {
	OWN_PROGRAM_PROBE, /* a program in a class of probes (netcost/probes.h) */
	/* the program of bpf/sample.bpf.c; the cost of a sample includes its cost */
	OWN_PROGRAM_SAMPLER,
	OWN_PROGRAM_PACKETS, /* a program of --latency, --tail or --stages, which is in no class */
	/* A program that counts drops, new cgroups or page cache hits in almost no time. It is in no class. */
	OWN_PROGRAM_REST,
};

enum own_program model_own_program_of(const char *name);

/*
 * Returns true if samples below own programs are in a separate leaf: the trace contains the own programs' module or
 * functions with their names, and the user wants this leaf.
 */
bool model_own_known(const struct model *m);

void model_own_free(struct model_own *o);

/* Add a definition. Call the function for a stack after m->stack[id] is set. Return 0 or -ENOMEM. */
int model_own_program(struct model *m, const char *name);
int model_own_other(struct model *m, const char *name);
void model_own_module(struct model *m, uint32_t id, const char *name);
int model_own_symbol(struct model *m, uint32_t id, const char *name, uint32_t module);
int model_own_reserve(struct model *m, size_t stacks);
/* Returns whether the innermost function of a stack is a BPF program of the recorder. */
bool model_own_function(const struct model *m, uint32_t stack);
/*
 * Sets the class of a stack. `is` is the stack's class if only its own functions are considered. `was` is the class of
 * the stack's caller in the same sense. Returns 0 or -ENOMEM.
 */
int model_own_stack(struct model *m, uint32_t id, unsigned int was, unsigned int is);
/* Call after a record has defined the stacks from `first` on. */
void model_own_stacks(struct model *m, uint32_t first);

/* ---- energy ---------------------------------------------------------------------------- */

/* Energy counters, and the activity of CPUs between two reads of the counters. */

struct model;

/*
 * One or more intervals between reads of an energy counter, and the activity of the CPUs that the counter covers. NaN:
 * unknown.
 */
struct model_energy_piece {
	double ns, joules;
	/* busy time in this interval, summed over the CPUs that the counter covers */
	double busy_ns;
};

/* limit; if there are more pieces, pairs of neighbours are merged */
#define MODEL_ENERGY_PIECES 512
#define MODEL_ENERGY_SERIES 64 /* maximum number of zones with pieces */

struct model_zone {
	model_str name, state, why; /* state empty: the trace does not contain the state */
	uint64_t parent, unit_nj, wrap;
	/* raw: only steps with a known energy, each from one read to the next; read_ns: all reads. */
	struct counter read_ns, raw;
	uint64_t told_ns, untold_ns; /* duration of the steps in raw, and of all other steps */
	uint64_t reads, unread;	     /* number of successful and failed reads */
	bool failed;		     /* the last read failed */
	/* errno of the last read. 0: the value was not a counter; TRACE_NIL: not recorded. */
	uint64_t error;
	struct model_energy_piece *piece;
	size_t npieces;
	/* number of reads per piece; number of reads in the last piece so far */
	unsigned int together;
	unsigned int in_last;
	double told_before, joules_before; /* values at the end of the last piece */
	/* Bit n: zone n + 1, which precedes this zone, may still turn out to show the same counter. */
	uint64_t same;
	uint64_t raw_now, raw_before; /* the zone's last two readings; TRACE_NIL: unknown */
};

/* A CPU's times at the last read of the energy counters. */
struct model_energy_time {
	double at_ns, covered_ns;     /* time of the tick; time covered by exact counters */
	double exact_ns, busy_ns;     /* online time and busy time within covered_ns */
	double stat_ns, stat_busy_ns; /* online time and busy time from /proc/stat */
};

/* Classify a zone by its name: a package, the memory of a package, or a core. */
bool model_is_package(const struct model *m, const struct model_zone *z);
bool model_is_dram(const struct model *m, const struct model_zone *z);
bool model_is_core(const struct model *m, const struct model_zone *z);
/*
 * Returns the id of the zone whose counter this zone duplicates, or 0 if there is no such zone. Each die of a package
 * has a zone. If the hardware counts per package (AMD Zen 1), all dies show the same counter.
 */
size_t model_zone_mirrors(const struct model_zone *z);
/* Returns the id of the package zone that covers a CPU, or 0 if the zone is unknown. */
size_t model_cpu_package(const struct model *m, unsigned int cpu);
/* Returns the id of the package that the zone is or belongs to, or 0 if there is no such package. */
size_t model_package_of(const struct model *m, const struct model_zone *z);
/* returns the energy of the time in told_ns */
double model_zone_joules(const struct model_zone *z);

/* ---- latencies ------------------------------------------------------------------------- */

/* Packet latency: by checkpoint, by interface and other keys, and of the slowest packets. */

struct model;

/*
 * The filter on packets whose latency was measured. A field that is 0 or "" matches any packet. defined: there is a
 * filter.
 */
struct model_latency_only {
	bool defined;
	model_str netdev, cgroup;
	uint64_t netns, ifindex, cgroup_id, pid, queue;
};

/* Maximum number of separate rows. Other keys are added to the remaining row of their checkpoint. */
#define MODEL_LATENCY_BYS 1024

/*
 * A row of an interface, cgroup or process at a checkpoint. It may also be the row of unknown keys, or the row of keys
 * that have no separate row.
 */
struct model_latency_by {
	unsigned int hook; /* enum netcost_latency */
	enum netcost_latency_by by;
	enum netcost_latency_which which;
	const char *name;    /* "": unknown */
	uint64_t number, id; /* meaning: see LATENCY_BY; TRACE_NIL: unknown */
	const struct dist *dist;
};

/* ---- what delayed the slowest packets of the ticks (LATENCY_TAIL) --------------------------- */

#define MODEL_CULPRITS 512 /* maximum number of separate rows; further culprits count as unknown */

/* Dims and values of MODEL_STORE_CULPRITS: the activities of CPUs while packets waited. */
enum {
	CULPRIT_HOOK = 1,
	CULPRIT_WHAT,
	CULPRIT_READER,
	CULPRIT_NUMBER,
	CULPRIT_NAME,
	CULPRIT_NS,
	CULPRIT_PACKETS,
	CULPRIT_FIRST
};

struct model_culprit {
	size_t at; /* index of the row in the store */
	enum netcost_latency hook;
	enum netcost_culprit what;
	bool reader;	  /* the culprit delayed packets while these waited for their reader */
	uint64_t number;  /* TRACE_NIL: no number */
	const char *name; /* "": no name */
	uint64_t ns;	  /* total time */
	/* number of packets that the culprit delayed; number of packets that it delayed most */
	uint64_t packets, first;
};

struct model_culprit model_culprit(const struct store *s, size_t row);

/* Reads the shares in a record: each culprit, and the time by which it delayed the packet. */
struct model_shares {
	enum netcost_latency hook;
	struct trace_column what, reader, number, name, ns;
};

/* Begins to read a record. Returns false if the record's checkpoint is from a newer version. */
bool model_shares_begin(struct model_shares *c, const struct trace_record *rec);
/* Reads the next share, and creates its row. Returns 1 on success, 0 after the last share, or -ENOMEM. */
int model_shares_next(struct model_shares *c, struct store *culprits, size_t *row, uint64_t *ns);

/* Dims and values of MODEL_STORE_TAIL_STEPS: the steps of the slowest packets between checkpoints. */
enum { TAIL_STEP_HOOK = 1, TAIL_STEP_FROM, TAIL_STEP_TO, TAIL_STEP_PACKETS, TAIL_STEP_NS };
#define MODEL_ENTRY NETCOST_LATENCY_COUNT /* value of `from`: the beginning of the packets' time */

/* The slowest packets of a checkpoint. */
struct model_tail {
	uint64_t packets, ns;
	/* number and total time of packets with recorded checkpoints */
	uint64_t path_packets, path_ns;
	uint64_t queue_packets, before,
		/* number of packets for which the predecessors in the queue were counted */
		before_most;
};

extern const struct store_query model_latency_query, model_latency_by_query, model_culprits_query;

/* Returns the checkpoint's row in MODEL_STORE_LATENCY, or -1. */
ptrdiff_t model_latency_row(const struct model *m, enum netcost_latency hook);
/* Returns the histogram of all packets of a checkpoint. Needs MODEL_LATENCY. */
const struct dist *model_latency_dist(const struct model *m, enum netcost_latency hook);
/* Returns the number of packets without a time. */
uint64_t model_latency_lost(const struct model *m, enum netcost_latency hook,
			    enum netcost_latency_loss loss);
/* Returns the number of rows of m->store[MODEL_STORE_LATENCY_BY]. Needs MODEL_LATENCY_BY. */
size_t model_latency_bys(const struct model *m);
/* Reads a row of a store of LATENCY_BY. */
struct model_latency_by model_latency_by(const struct store *s, size_t row);

struct stack_classes;
struct classifier;
struct sums;
struct socket_families;
struct cut_plan;
struct filter;
struct model_window;

/* ---- parts of a trace -------------------------------------------------------------------- */

struct model_header {
	uint64_t major, minor, cpus_possible, cpus_online, ncpus, sample_hz, sample_period, tick_ms,
		user_hz, start_ns, budget_ppm;
	model_str tool, kernel, machine, cpu_model, sampler, sample_event, sampled, exact, host;
	struct model_strs derived;
};

struct model_clock {
	uint64_t mono_ns, real_ns, boot_ns, error_ns;
};

struct model_source {
	model_str name, state, via, why;
};

/* A setting of the host, with its first and last value. */
struct model_setting {
	model_str subject, name;
	/* why: the reason for which the setting was not read; the value is then empty. */
	model_str first, first_why, value, why;
	size_t place; /* position in the trace */
};

/*
 * A time without exact counters, in which the recorder's probes were detached. to_ns is UINT64_MAX if the pause lasted
 * until the end.
 */
struct model_pause {
	uint64_t from_ns, to_ns;
};

/* Increases of the exact counters in windows between pauses, summed over CPUs. */
#define MODEL_WINDOWS 32
struct model_windows {
	size_t n;
	struct model_window_sums {
		double wall_ns, ns[NETCOST_EV_COUNT];
	} sum[MODEL_WINDOWS +
	      1]; /* sums over `each` windows; the last element is a sum over `joined` windows */
	unsigned int each, joined;
	struct model_window_sums before; /* values of the counters at the end of the last window */
};

/*
 * Packets are followed all the time, or in windows (TICK's unfollowed_ns). This struct contains the windows' durations
 * and counts, and the packets that the CPUs processed according to /proc/net/softnet_stat, which is also counted
 * between windows. Following packets slows down the measured load. So the ratio of followed to processed packets
 * predicts the packets between windows better than the number of packets per window.
 */
struct model_followed {
	/* total duration between ticks; duration in which packets were followed */
	double all_ns, on_ns;
	double packets[NETCOST_LATENCY_COUNT];
	double off_processed; /* packets processed while packets were not followed */
	/*
	 * Completed windows that began at a random moment. Each element is a sum over `each` of them, the last element
	 * over `joined` of them.
	 */
	struct model_followed_sums {
		double ns, processed, packets[NETCOST_LATENCY_COUNT];
	} window[MODEL_WINDOWS];
	size_t nwindows;
	unsigned int each, joined;
	struct model_followed_sums now; /* the current window */
	uint64_t at_ns;			/* time of the last tick */
	bool off;	  /* packets were not followed during the time before the last tick */
	bool paused;	  /* there was an earlier time in which packets were not followed */
	double processed; /* packets that the CPUs processed up to the previous tick */
};

#define MODEL_PROBES 80 /* limit; this version knows fewer objects than this */

/* The method that measured an event, a part of the RX softirq, a checkpoint, a stage or the tail. */
struct model_probe {
	enum netcost_of of;
	uint64_t number; /* number of the event, part, checkpoint or stage */
	model_str method, reason;
	struct model_strs hooks, refused;
	/*
	 * Kinds of calls that the recorder tested the method with, and kinds that it saw. Both are 0 if there was no
	 * test.
	 */
	uint64_t tested, seen;
	struct model_strs unseen;
};

/* The recorder's counts of a known load that it generated itself. NaN: unknown. */
#define MODEL_CERTIFICATES 16 /* limit; further certificates are not kept */
struct model_certificate {
	model_str when, state, why;
	double cpu, injected_ns, found_ns, error_ns, packets, packets_counted, bytes, bytes_counted,
		tested, seen, took_ns, cpu_ns;
};

/* A moment that the user marked. */
struct model_moment {
	uint64_t at_ns;
	model_str text;
};

struct model_stack {
	uint32_t parent; /* 0: this function is the outermost one */
	uint32_t symbol; /* 0: unknown */
};

struct model_task {
	uint64_t tid, tgid; /* TRACE_NIL: unknown */
	model_str comm;
};

enum model_netdev_key {
	NETDEV_RX_PACKETS,
	NETDEV_RX_BYTES,
	NETDEV_RX_ERRORS,
	NETDEV_RX_DROPPED,
	NETDEV_TX_PACKETS,
	NETDEV_TX_BYTES,
	NETDEV_TX_ERRORS,
	NETDEV_TX_DROPPED,
	NETDEV_KEYS,
};

/* Last readings of an interface's hard interrupts on a CPU. TRACE_NIL: not read yet. */
struct model_irqs {
	uint64_t interrupts, ns;
};

struct model_netdev {
	model_str name, driver;
	uint64_t netns;
	struct counter at_ns; /* times of the interface's readings */
	struct counter counter[NETDEV_KEYS];
	struct counter irqs_at_ns; /* times of the readings of the interface's interrupts */
	/* Sums since the first reading, on the CPUs that the filter selects. */
	uint64_t interrupts, irqs_ns;
	bool irqs_timed;
	struct model_irqs *irqs_last; /* array by CPU, with irqs_cpus elements */
	size_t irqs_cpus;
};

/* One of the recorder's own BPF programs. */
struct model_program {
	model_str name, function;
	struct counter runs, run_ns, recursion, missed;
	/* Cost of a run, in ns: see PROGRAM. NaN: unknown. */
	double entry_ns, counted_ns, statistics_ns;
};

/* The cost of a run in a class of the recorder's probes, in ns. NaN: unknown. */
struct model_probe_cost {
	bool there; /* the trace contains a record of this cost */
	double ns, ci95, inside_ns, inside_ci95;
	model_str why;
};

/* The columns of PROCSTAT, in the order of their keys. */
enum model_stat {
	STAT_USER,
	STAT_NICE,
	STAT_SYSTEM,
	STAT_IDLE,
	STAT_IOWAIT,
	STAT_IRQ,
	STAT_SOFTIRQ,
	STAT_STEAL,
	STAT_GUEST,
	STAT_GUEST_NICE,
	STAT_COUNT,
};

/* The columns of SOFTIRQS, in the order of their keys. */
enum model_softirq {
	SOFTIRQ_HI,
	SOFTIRQ_TIMER,
	SOFTIRQ_NET_TX,
	SOFTIRQ_NET_RX,
	SOFTIRQ_BLOCK,
	SOFTIRQ_IRQ_POLL,
	SOFTIRQ_TASKLET,
	SOFTIRQ_SCHED,
	SOFTIRQ_HRTIMER,
	SOFTIRQ_RCU,
	SOFTIRQ_COUNT,
};

struct model_cpu {
	unsigned int cpu;
	uint64_t tick; /* number of the last tick that contained the CPU */

	struct counter exact_at_ns; /* times of the readings of the exact counters */
	struct counter ns[NETCOST_EV_COUNT], calls[NETCOST_EV_COUNT];
	struct counter failed[NETCOST_EV_COUNT], bytes[NETCOST_EV_COUNT];
	struct counter packets[NETCOST_EV_COUNT]; /* packets polled by NAPI */
	struct counter untracked, sends_outside, recvs_outside, sends_inside, recvs_inside;
	struct counter parts_missed, polls_outside;
	struct counter part_ns[NETCOST_PART_COUNT], part_total_ns[NETCOST_PART_COUNT];
	struct counter part_calls[NETCOST_PART_COUNT];
	struct counter offline_ns; /* time without an event, in the steps of exact_at_ns */
	/* The part of offline_ns in which the CPU was online but nothing was counted. */
	struct counter off_ns;
	/* Numbers of runs of probes, by event. */
	struct counter runs_of[NETCOST_PROBE_COUNT][NETCOST_EV_COUNT];
	struct counter written, lost, throttled, unsampled_ns, cut;
	struct counter stat[STAT_COUNT];
	/* Idle time from /proc/stat, including iowait, in units of 1 / user_hz s; and the times of its readings. */
	struct counter stat_idle, stat_idle_at_ns;
	/* Numbers of the first and the last tick with a reading, from 1 on. 0: no reading. */
	uint64_t stat_idle_first, stat_idle_last;
	struct counter processed, dropped, squeezed;
	struct counter softirqs[SOFTIRQ_COUNT];

	/* Number of lost samples, from the last FRAME. */
	uint64_t frame_lost;
	uint64_t samples; /* number of samples that the filter selects */
	/* Number of samples of tasks that the filter excludes. */
	uint64_t rest[LEAF_COUNT];
	/* The parts of samples[] and rest[] that were taken in pauses. */
	uint64_t paused[LEAF_COUNT], paused_rest[LEAF_COUNT];
	/* Samples below own programs that were taken in pauses, as in model_own_samples(). */
	uint64_t paused_own[2][LEAF_COUNT];
	uint64_t *class; /* number of samples per class: see model_leaves() */
	size_t nclasses;
	struct countmap stacks;		/* samples by stack id, if kept */
	struct countmap tasks, cgroups; /* samples by id * LEAF_COUNT + leaf, if kept */

	struct model_energy_time energy; /* times at the last read of energy counters */
};

/* A counter of a protocol. */
struct model_protocol {
	model_str name;
	struct counter at_ns; /* times of the counter's readings */
	struct counter value;
};

/* Packets that a CPU dropped for a reason. */
struct model_drop {
	model_str reason;
	uint64_t cpu;
	struct counter packets;
};

#define MODEL_PIECES 32 /* limit; if there are more pieces, pairs of neighbours are merged */

/* A BPF program of the host that is not the recorder's own. */
struct model_other {
	model_str name, kind, attached;
	struct counter runs, run_ns, unseen_ns;
	/* Sums of the program at the end of each of the model.others_pieces intervals of the counted time. */
	struct model_other_piece {
		uint64_t runs, run_ns, unseen_ns;
	} piece[MODEL_PIECES];
};

/* Maximum number of separate rows of OUTSIDE, as in a recording. Further rows are added to a row without a family. */
#define MODEL_OUTSIDE 64

/* Stores of SINCE records: see store.h. */
enum model_store {
	MODEL_STORE_LATENCY,
	MODEL_STORE_LATENCY_BY,
	MODEL_STORE_OUTSIDE,
	MODEL_STORE_PROCESSES,
	MODEL_STORE_OWNERS,
	MODEL_STORE_FATES,
	MODEL_STORE_STEPS, /* steps of packet paths: model_stages.h */
	MODEL_STORE_RULES,
	MODEL_STORE_DROPPED,
	MODEL_STORE_CULPRITS, /* culprits of the slowest packets */
	MODEL_STORE_TAIL_STEPS,
	MODEL_STORES
};

/* The columns of PROCESS_STATS except the first, in the order of their keys. */
#define MODEL_PROCESS_VALUES                                                                       \
	(TRACE_PROCESS_STATS_CACHE_MISSES_NS - TRACE_PROCESS_STATS_SWITCHES + 1)
#define MODEL_PROCESS_VALUE(KEY) (TRACE_PROCESS_STATS_##KEY - TRACE_PROCESS_STATS_SWITCHES)
#define MODEL_PROCESS_KEY(value) ((value) + TRACE_PROCESS_STATS_SWITCHES)

#define MODEL_FATES                                                                                \
	256 /* limit of rows of packet dispositions; further ones are added to the rows without a name */

/*
 * The disposition of packets. NETCOST_FATE_DROPPED has a row for each reason, and NETCOST_FATE_FORWARDED a row for each
 * interface.
 */
struct model_fate {
	unsigned int fate;
	const char *what; /* the reason or interface; "": unknown, or another disposition */
	/*
	 * total time; when the disposition of packets becomes known, their time moves to another row, so the total can
	 * be negative
	 */
	int64_t ns;
	uint64_t packets, squares;
};

/* Names of a cgroup, in the order of the keys of CGROUPS. */
enum model_cgroup_name {
	MODEL_CGROUP_PATH,
	MODEL_CGROUP_POD,
	MODEL_CGROUP_NAMESPACE,
	MODEL_CGROUP_CONTAINER,
	MODEL_CGROUP_IMAGE,
	MODEL_CGROUP_WORKLOAD,
	MODEL_CGROUP_NAMES
};

/* A process in a cgroup. */
struct model_process {
	uint64_t pid, start_ns, user; /* TRACE_NIL: unknown */
	model_str name;
	uint32_t cgroup;
	bool kernel;
};

#define MODEL_MOMENTS 1000 /* limit; further moments are only in the output of dump */

/* ---- the model --------------------------------------------------------------------------- */

struct model;

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
	/* The first moments. records[TRACE_MARK] is the number of all moments. */
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
	struct model_netdev *netdev; /* indexed by id - 1, as is `zone` */
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
	/* Files of user space by module, and of how many addresses the function is known. */
	struct model_user_file {
		model_str name; /* MODEL_KERNEL for a module of the kernel */
		model_str build_id;
		uint32_t addresses, named;
	} * user_file;
	struct user_names *user_names;
	bool has_user;		/* there are files of user space */
	model_str *module_name; /* module_name[0] stands for the kernel itself */
	struct model_stack *stack;
	uint64_t *count; /* number of samples of each stack */
	/* Samples by stack and task, in traces with stacks of user space, if kept; by_pair: index + 1. */
	struct model_pair {
		uint32_t stack, task;
		uint64_t count;
	} * pair;
	struct idmap by_pair;
	uint32_t npairs;
	uint16_t *class; /* class of each stack */
	const uint16_t *
		/* class of each sample of the record, for samples that have another class than their stack */
		sample_class;
	struct stack_classes *classes; /* NULL: there is no classifier, see model_leaf() */
	struct model_own own;	       /* the stacks below own programs */
	struct model_task *task;       /* NULL unless kept */
	model_str (*cgroup)[MODEL_CGROUP_NAMES];		/* NULL unless kept */
	uint32_t nmodules, nsymbols, nstacks, ntasks, ncgroups; /* highest ids */

	struct model_cpu *cpu[TRACE_MAX_CPU]; /* NULL: the trace contains no data about the CPU */
	unsigned int cpu_end;		      /* highest CPU number + 1 */

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
	struct counter counted_ns;    /* time in which runs of own programs were counted */
	struct counter others_counted_ns; /* time in which runs of other programs were counted */
	double energy_reading_ns;	  /* total time spent reading energy counters */
	uint64_t energy_reads;		  /* number of reads of energy counters */
	bool energy_due;		  /* this tick's energy counters have been read */
	/* index of the energy zone of each CPU's package; 0: unknown */
	uint8_t package[TRACE_MAX_CPU];
	uint16_t core[TRACE_MAX_CPU]; /* index of the energy zone of each CPU's core; 0: unknown */
	/* the largest number of programs that were left out at the same time */
	uint64_t others_left_out;
	/* Value of others_counted_ns.sum at the end of each interval. */
	uint64_t others_piece_ns[MODEL_PIECES];
	size_t others_pieces;
	/* number of readings of the programs in the last interval; number in each of the other intervals */
	uint64_t others_looks, others_looks_most;
	uint64_t self_maxrss_kib;
	/* Number of EXACT records of events or parts that this version does not know. */
	uint64_t unknown_events;
	uint64_t unknown_probes; /* number of PROBE_RUNS records that this version does not know */
	uint64_t backwards;	 /* number of counters that decreased; below: the first of them */
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
	/* Neither counters nor leaves. There must be no classifier. */
	MODEL_ONLY_STACKS = 4,
	MODEL_MODULES = 32,   /* the modules of symbols */
	MODEL_CPU_TASKS = 16, /* samples by task and leaf, for each CPU */
	/* MODEL_CPU_TASKS is switched off if --memory is too small for it; otherwise that is an error */
	MODEL_TASKS_IF_ROOM = 1 << 30,
	MODEL_PROCESSES = 128,	 /* counters by process */
	MODEL_LATENCY = 256,	 /* packet latency */
	MODEL_LATENCY_BY = 4096, /* packet latency by interface, cgroup or process */
	MODEL_STAGES = 512,	 /* packet paths */
	/* packet paths by the first of stages_by; the higher bits stand for the other elements of stages_by */
	MODEL_STAGES_BY = 8192,
	/* samples by stack and task, in traces with stacks of user space; needs MODEL_TASKS */
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
const char *model_event_title(uint64_t event);
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
/* Returns whether the innermost function of a stack is known and of user space. */
bool model_is_user(const struct model *m, uint32_t stack);
/* Returns the class of sample i of the SAMPLES record that is being read. The stack must be defined. */
static inline unsigned int model_class(const struct model *m, size_t i, uint64_t stack)
{
	return m->sample_class ? m->sample_class[i] : m->class[stack];
}
/*
 * Returns whether some of the host's CPUs are missing in the model. In this case, host-wide counts do not match the
 * model's figures.
 */
bool model_is_of_some_cpus(const struct model *m);
/* Returns the source with this name, or NULL if the trace does not contain it. */
const struct model_source *model_find_source(const struct model *m, const char *name);
const struct model_probe *model_find_probe(const struct model *m, enum netcost_of of,
					   uint64_t number);
/* Returns true if the trace contains a method for this object, and the method is not "off". */
bool model_is_measured(const struct model *m, enum netcost_of of, uint64_t number);
bool model_has_probes(const struct model *m, enum netcost_of of);
/* Returns the title of a probe's event or part, or NULL if the probe belongs to neither. */
const char *model_probe_of(const struct model_probe *p);
/* Reads a PROBE_COST record, except for `why`, into cost[], and returns the entry, or NULL for an unknown probe. */
struct model_probe_cost *model_read_probe_cost(struct model_probe_cost *cost,
					       const struct trace_record *rec);
/*
 * Returns whether all CPUs and tasks are selected. Only in this case do host-wide counts and counts by process match
 * the model's figures.
 */
bool model_is_of_all(const struct model *m);
/* Returns true if the filter selects samples of this task and cgroup. */
bool model_is_selected(const struct model *m, uint64_t task, uint64_t cgroup);
/* Sums a CPU's samples by leaf. */
void model_leaves(const struct model *m, const struct model_cpu *c, uint64_t leaf[LEAF_COUNT]);
/*
 * Returns the leaf in which an own program ran, for a class of stacks below the program. Returns LEAF_OWN if the stacks
 * of the class are not below an own program.
 */
enum leaf model_own_leaf(const struct model *m, unsigned int class, enum own_kind *kind);
/*
 * Counts a CPU's samples below own programs, by the leaf in which the programs ran. all: samples taken while exact
 * times were counted. others: the part of these samples in programs without a class of probes. paused: samples taken in
 * pauses.
 */
void model_own_samples(const struct model *m, const struct model_cpu *c, uint64_t all[LEAF_COUNT],
		       uint64_t others[LEAF_COUNT], uint64_t paused[LEAF_COUNT]);
/* The time around a moment in which exact counting was either always or never paused. All fields are initially zero. */
struct model_around {
	uint64_t from_ns, to_ns;
	bool paused;
};
void model_find_pause(const struct model *m, struct model_around *around, uint64_t at_ns);
/*
 * Returns true if exact counting was paused at this moment. `around` contains the result for the previous moment. It
 * stays valid until the next record is read.
 */
static inline bool model_is_paused(const struct model *m, struct model_around *around,
				   uint64_t at_ns)
{
	if (at_ns < around->from_ns || at_ns >= around->to_ns)
		model_find_pause(m, around, at_ns);
	return around->paused;
}
/*
 * Returns the number of packets with a known latency at a checkpoint in the whole time, estimated from windows. *ci95
 * is the half-width of its 95 % interval. Both are NaN if there are too few windows for an interval. Without pauses, the
 * result is the counted number, and *ci95 is 0.
 */
double model_packets_in_all(const struct model *m, enum netcost_latency hook, double *ci95);
/* Returns how long exact counting was paused between two moments. */
double model_paused_ns(const struct model *m, uint64_t from_ns, uint64_t to_ns);
/* Return the number of lost samples of one CPU, and of all CPUs. */
uint64_t model_lost(const struct model_cpu *c);
uint64_t model_samples_lost(const struct model *m);
/* Returns the known CPU with the lowest number that is at least `cpu`, or NULL. */
struct model_cpu *model_next_cpu(const struct model *m, unsigned int cpu);
#define model_for_each_cpu(m, c)                                                                   \
	for ((c) = model_next_cpu(m, 0); (c); (c) = model_next_cpu(m, (c)->cpu + 1))

#endif
