/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.h: reads sources of counters at every tick. source.c has one table row for each source. If a source is not
 * available, the trace records the reason, so an unmeasured value is never 0.
 */
#ifndef NETCOST_SOURCE_H
#define NETCOST_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/probe_of.h>

struct admin;
struct bpf_program;
struct btf_names;
struct cpuset;
struct latency_only;
struct layout;
struct path;
struct trace_writer;
struct tracing;

#define SOURCE_WHY 200
#define SOURCE_HOOKS 8 /* maximum number of hooks of a point */

struct source_status {
	/* state in the SOURCE record: "measured", "absent", "refused" …; NULL: not requested */
	const char *state;
	const char *via;
	char why[SOURCE_WHY];
};

/* One quantity that a source measures, and the method of measuring it. */
struct source_point {
	enum netcost_of of;
	unsigned int number;
	const char *name, *method; /* method is "off" if the quantity is not measured */
	const char *hook[SOURCE_HOOKS];
	size_t n;
	/* reason why the quantity is not measured, or the method's weakness, or "" */
	char why[SOURCE_WHY];
};

/* The fields of a PROBE record. */
struct source_probe {
	enum netcost_of of;
	unsigned int number;
	const char *method, *reason; /* reason: why no better method is used; NULL: not written */
	/* refused: NULL if not written */
	const char *const *hook, *const *refused, *const *unseen;
	size_t nhooks, nrefused;
	/* numbers of tested and seen kinds of calls; tested is 0 if there was no test */
	unsigned int tested, seen;
};

/* The inputs of sources. They must outlive the sources, but `kernel` is needed only until the sources are open. */
struct source_host {
	const struct cpuset *cpus;	/* recorded CPUs */
	const struct btf_names *kernel; /* the kernel's BTF; NULL: not available */
	const char *why;		/* reason why the kernel's BTF is not available */
	bool programs;			/* sources may use BPF programs */
	bool functions_refused;		/* the kernel refuses programs of functions (EPERM) */
	int irqs;     /* the map of timed interrupts (irqs.h); -1: interrupts are not timed */
	bool latency; /* packet latency is requested */
	/* key of NETCOST_LATENCY_BYS by which latency is also counted; NULL: no key */
	const char *latency_by;
	bool tail; /* also observe what CPUs did while the slowest packets waited */
	const struct latency_only *latency_only; /* packets whose latency is measured */
	/* N: packet paths are requested for one of N packets; 0: off */
	unsigned long stages_every;
	unsigned long peers; /* number of peers for which messages are counted; 0: off */
	bool addresses;	     /* packet paths and peers may include addresses */
	/* for programs that need the kernel's types; NULL: such programs cannot be loaded */
	struct tracing *tracing;
	uint64_t memory_limit; /* memory_limit.h */
	struct admin *admin;   /* admin.h */
	struct path *path;     /* programs that follow packets, set by sources_open(); or NULL */
};

/* Returns the number of bytes of the maps of programs that follow packets with these options (path.c). */
uint64_t path_bytes(const struct source_host *h, unsigned int ncpus);

/* When a source is read. */
enum source_group {
	SOURCE_AT_TICKS,
	/* also at the start and end of a window, because the source counts packets outside of windows, too */
	SOURCE_AT_WINDOWS,
	/* counted by the programs that follow packets or count peers, so not read while these programs are paused */
	SOURCE_FOLLOWS,
};

/* State of programs that are attached in windows. */
enum source_state { SOURCE_DETACHED, SOURCE_ATTACHED, SOURCE_COUNTS };

struct source_desc {
	const char *name;
	const char *path;	     /* the file to read; replaced in tests */
	const struct layout *layout; /* layout of the file, for percpu.c */
	/*
	 * Opens the source: allocates *ctx and fills in the source's status. Returns negative if out of memory. *ctx is
	 * NULL if the source is not measured.
	 */
	int (*open)(void **ctx, const struct source_desc *d, const struct source_host *h,
		    struct source_status *st);
	/* Writes this tick's records. Returns the writer's error if negative. */
	int (*tick)(void *ctx, struct trace_writer *w);
	/*
	 * Writes again the records that are written once per file, because another file begins. The function may be
	 * NULL.
	 */
	int (*again)(void *ctx, struct trace_writer *w);
	void (*close)(void *ctx);
	/*
	 * Returns the i-th program that the source uses, or NULL after the last one. The function is NULL if there are
	 * no programs.
	 */
	const struct bpf_program *(*program)(void *ctx, size_t i);
	/*
	 * Describes how the i-th quantity is measured. Returns false after the last one. The function is NULL if the
	 * source measures only one quantity.
	 */
	bool (*point)(void *ctx, size_t i, struct source_point *p);
	/*
	 * Changes the state of the programs of the group SOURCE_FOLLOWS, except for the programs of path.h. Returns 0
	 * or -errno. runs() returns the number of runs of these programs on a CPU so far. Both functions are NULL if
	 * there are no such programs.
	 */
	int (*follow)(void *ctx, enum source_state state);
	uint64_t (*runs)(void *ctx, unsigned int cpu);
	enum source_group group;
};

extern const struct source_desc procstat_source, softnet_source, netdev_source, energy_source;
extern const struct source_desc protocol_source, softirqs_source, drops_source, latency_source;
extern const struct source_desc stages_source, peers_source;

struct sources;

int sources_open(struct sources **sp, const struct source_host *h);
void sources_close(struct sources *s);
int sources_write(const struct sources *s, struct trace_writer *w); /* writes the SOURCE records */
/* Reads the sources and writes a tick. paused: skips the sources that count nothing in a pause. */
int sources_tick(const struct sources *s, bool paused, struct trace_writer *w);
/* Writes all definitions again, with the same ids, because another file begins. Call it after a tick. */
int sources_again(const struct sources *s, struct trace_writer *w);
/*
 * Returns true if programs that are attached in windows are loaded: the programs that follow packets (path.h), and the
 * programs of peers. In the following functions, "follow" refers to both kinds.
 */
bool sources_follow(const struct sources *s);
/*
 * Writes the tick at the start or end of a window of the programs that follow packets. After this call, packets are
 * followed if `follow` is set. All programs start or stop at the same time, and the number of packets outside of
 * windows is read at that time, too. After sources_resume() nothing is counted until this call.
 */
int sources_tick_window(struct sources *s, bool follow, struct trace_writer *w);
void sources_pause(const struct sources *s);
int sources_resume(const struct sources *s);
/* Returns the number of runs of the programs that follow packets on a CPU so far. */
uint64_t sources_follow_runs(const struct sources *s, unsigned int cpu);

#define SOURCE_PROGRAMS 64 /* maximum number of programs of all sources */
/* Stores the BPF programs of all sources, at most `room`. Returns the number of stored programs. */
size_t sources_programs(const struct sources *s, const struct bpf_program **program, size_t room);
/* Calls fn for each requested source, in order. */
void sources_each(const struct sources *s,
		  void (*fn)(void *, const char *, const struct source_status *), void *ctx);
/* Calls fn for each point of each source until fn returns an error. Returns the error of fn. */
int sources_points(const struct sources *s, int (*fn)(void *, const struct source_point *),
		   void *ctx);

/* Opens a source's file, and fills in the source's status. Returns a descriptor, or -1 if the file is absent. */
int source_file(const struct source_desc *d, struct source_status *st);

/* The last value and the base of a kernel counter. */
struct source_count {
	uint64_t last, base;
	bool read;
};

/*
 * Returns the value for the trace: the increase since the first reading, plus 1. Small numbers compress better than
 * large ones. The 1 makes sure that a reset to 0 always decreases the value. bits32: the counter and the result wrap at
 * 32 bits. TRACE_NIL stays TRACE_NIL.
 */
uint64_t source_count(struct source_count *c, uint64_t now, bool bits32);
/* Converts n counters in place. */
void source_counts(struct source_count *c, uint64_t *value, size_t n, bool bits32);

/* Ends a record of counters with its last two fields: the times when the reading of the counters began and ended. */
int source_end(struct trace_writer *w, uint64_t began_ns, uint64_t ended_ns);

int source_put(struct trace_writer *w, const char *name, const char *state, const char *via,
	       const char *why);
int source_put_probe(struct trace_writer *w, const struct source_probe *p);

#endif
