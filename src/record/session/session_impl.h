/* SPDX-License-Identifier: BSD-2-Clause */
/* session_impl.h: a session's internals, for the files session*.c. */
#ifndef NETCOST_SESSION_IMPL_H
#define NETCOST_SESSION_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/cpuset.h>

#include "record/base/config.h"
#include "record/base/live.h"
#include "record/base/output.h"
#include "record/base/post.h"
#include "record/base/series.h"
#include "record/certify/certify.h"
#include "record/exact/entry_cost.h"
#include "record/exact/ladder.h"
#include "record/exact/probe_cost.h"
#include "record/exact/selftest.h"
#include "record/exact/windows.h"
#include "record/source/path/latency_only.h"

#define SESSION_WHY 320
#define SESSION_START "start" /* the time at which a certificate is made */
#define SESSION_END "end"
#define SESSION_BEHIND (8u << 20) /* unread bytes of the reader above which samples are dropped */

/* Duration and the recorder's CPU time of something. */
struct session_span {
	uint64_t cpu_ns, ns;
};

/* What the progress line was made of. Sums of all CPUs. */
struct session_progress {
	uint64_t network_ns, counted_ns; /* exact times: see session_progress.c */
	double share;			 /* of the time counted since the line before; 0: none */
	uint32_t packets;
	double at_s;
};

/* One file of several. */
struct session_file {
	struct output out;
	struct trace_writer *w;
	uint64_t start_ns;
};

struct session {
	const struct config *cfg;
	struct cpuset online, cpus;

	struct ladder ladder;
	struct tracing *tracing; /* for `exact` */
	struct exact *exact;	 /* NULL: off, or not possible */
	bool attached;		 /* its probes are attached now */
	struct selftest selftest;
	struct entry_cost entry;  /* cost of entering and leaving a program */
	struct probe_costs costs; /* cost of a run of each class of probes */
	/* BTF id of the kernel function bpf_fentry_test1; 0: it does not exist */
	uint32_t fentry_test;
	struct pmu *pmu;	     /* with --processes; otherwise NULL */
	char exact_why[SESSION_WHY]; /* why exact times are not possible */

	struct windows windows;
	bool following;	    /* packets have been followed since the last tick */
	uint64_t tick_ns;   /* time of the last tick */
	uint64_t *followed; /* [i] of cpus: runs of these programs at the last look at their cost */
	struct exact_reading *looked;		  /* like `reading`, at the last look at the cost */
	uint64_t own_cpu_ns;			  /* the recorder's CPU time at that look */
	struct session_span attaching, detaching; /* the last attaching and detaching */

	struct programs *programs;	/* of `exact`; NULL: none */
	struct certificate certificate; /* the last one */

	struct sampler *sampler;       /* NULL: off */
	unsigned long hz;	       /* sampling rate */
	char samples_why[SESSION_WHY]; /* --check: why there is no sampler */
	struct symbols *symbols;
	struct stacks *stacks;
	struct tasks *tasks;
	struct cgroups *cgroups; /* NULL: not recorded */
	struct batch *batch;	 /* [i] of cpus */
	uint64_t *cut;		 /* cumulative samples of each CPU with truncated stacks … */
	uint64_t *written;	 /* … all samples … */
	uint64_t *dropped;	 /* … and samples dropped because the trace's reader was slow */

	struct online *online_now;
	struct latency_only latency_only;
	struct sources *sources;
	struct context *context;
	struct marks *marks;

	struct output out;
	struct trace_writer *w;
	struct live live; /* with --live */
	struct session_progress shown;

	/* With --rotate. */
	struct series series;
	struct series_name *name;     /* of two files … */
	unsigned int at;	      /* … the current one; the other one is the next */
	struct session_file next;     /* open from its creation to the tick that both files share */
	uint64_t rotate_ns, until_ns; /* when the next file is due; when the recording ends */
	uint64_t samples_before, bytes_before; /* in the files before this one */
	uint64_t *unsampled_before;	       /* of each CPU */
	bool goes_on;			       /* not the first file */
	/* reported that this file defines as many ids as it may */
	bool said_full;
	int stuck; /* errno: the next file could not be opened */
	struct post post;

	struct exact_reading *reading;	    /* [i] of cpus, at the last tick; zeros without exact */
	uint64_t *column;		    /* room for three columns of a record */
	bool ticked;			    /* a tick has been written */
	uint64_t began_ns, start_ns;	    /* of the recording; of the file */
	uint64_t samples, torn, maxrss_kib; /* samples: of the file */
};

struct sample;

/* session_samples.c: a sampler's sink; ctx is the session. */
int session_take_samples(void *ctx, const struct sample *smp, size_t n);

/* session_sources.c: samples of the i-th CPU lost so far, before the recorder and in it. */
uint64_t session_samples_lost(const struct session *s, unsigned int i);
uint64_t session_all_lost(const struct session *s); /* on all CPUs */
uint64_t session_samples_dropped(const struct session *s);

/* session_output.c */
int session_open_output(struct session *s, const char *path); /* reports errors */
/* call when it is open: begins the trace */
int session_begin_output(struct session *s, const char *path);
size_t session_waiting(const struct session *s); /* bytes that wait for the reader */
/* call when the reader can take more */
int session_push(struct session *s);
/* Gives the reader the rest. err: what ended the recording. Negative if something is missing, which is reported. */
int session_close_output(struct session *s, int err);

/* session_rotate.c */
int session_rotate_prepare(struct session *s); /* reports errors */
void session_rotate_free(struct session *s);
/* opens the output, or the first file; reports errors */
int session_rotate_open(struct session *s);
void session_rotate_begin(struct session *s); /* call when the recording has begun */
bool session_rotate_due(const struct session *s);
int session_rotate_next(
	struct session *s); /* Opens the next file. Reports errors, and sets `stuck`. */
/*
 * Then a tick is the last of this file and the first of the next. err: an earlier failure; then there is no next file.
 */
int session_rotate(struct session *s, int err);
int session_rotate_finish(struct session *s); /* call for the last file; reports errors */

/* session_events.c: each returns 0, or a negative errno that ends the recording. */
int session_drain(struct session *s); /* takes the available samples */
/* detects lost samples, and samplers whose CPU is gone */
int session_tend(struct session *s);
int session_on_ring(struct session *s);	   /* samples are waiting */
int session_on_tick(struct session *s);	   /* counters are due */
int session_on_flush(struct session *s);   /* a frame is due */
int session_on_count(struct session *s);   /* starts counting what the programs do … */
int session_on_uncount(struct session *s); /* … stops it; it is on when the loop begins */
int session_on_look(struct session *s);	   /* … ends an interval of about that length */
int session_on_mark(struct session *s);	   /* the user marks this moment: SIGUSR1 */
int session_on_call(struct session *s);	   /* a caller wants to mark a moment: --mark */
int session_on_post(struct session *s);	   /* a command of --post has ended */
/* session_progress.c: the line that a terminal shows while it records. */
void session_on_progress(struct session *s, double seconds);

/* session_windows.c: the recording's budget. Returns the sampling rate, before there is a sampler. */
unsigned long session_sample_hz(const struct session *s);
void session_windows_begin(struct session *s);	       /* call after the first tick */
uint64_t session_windows_due(const struct session *s); /* when to call … */
int session_on_windows(struct session *s);    /* … this: attaches, detaches, or neither */
void session_windows_open(struct session *s); /* after the last tick: attaches once more */
/* session_certify.c: with --certify. Before the first tick or after the last, so that no figure includes it. */
void session_certify(struct session *s, const char *when);
int session_write_certificate(struct session *s, const char *when);
void session_print_certificate(const struct session *s); /* makes one, for --check */

/* session_write_start.c, session_write.c: write the trace. All return 0 or the writer's negative errno. */
int session_write_start(struct session *s); /* HEADER, and everything else before a tick */
int session_write_clock(struct session *s);
int session_write_mark(struct session *s, uint64_t at_ns, const char *text);
int session_write_tick(struct session *s);
/* Writes a window's tick; packets are followed from now on, or not. */
int session_write_window(struct session *s, bool follow);
int session_write_data(struct session *s); /* definitions, then samples; flushes */
int session_write_rest(struct session *s); /* what follows the last tick, except for settings */
int session_write_end(struct session *s, const char *why);

/* session_sources.c: the SOURCE records. All of them at the start; some again when more is known. */
int session_write_sources(struct session *s);
struct source_told {
	const char *state, *via, *why;
};
struct source_told session_cgroups_source(const struct session *s);
struct source_status;
void session_process_sources(const struct session *s, struct source_status *pmu,
			     struct source_status *pages);
/* Why not everything is exact; "" if it is. */
const char *session_exact_why(const struct session *s);
int session_write_cpus_source(struct session *s);    /* lists CPUs that came online later */
int session_write_marks_source(struct session *s);   /* how marks arrive, and which were refused */
int session_write_samples_source(struct session *s); /* including samples that were not taken */

#endif
