/* SPDX-License-Identifier: BSD-2-Clause */
/* model_records.h: what a model keeps of the records of a trace, by subject. */
#ifndef NETCOST_REPORT_MODEL_RECORDS_H
#define NETCOST_REPORT_MODEL_RECORDS_H

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
#include "report/base/stats.h"
#include "report/rules/rules.h"

struct model;

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
 * Adds a reading of a counter. TRACE_NIL is ignored. `wrap` is the largest value of the counter. After this value, the
 * counter restarts at 0. If `wrap` is 0, the counter does not wrap.
 */
void counter_add(struct counter *c, uint64_t v, uint64_t wrap);
/* returns the increase, or NaN if there are fewer than two readings */
double counter_moved(const struct counter *c);
/* Returns the last reading. Returns NaN if the counter was never read. */
double counter_last(const struct counter *c);

/* ---- energy ---------------------------------------------------------------------------- */

/* Energy counters, and the activity of CPUs between two reads of the counters. */

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
	/* raw: only steps between two reads whose energy is known; read_ns: all reads. */
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
	/* told_ns, and the energy in J, at the end of the last piece */
	double told_before, joules_before;
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

/*
 * The filter on the packets whose latency was measured. Fields that are 0 or "" match any packet. defined: the trace
 * has a filter.
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
	bool reader;	  /* the culprit delayed the packets while they waited for their reader */
	uint64_t number;  /* TRACE_NIL: no number */
	const char *name; /* "": no name */
	uint64_t ns;	  /* total time */
	/* number of packets that the culprit delayed; number of packets whose main culprit it was */
	uint64_t packets, first;
};

struct model_culprit model_culprit(const struct store *s, size_t row);

/* Reads the shares in a record: each culprit, and the time by which that culprit delayed the packet. */
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
		/*
		 * number of packets whose predecessors in the queue were counted; sum and maximum of these predecessors
		 */
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
	/* why: the reason why the setting was not read; the value is then empty. */
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
	 * Completed windows that began at a random moment. Every element but the last is the sum of `each` windows. The
	 * last element is the sum of `joined` windows.
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

#define MODEL_PROBES 80 /* limit; this version knows fewer objects */

/* The method that measured an event, a part of the RX softirq, a checkpoint, a stage or the tail. */
struct model_probe {
	enum netcost_of of;
	uint64_t number; /* number of the event, part, checkpoint or stage */
	model_str method, reason;
	struct model_strs hooks, refused;
	/*
	 * Kinds of calls with which the recorder tested the method, and kinds that the method detected. Both are 0 if
	 * there was no test.
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
	model_str name, driver, class;
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

/* The owners by which samples are counted. */
enum model_owners_of { MODEL_OWNERS_TASKS, MODEL_OWNERS_CGROUPS, MODEL_OWNERS_COUNT };

/*
 * Samples by owner. Each CPU has a map of its own, until the maps of all CPUs have more than MODEL_OWNERS_SLOTS slots,
 * or need more than --memory. Then `all` replaces these maps. Its size depends on the number of owners, but not on the
 * number of CPUs.
 */
struct model_owners {
	uint64_t *all; /* samples by id * LEAF_COUNT + leaf; NULL: the CPUs have them */
	size_t nall, slots;
};

#define MODEL_OWNERS_SLOTS (1u << 20)

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
	/* time that belongs to no event; covers the period of exact_at_ns */
	struct counter offline_ns;
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
	/* Samples in pauses below the recorder's own programs, as in model_own_samples(). */
	uint64_t paused_own[2][LEAF_COUNT];
	uint64_t *class; /* number of samples per class: see model_leaves() */
	size_t nclasses;
	struct countmap stacks; /* samples by stack id, if kept */
	/* samples by id * LEAF_COUNT + leaf, if kept; empty once model_owners has them */
	struct countmap owned[MODEL_OWNERS_COUNT];

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

#endif
