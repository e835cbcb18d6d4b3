// SPDX-License-Identifier: BSD-2-Clause
/*
 * Prints the line that a terminal shows during a recording. The recorder has no rules for stacks, so it does not know
 * all of the network's time. It knows only the time of sends, receives and softirqs, which is exact. This time includes
 * the cost of the probes.
 */
#include "session_impl.h"

#include <stdio.h>
#include <stdlib.h>

#include <netcost/text_append.h>
#include <netcost/trace.h>

#include "record/exact/exact.h"

#define NETWORK                                                                                    \
	(1u << NETCOST_EV_SOCK_SEND | 1u << NETCOST_EV_SOCK_RECV | 1u << NETCOST_EV_RX_SOFTIRQ |   \
	 1u << NETCOST_EV_TX_SOFTIRQ | 1u << NETCOST_EV_RX_THREAD | 1u << NETCOST_EV_RX_BUSY_POLL)

/*
 * Computes the network's share of the time that was counted exactly since the previous line. Keeps the old share if no
 * time was counted.
 */
static void look_at_times(struct session *s)
{
	uint64_t network_ns = 0, counted_ns = 0;
	struct session_progress *p = &s->shown;

	for (unsigned int i = 0; i < s->cpus.n; i++)
		for (int e = 0; e < NETCOST_EV_COUNT; e++) {
			counted_ns += s->reading[i].ns[e];
			network_ns += NETWORK & 1u << e ? s->reading[i].ns[e] : 0;
		}
	if (counted_ns <= p->counted_ns || network_ns < p->network_ns)
		return;
	if (p->counted_ns)
		p->share =
			(double)(network_ns - p->network_ns) / (double)(counted_ns - p->counted_ns);
	p->network_ns = network_ns;
	p->counted_ns = counted_ns;
}

/* Appends the number of packets that the softirqs of all CPUs have processed, modulo 2^32 like each CPU's count. */
static void add_packets(struct session *s, double seconds, char *line, size_t size)
{
	struct session_progress *p = &s->shown;
	FILE *f = fopen("/proc/net/softnet_stat", "re");
	uint32_t packets = 0, since;
	char row[1024];

	while (f && fgets(row, sizeof(row), f))
		packets += (uint32_t)strtoul(row, NULL, 16);
	if (f)
		fclose(f);
	since = packets - p->packets;
	if (f && p->at_s > 0 && since < INT32_MAX) /* the sum decreases when a CPU goes offline */
		text_append(line, size, p->share > 0 ? ", " : "; ", "%.1f k packets/s",
			    since / (seconds - p->at_s) / 1e3);
	p->packets = packets;
	p->at_s = seconds;
}

void session_on_progress(struct session *s, double seconds)
{
	char line[160];

	snprintf(line, sizeof(line), "%.1f s", seconds);
	look_at_times(s);
	if (s->shown.share > 0)
		text_append(line, sizeof(line), "; ",
			    ladder_times(&s->ladder, NETCOST_EV_SOCK_SEND) ?
				    "calls and softirqs %.1f %% of CPU" :
				    "softirqs %.1f %% of CPU",
			    100 * s->shown.share);
	add_packets(s, seconds, line, sizeof(line));
	if (s->sampler)
		text_append(line, sizeof(line), "; ", "%llu samples lost",
			    (unsigned long long)session_all_lost(s));
	text_append(line, sizeof(line), ", ", "%llu KiB",
		    (unsigned long long)(s->bytes_before + trace_writer_bytes(s->w)) / 1024);
	fprintf(stderr, "\r%.79s\033[K", line); /* one line on a narrow terminal */
}
