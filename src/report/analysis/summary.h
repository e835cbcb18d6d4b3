/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * summary.h: the numbers of `netcost-report summary`, and inputs of the split from a model. NaN means "not measured".
 */
#ifndef NETCOST_REPORT_SUMMARY_H
#define NETCOST_REPORT_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "energy.h"
#include "functions.h"
#include "interfaces.h"
#include "report/base/text.h"
#include "report/base/stats.h"
#include "report/model/model.h"
#include "split.h"

#define SUMMARY_MOMENTS 20 /* maximum number of marks that are shown */

/* One event on all CPUs. */
struct summary_event {
	/* number of calls, of runs of a softirq, or of periods of tasks on a CPU */
	double calls;
	double failed, bytes;
};

/*
 * Time of a part of the RX softirq on all CPUs, from the probes of --exact=full. The recorder's own part is subtracted.
 * Each part loses the same share as the leaf.
 */
struct summary_rx_part {
	double ns;	 /* exclusive time */
	double total_ns; /* inclusive time */
	double calls;
};

struct summary_rx {
	double ns;			       /* exact time of the leaf */
	double softirq_ns, thread_ns, busy_ns; /* time by context; these sum to ns */
	struct summary_rx_part part[NETCOST_PART_COUNT];
	double self_ns; /* time outside of all parts; NaN: no part is measured */
	double missed, polls_outside;
};

/* Unit costs: time of leaves, or energy, per unit of work. */
enum unit_cost_id {
	/* per packet of softnet_stat, after GRO, if softnet_stat counts all packets */
	UNIT_RX_PACKET,
	/* per packet that NAPI polled, before GRO, including the packets that XDP took */
	UNIT_RX_POLLED,
	UNIT_SEND_CALL,
	UNIT_SEND_KB,
	UNIT_RECV_CALL,
	UNIT_RECV_KB,
	UNIT_NETWORK_PACKET, /* per packet on interfaces, rx + tx */
	UNIT_NETWORK_GB,
	UNIT_ENERGY_PACKET, /* energy above idle power per packet on interfaces, rx + tx */
	UNIT_ENERGY_GB,
	UNIT_COSTS
};

struct unit_cost_desc {
	const char *key, *ci95_key, *title, *unit;
	const char *by;	     /* name of the counter in text output; see unit_cost_counter() */
	unsigned int leaves; /* 0: the cost is energy */
	/*
	 * Units of the first three kinds are counted only while times are counted exactly, so their unit costs use only
	 * the exactly counted time.
	 */
	enum {
		UNIT_BY_CALLS,
		UNIT_BY_BYTES,
		UNIT_BY_POLLED,
		UNIT_BY_PROCESSED,
		UNIT_BY_PACKETS,
		UNIT_BY_INTERFACE_BYTES,
	} by_what;
	enum netcost_event event; /* the event whose calls and bytes are counted */
	double parts;		  /* number of calls, packets or bytes in one unit */
};

extern const struct unit_cost_desc unit_cost[UNIT_COSTS];

/* Writes the name of the counter that divides the cost. For interface packets and bytes it begins with the basis. */
char *unit_cost_counter(char *dst, size_t size, enum unit_cost_id i, enum interfaces_basis basis);

/* Returns true if the unit cost refers only to the time that was counted exactly, without pauses. */
bool unit_cost_is_of_counted(enum unit_cost_id i);

/*
 * A unit cost. The confidence interval covers the error of measuring this recording: samples, the recorder's own cost,
 * idle power, and the time between the readings of times and packets. The interval does not cover the variation of the
 * load.
 */
struct summary_unit_cost {
	double value; /* NaN: unknown */
	double ci95;  /* half-width of the confidence interval; 0: counted */
	double done;  /* number of units: packets, calls or kB */
	/* the confidence interval is wider than the value, so the value is unknown */
	bool too_uncertain;
	enum split_how how; /* how the time is known; meaningless for energy */
	bool by_samples;    /* most of the time is estimated by samples */
};

/* Shares of CPU time: user, system, softirq, irq, idle, steal. */
#define SUMMARY_SHARES 6

struct summary_recording {
	double samples_expected, samples_lost, throttled;
	/* share of samples whose stacks may lack the outer functions, which determine the leaf */
	double samples_cut;
	/*
	 * share of user-space stacks that end before the start of the program or thread; NaN: no such stack was
	 * recorded
	 */
	double user_cut;
	double samples_idle, samples_idle_expected; /* samples of the idle tasks */
	double unsampled_ms, offline_ms;	    /* sums over the CPUs */
	double paused_s; /* total duration of the pauses of exact counting */
	double untracked, torn;
	double sends_inside, sends_outside, recvs_inside, recvs_outside;
	/* CPU time of the recorder, in ms and in percent of one CPU */
	double self_ms, self_percent;
	double self_start_ms; /* CPU time of the recorder before the first tick */
};

struct summary {
	const struct model *m;
	const struct part *part;
	struct split split;
	/* split of the times as measured: each leaf includes the recorder's own part of it */
	struct split measured;
	struct inside inside;

	double duration_s;	/* duration of the recording */
	double ticks_s;		/* time from the first tick to the last */
	uint64_t start_real_ns; /* CLOCK_REALTIME; 0: unknown */

	double networking_cost, networking_cost_ci95;
	struct summary_event event[NETCOST_EV_COUNT];
	struct summary_rx rx;
	struct summary_unit_cost unit[UNIT_COSTS];
	enum interfaces_basis basis;
	double packets, bytes; /* rx + tx, over the interfaces of the basis */
	double softnet_processed, softnet_dropped, softnet_squeezed;
	double softirqs[SOFTIRQ_COUNT]; /* number of runs */
	struct energy energy;
	struct summary_recording recording;
	double procstat[SUMMARY_SHARES], ours[SUMMARY_SHARES];
};

/*
 * Makes the summary. The model and the part must outlive it. Returns 0, or -ENOMEM if out of memory, in which case
 * there is nothing to free.
 */
int summary_make(struct summary *s, const struct model *m, const struct part *part);
/* The same, with another basis than interfaces_basis(). */
int summary_make_with(struct summary *s, const struct model *m, const struct part *part,
		      enum interfaces_basis basis);
void summary_free(struct summary *s);
/*
 * Makes only the splits of the summary. measured: NULL if it is not needed. Returns 0, or -ENOMEM if out of memory, in
 * which case there is nothing to free.
 */
int summary_split(struct split *split, struct split *measured, const struct model *m);

/* Returns the duration of the recording. NaN: unknown. */
double summary_duration_s(const struct model *m);
/*
 * Returns true if an event has a probe. An event without a probe is not measured, even if the trace contains a counter
 * of the event that is 0.
 */
bool summary_has_probe(const struct model *m, unsigned int event);
/*
 * Returns true if function names are hidden. In this case, samples cannot be classified, not even those of the idle
 * task.
 */
bool summary_names_hidden(const struct model *m);
/* Returns a clause that explains why samples cannot be classified into leaves, or NULL if they can. */
const char *summary_unclassified(const struct model *m);
enum split_of summary_samples_of(const struct model *m);
/*
 * Returns the share of the user-space stacks that end early. The outermost function of such a stack is not the start of
 * a program or thread, or is the only function. Returns NAN if there are no user-space stacks, or if no function name
 * in the trace marks such a start, as after a scrub.
 */
double summary_user_cut(const struct model *m);

/* ---- inputs of the split ----------------------------------------------------------------- */

/* Idle time from /proc/stat. */
struct summary_stat_idle {
	double idle;	  /* idle time in units of 1 / user_hz s; NaN: unknown */
	double breaks;	  /* number of times that the counter fell */
	double beyond_ns; /* the part of the time that the readings of /proc/stat do not cover */
};

/*
 * Combines two estimates of the time in pauses of exact counting: from samples, and from the windows of the whole
 * trace. The result is valid for each interval of the trace. Returns 0 or -ENOMEM.
 */
int summary_combine(struct split_combined *to, const struct model *m);
/*
 * Completes an input that already contains times, all samples, and samples in pauses. The function adds the whole time
 * of the RX softirq, the samples that count, the number of expected samples and the idle time of /proc/stat. `lost` is
 * the number of samples known to be lost.
 */
void summary_complete_input(struct split_input *in, const struct model *m,
			    const struct split_rest *rest, const struct summary_stat_idle *stat,
			    double lost);
/* Returns how long the CPU had no sampler, excluding the known offline time. */
double summary_gone_ns(const struct model_cpu *c);

/*
 * States whether the time of the RX softirq may be divided by the packets of softnet_stat. softnet_stat does not count
 * packets that XDP took in a driver. It counts packets that came without a poll, and some packets twice (VLANs,
 * bridges). If polled packets were counted, they are used instead of softnet_stat.
 */
enum summary_softnet { SOFTNET_COUNTS, SOFTNET_UNUSED, SOFTNET_MISSES_XDP };
enum summary_softnet summary_softnet(const struct model *m);

/* Return the increase of an interface's counter, and its rate per second. */

double summary_netdev(const struct model_netdev *d, enum model_netdev_key key);
double summary_netdev_rate(const struct model_netdev *d, enum model_netdev_key key);
bool summary_netdev_has_traffic(const struct model_netdev *d);

/* Packets that the kernel dropped for a reason, on all CPUs that the report covers. */
struct drops_row {
	const char *reason;
	double packets;
};

struct drops {
	struct drops_row *row; /* rows in descending order of packets */
	size_t n;
	double packets; /* sum over all reasons; NaN: not measured */
	double seconds; /* time between the first and the last reading; NaN: not measured */
};

/*
 * Makes the drops. The model must outlive them. Returns 0, or -ENOMEM if out of memory, in which case there is nothing
 * to free.
 */
int drops_make(struct drops *d, const struct model *m);
void drops_free(struct drops *d);

#endif
