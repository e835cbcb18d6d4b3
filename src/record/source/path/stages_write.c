// SPDX-License-Identifier: BSD-2-Clause
#include "stages_write.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/trace.h>

#include "bpf/path_events.h"
#include "record/base/procfs.h"
#include "record/kernel/drop_reasons.h"
#include "record/source/netns.h"
#include "stages_flows.h"

#define EVENTS 4096 /* maximum number of events per record */
#define DEVICES 64  /* maximum number of devices per record; more devices start a new record */
#define REASONS 32
#define RULES 64  /* maximum number of pairs of hook and table per record */
#define FLOWS 256 /* maximum number of flows per record */
#define TABLES 256
#define NAME 64

struct stages_writer {
	const struct drop_reasons *reasons;

	/* Columns and lists of the current record. */
	size_t n, ndevices, nreasons, nrules;
	uint64_t dt[EVENTS], stage[EVENTS], cpu[EVENTS], device[EVENTS], flow[EVENTS],
		reason[EVENTS], rule[EVENTS];
	int64_t packet[EVENTS];
	uint64_t netns[DEVICES], ifindex[DEVICES];
	char interface[DEVICES][IF_NAMESIZE];
	bool names; /* some device has a name */
	uint32_t why[REASONS];
	char name[REASONS][NAME];
	uint32_t of_rule[RULES]; /* family, hook and table of each rule */
	char hook[RULES][NAME];
	size_t nlisted;
	const struct stages_flow *listed[FLOWS];
	char from[FLOWS][INET6_ADDRSTRLEN], to[FLOWS][INET6_ADDRSTRLEN];

	uint64_t record; /* number of the current record */
	uint64_t own_netns;
	struct stages_flows flows;
	char table[TABLES][NETCOST_STAGE_TABLE]; /* names of all tables of the recording */
	uint32_t ntables;
};

int stages_writer_new(struct stages_writer **sp, const struct drop_reasons *reasons)
{
	*sp = calloc(1, sizeof(**sp));
	if (!*sp)
		return -ENOMEM;
	(*sp)->reasons = reasons;
	(*sp)->own_netns = procfs_inode(OWN_NETNS);
	return 0;
}

void stages_writer_free(struct stages_writer *s)
{
	if (s)
		stages_flows_free(&s->flows);
	free(s);
}

int stages_writer_flow(struct stages_writer *s, uint32_t flow,
		       const struct netcost_stage_flow *whose)
{
	return stages_flows_add(&s->flows, flow, whose);
}

uint32_t stages_writer_table(struct stages_writer *s, const char *name)
{
	uint32_t i = 0;

	while (i < s->ntables && strncmp(s->table[i], name, NETCOST_STAGE_TABLE - 1))
		i++;
	if (i == TABLES)
		return 0;
	if (i == s->ntables)
		snprintf(s->table[s->ntables++], NETCOST_STAGE_TABLE, "%.*s",
			 NETCOST_STAGE_TABLE - 1, name);
	return i + 1;
}

/* Families and hooks of netfilter, from include/uapi/linux/netfilter.h, a stable ABI. */
static const struct family {
	uint8_t number;
	const char *name, *hook[6];
} families[] = {
	{ 1, "inet", { "prerouting", "input", "forward", "output", "postrouting", "ingress" } },
	{ 2, "ip", { "prerouting", "input", "forward", "output", "postrouting", "ingress" } },
	{ 3, "arp", { "input", "output", "forward" } },
	{ 5, "netdev", { "ingress", "egress" } },
	{ 7, "bridge", { "prerouting", "input", "forward", "output", "postrouting", "brouting" } },
	{ 10, "ip6", { "prerouting", "input", "forward", "output", "postrouting", "ingress" } },
};

static void hook_name(char *name, unsigned int family, unsigned int hook)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (families[i].number == family && hook < 6 && families[i].hook[hook]) {
			snprintf(name, NAME, "%s %s", families[i].name, families[i].hook[hook]);
			return;
		}
	snprintf(name, NAME, "family %u hook %u", family, hook);
}

/* Sets the name of the i-th device. Names of devices in other network namespaces are unknown. */
static void name_device(struct stages_writer *s, size_t i)
{
	bool own = s->own_netns && s->netns[i] == s->own_netns;

	if (!own || !if_indextoname((unsigned int)s->ifindex[i], s->interface[i]))
		s->interface[i][0] = '\0';
	s->names |= s->interface[i][0];
}

/*
 * Returns the index of the event's device, from 1, or 0 if the event has no device. This function and the next two
 * return DEVICES + 1, REASONS + 1 or RULES + 1 if there is no room.
 */
static size_t device_of(struct stages_writer *s, const struct netcost_stage_event *e)
{
	size_t i = 0;

	if (!e->ifindex)
		return 0;
	while (i < s->ndevices && (s->netns[i] != e->netns || s->ifindex[i] != e->ifindex))
		i++;
	if (i == s->ndevices && i < DEVICES) {
		s->netns[i] = e->netns;
		s->ifindex[i] = e->ifindex;
		name_device(s, i);
		s->ndevices++;
	}
	return i + 1;
}

static size_t reason_of(struct stages_writer *s, const struct netcost_stage_event *e)
{
	size_t i = 0;

	if (e->stage != NETCOST_STAGE_DROPPED || !e->reason)
		return 0;
	while (i < s->nreasons && s->why[i] != e->reason)
		i++;
	if (i == s->nreasons && i < REASONS) {
		s->why[i] = e->reason;
		drop_reasons_name(s->reasons, e->reason, s->name[i], NAME);
		s->nreasons++;
	}
	return i + 1;
}

static size_t rule_of(struct stages_writer *s, const struct netcost_stage_event *e)
{
	uint32_t of = (uint32_t)e->family << 24 | (uint32_t)e->hook << 16 | (e->reason & 0xffff);
	size_t i = 0;

	if (!e->family || !(NETCOST_STAGES_RULES & 1u << e->stage))
		return 0;
	while (i < s->nrules && s->of_rule[i] != of)
		i++;
	if (i == s->nrules && i < RULES) {
		s->of_rule[i] = of;
		hook_name(s->hook[i], e->family, e->hook);
		s->nrules++;
	}
	return i + 1;
}

static void flow_text(char *text, const struct netcost_stage_flow *whose, const __u8 *address)
{
	int family = whose->version == 4 ? AF_INET : AF_INET6;

	if (!inet_ntop(family, address, text, INET6_ADDRSTRLEN))
		text[0] = '\0';
}

/*
 * At a packet's first event, lists the packet's flow in the record if the flow is known. Returns false if there is no
 * room.
 */
static bool list_flow(struct stages_writer *s, const struct netcost_stage_event *e)
{
	struct stages_flow *flow = e->first ? stages_flows_find(&s->flows, e->flow) : NULL;

	if (!flow || flow->record == s->record)
		return true;
	if (s->nlisted == FLOWS)
		return false;
	flow->record = s->record;
	flow_text(s->from[s->nlisted], &flow->whose, flow->whose.from);
	flow_text(s->to[s->nlisted], &flow->whose, flow->whose.to);
	s->listed[s->nlisted++] = flow;
	return true;
}

/* Returns the stage of an event. A packet that the kernel frees with the reason "none" was not dropped. */
static uint64_t stage_of(const struct stages_writer *s, const struct netcost_stage_event *e)
{
	return e->stage == NETCOST_STAGE_DROPPED && drop_reasons_is_none(s->reasons, e->reason) ?
		       NETCOST_STAGE_FREED :
		       e->stage;
}

/*
 * Adds an event. Returns false if the event needs a new record. before is the previous event, or NULL for the first
 * one.
 */
static bool add(struct stages_writer *s, const struct netcost_stage_event *e,
		const struct netcost_stage_event *before)
{
	size_t device = device_of(s, e), reason = reason_of(s, e), rule = rule_of(s, e), i = s->n;

	if (i == EVENTS || device > DEVICES || reason > REASONS || rule > RULES || !list_flow(s, e))
		return false;
	s->dt[i] = before ? e->at_ns - before->at_ns : 0;
	s->packet[i] = (int64_t)e->packet - (int64_t)(before ? before->packet : 0);
	s->stage[i] = stage_of(s, e);
	s->cpu[i] = e->cpu;
	s->device[i] = device;
	s->flow[i] = e->first ? e->flow : TRACE_NIL;
	s->reason[i] = s->stage[i] == NETCOST_STAGE_DROPPED ? reason : 0;
	s->rule[i] = rule;
	s->n++;
	return true;
}

/* Writes the rules, if packets passed any. */
static void write_rules(const struct stages_writer *s, struct trace_writer *w)
{
	const char *hook[RULES], *table[RULES];

	if (!s->nrules)
		return;
	for (size_t i = 0; i < s->nrules; i++) {
		uint32_t number = s->of_rule[i] & 0xffff;

		hook[i] = s->hook[i];
		table[i] = number ? s->table[number - 1] : "";
	}
	trace_writer_uints(w, TRACE_STAGES_RULE, s->rule, s->n);
	trace_writer_strs(w, TRACE_STAGES_HOOKS, hook, s->nrules);
	trace_writer_strs(w, TRACE_STAGES_TABLES, table, s->nrules);
}

static void write_names(const struct stages_writer *s, struct trace_writer *w)
{
	const char *name[DEVICES];

	if (!s->names)
		return;
	for (size_t i = 0; i < s->ndevices; i++)
		name[i] = s->interface[i];
	trace_writer_strs(w, TRACE_STAGES_NAMES, name, s->ndevices);
}

static uint64_t port_of(const struct netcost_stage_flow *whose, __u16 port)
{
	return whose->has_ports ? ntohs(port) : TRACE_NIL;
}

static void write_flows(const struct stages_writer *s, struct trace_writer *w)
{
	uint64_t hash[FLOWS], protocol[FLOWS], from_port[FLOWS], to_port[FLOWS];
	const char *from[FLOWS], *to[FLOWS];

	if (!s->nlisted)
		return;
	for (size_t i = 0; i < s->nlisted; i++) {
		const struct netcost_stage_flow *whose = &s->listed[i]->whose;

		hash[i] = s->listed[i]->hash;
		protocol[i] = whose->protocol;
		from[i] = s->from[i];
		to[i] = s->to[i];
		from_port[i] = port_of(whose, whose->from_port);
		to_port[i] = port_of(whose, whose->to_port);
	}
	trace_writer_uints(w, TRACE_STAGES_FLOWS, hash, s->nlisted);
	trace_writer_uints(w, TRACE_STAGES_PROTOCOL, protocol, s->nlisted);
	trace_writer_strs(w, TRACE_STAGES_FROM, from, s->nlisted);
	trace_writer_uints(w, TRACE_STAGES_FROM_PORT, from_port, s->nlisted);
	trace_writer_strs(w, TRACE_STAGES_TO, to, s->nlisted);
	trace_writer_uints(w, TRACE_STAGES_TO_PORT, to_port, s->nlisted);
}

/* Writes a record. counts is NULL if the counts do not belong to this record. */
static int write_record(const struct stages_writer *s, uint64_t base_ns,
			const struct stages_counts *counts, struct trace_writer *w)
{
	const char *name[REASONS];

	for (size_t i = 0; i < s->nreasons; i++)
		name[i] = s->name[i];
	trace_writer_begin(w, TRACE_STAGES);
	if (s->n)
		trace_writer_uint(w, TRACE_STAGES_BASE_NS, base_ns);
	trace_writer_uints(w, TRACE_STAGES_DT, s->dt, s->n);
	trace_writer_ints(w, TRACE_STAGES_PACKET, s->packet, s->n);
	trace_writer_uints(w, TRACE_STAGES_STAGE, s->stage, s->n);
	trace_writer_uints(w, TRACE_STAGES_CPU, s->cpu, s->n);
	trace_writer_uints(w, TRACE_STAGES_DEVICE, s->device, s->n);
	trace_writer_uints(w, TRACE_STAGES_FLOW, s->flow, s->n);
	trace_writer_uints(w, TRACE_STAGES_REASON, s->reason, s->n);
	trace_writer_uints(w, TRACE_STAGES_NETNS, s->netns, s->ndevices);
	trace_writer_uints(w, TRACE_STAGES_IFINDEX, s->ifindex, s->ndevices);
	trace_writer_strs(w, TRACE_STAGES_REASONS, name, s->nreasons);
	if (counts) {
		trace_writer_uint(w, TRACE_STAGES_EVERY, counts->every);
		trace_writer_uint(w, TRACE_STAGES_PACKETS, counts->packets);
		trace_writer_uint(w, TRACE_STAGES_FULL, counts->full);
		trace_writer_uint(w, TRACE_STAGES_EVICTED, counts->evicted);
	}
	write_rules(s, w);
	write_names(s, w);
	write_flows(s, w);
	return trace_writer_end(w);
}

static int by_time(const void *a, const void *b)
{
	const struct netcost_stage_event *x = a, *y = b;

	return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

int stages_writer_write(struct stages_writer *s, struct netcost_stage_event *event, size_t *n,
			uint64_t until_ns, const struct stages_counts *counts,
			struct trace_writer *w)
{
	size_t end = *n, i = 0;
	int err;

	if (end)
		qsort(event, end, sizeof(*event), by_time);
	while (end && event[end - 1].at_ns > until_ns)
		end--;
	do {
		size_t first = i;

		s->n = s->ndevices = s->nreasons = s->nrules = s->nlisted = 0;
		s->names = false;
		s->record++;
		while (i < end && add(s, &event[i], i > first ? &event[i - 1] : NULL))
			i++;
		err = write_record(s, end ? event[first].at_ns : 0, counts, w);
		counts = NULL;
	} while (i < end && !err);
	stages_flows_turn(&s->flows);
	*n -= end;
	if (*n)
		memmove(event, event + end, *n * sizeof(*event));
	return err;
}
