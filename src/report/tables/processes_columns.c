// SPDX-License-Identifier: BSD-2-Clause
#include "processes_columns.h"

#include <math.h>
#include <string.h>

#define MS .scale = 1e-6, .decimals = 2

/* What text leaves out where there is no room, the last one first. */
enum {
	SPARE_TIMES = 1,
	SPARE_ENERGY,
	SPARE_SOFTIRQS,
	SPARE_BYTES,
	SPARE_CALLS,
	SPARE_SWITCHES,
	SPARE_GHZ,
	SPARE_IPC,
	SPARE_AGAIN
};

/* First for people, then the rest of what there is. */
static const struct doc_column columns[] = {
	{ .title = "name", .kind = DOC_STRING, .only = DOC_HTML },
	{ .key = "kind",
	  .kind = DOC_STRING,
	  .known = true,
	  .choices = processes_kinds,
	  .about =
		  "idle: what interrupted the idle tasks; rest: processes that the recorder had no "
		  "room to keep apart; others: those without a row here" },
	{ .key = "on_cpu_ns",
	  .title = "on-CPU ms",
	  .brief_title = "CPU ms",
	  .brief = true,
	  MS,
	  .width = 12 },
	{ .key = "on_cpu_percent",
	  .title = "%",
	  .decimals = 2,
	  .precision = 4,
	  .width = 7,
	  .about = "of the CPUs' busy time" },
	{ .kind = DOC_BAR },
	{ .key = "sock_send_ns",
	  .title = "send ms",
	  .brief = true,
	  .spare = SPARE_TIMES,
	  MS,
	  .width = 10 },
	{ .key = "sock_recv_ns",
	  .title = "receive ms",
	  .brief_title = "recv ms",
	  .brief = true,
	  .spare = SPARE_TIMES,
	  MS,
	  .width = 11 },
	{ .key = "network_percent",
	  .title = "net %",
	  .decimals = 2,
	  .precision = 4,
	  .width = 7,
	  .spare = SPARE_TIMES,
	  .about = "its own network time, of the network's on all CPUs" },
	{ .kind = DOC_BAR },
	{ .key = "calls",
	  .title = "calls",
	  .brief = true,
	  .spare = SPARE_CALLS,
	  .width = 10,
	  .about = "on network sockets" },
	{ .key = "bytes",
	  .title = "bytes",
	  .brief = true,
	  .spare = SPARE_BYTES,
	  .width = 13,
	  .about = "likewise" },
	{ .key = "softirq_ns",
	  .title = "softirq ms",
	  .brief = true,
	  .spare = SPARE_SOFTIRQS,
	  MS,
	  .width = 11,
	  .about = "of network softirqs that interrupted it" },
	{ .key = "interrupted_percent",
	  .precision = 4,
	  .about = "network softirqs and hard interrupts that interrupted it, of the network's "
		   "time on all CPUs" },
	{ .key = "energy_low_j",
	  .title = "J, low",
	  .brief = true,
	  .spare = SPARE_ENERGY,
	  .decimals = 3,
	  .precision = 6,
	  .width = 9,
	  .about = "by on-CPU time, of the energy above idle power; where packets have owners "
		   "without threaded NAPI" },
	{ .key = "energy_high_j",
	  .title = "high",
	  .brief_title = "J, high",
	  .brief = true,
	  .spare = SPARE_ENERGY,
	  .decimals = 3,
	  .precision = 6,
	  .width = 9,
	  .about = "likewise, of all energy, by the share of CPU time" },
	{ .key = "energy_received_low_j",
	  .title = "J received, low",
	  .brief_title = "received, low",
	  .brief = true,
	  .spare = SPARE_ENERGY,
	  .decimals = 3,
	  .precision = 6,
	  .width = 15,
	  .about = "of the softirqs of packets that it received; they are not in energy_low_j" },
	{ .key = "energy_received_high_j",
	  .title = "high",
	  .brief_title = "received, high",
	  .brief = true,
	  .spare = SPARE_ENERGY,
	  .decimals = 3,
	  .precision = 6,
	  .width = 14 },
	{ .key = "energy_second_low_j",
	  .title = "again, low",
	  .brief = true,
	  .spare = SPARE_AGAIN,
	  .decimals = 3,
	  .precision = 6,
	  .width = 10,
	  .about = "by hardware counters, with what interrupted it; energy.second_by" },
	{ .key = "energy_second_high_j",
	  .title = "high",
	  .brief_title = "again, high",
	  .brief = true,
	  .spare = SPARE_AGAIN,
	  .decimals = 3,
	  .precision = 6,
	  .width = 9 },
	{ .key = "switches",
	  .title = "switches",
	  .brief = true,
	  .spare = SPARE_SWITCHES,
	  .width = 9 },
	{ .title = "GHz", .kind = DOC_STRING, .width = 7, .spare = SPARE_GHZ },
	{ .title = "IPC", .kind = DOC_STRING, .width = 7, .spare = SPARE_IPC },
	{ .key = "pid", .title = "pid", .width = 8, .whole = true },
	{ .title = "name", .kind = DOC_STRING, .only = DOC_TEXT },
	{ .key = "name", .kind = DOC_STRING, .about = "null: not known" },
	{ .key = "kernel",
	  .kind = DOC_BOOL,
	  .about = "a thread of the kernel; by user: all of them" },
	{ .key = "user", .whole = true, .about = "its real user id, by process or user" },
	{ .key = "start_s",
	  .precision = 6,
	  .about = "when the process began, since the recording did; null: not known" },
	{ .key = "processes", .whole = true },
	{ .key = "cgroup", .kind = DOC_STRING },
	{ .key = "runtime", .kind = DOC_STRING },
	{ .key = "container", .kind = DOC_STRING },
	{ .key = "pod", .kind = DOC_STRING, .about = "its uid" },
	{ .key = "network_ns", .about = "sends, receives, busy polling and threaded NAPI" },
#define X(key_, about_) { .key = key_, .about = about_ },
#define REST(X)                                                                                    \
	X("task_ns", "user + other kernel")                                                        \
	X("io_worker_ns", NULL)                                                                    \
	X("sock_local_ns", NULL)                                                                   \
	X("rx_thread_ns", NULL)                                                                    \
	X("rx_busy_poll_ns", NULL)                                                                 \
	X("rx_softirq_ns", "that interrupted it")                                                  \
	X("tx_softirq_ns", "likewise")                                                             \
	X("hardirq_net_ns", "likewise")                                                            \
	X("rx_softirqs", "likewise")                                                               \
	X("tx_softirqs", "likewise")                                                               \
	X("hardirqs_net", "likewise")                                                              \
	X("send_calls", NULL)                                                                      \
	X("recv_calls", NULL)                                                                      \
	X("local_calls", NULL)                                                                     \
	X("send_failed", NULL)                                                                     \
	X("recv_failed", NULL)                                                                     \
	X("local_failed", NULL)                                                                    \
	X("send_bytes", NULL)                                                                      \
	X("recv_bytes", NULL)                                                                      \
	X("local_bytes", NULL)                                                                     \
	X("unseen", "switches to or from it that were not seen: what came before may be of both")  \
	X("page_hits", "pages of the page cache that it found there")                              \
	X("cycles", "with what interrupted it, as all that hardware counters count")               \
	X("ref_cycles", NULL)                                                                      \
	X("instructions", NULL)                                                                    \
	X("cache_misses", NULL)                                                                    \
	X("pmu_ns", "for so long hardware counters were to count; they may take turns")            \
	X("cycles_ns", "for so long that one did")                                                 \
	X("ref_cycles_ns", "likewise")                                                             \
	X("instructions_ns", "likewise")                                                           \
	X("cache_misses_ns", "likewise")
	REST(X)
#undef X
		{ .key = "frequency_hz", .about = "of the CPU while it had it, on average" },
	{ .key = "instructions_per_cycle", .precision = 4 },
};

/* In the order of REST. */
static const unsigned int rest[] = {
	MODEL_PROCESS_VALUE(TASK_NS),	      MODEL_PROCESS_VALUE(IO_WORKER_NS),
	MODEL_PROCESS_VALUE(SOCK_LOCAL_NS),   MODEL_PROCESS_VALUE(RX_THREAD_NS),
	MODEL_PROCESS_VALUE(RX_BUSY_POLL_NS), MODEL_PROCESS_VALUE(RX_SOFTIRQ_NS),
	MODEL_PROCESS_VALUE(TX_SOFTIRQ_NS),   MODEL_PROCESS_VALUE(HARDIRQ_NET_NS),
	MODEL_PROCESS_VALUE(RX_SOFTIRQS),     MODEL_PROCESS_VALUE(TX_SOFTIRQS),
	MODEL_PROCESS_VALUE(HARDIRQS_NET),    MODEL_PROCESS_VALUE(SEND_CALLS),
	MODEL_PROCESS_VALUE(RECV_CALLS),      MODEL_PROCESS_VALUE(LOCAL_CALLS),
	MODEL_PROCESS_VALUE(SEND_FAILED),     MODEL_PROCESS_VALUE(RECV_FAILED),
	MODEL_PROCESS_VALUE(LOCAL_FAILED),    MODEL_PROCESS_VALUE(SEND_BYTES),
	MODEL_PROCESS_VALUE(RECV_BYTES),      MODEL_PROCESS_VALUE(LOCAL_BYTES),
	MODEL_PROCESS_VALUE(UNSEEN),	      MODEL_PROCESS_VALUE(PAGE_HITS),
	MODEL_PROCESS_VALUE(CYCLES),	      MODEL_PROCESS_VALUE(REF_CYCLES),
	MODEL_PROCESS_VALUE(INSTRUCTIONS),    MODEL_PROCESS_VALUE(CACHE_MISSES),
	MODEL_PROCESS_VALUE(PMU_NS),	      MODEL_PROCESS_VALUE(CYCLES_NS),
	MODEL_PROCESS_VALUE(REF_CYCLES_NS),   MODEL_PROCESS_VALUE(INSTRUCTIONS_NS),
	MODEL_PROCESS_VALUE(CACHE_MISSES_NS),
};

void processes_cells_last(struct doc *d, const struct processes_values *v)
{
	doc_number(d, v->network_ns);
	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
		doc_number(d, v->value[rest[i]]);
	doc_number(d, v->hz);
	doc_number(d, v->ipc);
}

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))
_Static_assert(COLUMNS <= DOC_COLUMNS, "of a table");

static bool begins(const char *s, const char *with)
{
	return s && !strncmp(s, with, strlen(with));
}

static bool is_of_use(const struct doc_column *c, const struct doc *d, enum processes_by by,
		      const struct processes_energy *e)
{
	if (begins(c->key, "energy_second_"))
		return e->second.name;
	if (begins(c->key, "energy_received_"))
		return e->owners.any && !isnan(e->total_j);
	if (begins(c->key, "energy_"))
		return !isnan(e->total_j);
	return d->wide || !doc_is_for(d, DOC_TEXT) || !begins(c->key, "pid") ||
	       by == PROCESSES_BY_PROCESS;
}

size_t processes_columns(struct doc_column to[DOC_COLUMNS], const struct doc *d,
			 enum processes_by by, const struct processes_energy *e)
{
	memcpy(to, columns, sizeof(columns));
	for (size_t i = 0; i < COLUMNS; i++)
		if (!is_of_use(&to[i], d, by, e))
			to[i].only = DOC_PROGRAMS;
	return COLUMNS;
}
