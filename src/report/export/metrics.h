/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metrics.h: series of metrics in memory, and OpenMetrics as text. Names follow Prometheus's conventions: base units, a
 * counter ends in _total. A series has a value at each edge of the pieces of time, or none: NaN is left out.
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
 * The families, in the order in which they are written; the unit is the end of the name. Series are ANY; those that begin
 * late have counted nothing before that (FROM_ZERO); those that never moved are left out (MOVED).
 *
 *	ENUM	name	type	unit, "": none	series	help
 */
#define METRIC_FAMILIES(X)                                                                         \
	X(RECORDING, "recording", INFO, "", ANY, "What was recorded, and how")                     \
	X(CPU, "cpu_seconds", COUNTER, "seconds", ANY,                                             \
	  "CPU time by leaf; the leaves that were measured sum to the whole")                      \
	X(RECORDED, "recorded_cpu_seconds", COUNTER, "seconds", ANY,                               \
	  "time of the CPUs that were recorded, idle or not")                                      \
	X(UNIT_COST, "unit_cost_seconds", GAUGE, "seconds", ANY,                                   \
	  "CPU time for each packet, byte or call, in the time since the point before")            \
	X(CALLS, "calls", COUNTER, "", ANY,                                                        \
	  "calls of sockets, runs of softirqs and the like, by event")                             \
	X(CALLS_FAILED, "failed_calls", COUNTER, "", ANY, "of these, those that failed")           \
	X(CALL_BYTES, "call_bytes", COUNTER, "bytes", ANY,                                         \
	  "bytes sent or received by calls of sockets")                                            \
	X(IF_PACKETS, "interface_packets", COUNTER, "packets", ANY, "packets of interfaces")       \
	X(IF_BYTES, "interface_bytes", COUNTER, "bytes", ANY, "bytes of interfaces")               \
	X(IF_ERRORS, "interface_errors", COUNTER, "errors", ANY, "errors of interfaces")           \
	X(IF_DROPPED, "interface_dropped_packets", COUNTER, "packets", ANY,                        \
	  "packets that interfaces dropped")                                                       \
	X(SOFTNET, "softnet_packets", COUNTER, "packets", ANY,                                     \
	  "packets in the RX softirq, after GRO: processed, or dropped from a backlog")            \
	X(SQUEEZED, "softnet_squeezes", COUNTER, "", ANY,                                          \
	  "times that the RX softirq ended with work left")                                        \
	X(DROPPED, "dropped_packets", COUNTER, "packets", ANY,                                     \
	  "packets that the kernel dropped, by its reason")                                        \
	X(LATENCY, "packet_latency_seconds", HISTOGRAM, "seconds", ANY,                            \
	  "time of packets in the host, by hook: see netcost-report latency")                      \
	X(LATENCY_LOST, "packet_latency_unknown_packets", COUNTER, "packets", ANY,                 \
	  "packets that came to a hook, but have no time, by reason")                              \
	X(LATENCY_KEY_PACKETS, "packet_latency_by_key_packets", COUNTER, "packets", FROM_ZERO,     \
	  "packets by hook and interface, cgroup or process; of each by they sum to all")          \
	X(LATENCY_KEY, "packet_latency_by_key_seconds", COUNTER, "seconds", FROM_ZERO,             \
	  "time of these packets in the host, all summed up")                                      \
	X(ENERGY, "energy_joules", COUNTER, "joules", MOVED, "energy by the counters of the host") \
	X(PROCESS_CPU, "process_cpu_seconds", COUNTER, "seconds", ANY,                             \
	  "on-CPU time of processes, without what interrupted them")                               \
	X(PROCESS_NETWORK, "process_network_seconds", COUNTER, "seconds", ANY,                     \
	  "of it, on network sockets, in busy polling and threaded NAPI")                          \
	X(PROCESS_INTERRUPTED, "process_interrupted_seconds", COUNTER, "seconds", ANY,             \
	  "network softirqs and hard interrupts while a process ran, whoever they were for")       \
	X(SAMPLES, "samples", COUNTER, "", ANY, "samples of stacks that were taken")               \
	X(SAMPLES_LOST, "lost_samples", COUNTER, "", ANY, "samples of stacks that were lost")      \
	X(UNMEASURED, "unmeasured_calls", COUNTER, "", ANY,                                        \
	  "calls and parts of softirqs that exact probes saw, but did not measure, by kind")       \
	X(RECORDER_CPU, "recorder_cpu_seconds", COUNTER, "seconds", ANY,                           \
	  "CPU time of the recorder's process; that of its probes is the leaf netcost_itself")     \
	X(RECORDER_RUNS, "recorder_missed_runs", COUNTER, "", ANY,                                 \
	  "runs of the recorder's programs that the kernel left out, by program")

enum metric_family {
#define X(name, key, type, unit, series, help) METRIC_##name,
	METRIC_FAMILIES(X)
#undef X
		METRIC_FAMILY_COUNT,
	METRIC_FAMILIES_MOST = METRIC_FAMILY_COUNT + 64 /* with those of views */
};

/* ---- labels ------------------------------------------------------------------------------ */

#define METRIC_LABEL_MOST 256 /* bytes of a value, with a NUL; what is longer ends there */

/* name="value",… : values come out of traces, and are made safe here. */
struct metric_labels {
	char text[8192];
	size_t len;
};

void metric_label(struct metric_labels *l, const char *name, const char *value);
void metric_label_uint(struct metric_labels *l, const char *name, uint64_t value);

/* ---- series ------------------------------------------------------------------------------ */

#define METRICS_CELLS_MAX 8000000 /* series times points */
#define METRICS_FAMILY_MAX 1000	  /* series of a family; of a histogram each bucket is one */
/*
 * Points cost values: each value that was read from the trace since the edge before is good for several, and what is left
 * of them stays, up to so many. A recording reads all of its counters nearly each tick, so that it has enough; in a made-up
 * trace a thousand series that never change could have points at each of a million empty ticks.
 */
#define METRICS_POINTS_PER_VALUE 8
#define METRICS_POINTS_SPARE 100000

struct metric_series {
	unsigned int family;
	double *value;	 /* by edge; NaN: none */
	uint32_t metric; /* series of one histogram have the same */
};

struct metrics {
	size_t edges;
	struct strings names;	      /* of series, as they are written, with their labels */
	struct metric_series *series; /* by the number of its name, from 1 on */
	size_t n, cap, of_family[METRIC_FAMILIES_MOST];
	struct metric_view {
		char name[80];
		const char *unit, *help;
	} view[METRIC_FAMILIES_MOST - METRIC_FAMILY_COUNT];
	size_t nviews;
	uint32_t metrics;
	uint64_t room;		 /* for points */
	uint64_t left_out, held; /* points beyond the limits; counters that would have fallen */
	bool no_memory;
};

void metrics_init(struct metrics *s, size_t edges); /* there is room for any number of points */
void metrics_free(struct metrics *s);
/*
 * The family of a value of a view, as the registry names both: a counter, whose series that begin late have counted nothing
 * before that. METRIC_FAMILIES_MOST: there are too many.
 */
unsigned int metrics_view(struct metrics *s, const char *view, const char *value, const char *unit,
			  const char *help);
/* How many of n entities may have series: `each` of a family. The others are left out: `points` at an edge. */
size_t metrics_limit(struct metrics *s, size_t n, size_t each, size_t points);
/* There is room for the points of the next edge, since the one before which that many values were read. */
void metrics_make_room(struct metrics *s, uint64_t values);
/* Is there room for more points? Otherwise nothing needs to be formatted: `points` are left out. */
bool metrics_has_room(struct metrics *s, size_t points);

/* Adds to what a series has at that edge; NaN and infinity: nothing. labels: NULL: none. */
void metrics_add(struct metrics *s, unsigned int family, size_t edge, double v,
		 const struct metric_labels *labels);
/* Likewise, but in place of what it has there. */
void metrics_set(struct metrics *s, unsigned int family, size_t edge, double v,
		 const struct metric_labels *labels);
/* Adds to a histogram: series that belong together are added one right after the other, the first one with `begins`. */
void metrics_add_part(struct metrics *s, unsigned int family, const char *suffix, bool begins,
		      size_t edge, double v, const struct metric_labels *labels);

/* Once all points are there: what the series of families are, and counters do not fall: where one would, it stays what it was. */
void metrics_settle(struct metrics *s);

struct metrics_count {
	size_t families, series, points;
};

/* real_ms: when the edges were; of neighbours with the same ms only the last one is written. */
struct metrics_count metrics_write(FILE *out, const struct metrics *s, const uint64_t *real_ms);

#endif
