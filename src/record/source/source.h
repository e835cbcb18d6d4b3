/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.h: sources of counters that are read at every tick. One row each in source.c; a source that is
 * not available says why, and the trace has that: what was not measured is never 0.
 */
#ifndef NETCOST_SOURCE_H
#define NETCOST_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/probe_of.h>

struct bpf_program;
struct btf_names;
struct cpuset;
struct latency_only;
struct layout;
struct path;
struct trace_writer;
struct tracing;

#define SOURCE_WHY 200
#define SOURCE_HOOKS 8 /* of a point, at most */

struct source_status {
	const char *
		state; /* as in the SOURCE record: "measured", "absent", "refused" …; NULL: not asked for */
	const char *via;
	char why[SOURCE_WHY];
};

/* How one of the things that a source measures is measured. */
struct source_point {
	enum netcost_of of;
	unsigned int number;
	const char *name, *method; /* "off": it is not */
	const char *hook[SOURCE_HOOKS];
	size_t n;
	char why[SOURCE_WHY]; /* … not, or what is weak; or "" */
};

/* A PROBE record. */
struct source_probe {
	enum netcost_of of;
	unsigned int number;
	const char *method, *reason; /* reason: why the method is no better one; NULL: not given */
	const char *const *hook, *const *refused, *const *unseen; /* so is refused */
	size_t nhooks, nrefused;
	unsigned int tested, seen; /* tested is 0 without a test */
};

/* What sources are opened with. Both must live as long as they are read; kernel only until they are open. */
struct source_host {
	const struct cpuset *cpus;	/* recorded */
	const struct btf_names *kernel; /* NULL: its BTF is not to be had */
	const char *why;		/* … for this reason */
	bool programs;			/* BPF programs are wanted */
	int irqs;     /* the map of the interrupts that one times, see irqs.h; -1: none */
	bool latency; /* for how long packets wait is asked for */
	const char
		*latency_by; /* and by what, besides: a key of NETCOST_LATENCY_BYS; NULL: nothing */
	bool tail;	     /* and what CPUs did while the slowest ones did */
	const struct latency_only *latency_only; /* of which packets */
	unsigned long stages_every; /* the ways of one packet in so many are; 0: of none */
	bool addresses;		    /* of these may be told */
	struct tracing
		*tracing;  /* for programs that need the kernel's types; NULL: none can be loaded */
	struct path *path; /* set by sources_open(): programs that follow packets; or NULL */
};

struct source_desc {
	const char *name;
	const char *path;	     /* what is read; another one in tests */
	const struct layout *layout; /* of percpu.c's files */
	/* Makes *ctx and says in st how it stands. Negative: no memory. *ctx NULL: not measured. */
	int (*open)(void **ctx, const struct source_desc *d, const struct source_host *h,
		    struct source_status *st);
	/* Writes this tick's records. Negative: the writer's error. */
	int (*tick)(void *ctx, struct trace_writer *w);
	/* Another file begins: writes into it what it has written once until now. No function: there is nothing. */
	int (*again)(void *ctx, struct trace_writer *w);
	void (*close)(void *ctx);
	/* The i-th one by which it counts; NULL: there are no more. No function: none. */
	const struct bpf_program *(*program)(void *ctx, size_t i);
	/* How the i-th of several things is measured; false: there are no more. No function: it is one. */
	bool (*point)(void *ctx, size_t i, struct source_point *p);
	bool follows; /* it counts by the programs that follow packets: nothing while they are paused */
	bool at_windows; /* it is read where a window begins and ends: it tells how many packets there are outside */
};

extern const struct source_desc procstat_source, softnet_source, netdev_source, energy_source;
extern const struct source_desc protocol_source, softirqs_source, drops_source, latency_source;
extern const struct source_desc stages_source;

struct sources;

int sources_open(struct sources **sp, const struct source_host *h);
void sources_close(struct sources *s);
int sources_write(const struct sources *s, struct trace_writer *w); /* the SOURCE records */
/* paused: without those that count nothing then. */
int sources_tick(const struct sources *s, bool paused, struct trace_writer *w);
/* Another file begins, after a tick: all that was defined so far, and by the same ids. */
int sources_again(const struct sources *s, struct trace_writer *w);
/* Are programs loaded that follow packets (path.h)? */
bool sources_follow(const struct sources *s);
/*
 * Where a window of these begins or ends: from now on packets are followed, or are not. All programs begin and cease at once,
 * beside the reading of what tells how many packets there are outside: the two are of the same time. They count nothing after
 * sources_resume() until this says so.
 */
int sources_tick_window(const struct sources *s, bool follow, struct trace_writer *w);
void sources_pause(const struct sources *s);
int sources_resume(const struct sources *s);
uint64_t sources_follow_runs(const struct sources *s,
			     unsigned int cpu); /* of these programs, so far */

#define SOURCE_PROGRAMS 64 /* of all of them, at most */
/* The BPF programs by which sources count: returns how many, `room` at most. */
size_t sources_programs(const struct sources *s, const struct bpf_program **program, size_t room);
/* Calls fn for each source that was asked for, in order. */
void sources_each(const struct sources *s,
		  void (*fn)(void *, const char *, const struct source_status *), void *ctx);
/* Calls fn for each point of each source, until it returns an error: returns that. */
int sources_points(const struct sources *s, int (*fn)(void *, const struct source_point *),
		   void *ctx);

/* Opens the file that a source is, and says in st how it stands. The descriptor; -1: it is absent. */
int source_file(const struct source_desc *d, struct source_status *st);

/* A counter of the kernel. */
struct source_count {
	uint64_t last, base;
	bool read;
};

/*
 * What a trace has of it: how far it moved since it was read first, as small numbers compress better; and 1 more, so
 * that it always falls, to 0, when it is reset. bits32: it wraps, and so does what is returned. Keeps TRACE_NIL.
 */
uint64_t source_count(struct source_count *c, uint64_t now, bool bits32);
/* Of each of n counters, in place. */
void source_counts(struct source_count *c, uint64_t *value, size_t n, bool bits32);

/* Ends a counter's record, of which two fields are left: when its reading began and ended. */
int source_end(struct trace_writer *w, uint64_t began_ns, uint64_t ended_ns);

int source_put(struct trace_writer *w, const char *name, const char *state, const char *via,
	       const char *why);
int source_put_probe(struct trace_writer *w, const struct source_probe *p);

#endif
