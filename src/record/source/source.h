/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.h: sources of counters that are read at every tick, one row each in source.c. A source
 * that is not available gives a reason, which the trace records: an unmeasured value is never 0.
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
#define SOURCE_HOOKS 8 /* maximum per point */

struct source_status {
	/* as in the SOURCE record: "measured", "absent", "refused" …; NULL: not requested */
	const char *state;
	const char *via;
	char why[SOURCE_WHY];
};

/* How one of the things that a source measures is measured. */
struct source_point {
	enum netcost_of of;
	unsigned int number;
	const char *name, *method; /* "off": not measured */
	const char *hook[SOURCE_HOOKS];
	size_t n;
	char why[SOURCE_WHY]; /* why not measured, or the method's weakness; or "" */
};

/* A PROBE record. */
struct source_probe {
	enum netcost_of of;
	unsigned int number;
	const char *method, *reason; /* reason: why no better method is used; NULL: not given */
	/* refused: NULL: not given */
	const char *const *hook, *const *refused, *const *unseen;
	size_t nhooks, nrefused;
	unsigned int tested, seen; /* tested is 0 without a test */
};

/* What sources are opened with. It must outlive them, but `kernel` is needed only until they are open. */
struct source_host {
	const struct cpuset *cpus;	/* recorded CPUs */
	const struct btf_names *kernel; /* NULL: its BTF is not available … */
	const char *why;		/* … for this reason */
	bool programs;			/* BPF programs may be used */
	int irqs;			/* the map of timed interrupts, see irqs.h; -1: not timed */
	bool latency;			/* packet latency is requested */
	const char *latency_by; /* … by this key of NETCOST_LATENCY_BYS, too; NULL: none */
	bool tail;		/* … with what CPUs did during the slowest packets */
	const struct latency_only *latency_only; /* … of these packets */
	unsigned long stages_every; /* packet paths of one in this many packets; 0: off */
	bool addresses;		    /* packet paths may include addresses */
	struct tracing
		*tracing;  /* for programs that need the kernel's types; NULL: none can be loaded */
	struct path *path; /* set by sources_open(): programs that follow packets; or NULL */
};

/* When a source is read. */
enum source_group {
	SOURCE_AT_TICKS,
	SOURCE_AT_WINDOWS, /* also where a window begins or ends: it counts the packets outside, too */
	SOURCE_FOLLOWS,	   /* by the programs that follow packets: not while they are paused */
};

struct source_desc {
	const char *name;
	const char *path;	     /* the file to read; replaced in tests */
	const struct layout *layout; /* for the files of percpu.c */
	/* Allocates *ctx and fills in the source's status. Negative: out of memory. *ctx NULL: not measured. */
	int (*open)(void **ctx, const struct source_desc *d, const struct source_host *h,
		    struct source_status *st);
	/* Writes this tick's records. Negative: the writer's error. */
	int (*tick)(void *ctx, struct trace_writer *w);
	/* Another file begins: writes again what is written once per file. NULL: nothing. */
	int (*again)(void *ctx, struct trace_writer *w);
	void (*close)(void *ctx);
	/* Returns the i-th program that it counts by; NULL: no more. A NULL function: none. */
	const struct bpf_program *(*program)(void *ctx, size_t i);
	/* Describes how the i-th of several things is measured; false: no more. A NULL function: there is only one. */
	bool (*point)(void *ctx, size_t i, struct source_point *p);
	enum source_group group;
};

extern const struct source_desc procstat_source, softnet_source, netdev_source, energy_source;
extern const struct source_desc protocol_source, softirqs_source, drops_source, latency_source;
extern const struct source_desc stages_source;

struct sources;

int sources_open(struct sources **sp, const struct source_host *h);
void sources_close(struct sources *s);
int sources_write(const struct sources *s, struct trace_writer *w); /* writes the SOURCE records */
/* paused: skips the sources that count nothing in a pause. */
int sources_tick(const struct sources *s, bool paused, struct trace_writer *w);
/* Another file begins, after a tick: writes all that was defined so far, with the same ids. */
int sources_again(const struct sources *s, struct trace_writer *w);
/* Returns whether programs that follow packets (path.h) are loaded. */
bool sources_follow(const struct sources *s);
/*
 * Call where a window of these programs begins or ends: after it packets are followed, or are not. All programs start
 * and stop at once, together with the reading of the number of packets outside of windows, so that both cover the same
 * time. After sources_resume() nothing is counted until this call.
 */
int sources_tick_window(const struct sources *s, bool follow, struct trace_writer *w);
void sources_pause(const struct sources *s);
int sources_resume(const struct sources *s);
uint64_t sources_follow_runs(const struct sources *s,
			     unsigned int cpu); /* number of runs of these programs so far */

#define SOURCE_PROGRAMS 64 /* maximum over all sources */
/* Stores the BPF programs of all sources, at most `room`; returns their number. */
size_t sources_programs(const struct sources *s, const struct bpf_program **program, size_t room);
/* Calls fn for each requested source, in order. */
void sources_each(const struct sources *s,
		  void (*fn)(void *, const char *, const struct source_status *), void *ctx);
/* Calls fn for each point of each source until it returns an error, which is returned. */
int sources_points(const struct sources *s, int (*fn)(void *, const struct source_point *),
		   void *ctx);

/* Opens a source's file, and fills in its status. Returns the descriptor; -1: absent. */
int source_file(const struct source_desc *d, struct source_status *st);

/* A kernel counter. */
struct source_count {
	uint64_t last, base;
	bool read;
};

/*
 * Returns the value for the trace: the increase since the first reading, because small numbers compress better, plus 1,
 * so that a reset to 0 always decreases it. bits32: the counter wraps, and so does the result. TRACE_NIL stays.
 */
uint64_t source_count(struct source_count *c, uint64_t now, bool bits32);
/* Converts n counters in place. */
void source_counts(struct source_count *c, uint64_t *value, size_t n, bool bits32);

/* Ends a counter's record with its last two fields: when its reading began and ended. */
int source_end(struct trace_writer *w, uint64_t began_ns, uint64_t ended_ns);

int source_put(struct trace_writer *w, const char *name, const char *state, const char *via,
	       const char *why);
int source_put_probe(struct trace_writer *w, const struct source_probe *p);

#endif
