// SPDX-License-Identifier: BSD-2-Clause
#include "drops_doc.h"

#include <errno.h>
#include <string.h>

#include <netcost/text_append.h>

#include "report/analysis/drops.h"
#include "report/analysis/known.h"
#include "report/base/text.h"
#include "report/model/filter.h"

/* ---- drops and retransmits --------------------------------------------------------------- */

/* Counters of protocols that people should see when they have moved: something was lost, or done in vain. */
static const struct {
	const char *name, *title;
} lossy[] = {
	{ "Tcp.RetransSegs", "TCP: segments sent again" },
	{ "TcpExt.TCPSynRetrans", "of these, to open a connection" },
	{ "TcpExt.TCPLostRetransmit", "sent again, and lost again" },
	{ "TcpExt.TCPRetransFail", "could not be sent again" },
	{ "TcpExt.TCPTimeouts", "TCP: no answer in time" },
	{ "TcpExt.TCPSpuriousRTOs", "sent again too soon" },
	{ "TcpExt.TCPDSACKRecv", "TCP: the peer had it already" },
	{ "TcpExt.TCPOFOQueue", "TCP: came out of order" },
	{ "TcpExt.ListenOverflows", "connections refused: a listening socket's queue was full" },
	{ "TcpExt.ListenDrops", "connections refused, for whatever reason" },
	{ "TcpExt.TCPReqQFullDrop", "connections refused: too many half open" },
	{ "Tcp.AttemptFails", "connections that came to nothing" },
	{ "TcpExt.PruneCalled", "TCP: a receive buffer was cleaned up" },
	{ "TcpExt.RcvPruned", "TCP: dropped, no room to receive" },
	{ "TcpExt.OfoPruned", "TCP: dropped, no room for what is out of order" },
	{ "TcpExt.TCPOFODrop", "TCP: dropped, no room for what is out of order" },
	{ "TcpExt.TCPRcvCollapsed", "TCP: merged, to make room" },
	{ "TcpExt.TCPBacklogDrop", "TCP: dropped, a busy socket's backlog was full" },
	{ "TcpExt.TCPRcvQDrop", "TCP: dropped, the receive buffer was full" },
	{ "TcpExt.TCPZeroWindowDrop", "TCP: dropped, sent beyond a closed window" },
	{ "TcpExt.TCPToZeroWindowAdv", "TCP: windows closed, as the reader was slow" },
	{ "TcpExt.TCPMemoryPressures", "TCP: times that memory ran short" },
	{ "TcpExt.TCPAbortOnMemory", "connections ended, as memory ran short" },
	{ "TcpExt.TCPWqueueTooBig", "TCP: not queued, too much was waiting" },
	{ "TcpExt.PFMemallocDrop", "dropped, as memory ran short" },
	{ "Udp.RcvbufErrors", "UDP: dropped, the receive buffer was full" },
	{ "Udp.SndbufErrors", "UDP: not sent, the send buffer was full" },
	{ "Udp.MemErrors", "UDP: dropped, as memory ran short" },
	{ "Udp.NoPorts", "UDP: dropped, no socket for it" },
	{ "Udp.InErrors", "UDP: dropped, for whatever reason" },
	{ "Udp.InCsumErrors", "UDP: dropped, wrong checksum" },
	{ "Udp6RcvbufErrors", "UDP, IPv6: dropped, the receive buffer was full" },
	{ "Udp6SndbufErrors", "UDP, IPv6: not sent, the send buffer was full" },
	{ "Udp6MemErrors", "UDP, IPv6: dropped, as memory ran short" },
	{ "Udp6NoPorts", "UDP, IPv6: dropped, no socket for it" },
	{ "Udp6InErrors", "UDP, IPv6: dropped, for whatever reason" },
	{ "Udp6InCsumErrors", "UDP, IPv6: dropped, wrong checksum" },
	{ "Ip.InHdrErrors", "IP: dropped, a broken header" },
	{ "Ip.InDiscards", "IP: dropped on the way in" },
	{ "Ip.OutDiscards", "IP: dropped on the way out" },
	{ "Ip.OutNoRoutes", "IP: dropped, no route" },
	{ "Ip.ReasmFails", "IP: fragments that did not make a packet" },
	{ "Ip.FragFails", "IP: dropped, could not be fragmented" },
	{ "Ip6InDiscards", "IPv6: dropped on the way in" },
	{ "Ip6OutDiscards", "IPv6: dropped on the way out" },
	{ "IpExt.InCsumErrors", "IP: dropped, wrong checksum" },
	{ "IpExt.InTruncatedPkts", "IP: dropped, cut off" },
	{ "TcpExt.IPReversePathFilter", "IP: dropped by rp_filter" },
	{ "Tcp.InErrs", "TCP: dropped, broken" },
	{ "Tcp.InCsumErrors", "TCP: dropped, wrong checksum" },
};

static const char *title_of(const char *name)
{
	for (size_t i = 0; i < sizeof(lossy) / sizeof(lossy[0]); i++)
		if (!strcmp(lossy[i].name, name))
			return lossy[i].title;
	return NULL;
}

static void row(struct doc *d, unsigned int only, const char *name, const char *by, double count,
		double seconds, const char *title)
{
	doc_row(d, 0, only);
	doc_string(d, name);
	doc_string(d, by);
	doc_number(d, count);
	doc_number(d, known_ratio(count, seconds));
	doc_string(d, title);
	doc_row_end(d);
}

static bool is_shown(const struct model *m, const struct model_protocol *p)
{
	return p->value.sum > 0 && title_of(model_string(m, p->name));
}

static bool any_shown(const struct model *m)
{
	for (size_t i = 0; i < m->nprotocols; i++)
		if (is_shown(m, &m->protocol[i]))
			return true;
	return false;
}

static void rows(struct doc *d, const struct drops *drops, const struct model *m)
{
	for (size_t i = 0; i < drops->n; i++)
		row(d, DOC_ALL, drops->row[i].reason, "reason", drops->row[i].packets,
		    drops->seconds, "dropped packets");
	for (size_t i = 0; i < m->nprotocols; i++) {
		const struct model_protocol *p = &m->protocol[i];
		const char *name = model_string(m, p->name);

		row(d, is_shown(m, p) ? DOC_ALL : DOC_PROGRAMS, name, "counter",
		    counter_moved(&p->value), counter_moved(&p->at_ns) * 1e-9, title_of(name));
	}
}

static void table(struct doc *d, const struct drops *drops, const struct model *m)
{
	static const char *const kinds[] = { "reason", "counter", NULL };
	static const struct doc_column column[] = {
		{ .key = "name", .kind = DOC_STRING, .title = "", .width = 28, .known = true },
		{ .key = "kind",
		  .kind = DOC_STRING,
		  .known = true,
		  .choices = kinds,
		  .about = "reason: for which packets were dropped, in all network namespaces; "
			   "counter: of a protocol, in the recorder's own" },
		{ .key = "count", .title = "count", .width = 12 },
		{ .key = "per_s", .title = "a second", .precision = 1, .width = 11 },
		{ .title = "what it is", .kind = DOC_STRING },
	};
	bool any = drops->n || any_shown(m);
	const struct doc_table t = { .key = "counts",
				     .title = "Drops and retransmits",
				     DOC_COLUMNS_OF(column),
				     .only = any ? DOC_ALL : DOC_PROGRAMS };

	doc_table(d, &t);
	rows(d, drops, m);
	doc_table_end(d);
	if (any)
		doc_note(d,
			 "  reasons are the whole host's, counters the recorder's own network "
			 "namespace's%s",
			 model_is_of_some_cpus(m) ? ", of all CPUs" : "");
}

int drops_doc(struct doc *d, const struct summary *s)
{
	struct drops drops;

	if (drops_make(&drops, s->m))
		return -ENOMEM;
	doc_object(d, "drops");
	doc_about(d, "by the kernel's reasons; null: not measured");
	doc_field(d, "packets", drops.packets, 0);
	table(d, &drops, s->m);
	doc_object_end(d);
	drops_free(&drops);
	return 0;
}

/* ---- softirqs ---------------------------------------------------------------------------- */

void softirqs_doc(struct doc *d, const struct summary *s)
{
	static const char *const keys[SOFTIRQ_COUNT] = { "hi",	    "timer",	"net_tx",  "net_rx",
							 "block",   "irq_poll", "tasklet", "sched",
							 "hrtimer", "rcu" };
	char text[256] = "";

	doc_object(d, "softirqs");
	for (unsigned int i = 0; i < SOFTIRQ_COUNT; i++) {
		doc_field(d, keys[i], s->softirqs[i], 0);
		if (s->softirqs[i] > 0)
			text_append(text, sizeof(text), ", ", "%s %s", keys[i],
				    NUM(s->softirqs[i], 0));
	}
	doc_object_end(d);
	if (*text)
		doc_note(d, "  softirqs: %s", text);
}

/* ---- hard interrupts --------------------------------------------------------------------- */

void interrupts_doc(struct doc *d, const struct summary *s)
{
	static const struct doc_column column[] = {
		{ .key = "name", .kind = DOC_STRING, .known = true },
		{ .key = "netns", .known = true },
		{ .key = "count" },
		{ .key = "per_s", .precision = 1 },
		{ .key = "ns", .about = "their handlers' time; null: not measured" },
	};
	static const struct doc_table table = { .key = "interrupts",
						DOC_COLUMNS_OF(column),
						.only = DOC_PROGRAMS };
	char text[512] = "";

	doc_table(d, &table);
	for (size_t i = 0; i < s->m->nnetdevs; i++) {
		const struct model_netdev *n = &s->m->netdev[i];
		const char *name = model_string(s->m, n->name);
		double seconds = counter_moved(&n->irqs_at_ns) * 1e-9;

		if (isnan(seconds))
			continue;
		doc_row(d, 0, DOC_PROGRAMS);
		doc_string(d, name);
		doc_number(d, (double)n->netns);
		doc_number(d, (double)n->interrupts);
		doc_number(d, known_ratio((double)n->interrupts, seconds));
		doc_number(d, n->irqs_timed ? (double)n->irqs_ns : NAN);
		doc_row_end(d);
		text_append(text, sizeof(text), ", ", "%.32s %s", SAFE(name),
			    NUM((double)n->interrupts, 0));
		if (n->irqs_timed)
			text_append(text, sizeof(text), "", " (%s ms)",
				    NUM((double)n->irqs_ns * 1e-6, 3));
	}
	doc_table_end(d);
	if (*text)
		doc_note(d, "  hard interrupts: %s", text);
}
