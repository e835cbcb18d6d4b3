// SPDX-License-Identifier: BSD-2-Clause
/* Functions that all sources use. */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <netcost/reasons.h>
#include <netcost/trace.h>

int source_file(const struct source_desc *d, struct source_status *st)
{
	int fd = open(d->path, O_RDONLY | O_CLOEXEC);

	st->via = d->path;
	st->state = fd < 0 ? "absent" : "measured";
	if (fd < 0)
		snprintf(st->why, sizeof(st->why), reason_unopened, d->path, errno);
	return fd;
}

uint64_t source_count(struct source_count *c, uint64_t now, bool bits32)
{
	if (now > INT64_MAX) /* the value was not read, or is negative and thus not a measurement */
		return TRACE_NIL;
	if (!c->read)
		c->base = now - (now > 0);
	else if (now < c->last && !bits32)
		c->base = now;
	c->read = true;
	c->last = now;
	return bits32 ? (uint32_t)(now - c->base) : now - c->base;
}

void source_counts(struct source_count *c, uint64_t *value, size_t n, bool bits32)
{
	for (size_t i = 0; i < n; i++)
		value[i] = source_count(&c[i], value[i], bits32);
}

int source_end(struct trace_writer *w, uint64_t began_ns, uint64_t ended_ns)
{
	trace_writer_uint(w, TRACE_BEGAN_NS, began_ns);
	trace_writer_uint(w, TRACE_ENDED_NS, ended_ns);
	return trace_writer_end(w);
}

int source_put(struct trace_writer *w, const char *name, const char *state, const char *via,
	       const char *why)
{
	char escaped[PATH_MAX], path[PATH_MAX + 8];

	if (*via == '/') {
		snprintf(path, sizeof(path), reason_path,
			 reason_escape(via, escaped, sizeof(escaped)));
		via = path;
	}
	trace_writer_begin(w, TRACE_SOURCE);
	trace_writer_str(w, TRACE_SOURCE_NAME, name);
	trace_writer_str(w, TRACE_SOURCE_STATE, state);
	trace_writer_str(w, TRACE_SOURCE_VIA, via);
	trace_writer_str(w, TRACE_SOURCE_WHY, why);
	return trace_writer_end(w);
}

int source_put_probe(struct trace_writer *w, const struct source_probe *p)
{
	trace_writer_begin(w, TRACE_PROBE);
	trace_writer_uint(w, TRACE_PROBE_OF, p->of);
	trace_writer_uint(w, TRACE_PROBE_NUMBER, p->number);
	trace_writer_str(w, TRACE_PROBE_METHOD, p->method);
	trace_writer_strs(w, TRACE_PROBE_HOOKS, p->hook, p->nhooks);
	if (p->reason)
		trace_writer_str(w, TRACE_PROBE_REASON, p->reason);
	if (p->refused)
		trace_writer_strs(w, TRACE_PROBE_REFUSED, p->refused, p->nrefused);
	if (p->tested) {
		trace_writer_uint(w, TRACE_PROBE_TESTED, p->tested);
		trace_writer_uint(w, TRACE_PROBE_SEEN, p->seen);
		trace_writer_strs(w, TRACE_PROBE_UNSEEN, p->unseen, p->tested - p->seen);
	}
	return trace_writer_end(w);
}
