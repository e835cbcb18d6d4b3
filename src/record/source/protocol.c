// SPDX-License-Identifier: BSD-2-Clause
/*
 * Counters of the network protocols, of our own network namespace: those that explain a cost. /proc/net/snmp and
 * netstat have two lines for each protocol, names and values; snmp6 has a line for each counter.
 */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/messages.h>
#include <netcost/trace.h>

#include "record/base/clock.h"
#include "record/base/procfs.h"

/* What is kept, as the trace names it. A kernel need not have all of them. */
static const char *const wanted[] = {
	/* how much there was */
	"Ip.InReceives",
	"Ip.InDelivers",
	"Ip.OutRequests",
	"Ip.ForwDatagrams",
	"Tcp.InSegs",
	"Tcp.OutSegs",
	"Tcp.ActiveOpens",
	"Tcp.PassiveOpens",
	"Udp.InDatagrams",
	"Udp.OutDatagrams",
	"Ip6InReceives",
	"Ip6OutRequests",
	"Udp6InDatagrams",
	"Udp6OutDatagrams",
	/* sent again, or in the wrong order */
	"Tcp.RetransSegs",
	"TcpExt.TCPSynRetrans",
	"TcpExt.TCPFastRetrans",
	"TcpExt.TCPSlowStartRetrans",
	"TcpExt.TCPLostRetransmit",
	"TcpExt.TCPRetransFail",
	"TcpExt.TCPTimeouts",
	"TcpExt.TCPLossProbes",
	"TcpExt.TCPSpuriousRTOs",
	"TcpExt.TCPDSACKRecv",
	"TcpExt.TCPOFOQueue",
	/* connections that came to nothing */
	"TcpExt.ListenOverflows",
	"TcpExt.ListenDrops",
	"TcpExt.TCPReqQFullDrop",
	"Tcp.AttemptFails",
	"Tcp.EstabResets",
	"Tcp.OutRsts",
	/* no room */
	"TcpExt.PruneCalled",
	"TcpExt.RcvPruned",
	"TcpExt.OfoPruned",
	"TcpExt.TCPOFODrop",
	"TcpExt.TCPRcvCollapsed",
	"TcpExt.TCPBacklogDrop",
	"TcpExt.TCPRcvQDrop",
	"TcpExt.TCPZeroWindowDrop",
	"TcpExt.TCPToZeroWindowAdv",
	"TcpExt.TCPMemoryPressures",
	"TcpExt.TCPAbortOnMemory",
	"TcpExt.TCPWqueueTooBig",
	"TcpExt.PFMemallocDrop",
	"Udp.RcvbufErrors",
	"Udp.SndbufErrors",
	"Udp.MemErrors",
	"Udp6RcvbufErrors",
	"Udp6SndbufErrors",
	"Udp6MemErrors",
	/* nobody wanted it, or it was broken */
	"Ip.InHdrErrors",
	"Ip.InDiscards",
	"Ip.OutDiscards",
	"Ip.OutNoRoutes",
	"Ip.ReasmFails",
	"Ip.FragFails",
	"IpExt.InCsumErrors",
	"IpExt.InTruncatedPkts",
	"TcpExt.IPReversePathFilter",
	"Tcp.InErrs",
	"Tcp.InCsumErrors",
	"Udp.NoPorts",
	"Udp.InErrors",
	"Udp.InCsumErrors",
	"Ip6InDiscards",
	"Ip6OutDiscards",
	"Udp6NoPorts",
	"Udp6InErrors",
	"Udp6InCsumErrors",
	/* less work for each packet */
	"TcpExt.TCPRcvCoalesce",
	"TcpExt.TCPBacklogCoalesce",
	"TcpExt.TCPAutoCorking",
	"TcpExt.TCPAckCompressed",
	"TcpExt.BusyPollRxPackets",
};

#define WANTED (sizeof(wanted) / sizeof(wanted[0]))
#define PLACES                                                                                     \
	256 /* power of two; most are empty, so that what is not wanted is found not to be at once */

_Static_assert(WANTED < PLACES / 2 && WANTED < UINT8_MAX, "a place for each, and most empty");

struct protocol {
	uint8_t place[PLACES]; /* by hash: index in wanted[] + 1; 0: empty */
	uint64_t now[WANTED];
	uint32_t id[WANTED]; /* 0: the trace does not have it yet */
	uint32_t nids;
	uint64_t value[WANTED]; /* by id - 1 */
	int fd[3];		/* of files[] */
	char *text;
	size_t text_size;
};

/* ---- which counter it is ----------------------------------------------------------------- */

/* A name in two pieces, of which the first may be empty: "TcpExt." and "ListenOverflows". */
struct name {
	const char *protocol, *counter;
	size_t nprotocol, ncounter;
};

/* Of the name's length, its end and its middle: some hundred names are looked up at each tick. */
static unsigned int hash(const struct name *n)
{
	const unsigned char *s = (const unsigned char *)n->counter + n->ncounter;
	size_t len = n->nprotocol + n->ncounter;

	if (n->ncounter < 6)
		return (unsigned int)len;
	return (unsigned int)len * 37 + s[-1] * 5u + s[-3] * 17u + s[-6] * 3u;
}

static bool is(const char *w, const struct name *n)
{
	return strlen(w) == n->nprotocol + n->ncounter && !memcmp(w, n->protocol, n->nprotocol) &&
	       !memcmp(w + n->nprotocol, n->counter, n->ncounter);
}

static void prepare(struct protocol *p)
{
	for (size_t i = 0; i < WANTED; i++) {
		const char *point = strchr(wanted[i], '.');
		size_t protocol = point ? (size_t)(point + 1 - wanted[i]) : 0;
		struct name n = { wanted[i], wanted[i] + protocol, protocol,
				  strlen(wanted[i]) - protocol };
		unsigned int at = hash(&n);

		while (p->place[at % PLACES])
			at++;
		p->place[at % PLACES] = (uint8_t)(i + 1);
	}
}

static void take(struct protocol *p, const struct name *n, uint64_t v)
{
	unsigned int place;

	for (unsigned int at = hash(n); (place = p->place[at % PLACES]); at++)
		if (is(wanted[place - 1], n))
			p->now[place - 1] = v;
}

/* ---- the files --------------------------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The number after blanks. TRACE_NIL: it is negative ("no limit"), or no number that a trace can have. */
static uint64_t number(const char **p, const char *end)
{
	const char *s = *p;
	bool good;
	uint64_t v = 0;

	while (s < end && is_blank(*s))
		s++;
	good = s < end;
	for (; s < end && !is_blank(*s); s++)
		good = good && *s >= '0' && *s <= '9' &&
		       !__builtin_mul_overflow(v, (uint64_t)10, &v) &&
		       !__builtin_add_overflow(v, (uint64_t)(*s - '0'), &v);
	*p = s;
	return good && v <= INT64_MAX ? v : TRACE_NIL;
}

static const char *line_end(const char *line)
{
	return line + strcspn(line, "\n");
}

/* "TcpExt: A B …" and "TcpExt: 1 2 …", without their protocol. What has no value is not known. */
static void take_pair(struct protocol *p, const char *protocol, size_t nprotocol, const char *names,
		      const char *names_end, const char *values, const char *values_end)
{
	while (names < names_end) {
		struct name n = { .nprotocol = nprotocol };

		n.protocol = protocol;
		n.counter = names + strspn(names, " ");
		n.ncounter = strcspn(n.counter, " \n");
		names = n.counter + n.ncounter;
		if (n.ncounter)
			take(p, &n, number(&values, values_end));
	}
}

static void take_pairs(struct protocol *p, char *text)
{
	for (char *line = text; *line;) {
		size_t n = strcspn(line, ":\n");
		const char *end = line_end(line), *next = end + (*end == '\n');

		if (line[n] == ':' && !strncmp(next, line, n + 1)) {
			line[n] = '.';
			take_pair(p, line, n + 1, line + n + 1, end, next + n + 1, line_end(next));
			end = line_end(next);
			next = end + (*end == '\n');
		}
		line = text + (next - text); /* a line without its values is left out */
	}
}

static void take_lines(struct protocol *p, char *text)
{
	for (const char *line = text; *line;) {
		const char *end = line_end(line), *value;
		struct name n = { "", line, 0, strcspn(line, " \t\n") };

		value = line + n.ncounter;
		take(p, &n, number(&value, end));
		line = end + (*end == '\n');
	}
}

static const struct {
	const char *name;
	void (*take)(struct protocol *p, char *text);
} files[3] = {
	{ "snmp", take_pairs },
	{ "netstat", take_pairs },
	{ "snmp6", take_lines }, /* not without IPv6 */
};

/* ---- the source -------------------------------------------------------------------------- */

static void protocol_close(void *ctx)
{
	struct protocol *p = ctx;

	for (size_t i = 0; i < 3; i++)
		if (p->fd[i] >= 0)
			close(p->fd[i]);
	free(p->text);
	free(p);
}

static int protocol_open(void **ctx, const struct source_desc *d, const struct source_host *h,
			 struct source_status *st)
{
	struct protocol *p = calloc(1, sizeof(*p));
	bool any = false;

	(void)h;
	*ctx = p;
	if (!p)
		return -ENOMEM;
	prepare(p);
	st->via = said_protocol;
	for (size_t i = 0; i < 3; i++) {
		char path[384];

		snprintf(path, sizeof(path), "%s/%s", d->path, files[i].name);
		p->fd[i] = open(path, O_RDONLY | O_CLOEXEC);
		any |= p->fd[i] >= 0;
		if (p->fd[i] < 0 && i < 2)
			snprintf(st->why, sizeof(st->why), said_of, files[i].name, strerror(errno));
	}
	st->state = any ? "measured" : "absent";
	if (any)
		return 0;
	protocol_close(p);
	*ctx = NULL;
	return 0;
}

/* Those that are here for the first time. */
static int define(struct protocol *p, struct trace_writer *w)
{
	uint32_t first = p->nids + 1;
	const char *name[WANTED];
	size_t n = 0;

	for (size_t i = 0; i < WANTED; i++) {
		if (p->now[i] == TRACE_NIL || p->id[i])
			continue;
		name[n++] = wanted[i];
		p->id[i] = ++p->nids;
	}
	if (!n)
		return 0;
	trace_writer_begin(w, TRACE_COUNTER_NAMES, 2);
	trace_writer_uint(w, TRACE_COUNTER_NAMES_FIRST, first);
	trace_writer_strs(w, TRACE_COUNTER_NAMES_NAME, name, n);
	return trace_writer_end(w);
}

static int protocol_tick(void *ctx, struct trace_writer *w)
{
	struct protocol *p = ctx;
	uint64_t began_ns = now_ns(), ended_ns;
	int err;

	for (size_t i = 0; i < WANTED; i++)
		p->now[i] = TRACE_NIL;
	for (size_t i = 0; i < 3; i++)
		if (p->fd[i] >= 0 && procfs_reread(p->fd[i], &p->text, &p->text_size) > 0)
			files[i].take(p, p->text);
	ended_ns = now_ns();
	err = define(p, w);
	if (err)
		return err;
	for (size_t i = 0; i < WANTED; i++)
		if (p->id[i])
			p->value[p->id[i] - 1] = p->now[i];
	trace_writer_begin(w, TRACE_COUNTERS, 3);
	trace_writer_uints(w, TRACE_COUNTERS_VALUE, p->value, p->nids);
	return source_end(w, began_ns, ended_ns);
}

const struct source_desc protocol_source = {
	.name = "counters",
	.path = "/proc/net",
	.open = protocol_open,
	.tick = protocol_tick,
	.close = protocol_close,
};
