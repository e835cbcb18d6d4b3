/* SPDX-License-Identifier: BSD-2-Clause */
/* cost.h: what BPF programs cost: the recorder's own, and those of others. */
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
 * Probes and samples: their number is counted, and the recorder measured the cost of one when it began. The kernel's
 * statistics of the recorder's BPF programs do not include entry and exit of a program, and are on for a part of the time
 * only, which is assumed to be representative.
 *
 * The cost of programs in no class of probes (--latency, --tail, --stages) is that of their runs in the time of the
 * statistics, with the entry and exit that the recorder measured, taken for all of the time. In traces of older recorders,
 * without that, and of some CPUs, it is known from the statistics and from the samples below them. Both are lower bounds:
 * the samples do not include entry code that other programs use, too. The larger one counts, and the overhead is then a
 * lower bound. The same holds for classes of probes whose statistics exceed the cost of their runs.
 *
 * Programs that the recorder's own process runs (the iterator of --owners, the look-up of names) are in its CPU time, and
 * the sampler's program is in the cost of a sample.
 */

/* Shares of the time of the recorded CPUs. NaN: unknown. */
struct cost {
	bool has_programs; /* false: the recording needed none */
	double programs, recorder, all;
	double all_programs; /* part of `all` if !measured: the larger of programs and by_samples */
	double by_samples;   /* all own programs */
	double others; /* programs in no class: the larger of the next two; NaN: none, or unknown */
	double others_statistics, others_samples, others_samples_ci95;
	bool others_counted; /* `others` is the cost of their runs, entry and exit included */
	double statistics;   /* what runs took longer while the kernel's statistics were on */
	bool has_others;     /* there are programs in no class */
	bool by_statistics; /* programs in classes: by the statistics, which exceed the cost of their runs */
	bool at_least; /* `all` is a lower bound: it has no ci95 */
	bool measured; /* the trace has the cost of runs of programs or samples, and `all` is based on it */
	double probes, samples;
	double ci95;	    /* of `all`: half-width */
	double busiest;	    /* without the recorder, on the CPU where it is largest */
	unsigned int lacks; /* kinds of probes that ran, but with an unknown cost of a run */
	double counted_s,
		of_s; /* time with BPF statistics, of the time between the first tick and the last */
	double recursion,
		missed; /* runs skipped due to recursion, and missed kprobes, of all programs */
};

struct cost cost_make(const struct model *m);

/* One program. */
struct cost_program {
	double runs, run_ns; /* in the time counted */
	double ns_per_run;
	double share;	   /* of its own code; NaN: not known, as are the next two */
	double cost;	   /* likewise, with entry and exit */
	double statistics; /* what its runs took longer as they were counted, of all of the time */
	double recursion, missed;
};

struct cost_program cost_program(const struct model *m, const struct model_program *p);

/* A class of probes, or the samples. */
struct cost_probe {
	bool there;
	double runs, ns; /* all of them */
	double ns_per_run, ci95_per_run;
	double share, ci95;
};

struct cost_probe cost_probe(const struct model *m, enum netcost_probe probe);

/* Runs that were missed, as text; empty: none. Returns dst. */
char *cost_misses(const struct model *m, char *dst, size_t size);
/* Do the programs run so often that BPF statistics must have slowed the load down? */

bool cost_slowed(const struct model *m);

/*
 * The recorder's own part of a CPU's times, up to now: the number of runs of probes during each event, times the measured
 * cost of a run. Nothing if the trace has no such cost, or the filter wants times as measured.
 */
void cost_own(struct split_own *own, const struct model *m, const struct model_cpu *c);
/* ---- caveats ----------------------------------------------------------------------------- */

/* A limit of what was measured. */
struct caveat {
	const char *name; /* of the subject */
	char text[480];
};

#define CAVEATS_MAX 9

/* Returns their number. */
size_t caveats_make(struct caveat caveat[CAVEATS_MAX], const struct summary *s);

/* ---- others' programs ------------------------------------------------------------------ */

/*
 * What the host's BPF programs cost that are not the recorder's own. They are counted for a part of the time,
 * and taken to have the same share of all of it. They run on all CPUs, whichever a report is about.
 */

/* What is not known is NaN. */
struct bill_row {
	const char *name, *kind, *attached; /* attached: empty: not known */
	size_t place;			    /* in the trace */
	bool on_the_way;		    /* packets and sockets pass programs of its type */
	double runs, run_ns;		    /* in the time counted */
	double runs_per_s;
	double ns_per_run; /* NaN also if it is not better known than within itself */
	double share;	   /* of the CPUs' time */
	/*
	 * Half-widths of the 95 % intervals: how far the figure of the whole recording may be from that of the time
	 * counted. 0: all of it was counted.
	 */
	double ns_ci95, share_ci95;
	double network_share; /* of the network's: only if it is on the way */
	double unseen_s;      /* of the time counted: it ended, and what it ran is not known */
};

struct bill {
	struct bill_row *row; /* the dearest first */
	size_t n;
	size_t ran_on_the_way, ran_elsewhere;
	double on_the_way, elsewhere; /* their shares of the CPUs' time */
	double network_share;	      /* of those on the way */
	double counted_s, of_s;
	size_t ended; /* number of programs that have an unseen_s */
};

/* -ENOMEM: then there is nothing to free. The summary must outlive it. */
int bill_make(struct bill *b, const struct summary *s);
void bill_free(struct bill *b);

#endif
