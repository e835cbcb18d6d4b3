/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * summary.h: the numbers of `netcost-report summary`, and inputs of the split from a model. NaN:
 * not measured.
 */
#ifndef NETCOST_REPORT_SUMMARY_H
#define NETCOST_REPORT_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "energy.h"
#include "functions.h"
#include "report/base/text.h"
#include "report/base/stats.h"
#include "report/model/model.h"
#include "split.h"

#define SUMMARY_MOMENTS 20 /* the number of marks that are shown */

/* One event, on all CPUs. */
struct summary_event {
	double calls; /* or runs of a softirq, or times that a task was on a CPU */
	double failed, bytes;
};

/*
 * A part of the RX softirq's time, on all CPUs, by the probes of --exact=full. The recorder's own
 * part is taken out as it is of the leaf: an equal share of each part.
 */
struct summary_rx_part {
	double ns;	 /* exclusive */
	double total_ns; /* inclusive */
	double calls;
};

struct summary_rx {
	double ns;			       /* the leaf's exact time */
	double softirq_ns, thread_ns, busy_ns; /* by context; they sum to ns */
	struct summary_rx_part part[NETCOST_PART_COUNT];
	double self_ns; /* outside of all parts; NaN: no part is measured */
	double missed, polls_outside;
};

/* Time of leaves, or energy, by what was done. */
enum unit_cost_id {
	UNIT_RX_PACKET, /* by softnet_stat's packets, after GRO, where these are all packets */
	UNIT_RX_POLLED, /* by packets that NAPI polled, before GRO, with those that XDP took */
	UNIT_SEND_CALL,
	UNIT_SEND_KB,
	UNIT_RECV_CALL,
	UNIT_RECV_KB,
	UNIT_NETWORK_PACKET, /* on interfaces, rx + tx */
	UNIT_NETWORK_GB,
	UNIT_ENERGY_PACKET, /* on interfaces, rx + tx, of the energy above idle power */
	UNIT_ENERGY_GB,
	UNIT_COSTS
};

struct unit_cost_desc {
	const char *key, *ci95_key, *title, *unit;
	const char *by;	     /* for people: the counter */
	unsigned int leaves; /* 0: energy */
	/*
	 * The first three are counted while times are counted exactly, and are divided into these
	 * times.
	 */
	enum {
		UNIT_BY_CALLS,
		UNIT_BY_BYTES,
		UNIT_BY_POLLED,
		UNIT_BY_PROCESSED,
		UNIT_BY_PACKETS,
		UNIT_BY_INTERFACE_BYTES,
	} by_what;
	enum netcost_event event; /* of calls and bytes */
	double parts;		  /* a unit is this many of them */
};

extern const struct unit_cost_desc unit_cost[UNIT_COSTS];

/* Is it a cost of the time that was counted exactly, without pauses? */
bool unit_cost_is_of_counted(enum unit_cost_id i);

/*
 * The interval is the error of measuring this recording: samples, the recorder's own cost, idle
 * power, and the time between the readings of times and packets. It does not include how the load
 * varied.
 */
struct summary_unit_cost {
	double value;	    /* NaN: unknown */
	double ci95;	    /* half-width; 0: counted */
	double done;	    /* the number of units: packets, calls or kB */
	bool too_uncertain; /* the interval is wider than the value, which is therefore unknown */
	enum split_how how; /* the source of its time; meaningless for energy */
	bool by_samples;    /* most of its time is by samples */
};

/* Shares of CPU time: user, system, softirq, irq, idle, steal. */
#define SUMMARY_SHARES 6

struct summary_recording {
	double samples_expected, samples_lost, throttled;
	double samples_cut; /* share of samples whose stacks may lack the outer functions, which decide the leaf */
	double samples_idle, samples_idle_expected; /* of the idle tasks */
	double unsampled_ms, offline_ms;	    /* sums over the CPUs */
	double paused_s;			    /* duration of pauses of exact counting */
	double untracked, torn;
	double sends_inside, sends_outside, recvs_inside, recvs_outside;
	double self_ms, self_percent; /* CPU time of the recorder; percent of one CPU */
	double self_start_ms;	      /* before the first tick */
};

struct summary {
	const struct model *m;
	const struct part *part;
	struct split split;
	struct split measured; /* with the recorder's own part in the leaves that it ran in */
	struct inside inside;

	double duration_s;	/* of the recording */
	double ticks_s;		/* from the first tick to the last */
	uint64_t start_real_ns; /* CLOCK_REALTIME; 0: unknown */

	double networking_cost, networking_cost_ci95;
	struct summary_event event[NETCOST_EV_COUNT];
	struct summary_rx rx;
	struct summary_unit_cost unit[UNIT_COSTS];
	double packets, bytes; /* rx + tx, over all interfaces */
	double softnet_processed, softnet_dropped, softnet_squeezed;
	double softirqs[SOFTIRQ_COUNT]; /* runs */
	struct energy energy;
	struct summary_recording recording;
	double procstat[SUMMARY_SHARES], ours[SUMMARY_SHARES];
};

/* -ENOMEM: then there is nothing to free. The model and the part must outlive it. */
int summary_make(struct summary *s, const struct model *m, const struct part *part);
void summary_free(struct summary *s);
/* Only its split. -ENOMEM: then there is nothing to free. */
int summary_split(struct split *split, const struct model *m);

/* The duration of the recording. NaN: unknown. */
double summary_duration_s(const struct model *m);
/* An event without a probe is not measured, even if the trace has a counter of it that is 0. */
bool summary_has_probe(const struct model *m, unsigned int event);
/* Without function names samples cannot be classified: not even the idle task's. */
bool summary_names_hidden(const struct model *m);
/* Why samples cannot be classified into leaves, as a clause; NULL: they can. */
const char *summary_unclassified(const struct model *m);
enum split_of summary_samples_of(const struct model *m);

/* ---- inputs of the split ----------------------------------------------------------------- */

/* Idle time by /proc/stat. */
struct summary_stat_idle {
	double idle;	  /* in 1 / user_hz s; NaN: unknown */
	double breaks;	  /* the number of times that the counter fell */
	double beyond_ns; /* the part of the time in which it was not read */
};

/*
 * Pauses of exact counting, anywhere in the trace, are known by samples, and by the windows of all
 * of it. -ENOMEM.
 */
int summary_combine(struct split_combined *to, const struct model *m);
/*
 * Completes an input that has times, and samples in all and in pauses. It adds all of the RX
 * softirq's time, the samples that count, the number expected and the idle time of /proc/stat.
 * lost: samples known to be lost.
 */
void summary_complete_input(struct split_input *in, const struct model *m,
			    const struct split_rest *rest, const struct summary_stat_idle *stat,
			    double lost);
/* How long the CPU had no sampler, without the time that exact counting knows to be offline. */
double summary_gone_ns(const struct model_cpu *c);

/*
 * May softnet_stat's packets divide the time of the RX softirq? It does not count packets that XDP
 * took in a driver; it counts packets that came without a poll, and some twice (VLANs, bridges).
 * Where polls were counted these are used instead.
 */
enum summary_softnet { SOFTNET_COUNTS, SOFTNET_UNUSED, SOFTNET_MISSES_XDP };
enum summary_softnet summary_softnet(const struct model *m);

/* The increase of an interface's counter; the rate: per second. */

double summary_netdev(const struct model_netdev *d, enum model_netdev_key key);
double summary_netdev_rate(const struct model_netdev *d, enum model_netdev_key key);
bool summary_netdev_has_traffic(const struct model_netdev *d);

/* Packets that the kernel dropped, by reason, on all CPUs that the report is about. */
struct drops_row {
	const char *reason;
	double packets;
};

struct drops {
	struct drops_row *row; /* most packets first */
	size_t n;
	double packets; /* of all reasons; NaN: not measured */
	double seconds; /* between the first reading and the last; NaN: not measured */
};

/* -ENOMEM: then there is nothing to free. The model must outlive them. */
int drops_make(struct drops *d, const struct model *m);
void drops_free(struct drops *d);

#endif
