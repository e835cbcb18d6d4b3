// SPDX-License-Identifier: BSD-2-Clause
#include "source.h"

#include <errno.h>
#include <stdlib.h>

#include <netcost/trace.h>

static const struct source_desc *const table[] = {
	&procstat_source,
	&softnet_source,
	&netdev_source,
	&energy_source,
};

#define COUNT (sizeof(table) / sizeof(table[0]))

struct sources {
	void *ctx[COUNT];
	struct source_status status[COUNT];
};

int sources_open(struct sources **sp, const struct cpuset *cpus)
{
	struct sources *s = calloc(1, sizeof(*s));
	int err = s ? 0 : -ENOMEM;

	for (size_t i = 0; i < COUNT && !err; i++)
		err = table[i]->open(&s->ctx[i], table[i], cpus, &s->status[i]);
	if (err) {
		sources_close(s);
		s = NULL;
	}
	*sp = s;
	return err;
}

void sources_close(struct sources *s)
{
	for (size_t i = 0; s && i < COUNT; i++)
		if (s->ctx[i])
			table[i]->close(s->ctx[i]);
	free(s);
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
	trace_writer_begin(w, TRACE_SOURCE, 4);
	trace_writer_str(w, TRACE_SOURCE_NAME, name);
	trace_writer_str(w, TRACE_SOURCE_STATE, state);
	trace_writer_str(w, TRACE_SOURCE_VIA, via);
	trace_writer_str(w, TRACE_SOURCE_WHY, why);
	return trace_writer_end(w);
}

int sources_write(const struct sources *s, struct trace_writer *w)
{
	int err = 0;

	for (size_t i = 0; i < COUNT && !err; i++)
		err = source_put(w, table[i]->name, s->status[i].state, s->status[i].via,
				 s->status[i].why);
	return err;
}

int sources_tick(const struct sources *s, struct trace_writer *w)
{
	int err = 0;

	for (size_t i = 0; i < COUNT && !err; i++)
		if (s->ctx[i])
			err = table[i]->tick(s->ctx[i], w);
	return err;
}

void sources_each(const struct sources *s,
		  void (*fn)(void *, const char *, const struct source_status *), void *ctx)
{
	for (size_t i = 0; i < COUNT; i++)
		fn(ctx, table[i]->name, &s->status[i]);
}
