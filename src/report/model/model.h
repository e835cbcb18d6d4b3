/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model.h: what a report needs from a trace, collected in one pass. Its size depends on how many stacks, CPUs and
 * interfaces there are, not on how many samples and ticks. The file may be hostile: every id, length and CPU number
 * is checked here, so that those who read a model need no checks.
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

/* How far a counter moved, and a name: what the parts of a model are made of. */

typedef uint32_t model_str; /* see model_string() */

struct model_strs { /* n strings in a row */
	model_str first;
	uint32_t n;
};

/*
 * A cumulative counter over the ticks. If it went backwards, that is reported, not repaired: the step back
 * adds nothing. A counter that wraps does so at most once between two readings.
 */
struct counter {
	uint64_t first, last;
	uint64_t sum; /* of the steps forward */
	uint32_t readings, backwards, wraps;
	bool unknown; /* of EXACT: at some tick it was not known any more; nor then is how much it moved */
};

/* Ignores TRACE_NIL. wrap: largest value, after which comes 0; 0: the counter does not wrap. */
void counter_add(struct counter *c, uint64_t v, uint64_t wrap);
double counter_moved(const struct counter *c); /* NaN with fewer than two readings */
double counter_last(const struct counter *c);  /* NaN without a reading */

/* ---- own programs ---------------------------------------------------------------------- */

/*
 * Which stacks are below BPF programs of the recorder's own, those of the records PROGRAM. Their samples belong
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

/* ---- energy ---------------------------------------------------------------------------- */

/* Energy counters, as the model has them, and what CPUs did between two reads of them. */

struct model;

/* Between two reads of an energy counter, or several: what the CPUs did that it counts for. NaN: not known. */
struct model_energy_piece {
	double ns, joules;
	double busy_ns; /* of all of them, in that time */
};

#define MODEL_ENERGY_PIECES 512 /* when there are so many, each two neighbours become one */
#define MODEL_ENERGY_SERIES 64	/* so many zones have pieces */

struct model_zone {
	model_str name, state, why; /* state: empty: not said */
	uint64_t parent, unit_nj, wrap;
	/* raw: only of the steps between reads that tell the energy; read_ns: all reads */
	struct counter read_ns, raw;
	uint64_t told_ns, untold_ns; /* the time of these steps, and of the others */
	uint64_t reads, unread;	     /* how often it was read, and could not be … */
	bool failed;		     /* … the last time */
	uint64_t error; /* errno of the last time; 0: it was no counter; TRACE_NIL: not said */
	struct model_energy_piece *piece;
	size_t npieces;
	unsigned int together; /* reads in a piece, and in the last one so far */
	unsigned int in_last;
	double told_before, joules_before; /* when the last piece ended */
	/* Bit n: so far it may be the same counter as that of zone n + 1, which comes before it. */
	uint64_t same;
	uint64_t raw_now,
		raw_before; /* at the last two readings of all zones; TRACE_NIL: not known */
};

/* How it was at the last read of energy counters. */
struct model_energy_time {
	double at_ns, covered_ns;     /* the tick; what exact counters cover */
	double exact_ns, busy_ns;     /* of that it was online, and busy */
	double stat_ns, stat_busy_ns; /* likewise, by /proc/stat */
};

/* By its name: the whole of a socket; the memory beside it; one core, not all of them. */
bool model_is_package(const struct model *m, const struct model_zone *z);
bool model_is_dram(const struct model *m, const struct model_zone *z);
bool model_is_core(const struct model *m, const struct model_zone *z);
/*
 * The id of the zone whose counter it shows once more; 0: none. Each die of a package has a zone, and where the hardware counts
 * for the package (AMD Zen 1) all of them show the same counter.
 */
size_t model_zone_mirrors(const struct model_zone *z);
/* The package zone that counts for a CPU, as an id; 0: not known. */
size_t model_cpu_package(const struct model *m, unsigned int cpu);
/* The id of the package that it is, or is below; 0: none. */
size_t model_package_of(const struct model *m, const struct model_zone *z);
double model_zone_joules(const struct model_zone *z); /* of the time that is told */

/* ---- latencies ------------------------------------------------------------------------- */

/* For how long packets waited, as the model has it: by hook, by interface and the like, and the slowest. */

struct model;

/* Of which packets alone it was measured. 0 or "": of any; defined: of some only. */
struct model_latency_only {
	bool defined;
	model_str netdev, cgroup;
	uint64_t netns, ifindex, cgroup_id, pid, queue;
};

#define MODEL_LATENCY_BYS 1024 /* so many are kept apart; more are in the rest of their hook */

/* Of one interface, cgroup or process at a hook; or of those of which it is not known, or that are not kept apart. */
struct model_latency_by {
	unsigned int hook; /* enum netcost_latency */
	enum netcost_latency_by by;
	enum netcost_latency_which which;
	const char *name;    /* "": not known */
	uint64_t number, id; /* as it is called; see LATENCY_BY; TRACE_NIL: not known */
	const struct dist *dist;
};

/* ---- what delayed the slowest packets of the ticks (LATENCY_TAIL) --------------------------- */

#define MODEL_CULPRITS 512 /* rows that are kept apart; of more it is not known what they were */

/* Dims and values of MODEL_STORE_CULPRITS: what CPUs did while packets waited. */
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
	size_t at; /* its row in the store */
	enum netcost_latency hook;
	enum netcost_culprit what;
	bool reader;		 /* while its reader was waited for */
	uint64_t number;	 /* TRACE_NIL: none */
	const char *name;	 /* "": none */
	uint64_t ns;		 /* in all */
	uint64_t packets, first; /* that it delayed; that it delayed most of the time */
};

struct model_culprit model_culprit(const struct store *s, size_t row);

/* The shares of a record: what took how much of the time of its packet. */
struct model_shares {
	enum netcost_latency hook;
	struct trace_column what, reader, number, name, ns;
};

/* False: the record is of no hook that this version knows. */
bool model_shares_begin(struct model_shares *c, const struct trace_record *rec);
/* 1: the next one is of this row, which it makes. 0: there is none. -ENOMEM. */
int model_shares_next(struct model_shares *c, struct store *culprits, size_t *row, uint64_t *ns);

/* Dims and values of MODEL_STORE_TAIL_STEPS: from a checkpoint that such packets passed to the next one. */
enum { TAIL_STEP_HOOK = 1, TAIL_STEP_FROM, TAIL_STEP_TO, TAIL_STEP_PACKETS, TAIL_STEP_NS };
#define MODEL_ENTRY NETCOST_LATENCY_COUNT /* from: where their time begins */

/* The slowest packets of a hook. */
struct model_tail {
	uint64_t packets, ns;
	uint64_t path_packets, path_ns; /* whose checkpoints were recorded */
	uint64_t queue_packets, before,
		before_most; /* for which those before them in their queue were counted */
};

extern const struct store_query model_latency_query, model_latency_by_query, model_culprits_query;

/* Its row in MODEL_STORE_LATENCY; -1: there is none. */
ptrdiff_t model_latency_row(const struct model *m, enum netcost_latency hook);
/* Of all packets of a hook. With MODEL_LATENCY. */
const struct dist *model_latency_dist(const struct model *m, enum netcost_latency hook);
/* Packets without a time. */
uint64_t model_latency_lost(const struct model *m, enum netcost_latency hook,
			    enum netcost_latency_loss loss);
/* Rows of m->store[MODEL_STORE_LATENCY_BY]. With MODEL_LATENCY_BY. */
size_t model_latency_bys(const struct model *m);
/* A row of any store of LATENCY_BY. */
struct model_latency_by model_latency_by(const struct store *s, size_t row);

/*
 * What a report needs from a trace, collected in one pass. Its size depends on how many stacks, CPUs and
 * interfaces there are, not on how many samples and ticks. The file may be hostile: every id, length and CPU number
 * is checked here, so that those who read a model need no checks.
 */

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

/* A setting of the host: as it was first, and last. */
struct model_setting {
	model_str subject, name;
	model_str first, first_why, value, why; /* why: it was not read; its value is empty then */
	size_t place;				/* in the trace */
};

/* A time without exact counters: the recorder had its probes detached. UINT64_MAX: it had to the end. */
struct model_pause {
	uint64_t from_ns, to_ns;
};

/* What the exact counters of all CPUs moved by in windows between pauses. */
#define MODEL_WINDOWS 32
struct model_windows {
	size_t n;
	struct model_window_sums {
		double wall_ns, ns[NETCOST_EV_COUNT];
	} sum[MODEL_WINDOWS + 1]; /* of `each` windows; the last of `joined` */
	unsigned int each, joined;
	struct model_window_sums before; /* counters at the end of the last window */
};

/*
 * Packets are followed all the time, or in windows (TICK's unfollowed_ns): for how long, and what was counted in each, beside
 * the packets that the CPUs processed by /proc/net/softnet_stat. That costs nothing, and so goes on between windows. What
 * follows packets slows down the load that it measures: their number in a window says less of the time between windows than
 * their number for each packet that was processed does.
 */
struct model_followed {
	double all_ns, on_ns; /* between ticks */
	/* Windows at a random moment that have ended: how many, for how long, packets processed in them, the squares of these. */
	double windows, in_ns, in_processed, in_processed2;
	double off_processed;	      /* while packets were not followed */
	uint64_t at_ns;		      /* of the last tick */
	bool off;		      /* packets were not followed up to it */
	bool paused;		      /* they were not, at some time before */
	double processed;	      /* by the CPUs, up to the tick before it */
	double now_ns, now_processed; /* what goes on */
	struct {
		double n; /* packets */
		double in, in2,
			in_processed; /* in those windows; squares of these, and products with the packets processed */
		double now;
	} hook[NETCOST_LATENCY_COUNT];
};

#define MODEL_PROBES 80 /* no more numbers are known */

/* How an event, a part of the RX softirq, a hook of latency, a stage or the tail is measured. */
struct model_probe {
	enum netcost_of of;
	uint64_t number; /* of the event, part, hook or stage */
	model_str method, reason;
	struct model_strs hooks, refused;
	uint64_t tested, seen; /* kinds of calls that the recorder tested it with; 0, 0: none */
	struct model_strs unseen;
};

/* What the recorder counted of a known load of its own. NaN: not known. */
#define MODEL_CERTIFICATES 16 /* so many are kept */
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
	uint32_t parent; /* 0: this is the outermost function */
	uint32_t symbol; /* 0: not known */
};

struct model_task {
	uint64_t tid, tgid; /* TRACE_NIL: not known */
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

/* Hard interrupts of an interface on a CPU, as last read; TRACE_NIL: not read yet. */
struct model_irqs {
	uint64_t interrupts, ns;
};

struct model_netdev {
	model_str name, driver;
	uint64_t netns;
	struct counter at_ns; /* when it was read */
	struct counter counter[NETDEV_KEYS];
	struct counter irqs_at_ns; /* when its interrupts were read */
	/* since the first reading, of the CPUs that the filter takes */
	uint64_t interrupts, irqs_ns;
	bool irqs_timed;
	struct model_irqs *irqs_last; /* by CPU, up to irqs_cpus */
	size_t irqs_cpus;
};

/* A BPF program of the recorder's own. */
struct model_program {
	model_str name, function;
	struct counter runs, run_ns, recursion, missed;
	double entry_ns, counted_ns, statistics_ns; /* of a run: see PROGRAM; NaN: not known */
};

/* What a run of a class of the recorder's probes costs, in ns; NaN: not known. */
struct model_probe_cost {
	bool there; /* the trace has a record of it */
	double ns, ci95, inside_ns, inside_ci95;
	model_str why;
};

/* PROCSTAT's columns, in the order of their keys. */
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

/* SOFTIRQS' columns, in the order of their keys. */
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
	uint64_t tick; /* the last one it took part in */

	struct counter exact_at_ns; /* the moments at which the exact counters were read */
	struct counter ns[NETCOST_EV_COUNT], calls[NETCOST_EV_COUNT];
	struct counter failed[NETCOST_EV_COUNT], bytes[NETCOST_EV_COUNT];
	struct counter packets[NETCOST_EV_COUNT]; /* that NAPI polled */
	struct counter untracked, sends_outside, recvs_outside, sends_inside, recvs_inside;
	struct counter parts_missed, polls_outside;
	struct counter part_ns[NETCOST_PART_COUNT], part_total_ns[NETCOST_PART_COUNT];
	struct counter part_calls[NETCOST_PART_COUNT];
	struct counter offline_ns; /* in the steps of exact_at_ns, but of no event … */
	struct counter off_ns;	   /* … of which: it was online, but not counted */
	struct counter runs_of[NETCOST_PROBE_COUNT][NETCOST_EV_COUNT]; /* of probes, by event */
	struct counter written, lost, throttled, unsampled_ns, cut;
	struct counter stat[STAT_COUNT];
	/* Idle time by /proc/stat, what waits for disks included, in 1 / user_hz s; and when it was read. */
	struct counter stat_idle, stat_idle_at_ns;
	uint64_t stat_idle_first, stat_idle_last; /* at which ticks, from 1; 0: at none */
	struct counter processed, dropped, squeezed;
	struct counter softirqs[SOFTIRQ_COUNT];

	uint64_t frame_lost;				      /* samples lost, by the last FRAME */
	uint64_t samples;				      /* those that the filter takes */
	uint64_t rest[LEAF_COUNT];			      /* of tasks that it does not take */
	uint64_t paused[LEAF_COUNT], paused_rest[LEAF_COUNT]; /* those of both taken in pauses */
	uint64_t paused_own[2][LEAF_COUNT];		      /* likewise, as model_own_samples() */
	uint64_t *class; /* of each class: see model_leaves() */
	size_t nclasses;
	struct countmap stacks;		/* samples by stack id, if kept */
	struct countmap tasks, cgroups; /* by id * LEAF_COUNT + leaf, if kept */

	struct model_energy_time energy; /* how it was at the last read of energy counters */
};

/* A counter of a protocol. */
struct model_protocol {
	model_str name;
	struct counter at_ns; /* when it was read */
	struct counter value;
};

/* Packets that a CPU dropped for a reason. */
struct model_drop {
	model_str reason;
	uint64_t cpu;
	struct counter packets;
};

#define MODEL_PIECES 32 /* when there are so many, each two neighbours become one */

/* A BPF program of the host that is not the recorder's own. */
struct model_other {
	model_str name, kind, attached;
	struct counter runs, run_ns, unseen_ns;
	/* Their sums at the end of each of model.others_pieces pieces of the time that was counted. */
	struct model_other_piece {
		uint64_t runs, run_ns, unseen_ns;
	} piece[MODEL_PIECES];
};

#define MODEL_OUTSIDE                                                                              \
	64 /* rows of OUTSIDE, as many as a recording keeps apart; more are in one that has no family */

/* What SINCE records count: store.h. */
enum model_store {
	MODEL_STORE_LATENCY,
	MODEL_STORE_LATENCY_BY,
	MODEL_STORE_OUTSIDE,
	MODEL_STORE_PROCESSES,
	MODEL_STORE_OWNERS,
	MODEL_STORE_FATES,
	MODEL_STORE_STEPS, /* of packet paths: model_stages.h */
	MODEL_STORE_RULES,
	MODEL_STORE_DROPPED,
	MODEL_STORE_CULPRITS, /* of the slowest packets: model_latency.h */
	MODEL_STORE_TAIL_STEPS,
	MODEL_STORES
};

/* PROCESS_STATS' columns but the first, in the order of their keys. */
#define MODEL_PROCESS_VALUES                                                                       \
	(TRACE_PROCESS_STATS_CACHE_MISSES_NS - TRACE_PROCESS_STATS_SWITCHES + 1)
#define MODEL_PROCESS_VALUE(KEY) (TRACE_PROCESS_STATS_##KEY - TRACE_PROCESS_STATS_SWITCHES)
#define MODEL_PROCESS_KEY(value) ((value) + TRACE_PROCESS_STATS_SWITCHES)

#define MODEL_FATES                                                                                \
	256 /* rows of what became of packets that are kept apart; more are in those without a name */

/* What became of packets: of NETCOST_FATE_DROPPED by reason, of NETCOST_FATE_FORWARDED by interface. */
struct model_fate {
	unsigned int fate;
	const char *what; /* "": not known, or not of those */
	int64_t ns;	  /* below 0 where more became known than began */
	uint64_t packets, squares;
};

/* A process in a cgroup. */
struct model_process {
	uint64_t pid, start_ns, user; /* TRACE_NIL: not known */
	model_str name;
	uint32_t cgroup;
	bool kernel;
};

#define MODEL_MOMENTS 1000 /* so many are kept; dump shows all of them */

/* ---- the model --------------------------------------------------------------------------- */

struct model;

/* Called with each record before the model takes it, and with NULL after the last. 0 or a negative errno. */
typedef int model_see_fn(void *ctx, const struct model *m, const struct trace_record *rec);

struct model {
	/* complete once model_read() is through; with a window that is a whole trace */
	struct trace_status status;
	uint64_t records[UINT8_MAX + 1]; /* by type */
	uint64_t read_tick[UINT8_MAX +
			   1];	 /* by type: the number of the last tick that has one; 0: none */
	uint64_t samples;	 /* those that the filter takes */
	uint64_t samples_in_all; /* of the trace */
	const struct filter *filter; /* NULL: all is taken */
	uint64_t nselected,
		nselected_cgroups;   /* tasks and cgroups that it takes, if it names some */
	uint64_t recorded_cpus;	     /* that HEADER names; header.ncpus are those taken */
	struct model_window *window; /* NULL: all of the time */
	uint64_t origin_ns;	     /* times are since then; 0: since header.start_ns */
	struct sound_result sound;   /* with a window: what was left out of it */
	bool gap; /* frames are missing, and with them definitions and counters */
	struct {
		uint64_t stacks, symbols, tasks, cgroups; /* how often lost ones are named */
	} lost;

	struct model_header header;
	uint32_t *header_cpus;			    /* header.ncpus */
	struct model_clock clock_first, clock_last; /* if records[TRACE_CLOCK] */
	uint64_t first_ns, last_ns;		    /* of all frames; last_ns 0: no frame */
	struct {
		uint64_t at_ns;
		model_str why;
	} end;		   /* if status.ended */
	struct sums *sums; /* of the ticks; NULL: there are none */
	char note[160];	   /* what the trace says of itself but is not true; empty: nothing */

	struct model_setting *setting; /* one of each, once model_read() is through */
	size_t nsettings;
	struct model_source *source;
	struct model_probe probe[MODEL_PROBES]; /* in the order of the trace */
	struct model_probe_cost probe_cost[NETCOST_PROBE_COUNT];
	struct model_moment moment[MODEL_MOMENTS]; /* the first; records[TRACE_MARK] in all */
	size_t nmoments;
	struct store *store[MODEL_STORES]; /* NULL: there are no such records, or they are not kept */
	struct model_asked *asked;	   /* types that model_ask() names; NULL: none */
	size_t nasked;
	struct model_process *process; /* process[id], if kept; 0: those that were not kept apart */
	uint32_t nprocesses;	       /* highest id */
	bool process_has[MODEL_PROCESS_VALUES]; /* the trace has that column */
	uint64_t owners_every; /* one softirq in so many was looked at; 0: not recorded */
	struct model_latency_only latency_only;
	struct model_tail tail[NETCOST_LATENCY_COUNT];
	struct model_stages *stages; /* model_stages.h; NULL: nothing is said of them */
	struct model_certificate certificate[MODEL_CERTIFICATES];
	size_t ncertificates;
	struct model_netdev *netdev; /* netdev[id - 1]; zone likewise */
	struct model_zone *zone;
	struct model_program *program;	 /* program[id - 1] */
	struct model_protocol *protocol; /* likewise */
	struct model_drop *drop;
	struct model_other *other;
	size_t nsources, nprobes, nnetdevs, nzones, nprograms, nprotocols, ndrops, nothers;

	/* Indexed by id, from 0 on: the empty stack, the unknown symbol. */
	model_str *symbol;
	uint32_t *module;	/* of each symbol; module_name[]: by module. Only 0 unless kept */
	model_str *module_name; /* 0: the kernel itself */
	struct model_stack *stack;
	uint64_t *count; /* samples of each stack */
	uint16_t *class; /* of each stack */
	const uint16_t *
		sample_class; /* of each sample of the record, if not its stack's: socket_family.h */
	struct stack_classes *classes; /* NULL: no classifier: see model_leaf() */
	struct model_own own;	       /* which stacks are below own programs */
	struct model_task *task;       /* NULL unless kept */
	model_str *cgroup;	       /* paths; NULL unless kept */
	uint32_t nmodules, nsymbols, nstacks, ntasks, ncgroups; /* highest id */

	struct model_cpu *cpu[TRACE_MAX_CPU]; /* NULL: nothing is known of it */
	unsigned int cpu_end;		      /* highest CPU number + 1 */

	uint64_t ticks;
	struct counter at_ns;	   /* of the ticks */
	struct model_pause *pause; /* npauses, first to last */
	size_t npauses;
	struct model_windows windows;
	struct model_followed followed;
	uint64_t exact_tick_ns; /* of the last tick at which exact counters were read */
	double pause_off_ns;	/* how long all pauses before the last one were; NaN: not known */
	bool pause_ends;	/* at this tick */
	struct counter torn, self_user_us, self_system_us;
	struct counter self_at_ns;	  /* when those two were read */
	struct counter drops_at_ns;	  /* when drops were read */
	struct counter softnet_at_ns;	  /* when softnet_stat was read */
	struct counter counted_ns;	  /* the time in which runs of programs were counted */
	struct counter others_counted_ns; /* … of other programs */
	double energy_reading_ns;	  /* how long it took to read energy counters … */
	uint64_t energy_reads;		  /* … so many */
	bool energy_due;		  /* this tick's have been read */
	uint8_t package[TRACE_MAX_CPU];	  /* of each CPU: the energy zone; 0: not known */
	uint16_t core[TRACE_MAX_CPU];	  /* likewise, of its core alone */
	uint64_t others_left_out;	  /* the most at a time */
	uint64_t others_piece_ns[MODEL_PIECES]; /* others_counted_ns.sum at the end of each */
	size_t others_pieces;
	uint64_t others_looks, others_looks_most; /* in the last piece, and in the others */
	uint64_t self_maxrss_kib;
	uint64_t unknown_events; /* EXACT records of events, or parts, newer than this program */
	uint64_t unknown_probes; /* likewise, PROBE_RUNS */
	uint64_t backwards;	 /* counters that went backwards, and which did first */
	const struct trace_key_desc *backwards_key;

	/* of the pass itself */
	struct budget budget; /* of names and ids that are kept */
	struct socket_families *families;
	uint64_t seq;
	unsigned int keep;
	uint32_t *tick_cpu, tick_ncpus;	  /* of the last TICK */
	uint16_t *mark;			  /* of each symbol */
	uint8_t *depth;			  /* of each stack */
	bool *selected, *selected_cgroup; /* each task, each cgroup, where the filter names some */
	char *strings;
	size_t strings_len;
	struct model_caps {
		size_t process, pause, source, setting, netdev, zone, program, protocol, drop,
			other, symbol, mark, task, cgroup, strings, tick_cpu;
		size_t stack, count, class, depth, module, module_name, selected, selected_cgroup;
	} cap;
	model_see_fn *see; /* NULL: nobody */
	void *see_ctx;
	char err[160];
};

/* What only few reports need and takes memory; or what most need and takes time. */
enum model_keep {
	MODEL_TASKS = 1,      /* the tasks' names */
	MODEL_CPU_STACKS = 2, /* samples by stack, of each CPU */
	MODEL_CGROUPS = 8, /* the paths of cgroups; a sample of an undefined one is then an error */
	MODEL_ONLY_STACKS = 4,	 /* no counters and no leaves: there must be no classifier */
	MODEL_MODULES = 32,	 /* the symbols' modules */
	MODEL_CPU_TASKS = 16,	 /* samples by task and leaf, of each CPU */
	MODEL_PROCESSES = 128,	 /* what was counted by process */
	MODEL_LATENCY = 256,	 /* for how long packets waited */
	MODEL_LATENCY_BY = 4096, /* likewise, by interface, cgroup or process */
	MODEL_STAGES = 512,	 /* packets' ways */
	MODEL_STAGES_BY = 8192,	 /* likewise, by the first of stages_by; others are bits above */
	MODEL_BY_STACK = 1024,	 /* samples are counted by stack alone, not by class */
	MODEL_CPU_CGROUPS = 64,	 /* by cgroup and leaf, of each CPU; with MODEL_CGROUPS */
};

/* The classifier must outlive the model. NULL: no memory. */
struct model *model_new(unsigned int keep, const struct classifier *classifier);
void model_free(struct model *m); /* takes NULL */
/* What of the trace it is about; before the first record. The filter must outlive the model. */
void model_set_filter(struct model *m, const struct filter *filter);
/* MiB that names and ids may take; 0: the usual. After the filter, and before the first record. */
void model_set_memory(struct model *m, uint64_t bytes);

/* The part of the time that it is about; before the first record. The plan must outlive the model. -ENOMEM. */
int model_set_window(struct model *m, const struct cut_plan *plan);

/*
 * Also keeps what records of these types count, which end with 0: see store_query_all(). Before the first record. -ENOMEM.
 */
int model_ask(struct model *m, const uint8_t *types);
/* NULL: there were no such records, or they were not asked for. */
const struct store *model_answer(const struct model *m, unsigned int type);

void model_set_see(struct model *m, model_see_fn *see, void *ctx);

/* One record. -EBADMSG: it contradicts those before it, m->err says how. BUDGET_SPENT. -ENOMEM. */
int model_feed(struct model *m, const struct trace_record *rec);

/*
 * All records. 0: all was read, or as far as the file goes if it was cut off (m->status). Otherwise an error of
 * trace_reader_next() or model_feed(); m->err or m->status.what says why.
 */
int model_read(struct model *m, struct trace_reader *r);

/* What lost functions are called. */
#define MODEL_LOST "[lost]"

/* What is missing because of damage, in words; empty without damage. Return dst. */
char *damage_text(const struct trace_status *st, char *dst, size_t size);
char *model_damage(const struct model *m, char *dst, size_t size);

const char *model_string(const struct model *m, model_str s);
extern const struct store_query model_process_stats_query;
/* What became of received packets: so many rows. */
size_t model_fates(const struct model *m);
struct model_fate model_fate(const struct model *m, size_t i);
/* The path of a cgroup, if kept; empty: not known. */
const char *model_cgroup(const struct model *m, uint64_t id);
/* Seconds since the recording began; negative where a trace says so. */
double model_seconds(const struct model *m, uint64_t at_ns);
/* CLOCK_REALTIME at that time of the trace; 0: not known. */
uint64_t model_real_ns(const struct model *m, uint64_t at_ns);
/* By subject and name, as qsort() has it. */
int model_setting_compare(const struct model *ma, const struct model_setting *a,
			  const struct model *mb, const struct model_setting *b);
/* While it was recorded. */
bool model_setting_changed(const struct model *m, const struct model_setting *s);
/* Its values are, or that it was not there any more. */
bool model_setting_known(const struct model *m, const struct model_setting *s);
/* Names of an exact event; NULL: newer than this program. */
const char *model_event_key(uint64_t event);
const char *model_event_title(uint64_t event);
const char *model_part_key(uint64_t part);
const char *model_part_title(uint64_t part);
const char *model_probe_key(uint64_t probe);
const char *model_probe_title(uint64_t probe);
/* The leaf of a class. Without a classifier there are two: user mode, and the rest. */
enum leaf model_leaf(const struct model *m, unsigned int class);
/* The class of the i-th sample of the SAMPLES record that is being read. The stack must be defined. */
static inline unsigned int model_class(const struct model *m, size_t i, uint64_t stack)
{
	return m->sample_class ? m->sample_class[i] : m->class[stack];
}
/* The CPUs that it has are not all of the host's: what counts for all of these fits none of its figures. */
bool model_is_of_some_cpus(const struct model *m);
/* NULL: the trace does not say. */
const struct model_source *model_find_source(const struct model *m, const char *name);
const struct model_probe *model_find_probe(const struct model *m, enum netcost_of of,
					   uint64_t number);
/* The trace says how, and the method is not "off". */
bool model_is_measured(const struct model *m, enum netcost_of of, uint64_t number);
bool model_has_probes(const struct model *m, enum netcost_of of);
/* The title of a probe's event or part; NULL: the probe is of neither. */
const char *model_probe_of(const struct model_probe *p);
/* Of all CPUs and tasks: so is what counts for the host, and what was counted by process. */
bool model_is_of_all(const struct model *m);
/* Whether the filter takes samples of that task and cgroup. */
bool model_is_selected(const struct model *m, uint64_t task, uint64_t cgroup);
/* A CPU's samples by leaf. */
void model_leaves(const struct model *m, const struct model_cpu *c, uint64_t leaf[LEAF_COUNT]);
/* The leaf of the own program that stacks of the class are below; LEAF_OWN: they are below none. */
enum leaf model_own_leaf(const struct model *m, unsigned int class, enum own_kind *kind);
/*
 * A CPU's samples below own programs, by the leaf that the programs ran in: all that were taken while exact times were counted; of
 * these, those of programs in no class of probes; and all in pauses.
 */
void model_own_samples(const struct model *m, const struct model_cpu *c, uint64_t all[LEAF_COUNT],
		       uint64_t others[LEAF_COUNT], uint64_t paused[LEAF_COUNT]);
/* The time around a moment in which exact counting was paused all the time, or never. It begins with zeros. */
struct model_around {
	uint64_t from_ns, to_ns;
	bool paused;
};
void model_find_pause(const struct model *m, struct model_around *around, uint64_t at_ns);
/* Was exact counting paused then? around: of the moment before, while no record is read in between. */
static inline bool model_is_paused(const struct model *m, struct model_around *around,
				   uint64_t at_ns)
{
	if (at_ns < around->from_ns || at_ns >= around->to_ns)
		model_find_pause(m, around, at_ns);
	return around->paused;
}
/*
 * How many packets with a known latency there were at a hook in all of the time, estimated from windows, and the half-width of
 * its 95 % interval: NaN with fewer than three windows. Of a time without pauses it is the number counted, and 0.
 */
double model_packets_in_all(const struct model *m, enum netcost_latency hook, double *ci95);
/* How long it was paused between two moments. */
double model_paused_ns(const struct model *m, uint64_t from_ns, uint64_t to_ns);
/* Samples lost, of a CPU and of all. */
uint64_t model_lost(const struct model_cpu *c);
uint64_t model_samples_lost(const struct model *m);
/* The next CPU, from `cpu` on, that something is known of, or NULL. */
struct model_cpu *model_next_cpu(const struct model *m, unsigned int cpu);
#define model_for_each_cpu(m, c)                                                                   \
	for ((c) = model_next_cpu(m, 0); (c); (c) = model_next_cpu(m, (c)->cpu + 1))

#endif
