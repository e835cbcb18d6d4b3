/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * split.h: from exact times and samples to the leaves of CPU time. Arithmetic alone: it knows no trace.
 * What was not measured is NaN.
 *
 * On each CPU:
 *   a leaf with an exact event          that event's time
 *   user, other network                 their share of the samples
 *   other kernel                        TASK's exact time less what samples find inside it: a remainder
 *   without samples                     TASK as one leaf, user + other kernel
 *   without exact times                 everything from samples
 * Samples that the kernel did not deliver tell nothing: they are never taken for idle time. Where idle time was not
 * counted exactly, /proc/stat knows it (exact on kernels that stop the tick of an idle CPU); it is combined with what
 * samples say, by their errors, and what else samples find is spread over the rest of the time.
 *
 * Where the idle time is known exactly, samples stand for the time that was not idle (nor in a hard interrupt of
 * a network device, if that is known: a sampler's timer waits for its end), and those of the
 * idle task are left out: a sampler misses many of them (timers of a halted virtual CPU come late and
 * merge), may leave idle CPUs alone, or counts cycles, which do not pass there. Otherwise
 * a sample stands for the time between two: where many are missing, the leaves sum to less than the
 * wall time, and the reader is to see that, too.
 *
 * The intervals take samples as independent. Pieces of work that are longer than the distance of two
 * samples are known better than that: measured, the truth is in 97 of 100 intervals where work comes in
 * pieces of a tenth of the distance, and in more of them the longer they are (test_split_coverage.c). Only
 * work that keeps step with the sampler is worse, and no samples tell of that.
 *
 * A CPU whose exact counting was paused has two parts, each split by itself: the time counted, and that of the pauses,
 * by samples and /proc/stat. Samples do not find all leaves alike: what they say of a leaf in
 * pauses is corrected by what they and the exact times say in the time counted, and by what windows say by themselves
 * where they are all alike, with the error of that.
 *
 * What of a leaf's time is the recorder's own, as far as that is known, is taken out of it, and is a leaf of its own. Out
 * of a time that is exact, in whole nanoseconds: what runs of probes cost, where that was measured, and the share of the
 * samples below other own programs; otherwise that of the samples below all of them. Times by samples are without these
 * samples. A leaf that has less than is taken out becomes negative.
 *
 * What a sample costs is taken out of the shares by samples, too, and, where it is not known which samples are below own
 * programs, what runs of probes cost: times and shares are on one basis.
 *
 * With exact counters the leaves sum to the events' times, and those to the wall time. A remainder may
 * be negative: the samples then say more than there is.
 */
#ifndef NETCOST_REPORT_SPLIT_H
#define NETCOST_REPORT_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/base/stats.h"
#include "report/rules/rules.h"

/* What samples are taken of. */
enum split_of {
	SPLIT_OF_TIME,
	SPLIT_OF_CYCLES, /* none pass on an idle CPU: they tell of time only where idle time is exact */
	SPLIT_OF_NETWORK, /* time of CPUs inside the network, as the exact events have it: all else is not sampled */
};

/* Samples of tasks that are not wanted: all, of these idle ones, and those of both in pauses. */
struct split_rest {
	uint64_t samples, idle, paused, paused_idle;
};

/* What of the times is the recorder's own. */
struct split_own {
	bool there; /* otherwise nothing is known of it, and times stay as they were measured */
	bool lacks; /* there are programs that ns[] has nothing of: without samples it is at least that */
	double ns[NETCOST_EV_COUNT], ci95_ns[NETCOST_EV_COUNT];
	double sample_ns, sample_ci95_ns; /* each sample, in the leaf where it was taken */
};

/*
 * Samples below own programs, which are in the leaf OWN: here by the leaf that the program ran in. Those taken while exact
 * times were counted, of these those of programs that split_own's ns[] has nothing of, and those in pauses.
 */
struct split_own_samples {
	bool known; /* which samples these are */
	uint64_t all[LEAF_COUNT], others[LEAF_COUNT], paused[LEAF_COUNT];
};

/* Idle time by /proc/stat, in the time that was not counted exactly. */
struct split_stat {
	bool there;
	double idle_ns; /* less what was counted exactly … */
	double all_ns;	/* … of this */
	double irqs_ns; /* what samples of an idle CPU may have taken: not idle there, but here */
	double unit_ns; /* a difference of two readings may be wrong by this much */
};

/* A leaf's time is so many times what samples say, with this relative standard error. NaN: not known. */
struct split_calibration {
	double ratio[LEAF_COUNT], error[LEAF_COUNT];
};

/* What the leaves took in windows of exact counting, on all CPUs. */
struct split_windows {
	size_t n;
	double wall_ns[STATS_PIECES_MAX], ns[LEAF_COUNT][STATS_PIECES_MAX];
};

/* What was measured on one CPU. */
struct split_input {
	unsigned int cpu;
	double wall_ns;
	double exact_ns[NETCOST_EV_COUNT];
	uint64_t samples[LEAF_COUNT];
	uint64_t samples_rest; /* that count, but are in no leaf: of other tasks */
	/* Exact times are of more than the samples: of them only idle time is used, as the basis. */
	bool only_samples;
	enum split_of of;
	double samples_expected; /* in wall_ns, less those known to be lost; NaN: not known */
	double samples_lost;	 /* those */

	/* Exact counting was paused, for this long besides wall_ns. */
	double paused_ns;
	uint64_t paused[LEAF_COUNT]; /* samples in pauses; those above are others */
	uint64_t paused_rest;	     /* likewise, but for those of the idle task */
	double paused_expected, paused_lost;
	uint64_t tracing[LEAF_COUNT]; /* of samples[]: in probes */
	/* For the pauses, the same on all CPUs. NULL: samples are taken as they are. */
	const struct split_calibration *calibration;

	struct split_own own;
	struct split_own_samples own_samples;
	struct split_stat stat;
	double idle_error_ns; /* of exact idle time, if it is from /proc/stat */
};

enum split_how {
	SPLIT_NOT_MEASURED,
	SPLIT_EXACT,
	SPLIT_SAMPLES,
	SPLIT_REMAINDER,
	SPLIT_MIXED,	/* a sum of several */
	SPLIT_AT_LEAST, /* a sum of which a part was not measured */
};

const char *split_how_name(enum split_how how);
/* Of all that was measured; NULL-terminated. */
extern const char *const split_how_known[];

struct split_value {
	double ns;
	double ci95_ns; /* 0 where exact */
	enum split_how how;
	double sampled;	     /* share of CPU time, by samples, without the recorder's own part */
	double sampled_ci95; /* its half-width */
	double taken; /* that part, a share of CPU time; of LEAF_OWN all of them together, negative */
	double taken_ci95;
};

/* One CPU, or all of them. */
struct split_cpu {
	unsigned int cpu;
	double wall_ns;
	double sum_ns; /* of all leaves; to be compared with wall_ns */
	struct split_value leaf[LEAF_COUNT];

	double samples; /* that the sampled shares rest on; for all CPUs: as many equal ones would */
	double counted;		/* likewise, whatever their weight */
	double due;		/* samples that busy time asks for; 0: not known */
	double basis;		/* share of CPU time that the samples stand for */
	double basis_error;	/* its standard error, relative; 0 where idle time is exact */
	double sampled_wall_ns; /* of CPUs with samples */
};

struct split {
	size_t ncpus;
	struct split_cpu *cpu;
	struct split_cpu all;
	struct split_cpu counted; /* of it, the time in which exact counting was not paused */
};

/* Back to times as they were measured: nothing is the recorder's own. */
void split_put_own_back(struct split_input *in);
/* Only what the shares by samples rest on: c->samples (0: there are none) and c->basis. */
void split_find_basis(struct split_cpu *c, const struct split_input *in);
/* From the time in which exact counting was not paused, with the recorder's own part taken out where it is known. */
void split_calibrate(struct split_calibration *to, const struct split_input *in, size_t n,
		     const struct split_windows *windows);
/* 0 or -ENOMEM. */
int split_compute(struct split *s, const struct split_input *in, size_t n);
/* Likewise. */
int split_copy(struct split *to, const struct split *s);
void split_free(struct split *s);

/* The sum of some CPUs, or of anything that is split as they are. */
void split_sum_cpus(struct split_cpu *all, const struct split_cpu *cpu, size_t n);
/*
 * For time that is known, or distributed, by samples alone. ns: of each leaf; NaN: not known by them. Without samples it
 * is time of leaves that are exact.
 */
void split_from_samples(struct split_cpu *c, const double ns[LEAF_COUNT], double samples);

/* The share of the samples due in busy time that the kernel did not deliver. 0 also for as few as chance may explain. */
double split_missing(const struct split_cpu *c);
/*
 * The half-width of a share of CPU time, as c's samples give it. Of what missing samples would have told it is not
 * known that it is like the rest: the interval is wider by that part of the share.
 */
double split_share_ci95(const struct split_cpu *c, double share);
/* The sum over a set of leaves. Those not measured are left out (SPLIT_AT_LEAST); all of them: NaN. */
struct split_value split_sum(const struct split_cpu *c, unsigned int leaves);
/* Of LEAF_NOT_SAMPLED those that were not measured: they are not to be shown. */
unsigned int split_absent(const struct split_cpu *c);
/* network / (all - idle), the NetSoft'24 paper's normalized networking cost, and its half-width. */
double split_networking_cost(const struct split_cpu *c, double *ci95);

#endif
