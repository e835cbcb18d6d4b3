/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * summary.h: the numbers of `netcost-report summary`, worked out once and printed in three formats.
 * What was not measured is NaN.
 */
#ifndef NETCOST_REPORT_SUMMARY_H
#define NETCOST_REPORT_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "energy.h"
#include "inside.h"
#include "report/base/text.h"
#include "report/base/stats.h"
#include "report/model/model.h"
#include "split.h"

#define SUMMARY_MOMENTS 20 /* so many are shown */

/* One event, on all CPUs. */
struct summary_event {
	double calls; /* or runs of a softirq, or times that a task was on a CPU */
	double failed, bytes;
};

/* A part of the RX softirq's time, on all CPUs, as measured by the probes of --exact=full. */
struct summary_rx_part {
	double ns;	 /* exclusive */
	double total_ns; /* inclusive */
	double calls;
};

struct summary_rx {
	double ns;			       /* all of it, the leaf's exact time */
	double softirq_ns, thread_ns, busy_ns; /* by where it ran; they are the sum */
	struct summary_rx_part part[NETCOST_PART_COUNT];
	double self_ns; /* outside of all parts; NaN where none is measured */
	double missed, polls_outside;
};

/* What a packet, a call or so costs: see unit_costs.h. */
enum unit_cost_id {
	UNIT_RX_PACKET, /* of softnet_stat's, after GRO, where these are all that there are */
	UNIT_RX_POLLED, /* as NAPI polled them, before GRO, with those that XDP took */
	UNIT_SEND_CALL,
	UNIT_SEND_KB,
	UNIT_RECV_CALL,
	UNIT_RECV_KB,
	UNIT_NETWORK_PACKET, /* on interfaces, rx + tx */
	UNIT_NETWORK_GB,
	UNIT_ENERGY_PACKET, /* likewise, of the power above idle */
	UNIT_ENERGY_GB,
	UNIT_COSTS
};

/*
 * The interval is the error of measuring this period: samples, the recorder's own cost, idle power, and the time between
 * reading times and reading packets. It says nothing about how the load varied.
 */
struct summary_unit_cost {
	double value;	    /* NaN: not known */
	double ci95;	    /* half-width; 0: counted */
	bool too_uncertain; /* the interval is wider than the value, which is therefore not known */
	enum split_how how; /* how its time is known; meaningless for energy */
};

/* Shares of CPU time. */
struct summary_shares {
	double user, system, softirq, irq, idle, steal;
};

struct summary_recording {
	double samples_expected, samples_lost, throttled;
	double samples_cut; /* share of them whose stacks may lack the outer functions, which decide the leaf */
	double samples_idle, samples_idle_expected; /* of the idle tasks */
	double unsampled_ms, offline_ms;	    /* sums over the CPUs */
	double paused_s;			    /* exact counting was paused */
	double untracked, torn;
	double sends_inside, sends_outside, recvs_inside, recvs_outside;
	double self_ms, self_percent; /* CPU time of the recorder, of one CPU */
	double self_start_ms;	      /* before the first tick */
};

struct summary {
	const struct model *m;
	const struct part *part;
	struct split split;
	struct split measured; /* as it was measured, with the recorder's own part */
	struct inside inside;

	double duration_s;	/* of the recording */
	double ticks_s;		/* from the first tick to the last */
	uint64_t start_real_ns; /* CLOCK_REALTIME; 0: not known */

	double networking_cost, networking_cost_ci95;
	struct summary_event event[NETCOST_EV_COUNT];
	struct summary_rx rx;
	struct summary_unit_cost unit[UNIT_COSTS];
	double packets, bytes; /* rx + tx, over all interfaces */
	double softnet_processed, softnet_dropped, softnet_squeezed;
	double softirqs[SOFTIRQ_COUNT]; /* runs */
	struct energy energy;
	struct summary_recording recording;
	struct summary_shares procstat, ours;
};

/* -ENOMEM: then there is nothing to free. The model and the part must outlive it. */
int summary_make(struct summary *s, const struct model *m, const struct part *part);
void summary_free(struct summary *s);

/* How long the recording took. NaN: not known. */
double summary_duration_s(const struct model *m);
/* An event without a probe is not measured, even if the trace has a counter of it that is 0. */
bool summary_has_probe(const struct model *m, unsigned int event);
/* Without function names samples cannot be told apart: not even the idle task's. */
bool summary_names_hidden(const struct model *m);
/* Why samples cannot be sorted into leaves, as a sentence without its end; NULL: they can. */
const char *summary_unclassified(const struct model *m);
/* Of what the trace's samples are. */
enum split_of summary_samples_of(const struct model *m);
/* Pauses of exact counting, wherever in the trace, are corrected by the windows of all of it. -ENOMEM. */
int summary_calibrate(struct split_calibration *to, const struct model *m);
/*
 * Completes an input that has times, and samples in all and in pauses: all of the RX softirq's time, which samples
 * count, how many there should be. lost: samples known to be lost.
 */
void summary_complete_input(struct split_input *in, const struct model *m,
			    const struct split_rest *rest, double lost);

/* Before summary_complete_input(): idle time by /proc/stat, in 1 / user_hz s; NaN: not known. breaks: it fell. */
struct summary_stat_idle {
	double idle, breaks;
	double beyond_ns; /* of the time it was not read at both ends of */
	uint64_t samples; /* of the idle task */
};

void summary_stat_idle(struct split_input *in, const struct model *m,
		       const struct summary_stat_idle *stat);
/* For how long the CPU had no sampler, beside what exact counting knows of that. */
double summary_gone_ns(const struct model_cpu *c);

/* What an interface's counter counted; the rate: per second. */
double summary_netdev(const struct model_netdev *d, enum model_netdev_key key);
double summary_netdev_rate(const struct model_netdev *d, enum model_netdev_key key);
bool summary_netdev_has_traffic(const struct model_netdev *d);

#endif
