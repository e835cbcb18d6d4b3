/* SPDX-License-Identifier: BSD-2-Clause */
/* cost.h: the cost of the recorder's own BPF programs, and of other BPF programs. */
#ifndef NETCOST_REPORT_COST_H
#define NETCOST_REPORT_COST_H

#include <stdbool.h>
#include <stddef.h>

#include "summary.h"
#include "report/analysis/summary.h"

/* ---- the recording --------------------------------------------------------------------- */

/*
 * The overhead of the recording, if it is known, and caveats about the figures.
 *
 * Probes and samples are counted, and the recorder measured the cost of a single run or sample when it began. The
 * kernel's statistics of the recorder's BPF programs do not include entry and exit of a program. The statistics are
 * enabled only for a part of the time, which is assumed to be representative.
 *
 * The cost of programs in no class of probes (--latency, --tail, --stages) is the cost of their runs while the
 * statistics are enabled, extrapolated to the whole time. It includes the entry and exit costs that the recorder
 * measured. In traces of older recorders, which did not measure these costs, and in reports about some CPUs, the cost
 * is estimated from the statistics and from the samples below the programs. Both estimates are lower bounds, because
 * the samples do not include entry code that is shared with other programs. The larger estimate is used, and the
 * overhead is then a lower bound. The overhead is also a lower bound if the statistics of a class of probes exceed the
 * cost of this class's runs.
 *
 * The time of programs that the recorder's own process runs (the iterator of --owners, the look-up of names) is part of
 * the CPU time of this process. The time of the sampler's program is part of the cost of a sample.
 */

/* Shares of the time of the recorded CPUs. NaN: unknown. */
struct cost {
	bool has_programs; /* false: the recording needed no programs */
	double programs, recorder, all;
	/* the larger of `programs` and `by_samples`; part of `all` only if !measured */
	double all_programs;
	/* share of all of the recorder's own programs, by samples */
	double by_samples, by_samples_ci95;
	/* programs in no class: the larger of the next two fields; NaN: no such programs, or unknown */
	double others;
	double others_statistics, others_samples, others_samples_ci95;
	/* `others` is the cost of the programs' runs, including entry and exit */
	bool others_counted;
	double statistics; /* additional time of runs while the kernel's statistics were on */
	bool has_others;   /* there are programs in no class */
	/* the cost of programs in classes is from the statistics, which exceed the cost of the programs' runs */
	bool by_statistics;
	bool at_least; /* `all` is a lower bound, so it has no ci95 */
	/* `all` is based on the cost of runs of programs or samples, which the trace contains */
	bool measured;
	double probes, samples;
	/*
	 * Set by cost_of(): `leaf` is the share of the leaf OWN. `unsampled` is the part of `all` that is not in that
	 * leaf, not in the time of the recorder's process, and not in the statistics. NaN: there is no leaf OWN.
	 */
	double leaf, unsampled;
	double ci95;	    /* half-width of the confidence interval of `all` */
	double busiest;	    /* largest share of a single CPU, excluding the recorder's process */
	unsigned int lacks; /* kinds of probes that ran, but have an unknown cost per run */
	double counted_s, of_s; /* time with BPF statistics; time from the first tick to the last */
	double recursion,
		/* runs of all programs that were skipped due to recursion; missed kprobes */
		missed;
};

struct cost cost_make(const struct model *m);
/*
 * Returns the cost as cost_make() does, but increased if necessary: `all` is at least the sum of the leaf OWN, the
 * statistics, and the time of the recorder's process. The time of this process is in leaves of user mode and the
 * kernel.
 */
struct cost cost_of(const struct summary *s);

/* One of the recorder's programs. */
struct cost_program {
	double runs, run_ns; /* runs and their time, in the counted time */
	double ns_per_run;
	/* share of the program's own code; NaN: this field and the next two are unknown */
	double share;
	double cost; /* share including entry and exit; NaN: unknown */
	/* Additional time of the program's runs due to the statistics, as a share of the whole time. */
	double statistics;
	double recursion, missed;
};

struct cost_program cost_program(const struct model *m, const struct model_program *p);

/* A class of probes, or the samples. */
struct cost_probe {
	bool there;
	double runs, ns; /* totals */
	double ns_per_run, ci95_per_run;
	double share, ci95;
};

struct cost_probe cost_probe(const struct model *m, enum netcost_probe probe);

/* Writes the number of missed runs as text, which is empty if no runs were missed. Returns dst. */
char *cost_misses(const struct model *m, char *dst, size_t size);
/* True if the programs run so often that BPF statistics must have slowed the load down. */

bool cost_slowed(const struct model *m);

/* Runs of the recorder's probes during each event on a CPU, up to now. */
struct cost_runs {
	double of[NETCOST_PROBE_COUNT][NETCOST_EV_COUNT];
	double rx_softirqs, tx_softirqs; /* number of runs of each softirq */
};

void cost_count_runs(struct cost_runs *r, const struct model_cpu *c);

/*
 * Computes the recorder's own part of a CPU's times: the number of runs of probes during each event, multiplied by the
 * measured cost of a run. `cost` has NETCOST_PROBE_COUNT entries. The recorder measures the costs repeatedly, so two
 * results are comparable only if both use the same costs. The own part is empty if the trace contains no such cost, or
 * if the filter requests times as measured.
 */
void cost_own(struct split_own *own, const struct model *m, const struct cost_runs *r,
	      const struct model_probe_cost *cost);

/*
 * Returns true if there is evidence that the leaf OWN is too small. That leaf is computed from the cost of runs and
 * from samples below other programs. The answer is only correct for a complete model.
 */
bool cost_at_least(const struct model *m);

/*
 * Returns the recorder's own part that the runs of the given probes cause (bits of enum netcost_probe), for each event.
 */
struct split_own cost_own_probes(const struct model *m, const struct model_cpu *c,
				 unsigned int probes);

/* ---- other BPF programs ------------------------------------------------------------- */

/*
 * The cost of the host's BPF programs that are not the recorder's own. The programs are counted for a part of the time,
 * and are assumed to have the same share of the whole time. They run on all CPUs, so their cost does not depend on the
 * CPUs that a report covers.
 */

/* A BPF program that is not the recorder's own. NaN: unknown. */
struct bill_row {
	const char *name, *kind, *attached; /* `attached` is empty if it is unknown */
	size_t place;			    /* position of the program in the trace */
	bool on_the_way;     /* packets and sockets pass through programs of this type */
	double runs, run_ns; /* runs and their time, in the counted time */
	double runs_per_s;
	/* NaN if unknown, or if the confidence interval is larger than the value */
	double ns_per_run;
	double share; /* share of the CPUs' time */
	/*
	 * Half-widths of the 95 % intervals, which show by how much the figure of the whole recording may differ from
	 * the figure of the counted time. 0: the whole recording was counted.
	 */
	double ns_ci95, share_ci95;
	double network_share; /* share of the network's time; only if on_the_way */
	/* The part of the counted time after the program ended. The runs in this part are unknown. */
	double unseen_s;
};

struct bill {
	struct bill_row *row; /* sorted by cost in descending order */
	size_t n;
	size_t ran_on_the_way, ran_elsewhere;
	double on_the_way, elsewhere; /* sums of shares of the CPUs' time */
	double network_share; /* share of the network's time that all programs on the way took */
	double counted_s, of_s;
	size_t ended; /* number of programs with an unseen_s above 0 */
};

/*
 * Makes the rows. The summary must outlive them. Returns 0, or -ENOMEM if out of memory, in which case there is nothing
 * to free.
 */
int bill_make(struct bill *b, const struct summary *s);
void bill_free(struct bill *b);

#endif
