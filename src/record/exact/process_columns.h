/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process_columns.h: lists the columns of PROCESS_STATS except the first, and the fields of the programs' counters that
 * hold their values.
 */
#ifndef NETCOST_PROCESS_COLUMNS_H
#define NETCOST_PROCESS_COLUMNS_H

/*
 * Each column: the key of PROCESS_STATS, its event, the kind of amount of that event, and the field of the programs'
 * counters.
 */
enum of { OF_SWITCHES, OF_UNSEEN, OF_NS, OF_CALLS, OF_FAILED, OF_BYTES, OF_PAGES };
#define COLUMNS(X)                                                                                 \
	X(SWITCHES, TASK, SWITCHES, c->switches)                                                   \
	X(TASK_NS, TASK, NS, c->own_ns[NETCOST_BASE_TASK])                                         \
	X(IO_WORKER_NS, IO_WORKER, NS, c->own_ns[NETCOST_BASE_IO_WORKER])                          \
	X(SOCK_SEND_NS, SOCK_SEND, NS, c->op[0].ns)                                                \
	X(SOCK_RECV_NS, SOCK_RECV, NS, c->op[1].ns)                                                \
	X(SOCK_LOCAL_NS, SOCK_LOCAL, NS, c->op[2].ns)                                              \
	X(RX_SOFTIRQ_NS, RX_SOFTIRQ, NS, c->softirq_ns - c->tx_ns)                                 \
	X(TX_SOFTIRQ_NS, TX_SOFTIRQ, NS, c->tx_ns)                                                 \
	X(RX_THREAD_NS, RX_THREAD, NS, c->own_ns[NETCOST_BASE_NAPI])                               \
	X(RX_BUSY_POLL_NS, RX_BUSY_POLL, NS, c->op[3].ns)                                          \
	X(HARDIRQ_NET_NS, HARDIRQ_NET, NS, c->hardirq_ns)                                          \
	X(SEND_CALLS, SOCK_SEND, CALLS, c->op[0].calls)                                            \
	X(RECV_CALLS, SOCK_RECV, CALLS, c->op[1].calls)                                            \
	X(LOCAL_CALLS, SOCK_LOCAL, CALLS, c->op[2].calls)                                          \
	X(SEND_FAILED, SOCK_SEND, FAILED, c->op[0].failed)                                         \
	X(RECV_FAILED, SOCK_RECV, FAILED, c->op[1].failed)                                         \
	X(LOCAL_FAILED, SOCK_LOCAL, FAILED, c->op[2].failed)                                       \
	X(SEND_BYTES, SOCK_SEND, BYTES, c->op[0].bytes)                                            \
	X(RECV_BYTES, SOCK_RECV, BYTES, c->op[1].bytes)                                            \
	X(LOCAL_BYTES, SOCK_LOCAL, BYTES, c->op[2].bytes)                                          \
	X(RX_SOFTIRQS, RX_SOFTIRQ, CALLS, c->softirq_runs - c->tx_runs)                            \
	X(TX_SOFTIRQS, TX_SOFTIRQ, CALLS, c->tx_runs)                                              \
	X(HARDIRQS_NET, HARDIRQ_NET, CALLS, c->hardirq_runs)                                       \
	X(UNSEEN, TASK, UNSEEN, c->unseen)                                                         \
	X(PAGE_HITS, TASK, PAGES, c->page_hits)

/* Columns of hardware counters: the key, a bit mask of the counters that the column needs, and the field. */
#define PMU_COLUMNS(X)                                                                             \
	X(CYCLES, 1, count[0])                                                                     \
	X(REF_CYCLES, 2, count[1])                                                                 \
	X(INSTRUCTIONS, 4, count[2])                                                               \
	X(CACHE_MISSES, 8, count[3])                                                               \
	X(PMU_NS, 15, enabled_ns)                                                                  \
	X(CYCLES_NS, 1, running_ns[0])                                                             \
	X(REF_CYCLES_NS, 2, running_ns[1])                                                         \
	X(INSTRUCTIONS_NS, 4, running_ns[2])                                                       \
	X(CACHE_MISSES_NS, 8, running_ns[3])

#endif
