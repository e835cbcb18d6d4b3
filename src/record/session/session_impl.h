/* SPDX-License-Identifier: BSD-2-Clause */
/* session_impl.h: internals of a session, for the files session*.c. */
#ifndef NETCOST_SESSION_IMPL_H
#define NETCOST_SESSION_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/cpuset.h>

#include "record/base/blackbox.h"
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
#define SESSION_START "start" /* times at which a certificate is made */
#define SESSION_END "end"
/* number of unread bytes above which samples are dropped */
#define SESSION_BEHIND (8u << 20)

/* Duration of an action, and the recorder's CPU time in it. */
struct session_span {
	uint64_t cpu_ns, ns;
};

/* Values in the last progress line, as sums over all CPUs. */
struct session_progress {
	uint64_t network_ns, counted_ns; /* exact times, explained in session_progress.c */
	double share; /* share of the time counted since the previous line; 0: none */
	uint32_t packets;
	double at_s;
};

/* The state of one output file while another file is written. */
struct session_file {
	struct output out;
	struct trace_writer *w;
	uint64_t start_ns;
};

struct session {
	const struct config *cfg;
	struct admin *admin; /* makes calls that need CAP_SYS_ADMIN */
	struct cpuset online, cpus;
	uint64_t memory_limit; /* memory_limit.h */

	struct ladder ladder;
	struct tracing *tracing; /* tracing of `exact` */
	struct exact *exact;	 /* NULL: exact times are off, or not possible */
	bool attached;		 /* the probes of `exact` are attached now */
	struct selftest selftest;
	struct entry_cost entry;  /* cost of entering and leaving a program */
	struct probe_costs costs; /* cost of a run of each class of probes */
	/* BTF id of the kernel function bpf_fentry_test1; 0: it does not exist */
	uint32_t fentry_test;
	struct pmu *pmu;	     /* hardware counters, with --processes; otherwise NULL */
	char exact_why[SESSION_WHY]; /* reason why exact times are not possible */

	struct windows windows;
	bool following;	  /* packets have been followed since the last tick */
	uint64_t tick_ns; /* time of the last tick */
	/* by index of the CPU: number of runs of the programs that follow packets when costs were last checked */
	uint64_t *followed;
	/* readings like `reading`, when costs were last checked */
	struct exact_reading *looked;
	uint64_t own_cpu_ns; /* the recorder's CPU time at the last check of costs */
	/* durations of the last attaching and detaching */
	struct session_span attaching, detaching;

	struct programs *programs;	/* the programs of `exact`; NULL: none */
	struct certificate certificate; /* the last certificate */
	struct certifier *certifier;	/* NULL: no certificate was made */

	struct sampler *sampler;       /* NULL: no samples are taken */
	unsigned long hz;	       /* sampling rate */
	char samples_why[SESSION_WHY]; /* reason why there is no sampler, for --check */
	struct symbols *symbols;
	struct user_code *user_code; /* NULL: no stacks of user space */
	struct stacks *stacks;
	struct tasks *tasks;
	struct cgroups *cgroups; /* NULL: cgroups are not recorded */
	struct batch *batch;	 /* by index of the CPU */
	uint64_t *cut;	   /* by index of the CPU: number of samples with truncated stacks so far */
	uint64_t *written; /* by index of the CPU: number of samples written so far */
	/* by index of the CPU: number of samples dropped so far because the trace's reader was slow */
	uint64_t *dropped;

	struct online *online_now;
	struct latency_only latency_only;
	struct sources *sources;
	struct context *context;
	struct marks *marks;

	struct output out;
	struct trace_writer *w;
	struct live live; /* the screen of --live */
	struct session_progress shown;

	/* Fields of --rotate. */
	struct series series;
	struct series_name *name; /* names of the current file and the next file */
	/* index in `name` of the current file */
	unsigned int at;
	/* the next file, open from its creation to the tick that both files share */
	struct session_file next;
	/* time when the next file is due; time when the recording ends */
	uint64_t rotate_ns, until_ns;
	uint64_t samples_before, bytes_before; /* samples and bytes in the files before this one */
	/* unsampled time of each CPU in the files before this one */
	uint64_t *unsampled_before;
	bool goes_on; /* set if the current file is not the first */
	/* set after reporting that this file defines the maximum number of ids */
	bool said_full;
	int stuck; /* errno if the next file could not be opened */
	struct post post;
	struct blackbox blackbox; /* of --ring */

	/* by index of the CPU: readings at the last tick; zeros without exact times */
	struct exact_reading *reading;
	uint64_t *column;		    /* room for three columns of a record */
	bool ticked;			    /* a tick has been written */
	uint64_t began_ns, start_ns;	    /* start of the recording; start of the file */
	uint64_t samples, torn, maxrss_kib; /* samples: number of samples in this file */
};

/* Returns true if the recording has a black box (--ring). */
static inline bool session_has_ring(const struct session *s)
{
	return s->cfg->ring.ns || s->cfg->ring.bytes;
}

struct sample;

/* session_samples.c: takes samples as a sampler's sink. ctx is the session. */
int session_take_samples(void *ctx, const struct sample *smp, size_t n);

/*
 * session_sources.c: returns the number of lost samples of the i-th CPU so far, including those that the recorder
 * dropped.
 */
uint64_t session_samples_lost(const struct session *s, unsigned int i);
uint64_t session_all_lost(const struct session *s); /* returns the sum over all CPUs */
uint64_t session_samples_dropped(const struct session *s);

/* session_output.c */
int session_open_output(struct session *s, const char *path); /* reports errors */
/* begins the trace; call it when the output is open */
int session_begin_output(struct session *s, const char *path);
/* returns the number of bytes that wait for the reader */
size_t session_waiting(const struct session *s);
/* writes waiting data; call it when the reader can take more */
int session_push(struct session *s);
/*
 * Passes the remaining data to the reader. err: the error that ended the recording. If data is missing, prints an error
 * and returns negative.
 */
int session_close_output(struct session *s, int err);
/* renames a complete file; if that fails, reports the failure, and the recording continues */
void session_finish_file(struct session *s, struct output *out, struct series_name *name);

/* session_rotate.c */
int session_rotate_prepare(struct session *s); /* reports errors */
void session_rotate_free(struct session *s);
/* opens the output, or the first file; reports errors */
int session_rotate_open(struct session *s);
void session_rotate_begin(struct session *s); /* call it when the recording has begun */
bool session_rotate_due(const struct session *s);
int session_rotate_next(
	struct session *s); /* opens the next file; reports errors, and sets `stuck` */
/*
 * Ends this file. Its last tick is the first tick of the next file. err: an earlier error; if it is not 0, no next file
 * begins.
 */
int session_rotate(struct session *s, int err);
int session_rotate_finish(struct session *s); /* call it for the last file; reports errors */

/* session_blackbox.c: --ring. Each piece of the recording is an unnamed file in memory. */
int session_blackbox_open(struct session *s); /* opens a piece; reports errors */
/* call it when the child has sent a message or has ended */
int session_on_blackbox(struct session *s);
/* lets the child write the traces that are still due after the last piece; reports errors */
int session_blackbox_end(struct session *s);

/* session_events.c: each returns 0, or a negative errno that ends the recording. */
int session_drain(struct session *s); /* takes the available samples */
/* detects lost samples, and samplers whose CPU is offline */
int session_tend(struct session *s);
int session_on_ring(struct session *s);	   /* a ring has samples */
int session_on_tick(struct session *s);	   /* a tick is due */
int session_on_flush(struct session *s);   /* a frame is due */
int session_on_count(struct session *s);   /* starts counting the runs and time of programs */
int session_on_uncount(struct session *s); /* stops counting; counting is on when the loop begins */
int session_on_look(struct session *s);	   /* ends an interval of counting */
/* the user marked this moment with a signal: SIGUSR1, or SIGUSR2 with --ring */
int session_on_mark(struct session *s, const char *signal);
int session_on_call(struct session *s); /* a caller of --mark has connected or sent a request */
int session_on_post(struct session *s); /* a command of --post has ended */
/* session_progress.c: prints the line that a terminal shows during a recording. */
void session_on_progress(struct session *s, double seconds);

/*
 * session_windows.c: keeps the recording within its budget. Returns the sampling rate; call it before there is a
 * sampler.
 */
unsigned long session_sample_hz(const struct session *s);
void session_windows_begin(struct session *s); /* call it after the first tick */
/* time of the next call of session_on_windows() */
uint64_t session_windows_due(const struct session *s);
/* attaches or detaches the programs that run in windows, if this is due */
int session_on_windows(struct session *s);
/* attaches the programs once more, after the last tick */
void session_windows_open(struct session *s);
/* Reports a budget that could not be kept, because a period is longer than the recording. */
void session_windows_say(const struct session *s, double seconds);
/*
 * session_certify.c: makes a certificate (--certify), before the first tick or after the last, so that no figure of the
 * trace includes its cost.
 */
void session_certify(struct session *s, const char *when);
int session_write_certificate(struct session *s, const char *when);
/* makes a certificate and prints it, for --check */
void session_print_certificate(struct session *s);

/*
 * session_write_start.c, session_write.c: these functions write the trace. All return 0 or the writer's negative errno.
 */
int session_write_start(struct session *s); /* writes HEADER, and all other records before a tick */
int session_write_clock(struct session *s);
int session_write_mark(struct session *s, uint64_t at_ns, const char *text);
int session_write_tick(struct session *s);
/* Writes the tick at the start or end of a window. follow: packets are followed from now on. */
int session_write_window(struct session *s, bool follow);
int session_write_data(struct session *s); /* writes definitions, then samples, and flushes */
/* writes the records after the last tick, except for settings */
int session_write_rest(struct session *s);
int session_write_end(struct session *s, const char *why);

/*
 * session_sources.c: writes the SOURCE records. All of them are written at the start, and some again when more is
 * known.
 */
int session_write_sources(struct session *s);
struct source_told {
	const char *state, *via, *why;
};
struct source_told session_cgroups_source(const struct session *s);
struct source_status;
void session_process_sources(const struct session *s, struct source_status *pmu,
			     struct source_status *pages);
/* Returns the reason why some values are not exact; "" if all are. */
const char *session_exact_why(const struct session *s);
int session_write_cpus_source(struct session *s); /* lists CPUs that came online later */
/* describes how marks arrive, and which marks were refused */
int session_write_marks_source(struct session *s);
int session_write_samples_source(struct session *s); /* also says how long CPUs had no sampler */

#endif
