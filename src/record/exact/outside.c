// SPDX-License-Identifier: BSD-2-Clause
#include "outside.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <linux/types.h> /* the wire structs' __u64 */
#include <netcost/trace.h>

#include "bpf/wire.h"

struct row {
	struct netcost_outside_key key;
	struct netcost_outside now;
	/* numbers of messages that were already written, or counted before the recording */
	uint64_t sends, recvs;
};

struct outside {
	int map_fd;
	bool pids;
	struct row row[NETCOST_OUTSIDE];
	size_t n;
};

int outside_new(struct outside **op, int map_fd, bool pids)
{
	struct outside *o = calloc(1, sizeof(*o));

	*op = o;
	if (!o)
		return -ENOMEM;
	o->map_fd = map_fd;
	o->pids = pids;
	return 0;
}

void outside_free(struct outside *o)
{
	free(o);
}

/*
 * Returns the row of the key. Adds a row if the key has no row yet. Returns NULL if there is no room for another row.
 */
static struct row *row_of(struct outside *o, const struct netcost_outside_key *key)
{
	size_t i = 0;

	while (i < o->n && memcmp(&o->row[i].key, key, sizeof(*key)))
		i++;
	if (i == NETCOST_OUTSIDE)
		return NULL;
	if (i == o->n)
		o->row[o->n++].key = *key;
	return &o->row[i];
}

/* Programs never remove keys from the map, so the loop visits each key once. */
void outside_look(struct outside *o)
{
	struct netcost_outside_key key, *last = NULL;

	for (size_t i = 0; i < NETCOST_OUTSIDE; i++) {
		struct row *r;

		if (bpf_map_get_next_key(o->map_fd, last, &key))
			return;
		last = &key;
		r = row_of(o, &key);
		if (r)
			bpf_map_lookup_elem(o->map_fd, &key, &r->now);
	}
}

static void take(struct row *r)
{
	r->sends = r->now.sends;
	r->recvs = r->now.recvs;
}

void outside_begin(struct outside *o)
{
	outside_look(o);
	for (size_t i = 0; i < o->n; i++)
		take(&o->row[i]);
}

int outside_write(struct outside *o, struct trace_writer *w)
{
	uint64_t process[NETCOST_OUTSIDE], family[NETCOST_OUTSIDE];
	uint64_t sends[NETCOST_OUTSIDE], recvs[NETCOST_OUTSIDE];
	const char *name[NETCOST_OUTSIDE];
	size_t n = 0;

	for (size_t i = 0; i < o->n; i++) {
		struct row *r = &o->row[i];

		if (r->now.sends == r->sends && r->now.recvs == r->recvs)
			continue;
		process[n] = o->pids || !r->key.process ? r->key.process : TRACE_NIL;
		r->now.name[sizeof(r->now.name) - 1] = '\0';
		name[n] = r->now.name;
		family[n] = r->key.family;
		sends[n] = r->now.sends - r->sends;
		recvs[n] = r->now.recvs - r->recvs;
		take(r);
		n++;
	}
	if (!n)
		return 0;
	trace_writer_begin(w, TRACE_OUTSIDE);
	trace_writer_uints(w, TRACE_OUTSIDE_PROCESS, process, n);
	trace_writer_strs(w, TRACE_OUTSIDE_NAME, name, n);
	trace_writer_uints(w, TRACE_OUTSIDE_FAMILY, family, n);
	trace_writer_uints(w, TRACE_OUTSIDE_SENDS, sends, n);
	trace_writer_uints(w, TRACE_OUTSIDE_RECVS, recvs, n);
	return trace_writer_end(w);
}
