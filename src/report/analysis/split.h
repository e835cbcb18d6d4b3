/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * split.h: computes the leaves of CPU time from exact times and samples. It does not depend on a trace. NaN means "not
 * measured".
 *
 * The times on each CPU are:
 *
 *   a leaf with an exact event            that event's time
 *   other leaves, if TASK is known        TASK's time, divided by the samples inside TASK
 *   other leaves, if TASK is not known    their share of the samples
 *   all leaves, without samples           TASK as one leaf, user + other kernel
 *   all leaves, without exact times       times from samples
 *
 * Samples that the kernel did not deliver are never counted as idle time. If idle time was not counted exactly, two
 * estimates are combined, weighted by their errors: the idle time of /proc/stat (exact on kernels that stop the tick of
 * an idle CPU) and the idle time by samples. The other leaves share the rest of the time in proportion to their
 * samples.
 *
 * If idle time is exact, samples represent the time that was not idle, and samples of the idle task are left out. A
 * sampler may miss many samples of the idle task (timers of a halted virtual CPU come late and merge), may not sample
 * idle CPUs at all, or may count cycles, which do not pass on idle CPUs. If the time of hard interrupts of network
 * devices is known, samples do not represent this time either, because the sampler's timer waits until such an
 * interrupt ends. If idle time is not exact, a sample represents one sampling period. If many samples are missing, the
 * leaves then sum to less than the wall time, which readers should see.
 *
 * Confidence intervals assume independent samples. The intervals are conservative, and more conservative if work runs
 * for longer at a time. If work runs for a tenth of the sampling period at a time, 97 of 100 intervals contain the true
 * value. If it runs for longer, even more intervals contain the true value (test_split_coverage.c). The intervals are
 * too narrow only for work that is synchronised with the sampler, which samples cannot detect.
 *
 * A time that is known exactly has no error. So the interval of a leaf, or of a sum of leaves, is the interval of the
 * part that samples estimate. It is never larger than the interval by samples alone. If leaves share a known total,
 * their errors cancel in a sum that includes all of these leaves.
 *
 * If exact counting of a CPU was paused, two parts are split separately: the counted time, and the pauses. The pauses
 * are split by samples and /proc/stat. For each leaf in the pauses, the estimate from windows of exact counting is
 * combined with the estimate from samples, weighted by the variances of both (split_combine()). The combined interval
 * is smaller than the interval of either estimate. Neither estimate reveals whether samples are biased. They can be
 * biased, because the sampler's timer waits for the end of a section without interrupts, and some functions never
 * appear in a stack. In recordings of ping-pong, of bursts of ping-pong, and of a TCP stream on a virtual machine,
 * samples were wrong by 0 to 10 % of a leaf, and one of the nine leaves by 21 %. So samples are compared with the exact
 * times of the same windows, and a difference is reported (caveats_make()).
 *
 * The recorder's own part of a leaf moves to the leaf OWN, if the own part is known. The own part of an exact time, in
 * whole nanoseconds, is the measured cost of probe runs plus the share of samples below the recorder's other programs.
 * If no cost was measured, the own part is the share of samples below all of the recorder's programs. Times that are
 * estimated from samples do not include the samples below these programs. A leaf whose own part is larger than its time
 * becomes negative.
 *
 * The cost of samples is also taken out of shares by samples. If samples below the recorder's programs cannot be
 * identified, the cost of probe runs is also taken out. Thus times and shares have the same basis.
 *
 * With exact counters, the leaves sum to the times of the events, and the times of the events sum to the wall time.
 */
#ifndef NETCOST_REPORT_SPLIT_H
#define NETCOST_REPORT_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/base/stats.h"
#include "report/rules/rules.h"

/* The event or time that the sampler samples. */
enum split_of {
	SPLIT_OF_TIME,
	/* cycles do not pass on an idle CPU, so they represent time only if idle time is exact */
	SPLIT_OF_CYCLES,
	SPLIT_OF_NETWORK, /* only the time inside the network, as the exact events define it */
};

/*
 * Samples of tasks that the filter excludes: the number of all samples, the number of samples of the idle task, and
 * both numbers in pauses.
 */
struct split_rest {
	uint64_t samples, idle, paused, paused_idle;
};

/* The recorder's own part of the times. */
struct split_own {
	bool there; /* false: the own part is unknown, and times stay as they were measured */
	/* ns[] lacks the cost of some of the recorder's own programs; without samples, the own part is a lower bound */
	bool lacks;
	double ns[NETCOST_EV_COUNT], ci95_ns[NETCOST_EV_COUNT];
	double sample_ns,
		/* the cost of each sample, which belongs to the leaf in which the sample was taken */
		sample_ci95_ns;
	bool at_least; /* the whole own part is a lower bound */
};

/* The parts of LEAF_OWN. */
enum split_own_kind {
	SPLIT_OWN_PROBES,   /* known from the cost of runs */
	SPLIT_OWN_PROGRAMS, /* known from the samples below programs */
	SPLIT_OWN_SAMPLES,  /* known from the cost of samples */
	SPLIT_OWN_KINDS
};

/*
 * Samples below the recorder's own programs. samples[] of split_input counts them in the leaf OWN. Here they are
 * counted in the leaf in which the program ran. The three arrays contain: all such samples that were taken while exact
 * times were counted; the samples below programs whose cost ns[] of struct split_own lacks; and the samples in pauses.
 */
struct split_own_samples {
	bool known; /* false: these samples cannot be identified */
	uint64_t all[LEAF_COUNT], others[LEAF_COUNT], paused[LEAF_COUNT];
};

/* Idle time from /proc/stat, in the time that was not counted exactly. */
struct split_stat {
	bool there;
	double idle_ns; /* all_ns minus the idle time that was counted exactly */
	double all_ns;	/* idle time in the whole time */
	/*
	 * upper bound of the time that samples took on an idle CPU: /proc/stat does not count this time as idle, but
	 * netcost does
	 */
	double irqs_ns;
	double unit_ns; /* largest error of the difference between two readings */
};

/* Exact times of the leaves in windows of exact counting, on all CPUs. */
struct split_windows {
	size_t n;
	double wall_ns[STATS_PIECES_MAX], ns[LEAF_COUNT][STATS_PIECES_MAX];
};

/* Results for the pauses from windows and samples together, on all CPUs. */
struct split_combined {
	/* ratio of the combined time to the time by samples alone; NaN: the leaf is known only from samples */
	double ratio[LEAF_COUNT];
	double gain_per_ns
		[LEAF_COUNT]; /* relative decrease of the variance compared with samples alone, per ns by samples */
};

/* Measurements of one CPU. */
struct split_input {
	unsigned int cpu;
	double wall_ns;
	double exact_ns[NETCOST_EV_COUNT];
	uint64_t samples[LEAF_COUNT];
	uint64_t samples_rest; /* samples of other tasks, which are counted but belong to no leaf */
	/* exact times include other tasks, so only the idle time is used, as the basis */
	bool only_samples;
	enum split_of of;
	/* samples expected in wall_ns, excluding samples known to be lost; NaN: unknown */
	double samples_expected;
	double samples_lost;

	double paused_ns; /* duration of pauses of exact counting, in addition to wall_ns */
	uint64_t paused[LEAF_COUNT]; /* samples in pauses, which are not in samples[] */
	/* samples of other tasks in pauses, excluding those of the idle task */
	uint64_t paused_rest;
	double paused_expected, paused_lost;
	/* results for the pauses, the same on all CPUs; NULL: only samples are used */
	const struct split_combined *combined;

	struct split_own own;
	struct split_own_samples own_samples;
	struct split_stat stat;
	/* standard error of exact_ns[NETCOST_EV_IDLE] if this idle time is from /proc/stat */
	double idle_error_ns;
};

enum split_how {
	SPLIT_NOT_MEASURED,
	SPLIT_EXACT,
	/* samples estimate the whole time or a part of it; idle time may also be estimated by /proc/stat */
	SPLIT_SAMPLES,
	SPLIT_AT_LEAST, /* a lower bound, because a part was not measured */
};

const char *split_how_name(enum split_how how);
/* The names of all values but SPLIT_NOT_MEASURED, NULL-terminated. */
extern const char *const split_how_known[];

struct split_value {
	double ns;
	double ci95_ns;	     /* 0 if the time is exact */
	double estimated_ns; /* the part of ns that samples estimate; NaN: no part */
	/* decrease of the variance of estimated_ns, as a fraction of the variance by samples alone */
	double gain;
	/* the part of ci95_ns that comes from the error of the recorder's own part */
	double own_ci95_ns;
	enum split_how how;
	double sampled;	     /* share of CPU time by samples, excluding the recorder's own part */
	double sampled_ci95; /* half-width of the interval of `sampled` */
	/* the recorder's own part as a share of CPU time; for LEAF_OWN, the negative sum over all leaves */
	double taken;
	double taken_ci95;
};

/* One CPU, or all of them. */
struct split_cpu {
	unsigned int cpu;
	double wall_ns;
	double sum_ns;			/* sum of all leaves, to be compared with wall_ns */
	double own_ns[SPLIT_OWN_KINDS]; /* the parts of LEAF_OWN's time */
	struct split_value leaf[LEAF_COUNT];

	/* number of samples behind the sampled shares; for all CPUs, the effective number by the CPUs' weights */
	double samples;
	double counted;		/* number of samples */
	double due;		/* samples expected in busy time; 0: unknown */
	double basis;		/* share of CPU time that the samples represent */
	double basis_error;	/* relative standard error of the basis; 0 if idle time is exact */
	double sampled_wall_ns; /* wall time of the CPUs with samples */

	/*
	 * Basis of the leaves that samples estimate: the time that they share, the number of samples in it, and the
	 * error of the time if it is not exact.
	 */
	struct split_estimate {
		double ns, samples, ci95_ns;
		bool rest; /* tasks that are in no leaf have a part of this time */
	} estimate;
};

struct split {
	size_t ncpus;
	struct split_cpu *cpu;
	struct split_cpu all;
	struct split_cpu counted; /* the part of the time in which exact counting was not paused */
	struct split_cpu paused;  /* the rest of the time */
};

/*
 * Changes an input back to the times as measured: each leaf includes the recorder's own part of it.
 */
void split_put_own_back(struct split_input *in);
/*
 * Sets only the values on which the shares by samples are based: c->samples (0: no samples), c->counted, c->basis and
 * c->sampled_wall_ns.
 */
void split_find_basis(struct split_cpu *c, const struct split_input *in);
/*
 * Functions for split_compute.c. split_part() splits the time of a CPU that was measured in one way and has no pauses.
 * split_set_intervals() sets the confidence intervals of the CPU's leaves.
 */
void split_part(struct split_cpu *c, const struct split_input *in);
void split_set_intervals(struct split_cpu *c);

/* Computes the split of n CPUs. Returns 0 or -ENOMEM. */
int split_compute(struct split *s, const struct split_input *in, size_t n);
/* Combines the estimate of the pauses from windows with the estimate from samples alone, which is in s. */
void split_combine(struct split_combined *to, const struct split *s, const struct split_input *in,
		   size_t n, const struct split_windows *windows);
void split_free(struct split *s);

/* Sums several CPUs, or several parts of the time. */
void split_sum_cpus(struct split_cpu *all, const struct split_cpu *cpu, size_t n);
/*
 * Makes a split of a known time that is distributed by samples alone. ns[] contains the time of each leaf (NaN:
 * unknown). Without samples, the times are exact.
 */
void split_from_samples(struct split_cpu *c, const double ns[LEAF_COUNT], double samples);

/* Returns the share of the samples expected in busy time that are missing, or 0 if that share is not significant. */
double split_missing(const struct split_cpu *c);
/*
 * Returns the half-width of the confidence interval of a share of CPU time by c's samples. Missing samples may differ
 * from the others, so their share of the expected samples is added to the relative error.
 */
double split_share_ci95(const struct split_cpu *c, double share);
/*
 * Returns the sum over a set of leaves. If some of the leaves were not measured, the sum is SPLIT_AT_LEAST. If none
 * were measured, the sum is NaN.
 */
struct split_value split_sum(const struct split_cpu *c, unsigned int leaves);
/* Returns true if most of the value is estimated by samples. */
bool split_by_samples(const struct split_value *v);
/* Returns true if idle time is from /proc/stat, at least in pauses. */
bool split_idle_by_stat(const struct split_cpu *c);
/* Returns the leaves of LEAF_NOT_SAMPLED that were not measured. Reports do not show these leaves. */
unsigned int split_absent(const struct split_cpu *c);
/* Returns the leaves whose time is unknown. */
unsigned int split_unknown(const struct split_cpu *c);
/*
 * Returns network / (all - idle - netcost itself), the normalized networking cost of the NetSoft'24 paper. *ci95 is set
 * to the half-width of its confidence interval.
 */
double split_networking_cost(const struct split_cpu *c, double *ci95);

#endif
