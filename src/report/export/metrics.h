/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metrics.h: series of metrics in memory, and OpenMetrics as text. Names follow Prometheus's conventions: they have
 * base units, and names of counters end in _total. A series has a value at each edge of the intervals, or NaN, which is
 * not written.
 */
#ifndef NETCOST_REPORT_METRICS_H
#define NETCOST_REPORT_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "export.h"

#define METRICS_PREFIX "netcost_"

/*
 * The families, in output order. A name ends with its unit. Kinds of series: FROM_ZERO: a series
 * that begins late was 0 before; MOVED: a series that never changed is left out; ANY: all others.
 *
 *   ENUM    name    type    unit, or ""     series  help
 */
#define METRIC_FAMILIES(X)                                                                         \
	X(RECORDING, "recording", INFO, "", ANY, "What was recorded, and how")                     \
	X(CPU, "cpu_seconds", COUNTER, "seconds", ANY,                                             \
	  "CPU time by leaf; leaves that were not measured are absent")                            \
	X(RECORDED, "recorded_cpu_seconds", COUNTER, "seconds", ANY,                               \
	  "wall time of the recorded CPUs, including idle time")                                   \
	X(UNIT_COST, "unit_cost_seconds", GAUGE, "seconds", ANY,                                   \
	  "CPU time for each packet, byte or call, since the previous point")                      \
	X(CALLS, "calls", COUNTER, "", ANY,                                                        \
	  "socket calls, softirqs and other counted events, by event")                             \
	X(CALLS_FAILED, "failed_calls", COUNTER, "", ANY, "calls that failed, by event")           \
	X(CALL_BYTES, "call_bytes", COUNTER, "bytes", ANY,                                         \
	  "bytes sent or received by socket calls")                                                \
	X(IF_PACKETS, "interface_packets", COUNTER, "packets", ANY, "packets of interfaces")       \
	X(IF_BYTES, "interface_bytes", COUNTER, "bytes", ANY, "bytes of interfaces")               \
	X(IF_ERRORS, "interface_errors", COUNTER, "errors", ANY, "errors of interfaces")           \
	X(IF_DROPPED, "interface_dropped_packets", COUNTER, "packets", ANY,                        \
	  "packets that interfaces dropped")                                                       \
	X(SOFTNET, "softnet_packets", COUNTER, "packets", ANY,                                     \
	  "packets after GRO: processed in RX softirqs, or dropped by a full backlog")             \
	X(SQUEEZED, "softnet_squeezes", COUNTER, "", ANY,                                          \
	  "number of RX softirqs that ended with work left (time_squeeze)")                        \
	X(DROPPED, "dropped_packets", COUNTER, "packets", ANY,                                     \
	  "packets that the kernel dropped, by drop reason")                                       \
	X(LATENCY, "packet_latency_seconds", HISTOGRAM, "seconds", ANY,                            \
	  "packet latency by checkpoint: see netcost-report latency")                              \
	X(LATENCY_QUANTILE, "packet_latency_quantile_seconds", GAUGE, "seconds", ANY,              \
	  "quantiles of packet latency by checkpoint in the interval; not in OpenMetrics")         \
	X(LATENCY_LOST, "packet_latency_unknown_packets", COUNTER, "packets", ANY,                 \
	  "packets that reached a checkpoint without a known latency, by reason")                  \
	X(LATENCY_KEY_PACKETS, "packet_latency_by_key_packets", COUNTER, "packets", FROM_ZERO,     \
	  "packets by checkpoint and by interface, cgroup or process")                             \
	X(LATENCY_KEY, "packet_latency_by_key_seconds", COUNTER, "seconds", FROM_ZERO,             \
	  "total latency of packets by checkpoint and by interface, cgroup or process")            \
	X(ENERGY, "energy_joules", COUNTER, "joules", MOVED,                                       \
	  "energy by the energy counters of the host")                                             \
	X(PROCESS_CPU, "process_cpu_seconds", COUNTER, "seconds", ANY,                             \
	  "on-CPU time of processes, without interrupts")                                          \
	X(PROCESS_NETWORK, "process_network_seconds", COUNTER, "seconds", ANY,                     \
	  "on-CPU time of processes in socket calls, busy polling and threaded NAPI")              \
	X(PROCESS_INTERRUPTED, "process_interrupted_seconds", COUNTER, "seconds", ANY,             \
	  "network softirqs and hard interrupts while a process ran, for packets of any process")  \
	X(SAMPLES, "samples", COUNTER, "", ANY, "stack samples that were taken")                   \
	X(SAMPLES_LOST, "lost_samples", COUNTER, "", ANY, "stack samples that were lost")          \
	X(UNMEASURED, "unmeasured_calls", COUNTER, "", ANY,                                        \
	  "calls and parts of softirqs that exact probes saw but could not measure, by kind")      \
	X(RECORDER_CPU, "recorder_cpu_seconds", COUNTER, "seconds", ANY,                           \
	  "CPU time of the recorder; the leaf netcost_itself is the time of its probes")           \
	X(RECORDER_RUNS, "recorder_missed_runs", COUNTER, "", ANY,                                 \
	  "runs of the recorder's programs that the kernel skipped, by program")

enum metric_family {
#define X(name, key, type, unit, series, help) METRIC_##name,
	METRIC_FAMILIES(X)
#undef X
		METRIC_FAMILY_COUNT,
	METRIC_FAMILIES_MOST = METRIC_FAMILY_COUNT + 64 /* includes the families of views */
};

/* ---- labels ------------------------------------------------------------------------------ */

#define METRIC_LABEL_MOST 256 /* bytes of a value with its NUL; longer values are truncated */

/* A list of name="value",… metric_label() escapes the values, which come from traces. */
struct metric_labels {
	char text[8192];
	size_t len;
};

void metric_label(struct metric_labels *l, const char *name, const char *value);
void metric_label_uint(struct metric_labels *l, const char *name, uint64_t value);

/* ---- series ------------------------------------------------------------------------------ */

/* limit of the number of series times the number of points of each */
#define METRICS_CELLS_MAX 8000000
/* largest number of series of a family; each bucket of a histogram counts as one series */
#define METRICS_FAMILY_MAX 1000
/*
 * Number of points that are allowed for each value that was read from the trace since the previous edge. A limited
 * number of unused points is carried over to the next edge. A recording reads nearly all of its counters in each tick
 * and stays within the limit. Without the limit, a hostile trace with a thousand constant series could create points at
 * each of a million empty ticks.
 */
#define METRICS_POINTS_PER_VALUE 8
#define METRICS_POINTS_SPARE 100000

struct metric_series {
	unsigned int family;
	double *value;	 /* by edge; NaN: none */
	uint32_t metric; /* number of the metric; all series of a histogram have the same number */
	double most;	 /* largest value of a counter so far; set by metrics_settle() */
	size_t at;	 /* with `newest`: the edge at which the series has its value */
};

struct metrics {
	size_t edges;
	/*
	 * times are in ns and counters may decrease, so that a counter of time is the sum of its
	 * intervals to the nanosecond; histograms are left out
	 */
	bool exact;
	bool newest;		      /* only the value at the newest edge of each series is kept */
	struct strings names;	      /* names of series with labels, as they are written */
	struct metric_series *series; /* indexed by the number of the name in `names`, from 1 */
	size_t n, cap, of_family[METRIC_FAMILIES_MOST];
	struct metric_view {
		char name[80];
		const char *unit, *help;
	} view[METRIC_FAMILIES_MOST - METRIC_FAMILY_COUNT];
	size_t nviews;
	uint32_t metrics;
	uint64_t room; /* number of points that may still be added */
	/*
	 * left_out: number of points beyond the limits; held: number of counter values that would
	 * have decreased
	 */
	uint64_t left_out, held;
	bool no_memory;
};

void metrics_init(struct metrics *s, size_t edges); /* does not limit the number of points */
void metrics_free(struct metrics *s);
/*
 * Returns the family of a value of a view. The arguments are names and texts of the registry. The family is a counter
 * whose series are 0 before they begin. Returns METRIC_FAMILIES_MOST if there are too many families.
 */
unsigned int metrics_view(struct metrics *s, const char *view, const char *value, const char *unit,
			  const char *help);

/* Description of a family, for formats other than OpenMetrics. */
struct metric_about {
	const char *name, *unit, *help;
	bool gauge;  /* the value at an edge belongs to the interval before it */
	bool number; /* the series of the family are counters or gauges */
};

struct metric_about metrics_about(const struct metrics *s, unsigned int family);
/* Returns a time in the unit of the series. */
double metrics_time(const struct metrics *s, double ns);

/*
 * Returns how many of n entities may have series. each: number of series of an entity in a family.
 * points: number of points of an entity at an edge. The points of all other entities are counted as
 * left out.
 */
size_t metrics_limit(struct metrics *s, size_t n, size_t each, size_t points);
/*
 * Adds room for the points at the next edge. values: number of values read since the previous edge.
 */
void metrics_make_room(struct metrics *s, uint64_t values);
/*
 * Returns true if there is room for more points. Otherwise the caller need not format anything, and
 * `points` are counted as left out.
 */
bool metrics_has_room(struct metrics *s, size_t points);

/*
 * Adds v to the value of a series at an edge. NaN and infinity are ignored. labels: NULL for none.
 */
void metrics_add(struct metrics *s, unsigned int family, size_t edge, double v,
		 const struct metric_labels *labels);
/* Sets the value of a series at an edge. NaN and infinity are ignored. labels: NULL for none. */
void metrics_set(struct metrics *s, unsigned int family, size_t edge, double v,
		 const struct metric_labels *labels);
/*
 * Adds v to a series of a histogram. The caller must add all series of a histogram consecutively,
 * with `begins` set for the first.
 */
void metrics_add_part(struct metrics *s, unsigned int family, const char *suffix, bool begins,
		      size_t edge, double v, const struct metric_labels *labels);

/*
 * Applies the kinds of the families. It must be called after the last point. A counter that would
 * decrease keeps its value.
 */
void metrics_settle(struct metrics *s);

/* With `newest`: removes the points at all other edges. The edge becomes edge 0. */
void metrics_keep(struct metrics *s, size_t edge);

/* Reports the number of points beyond the limits, if there are any. title: name of the trace. */
void metrics_tell_left_out(const struct metrics *s, const char *title);

struct metrics_count {
	size_t families, series, points;
};

/*
 * Writes all families. real_ms: the times of the edges. Of consecutive edges with the same time in
 * ms, only the last is written.
 */
struct metrics_count metrics_write(FILE *out, const struct metrics *s, const uint64_t *real_ms);

#endif
