// SPDX-License-Identifier: BSD-2-Clause
/* Unit costs, calls, interfaces, drops, softirqs and hard interrupts. */
#include "tables.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <netcost/text_append.h>

#include "report/base/stats.h"
#include "report/base/text.h"
#include "report/model/filter.h"

/* ---- unit costs -------------------------------------------------------------------------- */

/* Returns a remark on the accuracy of the cost, or "". */
static const char *cost_how_text(const struct summary *s, enum unit_cost_id i)
{
	const struct summary_unit_cost *u = &s->unit[i];

	if (u->too_uncertain)
		return "; unknown: the error is larger than the cost";
	if (i < UNIT_ENERGY_PACKET && u->how == SPLIT_AT_LEAST)
		return "; lower bound: some time was not measured";
	if (u->by_samples)
		return "; time by samples";
	return u->how == SPLIT_EXACT && s->split.all.leaf[LEAF_OWN].ns > 0 ?
		       "; without netcost's own cost" :
		       "";
}

static bool is_cost_shown(const struct summary_unit_cost *u)
{
	return !isnan(u->value) || u->too_uncertain;
}

/* Returns why a cost is unknown although there were packets, or NULL if the cost is known or there were no packets. */
static const char *refused_text(const struct summary *s, enum unit_cost_id i)
{
	return i == UNIT_RX_PACKET && s->softnet_processed > 0 &&
			       summary_softnet(s->m) == SOFTNET_MISSES_XDP ?
		       "unknown: softnet_stat does not count packets consumed by XDP" :
		       NULL;
}

#define KB 1e3

bool traffic_cost_says(const struct summary *s, enum unit_cost_id i)
{
	const struct summary_event *e = &s->event[unit_cost[i].event];

	return unit_cost[i].by_what != UNIT_BY_BYTES || e->bytes > KB * e->calls;
}

char *traffic_cost_text(char *dst, size_t size, const struct summary *s, enum unit_cost_id i)
{
	bool energy = !unit_cost[i].leaves;
	/* costs per GB are in ms and J, others in ns and uJ */
	double times = unit_cost[i].by_what == UNIT_BY_INTERFACE_BYTES ? 1e6 : 1;

	return text_measured(dst, size,
			     &(struct text_measure){ .v = times * s->unit[i].value,
						     .ci95 = times * s->unit[i].ci95,
						     .unit = energy ? TEXT_UJ : TEXT_NS,
						     .most = -1 });
}

/* Adds a cost. Text shows only known costs. For programs the half-width is a cost with its own key. */
static void cost_row(struct doc *d, const struct summary *s, enum unit_cost_id i)
{
	const struct unit_cost_desc *desc = &unit_cost[i];
	double v = s->unit[i].value, ci95 = s->unit[i].ci95;
	const char *refused = refused_text(s, i);
	char by[200], counter[120], cost[TEXT_SIZE];
	bool shown = (is_cost_shown(&s->unit[i]) && traffic_cost_says(s, i)) || refused;

	snprintf(by, sizeof(by), "%s%s",
		 refused ? refused : unit_cost_counter(counter, sizeof(counter), i, s->basis),
		 refused ? "" : cost_how_text(s, i));
	for (unsigned int half = 0; half < 2; half++) {
		doc_row(d, 0, half || !shown ? DOC_PROGRAMS : DOC_ALL);
		doc_string(d, half ? desc->ci95_key : desc->key);
		doc_string(d, desc->title);
		doc_string(d, traffic_cost_text(cost, sizeof(cost), s, i));
		doc_number(d, half ? ci95 : v);
		doc_string(d, desc->unit + strcspn(desc->unit, " ") + 1);
		doc_string(d, by);
		doc_row_end(d);
	}
}

static bool has_costs(const struct summary *s)
{
	for (unsigned int i = 0; i < UNIT_COSTS; i++)
		if (is_cost_shown(&s->unit[i]))
			return true;
	return false;
}

void traffic_costs(struct doc *d, const struct summary *s)
{
	static const struct doc_column column[] = {
		{ .key = "key", .kind = DOC_STRING },
		{ .title = "cost of", .kind = DOC_STRING, .width = 16 },
		{ .title = "cost", .kind = DOC_STRING, .width = 18 },
		{ .key = "cost", .precision = 3 },
		{ .title = "unit", .kind = DOC_STRING, .width = 19 },
		{ .title = "counted by", .kind = DOC_STRING },
	};
	const struct doc_table table = { .key = "unit_costs",
					 .title = "Unit costs",
					 DOC_COLUMNS_OF(column),
					 .keyed = true,
					 .only = has_costs(s) ? DOC_ALL : DOC_PROGRAMS };

	doc_table(d, &table);
	for (unsigned int i = 0; i < UNIT_COSTS; i++)
		cost_row(d, s, i);
	doc_table_end(d);
}

/* ---- calls ------------------------------------------------------------------------------- */

static const char *const runs_title[NETCOST_EV_COUNT] = {
	[NETCOST_EV_RX_SOFTIRQ] = "RX softirq, runs",
	[NETCOST_EV_TX_SOFTIRQ] = "TX softirq, runs",
	[NETCOST_EV_HARDIRQ_NET] = "hard interrupts, runs",
};

static const char *const calls_title[NETCOST_EV_COUNT] = {
	[NETCOST_EV_SOCK_SEND] = "socket send",
	[NETCOST_EV_SOCK_RECV] = "socket receive",
	[NETCOST_EV_SOCK_LOCAL] = "local sockets",
};

/* Adds the numbers of calls. Runs of a softirq cannot fail and have no bytes. */
static void calls_numbers(struct doc *d, const struct summary_event *event, double divide,
			  bool runs)
{
	doc_number(d, event->calls / divide);
	if (runs) {
		doc_blank(d);
		doc_blank(d);
	} else {
		doc_number(d, event->failed / divide);
		doc_number(d, event->bytes / divide);
	}
}

/* Returns the time in which calls were counted. */
static double calls_counted_s(const struct summary *s)
{
	return s->ticks_s - s->recording.paused_s;
}

static void calls_row(struct doc *d, const struct summary *s, unsigned int e)
{
	const struct summary_event *event = &s->event[e];
	const char *title = calls_title[e] ? calls_title[e] : runs_title[e];

	doc_row(d, 0, title && !isnan(event->calls) ? DOC_ALL : DOC_PROGRAMS);
	doc_string(d, model_event_key(e));
	doc_string(d, title);
	calls_numbers(d, event, 1, runs_title[e]);
	calls_numbers(d, event, calls_counted_s(s), runs_title[e]);
	doc_number(d, isnan(event->calls) ? NAN : calls_counted_s(s));
	doc_row_end(d);
}

/*
 * Prints the calls. If exact counting was paused, text shows rates, which can be compared with the
 * rates of interfaces.
 */
void traffic_calls(struct doc *d, const struct summary *s)
{
	bool rates = s->recording.paused_s > 0;
	const struct doc_column column[] = {
		{ .key = "event", .kind = DOC_STRING },
		{ .title = "operation", .kind = DOC_STRING, .width = 22 },
		{ .key = "calls", .title = rates ? NULL : "calls", .width = 12 },
		{ .key = "failed", .title = rates ? NULL : "failed", .width = 12 },
		{ .key = "bytes", .title = rates ? NULL : "bytes", .width = 16 },
		{ .title = rates ? "calls/s" : NULL, .decimals = 2, .width = 12 },
		{ .title = rates ? "failed/s" : NULL, .decimals = 2, .width = 12 },
		{ .title = rates ? "bytes/s" : NULL, .decimals = 2, .width = 16 },
		{ .key = "counted_s",
		  .precision = 6,
		  .about =
			  "seconds in which the calls were counted; less than the length of the recording if exact counting was paused" },
	};
	bool none = isnan(s->event[NETCOST_EV_SOCK_SEND].calls) &&
		    isnan(s->event[NETCOST_EV_RX_SOFTIRQ].calls);
	const struct doc_table table = { .key = "events",
					 .title = rates ? "Calls per second, while counted" :
							  "Calls",
					 DOC_COLUMNS_OF(column),
					 .keyed = true,
					 .only = none ? DOC_PROGRAMS : DOC_ALL };

	doc_table(d, &table);
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		calls_row(d, s, e);
	doc_table_end(d);
}

/* ---- interfaces -------------------------------------------------------------------------- */

/*
 * Adds a row of an interface. The keys of a direction are consecutive: packets, bytes, errors,
 * dropped.
 */
static void interface_row(struct doc *d, const struct model *m, const struct model_netdev *dev,
			  const char *direction, enum model_netdev_key packets)
{
	enum model_netdev_key bytes = packets + 1, errors = packets + 2, dropped = packets + 3;
	const char *name = model_string(m, dev->name);
	char shown[64];

	snprintf(shown, sizeof(shown), "%.32s (%" PRIu64 ")", SAFE(name), dev->netns);
	doc_row(d, 0, summary_netdev_has_traffic(dev) ? DOC_ALL : DOC_PROGRAMS);
	doc_string(d, shown);
	doc_string(d, name);
	doc_number(d, (double)dev->netns);
	doc_string(d, direction);
	doc_number(d, summary_netdev(dev, packets));
	doc_number(d, summary_netdev(dev, bytes));
	doc_number(d, summary_netdev(dev, dropped));
	doc_number(d, summary_netdev(dev, errors));
	doc_number(d, summary_netdev_rate(dev, packets));
	doc_number(d, 8 * summary_netdev_rate(dev, bytes));
	doc_string(d, model_string_or_null(m, dev->class));
	doc_string(d, model_string_or_null(m, dev->driver));
	doc_row_end(d);
}

/* Finds whether an interface that text shows has a driver or a class. */
static void find_known(const struct model *m, bool *driver, bool *class)
{
	for (size_t i = 0; i < m->nnetdevs; i++) {
		const struct model_netdev *d = &m->netdev[i];

		if (!summary_netdev_has_traffic(d))
			continue;
		*driver |= model_string_or_null(m, d->driver) != NULL;
		*class |= model_string_or_null(m, d->class) != NULL;
	}
}

static size_t interface_rows(struct doc *d, const struct model *m)
{
	static const char *const directions[] = { "rx", "tx", NULL };
	bool drivers = false, classes = false;

	find_known(m, &drivers, &classes);
	const struct doc_column column[] = {
		{ .title = "interface (netns)", .kind = DOC_STRING, .width = 22 },
		{ .key = "name", .kind = DOC_STRING, .known = true },
		{ .key = "netns", .known = true },
		{ .key = "direction",
		  .title = "",
		  .kind = DOC_STRING,
		  .width = 2,
		  .known = true,
		  .choices = directions },
		{ .key = "packets", .title = "packets", .width = 12 },
		{ .key = "bytes", .title = "MB", .scale = 1e-6, .decimals = 3, .width = 12 },
		{ .key = "dropped", .title = "dropped", .width = 9 },
		{ .key = "errors", .title = "errors", .width = 8 },
		{ .key = "packets_per_s",
		  .title = "packets/s",
		  .decimals = 2,
		  .precision = 1,
		  .width = 11 },
		{ .key = "bits_per_s",
		  .title = "Mbit/s",
		  .scale = 1e-6,
		  .decimals = 3,
		  .width = 10 },
		{ .key = "class",
		  .title = classes ? "class" : NULL,
		  .kind = DOC_STRING,
		  .width = 8 },
		{ .key = "driver",
		  .title = drivers ? "driver" : NULL,
		  .kind = DOC_STRING,
		  .cut = 22 },
	};
	const struct doc_table table = { .key = "interfaces",
					 .title = "Interfaces  (netns)",
					 DOC_COLUMNS_OF(column),
					 .only = m->nnetdevs ? DOC_ALL : DOC_PROGRAMS };
	size_t idle = 0;

	doc_table(d, &table);
	for (size_t i = 0; i < m->nnetdevs; i++) {
		interface_row(d, m, &m->netdev[i], "rx", NETDEV_RX_PACKETS);
		interface_row(d, m, &m->netdev[i], "tx", NETDEV_TX_PACKETS);
		idle += !summary_netdev_has_traffic(&m->netdev[i]);
	}
	doc_table_end(d);
	return idle;
}

#define WHOLE 0.9 /* share of the recording */

void traffic_interfaces(struct doc *d, const struct summary *s)
{
	size_t idle = interface_rows(d, s->m), brief = 0;
	char softnet[128] = "";

	if (idle)
		doc_note(d, "  %zu more without traffic", idle);
	for (size_t i = 0; i < s->m->nnetdevs; i++)
		brief += summary_netdev_has_traffic(&s->m->netdev[i]) &&
			 counter_moved(&s->m->netdev[i].at_ns) <
				 WHOLE * counter_moved(&s->m->at_ns);
	if (brief)
		doc_note(d, "  %s existed for only part of the recording: rates are for that part",
			 COUNT(brief, "interface"));
	doc_field_choice(d, "interface_basis", interfaces_basis_keys[s->basis],
			 interfaces_basis_keys);
	if (s->m->nnetdevs && model_is_of_some_cpus(s->m))
		doc_note(
			d,
			"  interface counters cover all CPUs, softnet_stat only the selected ones:");
	text_append(softnet, sizeof(softnet), "", "%s packets processed",
		    NUM(s->softnet_processed, 0));
	if (s->softnet_dropped > 0)
		text_append(softnet, sizeof(softnet), ", ", "%s dropped",
			    NUM(s->softnet_dropped, 0));
	if (s->softnet_squeezed > 0)
		text_append(softnet, sizeof(softnet), ", ", "squeezed %s",
			    COUNT(s->softnet_squeezed, "time"));
	if (!isnan(s->softnet_processed))
		doc_note(d, "  softnet_stat: %s", softnet);
	doc_object(d, "softnet");
	doc_field(d, "processed_packets", s->softnet_processed, 0);
	doc_field(d, "dropped_packets", s->softnet_dropped, 0);
	doc_field(d, "squeezed_times", s->softnet_squeezed, 0);
	doc_object_end(d);
}

/* ---- drops and retransmits --------------------------------------------------------------- */

/* Protocol counters of losses or wasted work. Text shows counters that are not 0. */
static const struct {
	const char *name, *title;
} lossy[] = {
	{ "Tcp.RetransSegs", "TCP: segments retransmitted" },
	{ "TcpExt.TCPSynRetrans", "TCP: SYN and SYN-ACK retransmitted" },
	{ "TcpExt.TCPLostRetransmit", "retransmits that were lost" },
	{ "TcpExt.TCPRetransFail", "retransmits that failed" },
	{ "TcpExt.TCPTimeouts", "TCP: retransmission timeouts" },
	{ "TcpExt.TCPSpuriousRTOs", "TCP: spurious retransmission timeouts" },
	{ "TcpExt.TCPDSACKRecv", "TCP: duplicates, as reported by the peer" },
	{ "TcpExt.TCPOFOQueue", "TCP: arrived out of order" },
	{ "TcpExt.ListenOverflows", "connections refused: a listening socket's queue was full" },
	{ "TcpExt.ListenDrops", "connections refused, for any reason" },
	{ "TcpExt.TCPReqQFullDrop", "connections refused: too many half open" },
	{ "Tcp.AttemptFails", "connection attempts that failed" },
	{ "TcpExt.PruneCalled", "TCP: a receive buffer was cleaned up" },
	{ "TcpExt.RcvPruned", "TCP: dropped, no room to receive" },
	{ "TcpExt.OfoPruned", "TCP: dropped, no room for out-of-order data" },
	{ "TcpExt.TCPOFODrop", "TCP: dropped, no room for out-of-order data" },
	{ "TcpExt.TCPRcvCollapsed", "TCP: segments collapsed to free memory" },
	{ "TcpExt.TCPBacklogDrop", "TCP: dropped, a busy socket's backlog was full" },
	{ "TcpExt.TCPRcvQDrop", "TCP: dropped, the receive buffer was full" },
	{ "TcpExt.TCPZeroWindowDrop", "TCP: dropped, sent beyond a closed window" },
	{ "TcpExt.TCPToZeroWindowAdv", "TCP: windows closed because of a slow reader" },
	{ "TcpExt.TCPMemoryPressures", "TCP: times that memory ran short" },
	{ "TcpExt.TCPAbortOnMemory", "connections aborted, because memory ran short" },
	{ "TcpExt.TCPWqueueTooBig", "TCP: not queued, because too much data was waiting" },
	{ "TcpExt.PFMemallocDrop", "dropped, because memory ran short" },
	{ "Udp.RcvbufErrors", "UDP: dropped, the receive buffer was full" },
	{ "Udp.SndbufErrors", "UDP: not sent, the send buffer was full" },
	{ "Udp.MemErrors", "UDP: dropped, because memory ran short" },
	{ "Udp.NoPorts", "UDP: dropped, no socket for it" },
	{ "Udp.InErrors", "UDP: dropped, for any reason" },
	{ "Udp.InCsumErrors", "UDP: dropped, wrong checksum" },
	{ "Udp6RcvbufErrors", "UDP, IPv6: dropped, the receive buffer was full" },
	{ "Udp6SndbufErrors", "UDP, IPv6: not sent, the send buffer was full" },
	{ "Udp6MemErrors", "UDP, IPv6: dropped, because memory ran short" },
	{ "Udp6NoPorts", "UDP, IPv6: dropped, no socket for it" },
	{ "Udp6InErrors", "UDP, IPv6: dropped, for any reason" },
	{ "Udp6InCsumErrors", "UDP, IPv6: dropped, wrong checksum" },
	{ "Ip.InHdrErrors", "IP: dropped, a broken header" },
	{ "Ip.InDiscards", "IP: dropped when received" },
	{ "Ip.OutDiscards", "IP: dropped when sent" },
	{ "Ip.OutNoRoutes", "IP: dropped, no route" },
	{ "Ip.ReasmFails", "IP: fragments that could not be reassembled" },
	{ "Ip.FragFails", "IP: dropped, could not be fragmented" },
	{ "Ip6InDiscards", "IPv6: dropped when received" },
	{ "Ip6OutDiscards", "IPv6: dropped when sent" },
	{ "IpExt.InCsumErrors", "IP: dropped, wrong checksum" },
	{ "IpExt.InTruncatedPkts", "IP: dropped, truncated" },
	{ "TcpExt.IPReversePathFilter", "IP: dropped by rp_filter" },
	{ "Tcp.InErrs", "TCP: dropped, broken" },
	{ "Tcp.InCsumErrors", "TCP: dropped, wrong checksum" },
};

static const char *lossy_title(const char *name)
{
	for (size_t i = 0; i < sizeof(lossy) / sizeof(lossy[0]); i++)
		if (!strcmp(lossy[i].name, name))
			return lossy[i].title;
	return NULL;
}

static void drops_row(struct doc *d, unsigned int only, const char *name, const char *by,
		      double count, double seconds, const char *title)
{
	doc_row(d, 0, only);
	doc_string(d, name);
	doc_string(d, by);
	doc_number(d, count);
	doc_number(d, known_ratio(count, seconds));
	doc_string(d, title);
	doc_row_end(d);
}

static bool is_lossy(const struct model *m, const struct model_protocol *p)
{
	return p->value.sum > 0 && lossy_title(model_string(m, p->name));
}

static bool any_lossy(const struct model *m)
{
	for (size_t i = 0; i < m->nprotocols; i++)
		if (is_lossy(m, &m->protocol[i]))
			return true;
	return false;
}

static void drops_rows(struct doc *d, const struct drops *drops, const struct model *m)
{
	for (size_t i = 0; i < drops->n; i++)
		drops_row(d, DOC_ALL, drops->row[i].reason, "reason", drops->row[i].packets,
			  drops->seconds, "");
	for (size_t i = 0; i < m->nprotocols; i++) {
		const struct model_protocol *p = &m->protocol[i];
		const char *name = model_string(m, p->name);

		drops_row(d, is_lossy(m, p) ? DOC_ALL : DOC_PROGRAMS, name, "counter",
			  counter_moved(&p->value), counter_moved(&p->at_ns) * 1e-9,
			  lossy_title(name));
	}
}

static void drops_table(struct doc *d, const struct drops *drops, const struct model *m)
{
	static const char *const kinds[] = { "reason", "counter", NULL };
	const struct doc_column column[] = {
		{ .key = "name", .kind = DOC_STRING, .title = "", .width = 28, .known = true },
		{ .key = "kind",
		  .kind = DOC_STRING,
		  .known = true,
		  .choices = kinds,
		  .about =
			  "reason: the drop reason, in all network namespaces; counter: a protocol counter, in the recorder's own namespace" },
		{ .key = "count", .title = "count", .width = 12 },
		{ .key = "per_s",
		  .title = "per second",
		  .decimals = 2,
		  .precision = 1,
		  .width = 11 },
		{ .title = any_lossy(m) ? "its meaning" : NULL, .kind = DOC_STRING },
	};
	bool any = drops->n || any_lossy(m);
	const struct doc_table t = { .key = "counts",
				     .title = "Drops and retransmits",
				     DOC_COLUMNS_OF(column),
				     .only = any ? DOC_ALL : DOC_PROGRAMS };

	doc_table(d, &t);
	drops_rows(d, drops, m);
	doc_table_end(d);
	if (any)
		doc_note(
			d,
			"  reasons of dropped packets cover the whole host; counters cover the recorder's own network namespace%s",
			model_is_of_some_cpus(m) ? ", of all CPUs" : "");
}

int drops_doc(struct doc *d, const struct summary *s)
{
	struct drops drops;

	if (drops_make(&drops, s->m))
		return -ENOMEM;
	doc_object(d, "drops");
	doc_about(d, "packets dropped by the kernel, by drop reason; null: not measured");
	doc_field(d, "packets", drops.packets, 0);
	drops_table(d, &drops, s->m);
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
		{ .key = "ns", .about = "time of the interrupt handlers; null: not measured" },
	};
	static const struct doc_table drops_table = { .key = "interrupts",
						      DOC_COLUMNS_OF(column),
						      .only = DOC_PROGRAMS };
	char text[512] = "";

	doc_table(d, &drops_table);
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
		if (!n->interrupts)
			continue;
		text_append(text, sizeof(text), ", ", "%.32s %s", SAFE(name),
			    NUM((double)n->interrupts, 0));
		if (n->irqs_timed)
			text_append(text, sizeof(text), "", " (%s)",
				    MEASURED((double)n->irqs_ns, TEXT_NS));
	}
	doc_table_end(d);
	if (*text)
		doc_note(d, "  hard interrupts: %s", text);
}
