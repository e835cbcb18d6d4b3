/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * split.h: computes the leaves of CPU time from exact times and samples. It knows no trace. NaN:
 * not measured.
 *
 * On each CPU:
 *   a leaf with an exact event          that event's time
 *   the others, TASK's time is known    TASK's time, split as the samples inside it are
 *   the others, it is not               their share of the samples
 *   without samples                     TASK as one leaf, user + other kernel
 *   without exact times                 everything from samples
 * Samples that the kernel did not deliver are never counted as idle time. Where idle time was not
 * counted exactly, that of /proc/stat (exact on kernels that stop the tick of an idle CPU) and
 * that of the samples are combined, weighted by their errors; the other leaves share the rest of
 * the time as samples find them.
 *
 * Where idle time is exact, samples represent the time that was not idle, nor in a hard interrupt
 * of a network device if that is known, as the sampler's timer waits for its end. Samples of the
 * idle task are then left out: a sampler misses many of them (timers of a halted virtual CPU come
 * late and merge), may not sample idle CPUs, or counts cycles, which do not pass there. Otherwise
 * a sample represents one sampling period: where many are missing the leaves sum to less than the
 * wall time, which readers should see.
 *
 * Confidence intervals assume independent samples. They are conservative for work that runs for
 * longer than a sampling period: the true value is in 97 of 100 intervals where work runs for a
 * tenth of the period, and in more where it runs for longer (test_split_coverage.c). They are too
 * narrow only for work that is synchronised with the sampler, which samples cannot detect.
 *
 * A time known exactly has no error, so the interval of a leaf, or of a sum of leaves, is that of
 * the part that samples estimate: never larger than the interval by samples alone. In a sum the
 * errors of leaves that share a known total cancel, as far as the sum includes them.
 *
 * A CPU whose exact counting was paused has two parts that are split separately: the time counted,
 * and the pauses, by samples and /proc/stat. What windows of exact counting say of a leaf in the
 * pauses is combined with the samples there, weighted by the variances of both (split_combine()):
 * its interval is smaller than either has alone. Neither knows whether samples are biased: their
 * timer waits for the end of a section without interrupts, and some functions are on no stack.
 * Recordings of ping-pong, of bursts of it, and of a TCP stream on a virtual machine were wrong by
 * 0 to 10 % of a leaf, and one of their nine leaves by 21 %. So samples are compared with exact
 * times of the same windows, and a difference is reported (caveats_make()).
 *
 * The recorder's own part of a leaf, as far as it is known, moves to the leaf OWN. From an exact
 * time, in whole nanoseconds: the measured cost of probe runs, and the share of samples below
 * other own programs; where no cost was measured, the share of samples below all own programs.
 * Times by samples do not include those samples. A leaf with less time than its own part becomes
 * negative.
 *
 * The cost of samples is also taken out of shares by samples, and so is the cost of probe runs
 * where samples below own programs cannot be identified: times and shares have the same basis.
 *
 * With exact counters the leaves sum to the times of the events, and these to the wall time.
 */
#ifndef NETCOST_REPORT_SPLIT_H
#define NETCOST_REPORT_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/base/stats.h"
#include "report/rules/rules.h"

/* What the sampler samples. */
enum split_of {
	SPLIT_OF_TIME,
	SPLIT_OF_CYCLES, /* none pass on an idle CPU: they represent time only where idle time is exact */
	SPLIT_OF_NETWORK, /* only the time inside the network, as the exact events define it */
};

/*
 * Samples of tasks that the filter excludes: all, those of the idle task, and the number of both
 * in pauses.
 */
struct split_rest {
	uint64_t samples, idle, paused, paused_idle;
};

/* The recorder's own part of the times. */
struct split_own {
	bool there; /* false: unknown, and times stay as they were measured */
	bool lacks; /* ns[] does not include all own programs: without samples it is a lower bound */
	double ns[NETCOST_EV_COUNT], ci95_ns[NETCOST_EV_COUNT];
	double sample_ns,
		sample_ci95_ns; /* the cost of each sample, in the leaf where it was taken */
	bool at_least;		/* all of it is a lower bound */
};

/* What LEAF_OWN consists of. */
enum split_own_kind {
	SPLIT_OWN_PROBES,   /* by the cost of runs */
	SPLIT_OWN_PROGRAMS, /* by the samples below programs */
	SPLIT_OWN_SAMPLES,  /* by the cost of samples */
	SPLIT_OWN_KINDS
};

/*
 * Samples below own programs. In samples[] they are in the leaf OWN; here they are in the leaf
 * that the program ran in: all that were taken while exact times were counted; those of programs
 * that split_own's ns[] does not include; and those in pauses.
 */
struct split_own_samples {
	bool known; /* false: these samples cannot be identified */
	uint64_t all[LEAF_COUNT], others[LEAF_COUNT], paused[LEAF_COUNT];
};

/* Idle time by /proc/stat, in the time that was not counted exactly. */
struct split_stat {
	bool there;
	double idle_ns; /* all_ns less what was counted exactly */
	double all_ns;	/* in all of the time */
	double irqs_ns; /* upper bound of what samples of an idle CPU took: not idle by /proc/stat, idle here */
	double unit_ns; /* largest error of the difference of two readings */
};

/* Exact times of the leaves in windows of exact counting, on all CPUs. */
struct split_windows {
	size_t n;
	double wall_ns[STATS_PIECES_MAX], ns[LEAF_COUNT][STATS_PIECES_MAX];
};

/* What windows and samples together say of the pauses, on all CPUs. */
struct split_combined {
	double ratio[LEAF_COUNT]; /* of the time to that by samples alone; NaN: only samples know it */
	double gain_per_ns
		[LEAF_COUNT]; /* share of the samples' variance that it has less, for each ns by samples */
};

/* What was measured on one CPU. */
struct split_input {
	unsigned int cpu;
	double wall_ns;
	double exact_ns[NETCOST_EV_COUNT];
	uint64_t samples[LEAF_COUNT];
	uint64_t samples_rest; /* of other tasks: they count, but are in no leaf */
	bool only_samples; /* exact times include other tasks: only the idle time is used, as the basis */
	enum split_of of;
	double samples_expected; /* in wall_ns, without those known to be lost; NaN: unknown */
	double samples_lost;

	double paused_ns; /* duration of pauses of exact counting, in addition to wall_ns */
	uint64_t paused[LEAF_COUNT]; /* samples in pauses, which are not in samples[] */
	uint64_t paused_rest;	     /* of other tasks in pauses, without those of the idle task */
	double paused_expected, paused_lost;
	const struct split_combined
		*combined; /* for the pauses, the same on all CPUs; NULL: samples alone */

	struct split_own own;
	struct split_own_samples own_samples;
	struct split_stat stat;
	double idle_error_ns; /* standard error of exact_ns[NETCOST_EV_IDLE] if that is from /proc/stat */
};

enum split_how {
	SPLIT_NOT_MEASURED,
	SPLIT_EXACT,
	SPLIT_SAMPLES, /* all of it, or a part, is estimated by samples; idle time also by /proc/stat */
	SPLIT_AT_LEAST, /* a lower bound: a part was not measured */
};

const char *split_how_name(enum split_how how);
/* The names of all but SPLIT_NOT_MEASURED; NULL-terminated. */
extern const char *const split_how_known[];

struct split_value {
	double ns;
	double ci95_ns;	     /* 0 where exact */
	double estimated_ns; /* the part of ns that samples estimate; NaN: none */
	double gain; /* share of the variance of estimated_ns that it has less than by samples alone */
	double own_ci95_ns; /* the part of ci95_ns that is the error of the recorder's own part */
	enum split_how how;
	double sampled;	     /* share of CPU time, by samples, without the recorder's own part */
	double sampled_ci95; /* its half-width */
	double taken; /* the recorder's own part, a share of CPU time; of LEAF_OWN the negative sum of all leaves */
	double taken_ci95;
};

/* One CPU, or all of them. */
struct split_cpu {
	unsigned int cpu;
	double wall_ns;
	double sum_ns;			/* of all leaves: compare with wall_ns */
	double own_ns[SPLIT_OWN_KINDS]; /* they sum to LEAF_OWN's time */
	struct split_value leaf[LEAF_COUNT];

	double samples; /* number behind the sampled shares; of all CPUs: the effective number, by their weights */
	double counted;		/* the number of samples */
	double due;		/* samples expected in busy time; 0: unknown */
	double basis;		/* share of CPU time that the samples represent */
	double basis_error;	/* its standard error, relative; 0 where idle time is exact */
	double sampled_wall_ns; /* of CPUs with samples */

	/*
	 * What the leaves that samples estimate share: a time, by how many samples, and its error
	 * if it is not exact.
	 */
	struct split_estimate {
		double ns, samples, ci95_ns;
		bool rest; /* tasks that are in no leaf have a part of it */
	} estimate;
};

struct split {
	size_t ncpus;
	struct split_cpu *cpu;
	struct split_cpu all;
	struct split_cpu counted; /* the part of it in which exact counting was not paused */
	struct split_cpu paused;  /* the other part */
};

/*
 * Makes an input of times as they were measured: the recorder's own part is in the leaves that it
 * ran in.
 */
void split_put_own_back(struct split_input *in);
/*
 * Sets only what the shares by samples are based on: c->samples (0: none), c->counted, c->basis,
 * c->sampled_wall_ns.
 */
void split_find_basis(struct split_cpu *c, const struct split_input *in);
/*
 * For split_compute.c: a CPU in time measured in one way; nothing in it is of pauses. And the
 * intervals of its leaves.
 */
void split_part(struct split_cpu *c, const struct split_input *in);
void split_set_intervals(struct split_cpu *c);

/* 0 or -ENOMEM. */
int split_compute(struct split *s, const struct split_input *in, size_t n);
/*
 * Combines what samples say of the pauses, s, which was computed by them alone, with what windows
 * say.
 */
void split_combine(struct split_combined *to, const struct split *s, const struct split_input *in,
		   size_t n, const struct split_windows *windows);
void split_free(struct split *s);

/* The sum of some CPUs, or of other parts of the time. */
void split_sum_cpus(struct split_cpu *all, const struct split_cpu *cpu, size_t n);
/*
 * Makes a split of time that is known, or distributed, by samples alone. ns: of each leaf; NaN:
 * unknown. Without samples the times are exact.
 */
void split_from_samples(struct split_cpu *c, const double ns[LEAF_COUNT], double samples);

/* The share of the samples expected in busy time that is missing; 0 if that is not significant. */
double split_missing(const struct split_cpu *c);
/*
 * The half-width of the interval of a share of CPU time by c's samples. Missing samples may be
 * unlike the others: the interval is wider by their part of the share.
 */
double split_share_ci95(const struct split_cpu *c, double share);
/*
 * The sum over a set of leaves. If some were not measured it is SPLIT_AT_LEAST; if none was, NaN.
 */
struct split_value split_sum(const struct split_cpu *c, unsigned int leaves);
/* Do samples estimate most of it? */
bool split_by_samples(const struct split_value *v);
/* Does idle time come from /proc/stat, at least in pauses? */
bool split_idle_by_stat(const struct split_cpu *c);
/* The leaves of LEAF_NOT_SAMPLED that were not measured: reports do not show them. */
unsigned int split_absent(const struct split_cpu *c);
/* network / (all - idle), the NetSoft'24 paper's normalized networking cost, and its half-width. */
double split_networking_cost(const struct split_cpu *c, double *ci95);

#endif
