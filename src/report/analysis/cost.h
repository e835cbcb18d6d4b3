/* SPDX-License-Identifier: BSD-2-Clause */
/* cost.h: the cost of BPF programs: the recorder's own, and others. */
#ifndef NETCOST_REPORT_COST_H
#define NETCOST_REPORT_COST_H

#include <stdbool.h>
#include <stddef.h>

#include "summary.h"
#include "report/analysis/summary.h"

/* ---- the recording --------------------------------------------------------------------- */

/*
 * The overhead of the recording, as far as it is known, and caveats about the figures.
 *
 * Probes and samples: their number is counted, and the recorder measured the cost of one when it
 * began. The kernel's statistics of the recorder's BPF programs do not include entry and exit of a
 * program, and are on for a part of the time only, which is assumed to be representative.
 *
 * The cost of programs in no class of probes (--latency, --tail, --stages) is that of their runs
 * in the time of the statistics, with the entry and exit that the recorder measured, taken for all
 * of the time. In traces of older recorders, without that, and of some CPUs, it is known from the
 * statistics and from the samples below them. Both are lower bounds: the samples do not include
 * entry code that other programs use, too. The larger one counts, and the overhead is then a lower
 * bound. The same holds for classes of probes whose statistics exceed the cost of their runs.
 *
 * Programs that the recorder's own process runs (the iterator of --owners, the look-up of names)
 * are in its CPU time, and the sampler's program is in the cost of a sample.
 */

/* Shares of the time of the recorded CPUs. NaN: unknown. */
struct cost {
	bool has_programs; /* false: the recording needed none */
	double programs, recorder, all;
	double all_programs; /* part of `all` if !measured: the larger of programs and by_samples */
	double by_samples, by_samples_ci95; /* all own programs */
	double others; /* programs in no class: the larger of the next two; NaN: none, or unknown */
	double others_statistics, others_samples, others_samples_ci95;
	bool others_counted; /* `others` is the cost of their runs, entry and exit included */
	double statistics;   /* the additional time of runs while the kernel's statistics were on */
	bool has_others;     /* there are programs in no class */
	bool by_statistics; /* programs in classes: by the statistics, which exceed the cost of their runs */
	bool at_least; /* `all` is a lower bound: it has no ci95 */
	bool measured; /* the trace has the cost of runs of programs or samples, and `all` is based on it */
	double probes, samples;
	/* cost_of(): the leaf OWN, and what `all` has beyond it, the recorder's process and the statistics; NaN: no such leaf */
	double leaf, unsampled;
	double ci95;	    /* of `all`: half-width */
	double busiest;	    /* without the recorder's process, on the CPU where it is largest */
	unsigned int lacks; /* kinds of probes that ran, but whose cost of a run is unknown */
	double counted_s,
		of_s; /* time with BPF statistics, of the time between the first tick and the last */
	double recursion,
		missed; /* runs skipped due to recursion, and missed kprobes, of all programs */
};

struct cost cost_make(const struct model *m);
/*
 * The same, compared with the leaf OWN: `all` is at least that leaf and the time of the recorder's process, which is in
 * leaves of user mode and the kernel.
 */
struct cost cost_of(const struct summary *s);

/* One program. */
struct cost_program {
	double runs, run_ns; /* in the time counted */
	double ns_per_run;
	double share; /* of its own code; NaN: unknown, as are the next two */
	double cost;  /* share including entry and exit; NaN: unknown */
	/* additional time of its runs due to the statistics, as a share of the whole time */
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

/* Writes the number of missed runs as text; empty: none. Returns dst. */
char *cost_misses(const struct model *m, char *dst, size_t size);
/* True if the programs run so often that BPF statistics must have slowed the load down. */

bool cost_slowed(const struct model *m);

/*
 * The recorder's own part of a CPU's times, up to now: the number of runs of probes during each
 * event, times the measured cost of a run. Nothing if the trace has no such cost, or the filter
 * wants times as measured.
 */
void cost_own(struct split_own *own, const struct model *m, const struct model_cpu *c);

/*
 * Does anything say that the leaf OWN, which is by the cost of runs and by samples below other
 * programs, is too small? Only the complete model knows.
 */
bool cost_at_least(const struct model *m);

/* The part of it in runs of these probes (bits of enum netcost_probe), each event by itself. */
#define COST_ALL_PROBES (~0u)
struct split_own cost_own_probes(const struct model *m, const struct model_cpu *c,
				 unsigned int probes);

/* ---- caveats ----------------------------------------------------------------------------- */

/* A limit of what was measured. */
struct caveat {
	const char *name; /* of the subject */
	char text[480];
};

#define CAVEATS_MAX 9

/* Returns their number. */
size_t caveats_make(struct caveat caveat[CAVEATS_MAX], const struct summary *s);

/* ---- other BPF programs ------------------------------------------------------------- */

/*
 * The cost of the host's BPF programs that are not the recorder's own. They are counted for a part
 * of the time, and are assumed to have the same share of the whole time. They run on all CPUs,
 * whichever a report covers.
 */

/* NaN: unknown. */
struct bill_row {
	const char *name, *kind, *attached; /* attached: empty: unknown */
	size_t place;			    /* order in the trace */
	bool on_the_way;		    /* packets and sockets pass programs of its type */
	double runs, run_ns;		    /* in the time counted */
	double runs_per_s;
	double ns_per_run; /* NaN also if its interval is larger than its value */
	double share;	   /* of the CPUs' time */
	/*
	 * Half-widths of the 95 % intervals: how far the figure of the whole recording may be from
	 * that of the time counted. 0: all of it was counted.
	 */
	double ns_ci95, share_ci95;
	double network_share; /* of the network's time; only if on_the_way */
	/* of the time counted: time after the program ended, whose runs are unknown */
	double unseen_s;
};

struct bill {
	struct bill_row *row; /* the most expensive first */
	size_t n;
	size_t ran_on_the_way, ran_elsewhere;
	double on_the_way, elsewhere; /* their shares of the CPUs' time */
	double network_share;	      /* of those on the way */
	double counted_s, of_s;
	size_t ended; /* number of programs that have an unseen_s */
};

/* -ENOMEM: nothing to free. The summary must outlive it. */
int bill_make(struct bill *b, const struct summary *s);
void bill_free(struct bill *b);

#endif
