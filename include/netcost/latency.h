/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * latency.h: packet latency (record --latency): the checkpoints between which latency is measured, the buckets of the
 * histograms, and the reasons why a packet has no latency.
 *
 * The numbers are written to traces, so they are never reused or changed.
 */
#ifndef NETCOST_LATENCY_H
#define NETCOST_LATENCY_H

/*
 * The latencies. On the receive path, all of them begin when the packet enters the host: see bpf/path.bpf.c.
 *
 * 	id	ENUM		key			from, to
 */
#define NETCOST_LATENCIES(X)                                                                       \
	X(0, RECEIVE, "receive", "entry", "the receive core, after backlog and GRO")               \
	X(1, IP_START, "ip-start", "entry", "IP")                                                  \
	X(2, TCP_START, "tcp-start", "entry", "TCP")                                               \
	X(3, UDP_START, "udp-start", "entry", "UDP")                                               \
	X(4, TCP_ENQUEUED, "tcp-socket-enqueued", "entry", "the wakeup of a TCP socket's reader")  \
	X(5, UDP_ENQUEUED, "udp-socket-enqueued", "entry", "the wakeup of a UDP socket's reader")  \
	X(6, TCP_READ, "tcp-socket-read", "entry", "the first read from a TCP socket")             \
	X(7, UDP_READ, "udp-socket-read", "entry", "the read from a UDP socket")                   \
	X(8, QDISC, "qdisc", "a device's queue", "the device's driver")                            \
	X(9, DRIVER, "driver", "a driver", "the driver's return")                                  \
	X(10, COMPLETION, "completion", "a driver",                                                \
	  "the freeing of the packet after transmission")                                          \
	X(11, TCP_READ_BLOCKED, "tcp-socket-read-blocked", "entry",                                \
	  "the first read from a TCP socket, for packets that waited for an earlier packet")       \
	X(12, TCP_SEND, "tcp-send", "a TCP send call",                                             \
	  "a device's queue, before the send call ends")                                           \
	X(13, UDP_SEND, "udp-send", "a UDP send call",                                             \
	  "a device's queue, before the send call ends")                                           \
	X(14, TCP_MEMORY, "tcp-send-memory", "the start of a TCP send call's wait for memory",     \
	  "the end of this wait")                                                                  \
	X(15, TCP_TSQ, "tcp-small-queue",                                                          \
	  "the moment when TCP stops sending because enough data is queued in devices",            \
	  "the moment when TCP sends again")                                                       \
	X(16, UDP_MEMORY, "udp-send-memory", "the start of a UDP send call's wait for memory",     \
	  "the end of this wait")

enum netcost_latency {
#define X(id, name, key, from, to) NETCOST_LATENCY_##name = id,
	NETCOST_LATENCIES(X)
#undef X
		NETCOST_LATENCY_COUNT
};

/*
 * Reasons why a packet that reached a checkpoint is not in the checkpoint's histogram.
 *
 * 	id	ENUM		key		title
 */
#define NETCOST_LATENCY_LOSSES(X)                                                                  \
	X(0, UNKNOWN, "unknown",                                                                   \
	  "entry unknown: before the recording, of a copy, or evicted by another packet")          \
	X(1, OTHER, "other", "the packet could not be identified")                                 \
	X(2, OLD, "old", "in the host for longer than can be measured")                            \
	X(3, MERGED, "merged", "merged by TCP into the previous packet, which was not read yet")   \
	X(4, FILTERED, "filtered", "not selected by --latency-only")                               \
	X(5, LATER, "later", "without a send call: acknowledgements, delayed sends, retransmits")

enum netcost_latency_loss {
#define X(id, name, key, title) NETCOST_LATENCY_LOSS_##name = id,
	NETCOST_LATENCY_LOSSES(X)
#undef X
		NETCOST_LATENCY_LOSS_COUNT
};

/*
 * Additional keys of the histograms (--latency-by).
 *
 * 	id	ENUM		key
 */
#define NETCOST_LATENCY_BYS(X)                                                                     \
	X(0, INTERFACE, "interface")                                                               \
	X(1, CGROUP, "cgroup")                                                                     \
	X(2, PROCESS, "process")

enum netcost_latency_by {
#define X(id, name, key) NETCOST_LATENCY_BY_##name = id,
	NETCOST_LATENCY_BYS(X)
#undef X
		NETCOST_LATENCY_BY_COUNT
};

/*
 * The packets that a row counts.
 *
 * 	id	ENUM		key
 */
#define NETCOST_LATENCY_WHICHES(X)                                                                 \
	X(0, ONE, "one")                                                                           \
	X(1, NOT_KNOWN, "not-known")                                                               \
	X(2, REST, "rest")

enum netcost_latency_which {
#define X(id, name, key) NETCOST_LATENCY_##name = id,
	NETCOST_LATENCY_WHICHES(X)
#undef X
		NETCOST_LATENCY_WHICH_COUNT
};

/*
 * Buckets of latency in ns. There are 32 buckets per octave, so that the bounds of a bucket differ by at most 3.2 %.
 * Below 64 ns, each ns has its own bucket. A bucket includes its upper bound and excludes its lower bound, except that
 * the first bucket includes 0.
 */
#define NETCOST_LATENCY_BITS 5
#define NETCOST_LATENCY_EACH (1 << NETCOST_LATENCY_BITS)
#define NETCOST_LATENCY_NS_BITS 38 /* latencies above 274 s are discarded */
#define NETCOST_LATENCY_BUCKETS                                                                    \
	((NETCOST_LATENCY_NS_BITS - NETCOST_LATENCY_BITS + 1) * NETCOST_LATENCY_EACH)

/*
 * Returns the bucket of a latency. The result is NETCOST_LATENCY_BUCKETS or more if ns has more than
 * NETCOST_LATENCY_NS_BITS bits. BPF programs also use this function, because BPF has no instruction for a logarithm.
 * They discard larger latencies.
 */
static inline __attribute__((always_inline)) unsigned int
netcost_latency_bucket(unsigned long long ns)
{
	unsigned long long x = ns ? ns - 1 : 0, y = x >> (NETCOST_LATENCY_BITS + 1);
	unsigned int shift = 0;

#define NETCOST_LATENCY_STEP(bits)                                                                 \
	if (y >> (bits)) {                                                                         \
		shift += (bits);                                                                   \
		y >>= (bits);                                                                      \
	}
#ifndef __bpf__
	NETCOST_LATENCY_STEP(32)
#endif
	NETCOST_LATENCY_STEP(16)
	NETCOST_LATENCY_STEP(8)
	NETCOST_LATENCY_STEP(4)
	NETCOST_LATENCY_STEP(2)
	NETCOST_LATENCY_STEP(1)
#undef NETCOST_LATENCY_STEP
	shift += (unsigned int)y;
	return (shift << NETCOST_LATENCY_BITS) + (unsigned int)(x >> shift);
}

/*
 * Return the bounds of a bucket. A latency in the bucket is greater than the lower bound, and at most the upper bound.
 */
static inline unsigned long long netcost_latency_lower(unsigned int bucket)
{
	unsigned int shift =
		bucket < 2 * NETCOST_LATENCY_EACH ? 0 : (bucket >> NETCOST_LATENCY_BITS) - 1;

	return (unsigned long long)(bucket - (shift << NETCOST_LATENCY_BITS)) << shift;
}

static inline unsigned long long netcost_latency_upper(unsigned int bucket)
{
	return netcost_latency_lower(bucket + 1);
}

#endif
