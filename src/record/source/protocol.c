// SPDX-License-Identifier: BSD-2-Clause
/*
 * Records those counters of network protocols that explain a cost, in the recorder's own network namespace.
 * /proc/net/snmp and netstat have two lines per protocol, with names and values. snmp6 has one line per counter.
 */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/array.h>
#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "record/base/clock.h"
#include "record/base/procfs.h"

/* The recorded counters, by their names in the trace. A kernel may lack some of them. */
static const char *const wanted[] = {
	/* amount of traffic */
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
	/* retransmitted, or out of order */
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
	/* failed connections */
	"TcpExt.ListenOverflows",
	"TcpExt.ListenDrops",
	"TcpExt.TCPReqQFullDrop",
	"Tcp.AttemptFails",
	"Tcp.EstabResets",
	"Tcp.OutRsts",
	/* out of memory or buffer space */
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
	/* no receiver, or damaged */
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
	/* less work per packet */
	"TcpExt.TCPRcvCoalesce",
	"TcpExt.TCPBacklogCoalesce",
	"TcpExt.TCPAutoCorking",
	"TcpExt.TCPAckCompressed",
	"TcpExt.BusyPollRxPackets",
};

#define WANTED (sizeof(wanted) / sizeof(wanted[0]))
#define LAST UINT8_MAX /* ends the counters of a line */

_Static_assert(WANTED < LAST, "a byte for each");

/* The names in a file at the last tick, in the file's order. Names are looked up only if they have changed. */
struct names {
	char *text; /* the lines without their values */
	size_t n, room;
	/* for each name, 1 + its index in wanted[], 0 if it is not recorded; LAST ends a line */
	uint8_t *counter;
	size_t ncounters, counter_room;
	size_t text_at, counter_at; /* current position in `text` and `counter` */
};

struct protocol {
	uint64_t now[WANTED];
	uint32_t id[WANTED]; /* id of each counter; 0: not in the trace yet */
	uint32_t nids;
	uint64_t value[WANTED]; /* values by id - 1 */
	struct source_count count[WANTED];
	int fd[3]; /* descriptors of the files in files[] */
	struct names names[3];
	char *text;
	size_t text_size;
};

/* ---- names of counters ------------------------------------------------------------------- */

/* The names of a line, and their prefix: "TcpExt" or NULL. */
struct line {
	const char *protocol;
	size_t nprotocol;
	const char *text, *names, *end;
};

static uint8_t find(const struct line *l, const char *name, size_t n)
{
	for (size_t i = 0; i < WANTED; i++) {
		const char *w = wanted[i];

		if (l->protocol) {
			if (strncmp(w, l->protocol, l->nprotocol) || w[l->nprotocol] != '.')
				continue;
			w += l->nprotocol + 1;
		}
		if (!strncmp(w, name, n) && !w[n])
			return (uint8_t)(i + 1);
	}
	return 0;
}

static int add_counter(struct names *s, uint8_t counter)
{
	if (array_reserve(&s->counter, &s->counter_room, s->ncounters + 1, 1))
		return -ENOMEM;
	s->counter[s->ncounters++] = counter;
	return 0;
}

/* Looks up the names of a line again, because they have changed. */
static int learn(struct names *s, const struct line *l)
{
	size_t len = (size_t)(l->end - l->text);
	int err = 0;

	s->n = s->text_at;
	s->ncounters = s->counter_at;
	if (array_reserve(&s->text, &s->room, s->n + len, 1))
		return -ENOMEM;
	memcpy(s->text + s->n, l->text, len);
	s->n += len;
	for (const char *p = l->names; p < l->end && !err;) {
		const char *name = p + strspn(p, " ");
		size_t n = strcspn(name, " \t\n");

		if (n && name < l->end)
			err = add_counter(s, find(l, name, n));
		p = name + n + 1;
	}
	return err ? err : add_counter(s, LAST);
}

/* Advances to the names of the next line. */
static int next_names(struct names *s, const struct line *l)
{
	size_t len = (size_t)(l->end - l->text);
	int err = 0;

	if (s->n - s->text_at < len || memcmp(s->text + s->text_at, l->text, len))
		err = learn(s, l);
	s->text_at += len;
	return err;
}

/* ---- the files --------------------------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Parses a value. Returns TRACE_NIL if it is negative ("no limit"), or not a number that a trace can have. */
static uint64_t number(const char *word, const char *end)
{
	bool good = word < end;
	uint64_t v = 0;

	for (; good && word < end; word++)
		good = *word >= '0' && *word <= '9' &&
		       !__builtin_mul_overflow(v, (uint64_t)10, &v) &&
		       !__builtin_add_overflow(v, (uint64_t)(*word - '0'), &v);
	return good && v <= INT64_MAX ? v : TRACE_NIL;
}

/* Takes the values of a line. Counters whose value is missing are unknown. */
static void take_values(struct protocol *p, struct names *s, const char *values, const char *end)
{
	uint8_t counter;

	while ((counter = s->counter[s->counter_at++]) != LAST) {
		const char *word;

		while (values < end && is_blank(*values))
			values++;
		for (word = values; values < end && !is_blank(*values);)
			values++;
		if (counter)
			p->now[counter - 1] = number(word, values);
	}
}

/* Parses pairs of lines: "TcpExt: A B …" and "TcpExt: 1 2 …". Skips a line if the other line of the pair is missing. */
static int take_pairs(struct protocol *p, struct names *s)
{
	int err = 0;

	for (const char *text = p->text; *text && !err;) {
		size_t n = strcspn(text, ":\n");
		const char *end = strchrnul(text, '\n'), *values = end + (*end == '\n');
		const struct line l = { text, n, text, text + n + 1, values };

		text = values;
		if (l.text[n] != ':' || strncmp(values, l.text, n + 1))
			continue;
		err = next_names(s, &l);
		end = strchrnul(values, '\n');
		if (!err)
			take_values(p, s, values + n + 1, end);
		text = end + (*end == '\n');
	}
	return err;
}

/* Parses lines with one counter: "Ip6InReceives    5". */
static int take_lines(struct protocol *p, struct names *s)
{
	int err = 0;

	for (const char *text = p->text; *text && !err;) {
		const char *end = strchrnul(text, '\n'), *value = text + strcspn(text, " \t\n");
		const struct line l = { NULL, 0, text, text, value + (*value != '\0') };

		err = next_names(s, &l);
		if (!err)
			take_values(p, s, value, end);
		text = end + (*end == '\n');
	}
	return err;
}

static const struct {
	const char *name;
	int (*take)(struct protocol *p, struct names *s);
} files[3] = {
	{ "snmp", take_pairs },
	{ "netstat", take_pairs },
	{ "snmp6", take_lines }, /* this file is absent without IPv6 */
};

/* ---- the source -------------------------------------------------------------------------- */

static void protocol_close(void *ctx)
{
	struct protocol *p = ctx;

	for (size_t i = 0; i < 3; i++) {
		if (p->fd[i] >= 0)
			close(p->fd[i]);
		free(p->names[i].text);
		free(p->names[i].counter);
	}
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
	st->via = reason_protocol;
	for (size_t i = 0; i < 3; i++) {
		char path[384];

		snprintf(path, sizeof(path), "%s/%s", d->path, files[i].name);
		p->fd[i] = open(path, O_RDONLY | O_CLOEXEC);
		any |= p->fd[i] >= 0;
		if (p->fd[i] < 0 && i < 2)
			snprintf(st->why, sizeof(st->why), reason_file_unopened, files[i].name,
				 errno);
	}
	st->state = any ? "measured" : "absent";
	if (any)
		return 0;
	protocol_close(p);
	*ctx = NULL;
	return 0;
}

static int write_names(uint32_t first, const char *const *name, size_t n, struct trace_writer *w)
{
	if (!n)
		return 0;
	trace_writer_begin(w, TRACE_COUNTER_NAMES);
	trace_writer_uint(w, TRACE_COUNTER_NAMES_FIRST, first);
	trace_writer_strs(w, TRACE_COUNTER_NAMES_NAME, name, n);
	return trace_writer_end(w);
}

/* Writes the definitions of new counters. */
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
	return write_names(first, name, n, w);
}

static int protocol_again(void *ctx, struct trace_writer *w)
{
	const struct protocol *p = ctx;
	const char *name[WANTED];

	for (size_t i = 0; i < WANTED; i++)
		if (p->id[i])
			name[p->id[i] - 1] = wanted[i];
	return write_names(1, name, p->nids, w);
}

static int protocol_tick(void *ctx, struct trace_writer *w)
{
	struct protocol *p = ctx;
	uint64_t began_ns = now_ns(), ended_ns;
	int err = 0;

	for (size_t i = 0; i < WANTED; i++)
		p->now[i] = TRACE_NIL;
	for (size_t i = 0; i < 3 && !err; i++)
		if (p->fd[i] >= 0 && procfs_reread(p->fd[i], &p->text, &p->text_size) > 0) {
			p->names[i].text_at = p->names[i].counter_at = 0;
			err = files[i].take(p, &p->names[i]);
		}
	ended_ns = now_ns();
	if (!err)
		err = define(p, w);
	if (err)
		return err;
	for (size_t i = 0; i < WANTED; i++)
		if (p->id[i])
			p->value[p->id[i] - 1] = p->now[i];
	source_counts(p->count, p->value, p->nids, false);
	trace_writer_begin(w, TRACE_COUNTERS);
	trace_writer_uints(w, TRACE_COUNTERS_VALUE, p->value, p->nids);
	return source_end(w, began_ns, ended_ns);
}

const struct source_desc protocol_source = {
	.name = "counters",
	.path = "/proc/net",
	.open = protocol_open,
	.tick = protocol_tick,
	.again = protocol_again,
	.close = protocol_close,
};
