/* SPDX-License-Identifier: BSD-2-Clause */
/* session_impl.h: a session from inside, for the files session*.c. */
#ifndef NETCOST_SESSION_IMPL_H
#define NETCOST_SESSION_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/cpuset.h>

#include "record/base/config.h"
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
#define SESSION_START "start" /* when a certificate is made */
#define SESSION_END "end"
#define SESSION_BEHIND (8u << 20) /* bytes that wait for the reader: samples are dropped */

/* How long something took, and what CPU time of the recorder. */
struct session_span {
	uint64_t cpu_ns, ns;
};

/* A file of several. */
struct session_file {
	struct output out;
	struct trace_writer *w;
	uint64_t start_ns;
};

struct session {
	const struct config *cfg;
	struct cpuset online, cpus;

	struct ladder ladder;
	struct tracing *tracing; /* of exact */
	struct exact *exact;	 /* NULL: off, or not possible */
	bool attached;		 /* its probes are, now */
	struct selftest selftest;
	struct entry_cost entry;  /* what calling a program costs */
	struct probe_costs costs; /* and what a run of each class of probes does */
	uint32_t fentry_test; /* the function bpf_fentry_test1 in the kernel's BTF; 0: it has none */
	struct pmu *pmu;      /* with --processes; otherwise NULL */
	char exact_why[SESSION_WHY]; /* not possible: why */

	struct windows windows;
	bool following;	  /* packets, since the last tick */
	uint64_t tick_ns; /* when it was */
	uint64_t *followed; /* [i] of cpus: runs of these programs, when their cost was looked at last */
	struct exact_reading *looked; /* as `reading`, when their cost was looked at last */
	uint64_t own_cpu_ns;	      /* of the recorder, then */
	struct session_span attaching, detaching; /* the last time */

	struct programs *programs;	/* of exact; NULL: none */
	struct certificate certificate; /* the last that was made */

	struct sampler *sampler;       /* NULL: off */
	unsigned long hz;	       /* its rate */
	char samples_why[SESSION_WHY]; /* --check: why there is none */
	struct symbols *symbols;
	struct stacks *stacks;
	struct tasks *tasks;
	struct cgroups *cgroups; /* NULL: not measured */
	struct batch *batch;	 /* [i] of cpus */
	uint64_t *cut;		 /* samples of each CPU so far whose stacks were cut off … */
	uint64_t *written;	 /* … all of them … */
	uint64_t *dropped;	 /* … and those that were too many for the trace's reader */

	struct online *online_now;
	struct latency_only latency_only;
	struct sources *sources;
	struct context *context;
	struct marks *marks;

	struct output out;
	struct trace_writer *w;

	/* with --rotate */
	struct series series;
	struct series_name *name;     /* of two files … */
	unsigned int at;	      /* … this one; the other one is the next */
	struct session_file next;     /* from when it is opened to the tick that is in both */
	uint64_t rotate_ns, until_ns; /* when the next one is due; when the recording ends */
	uint64_t samples_before, bytes_before; /* in the files before this one */
	uint64_t *unsampled_before;	       /* of each CPU */
	bool goes_on;			       /* this is not the first one */
	bool said_full;			       /* that this one defines all the ids that it may */
	int stuck;			       /* the next one could not be begun */
	struct post post;

	struct exact_reading *reading;	    /* [i] of cpus, at the last tick; zeros without exact */
	uint64_t *column;		    /* room for three of a record */
	bool ticked;			    /* there was one */
	uint64_t began_ns, start_ns;	    /* of the recording, of the file */
	uint64_t samples, torn, maxrss_kib; /* samples: of the file */
};

struct sample;

/* session_samples.c: a sampler's sink; ctx is the session. */
int session_take_samples(void *ctx, const struct sample *smp, size_t n);

/* session_sources.c: lost so far of the i-th CPU, before the recorder and in it. */
uint64_t session_samples_lost(const struct session *s, unsigned int i);
uint64_t session_samples_dropped(const struct session *s);

/* session_output.c */
int session_open_output(struct session *s, const char *path);  /* says what is wrong */
int session_begin_output(struct session *s, const char *path); /* it is open: the trace's start */
size_t session_waiting(const struct session *s);	       /* for its reader */
int session_push(struct session *s);			       /* it can take more */
/* Gives the reader the rest. err: what ended the recording. Negative if something is missing, which is reported. */
int session_close_output(struct session *s, int err);

/* session_rotate.c */
int session_rotate_prepare(struct session *s); /* says what is wrong */
void session_rotate_free(struct session *s);
int session_rotate_open(struct session *s); /* the output, or the first file: says what is wrong */
void session_rotate_begin(struct session *s); /* the recording has begun */
bool session_rotate_due(const struct session *s);
int session_rotate_next(
	struct session *s); /* opens the next file: says what is wrong, and sets `stuck` */
/* Then a tick is this one's last and the next one's first. err: it failed before, and there is no next file. */
int session_rotate(struct session *s, int err);
int session_rotate_finish(struct session *s); /* it is the last file: says what is wrong */

/* session_events.c: each returns 0, or a negative errno that ends the recording. */
int session_drain(struct session *s);	   /* takes the samples that there are */
int session_tend(struct session *s);	   /* finds lost samples, and samplers without a CPU */
int session_on_ring(struct session *s);	   /* samples are waiting */
int session_on_tick(struct session *s);	   /* counters are due */
int session_on_flush(struct session *s);   /* a frame is due */
int session_on_count(struct session *s);   /* what the programs do is counted from here on … */
int session_on_uncount(struct session *s); /* … to here; it is when the loop begins */
int session_on_look(struct session *s);	   /* … in pieces of about that length */
int session_on_mark(struct session *s);	   /* the user marks this moment: SIGUSR1 */
int session_on_call(struct session *s);	   /* somebody wants to mark one: --mark */
int session_on_post(struct session *s);	   /* a command of --post has ended */
void session_on_progress(const struct session *s, double seconds);

/* session_windows.c: what the recording may cost. The rate of samples, before there is a sampler. */
unsigned long session_sample_hz(const struct session *s);
void session_windows_begin(struct session *s);	       /* after the first tick */
uint64_t session_windows_due(const struct session *s); /* when it is time for … */
int session_on_windows(struct session *s);	       /* … this: attach, detach, or neither */
void session_windows_open(struct session *s);	       /* after the last tick: attaches once more */
/* session_certify.c: with --certify. Before the first tick or after the last, so that it is in no figure. */
void session_certify(struct session *s, const char *when);
int session_write_certificate(struct session *s, const char *when);
void session_print_certificate(const struct session *s); /* makes one, for --check */

/* session_write_start.c, session_write.c: what goes into the trace. All return 0 or the writer's negative errno. */
int session_write_start(struct session *s); /* HEADER, and what else comes before a tick */
int session_write_clock(struct session *s);
int session_write_mark(struct session *s, uint64_t at_ns, const char *text);
int session_write_tick(struct session *s);
/* A tick of what windows have; packets are followed from now on, or not. */
int session_write_window(struct session *s, bool follow);
int session_write_data(struct session *s); /* definitions, then samples; flushes */
int session_write_rest(struct session *s); /* what comes after the last tick, but for settings */
int session_write_end(struct session *s, const char *why);

/* session_sources.c: the SOURCE records. All of them at the start; some again when there is more to say. */
int session_write_sources(struct session *s);
struct source_told {
	const char *state, *via, *why;
};
struct source_told session_cgroups_source(const struct session *s);
struct source_status;
void session_process_sources(const struct session *s, struct source_status *pmu,
			     struct source_status *pages);
/* Why nothing is exact, or not all; "": all is. */
const char *session_exact_why(const struct session *s);
int session_write_cpus_source(struct session *s);    /* which came later */
int session_write_marks_source(struct session *s);   /* how marks come, and which did not */
int session_write_samples_source(struct session *s); /* also which were not taken */

#endif
