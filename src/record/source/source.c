// SPDX-License-Identifier: BSD-2-Clause
#include "source.h"

#include <errno.h>
#include <stdlib.h>

#include <netcost/trace.h>

#include "record/source/path/path.h"

static const struct source_desc *const table[] = {
	&procstat_source, &softnet_source, &netdev_source, &protocol_source, &softirqs_source,
	&drops_source,	  &latency_source, &stages_source, &energy_source,   &peers_source,
};

#define COUNT (sizeof(table) / sizeof(table[0]))

struct sources {
	struct path *path;
	bool followed; /* packets have been followed since the last tick of a window */
	void *ctx[COUNT];
	struct source_status status[COUNT];
};

int sources_open(struct sources **sp, const struct source_host *h)
{
	struct sources *s = calloc(1, sizeof(*s));
	struct source_host host = *h;
	int err = s ? path_new(&s->path, h) : -ENOMEM;

	if (!err)
		host.path = s->path;
	for (size_t i = 0; i < COUNT && !err; i++)
		err = table[i]->open(&s->ctx[i], table[i], &host, &s->status[i]);
	if (err) {
		sources_close(s);
		s = NULL;
	} else {
		s->followed = sources_follow(s);
	}
	*sp = s;
	return err;
}

void sources_close(struct sources *s)
{
	for (size_t i = 0; s && i < COUNT; i++)
		if (s->ctx[i])
			table[i]->close(s->ctx[i]);
	if (s)
		path_free(s->path);
	free(s);
}

int sources_write(const struct sources *s, struct trace_writer *w)
{
	int err = 0;

	for (size_t i = 0; i < COUNT && !err; i++)
		if (s->status[i].state)
			err = source_put(w, table[i]->name, s->status[i].state, s->status[i].via,
					 s->status[i].why);
	return err;
}

/* Writes the tick records of the sources in some groups. groups has a bit for each enum source_group. */
static int sources_tick_groups(const struct sources *s, unsigned int groups, struct trace_writer *w)
{
	int err = 0;

	for (size_t i = 0; i < COUNT && !err; i++)
		if (s->ctx[i] && groups & 1u << table[i]->group)
			err = table[i]->tick(s->ctx[i], w);
	return err;
}

int sources_tick(const struct sources *s, bool paused, struct trace_writer *w)
{
	int err = sources_tick_groups(s, 1u << SOURCE_AT_TICKS | 1u << SOURCE_AT_WINDOWS, w);

	return err || paused ? err : sources_tick_groups(s, 1u << SOURCE_FOLLOWS, w);
}

/* Changes the state of all programs that are attached in windows, except for the programs of path.h. */
static int sources_set(const struct sources *s, enum source_state state)
{
	int err = 0;

	for (size_t i = 0; i < COUNT && !err; i++)
		if (s->ctx[i] && table[i]->follow)
			err = table[i]->follow(s->ctx[i], state);
	return err;
}

static bool sources_have_path(const struct sources *s)
{
	return s->path && s->path->skel;
}

int sources_tick_window(struct sources *s, bool follow, struct trace_writer *w)
{
	bool followed = s->followed;
	int err = sources_tick_groups(s, 1u << SOURCE_AT_WINDOWS, w);

	s->followed = follow && sources_follow(s);
	if (sources_have_path(s))
		path_follow(s->path, follow);
	if (followed || follow)
		(void)sources_set(s, follow ? SOURCE_COUNTS :
					      SOURCE_ATTACHED); /* makes no system call */
	return err || !(followed || follow) ? err : sources_tick_groups(s, 1u << SOURCE_FOLLOWS, w);
}

bool sources_follow(const struct sources *s)
{
	bool any = s && sources_have_path(s);

	for (size_t i = 0; s && i < COUNT && !any; i++)
		any = s->ctx[i] && table[i]->follow;
	return any;
}

void sources_pause(const struct sources *s)
{
	if (sources_have_path(s))
		path_pause(s->path);
	(void)sources_set(s, SOURCE_DETACHED); /* cannot fail */
}

int sources_resume(const struct sources *s)
{
	int err = sources_have_path(s) ? path_resume(s->path) : 0;

	return err ? err : sources_set(s, SOURCE_ATTACHED);
}

uint64_t sources_follow_runs(const struct sources *s, unsigned int cpu)
{
	uint64_t runs = sources_have_path(s) ? path_runs(s->path, cpu) : 0;

	for (size_t i = 0; i < COUNT; i++)
		if (s->ctx[i] && table[i]->runs)
			runs += table[i]->runs(s->ctx[i], cpu);
	return runs;
}

int sources_again(const struct sources *s, struct trace_writer *w)
{
	int err = 0;

	for (size_t i = 0; i < COUNT && !err; i++)
		if (s->ctx[i] && table[i]->again)
			err = table[i]->again(s->ctx[i], w);
	return err;
}

size_t sources_programs(const struct sources *s, const struct bpf_program **program, size_t room)
{
	const struct bpf_program *p;
	size_t n = 0;

	for (size_t i = 0; i < COUNT; i++) {
		if (!s->ctx[i] || !table[i]->program)
			continue;
		for (size_t k = 0; n < room && (p = table[i]->program(s->ctx[i], k)); k++)
			program[n++] = p;
	}
	return n;
}

void sources_each(const struct sources *s,
		  void (*fn)(void *, const char *, const struct source_status *), void *ctx)
{
	for (size_t i = 0; i < COUNT; i++)
		if (s->status[i].state)
			fn(ctx, table[i]->name, &s->status[i]);
}

int sources_points(const struct sources *s, int (*fn)(void *, const struct source_point *),
		   void *ctx)
{
	struct source_point p;
	int err = 0;

	for (size_t i = 0; i < COUNT; i++)
		for (size_t k = 0;
		     !err && s->ctx[i] && table[i]->point && table[i]->point(s->ctx[i], k, &p); k++)
			err = fn(ctx, &p);
	return err;
}
