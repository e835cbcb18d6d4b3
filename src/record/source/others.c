// SPDX-License-Identifier: BSD-2-Clause
#include "others.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/reasons.h>
#include <netcost/text_append.h>
#include <netcost/trace.h>

#include "record/kernel/admin.h"
#include "record/kernel/bpf_info.h"
#include "source.h"

#define LOOK_MOST 4096	/* maximum number of programs that a reading examines */
#define LIST_MOST 65536 /* maximum number of programs that are counted */
#define KEPT_MOST 40	/* maximum number of readings between two ticks */
/*
 * Maximum number of programs for an additional reading. With more programs, knowing how the costs vary is not worth the
 * cost of the reading.
 */
#define BETWEEN_MOST 100
#define BETWEEN_LEAST_NS 50000000ull

/* A program that was seen. It stays in the list after it has ended. */
struct program {
	/* the kernel's id of the program; number of the last reading that found it */
	uint32_t id, look;
	uint32_t type;
	uint64_t loaded_ns, before_runs, before_ns;
	bool gone;
	char name[17], kind[32], place[OTHERS_PLACE];
};

/* The totals of all programs at a reading: three columns of n. */
struct kept {
	uint64_t *column, counted_ns, left_out;
	size_t n;
};

struct others {
	const struct others_host *host;
	struct admin *admin;
	struct program *program;
	size_t n, room, ndefined;
	size_t at;	  /* index at which the next program probably is */
	uint32_t highest; /* highest id seen */
	size_t placed;	  /* the attach points of the programs before this index are known */
	uint64_t *runs, *run_ns, *unseen_ns, *scratch;
	uint32_t *own;
	size_t nown;

	uint32_t look;
	uint64_t since_ns, since_boot_ns; /* time of the last reading */
	unsigned int listed;		  /* number of programs that existed at the last reading */
	uint64_t counted_ns, left_out;
	bool own_known; /* `own` was updated during this reading */
	bool no_memory;
	int refused;
	struct kept kept[KEPT_MOST]; /* readings that must still be written */
	size_t nkept;
};

static void drop_kept(struct others *o)
{
	for (size_t i = 0; i < o->nkept; i++)
		free(o->kept[i].column);
	o->nkept = 0;
}

int others_new(struct others **op, const struct others_host *host, struct admin *admin)
{
	struct others *o = calloc(1, sizeof(*o));
	struct bpf_program_info info;
	int n;

	*op = o;
	if (!o)
		return -ENOMEM;
	o->host = host;
	o->admin = admin;
	o->runs = calloc(4 * OTHERS_PROGRAMS, sizeof(*o->runs));
	if (!o->runs) {
		others_free(o);
		*op = NULL;
		return -ENOMEM;
	}
	o->run_ns = o->runs + OTHERS_PROGRAMS;
	o->unseen_ns = o->run_ns + OTHERS_PROGRAMS;
	o->scratch = o->unseen_ns + OTHERS_PROGRAMS;
	n = host->list(admin, 0, &info, 1);
	o->refused = n < 0 ? n : 0;
	return 0;
}

void others_free(struct others *o)
{
	if (!o)
		return;
	drop_kept(o);
	free(o->program);
	free(o->runs);
	free(o->own);
	free(o);
}

void others_status(const struct others *o, struct source_status *st)
{
	if (!o->refused)
		return;
	st->state = "refused";
	snprintf(st->why, sizeof(st->why), reason_others_refused, -o->refused);
}

/* ---- finding programs -------------------------------------------------------------------- */

/* Finds a program. Programs come in the order in which they were found, unless the kernel reuses an id. */
static struct program *find(struct others *o, uint32_t id, uint64_t loaded_ns)
{
	if (id > o->highest)
		return NULL;
	for (size_t i = 0; i < o->n; i++) {
		struct program *p = &o->program[(o->at + i) % o->n];

		if (p->id != id || p->loaded_ns != loaded_ns)
			continue;
		o->at = (size_t)(p - o->program) + 1;
		return p;
	}
	return NULL;
}

static bool is_listed(const struct others *o, uint32_t id)
{
	for (size_t i = 0; i < o->nown; i++)
		if (o->own[i] == id)
			return true;
	return false;
}

/*
 * Returns true if a program is the recorder's own. Lists the recorder's programs again only for an unknown program,
 * which may be a new program of the recorder.
 */
static bool is_own(struct others *o, uint32_t id)
{
	if (is_listed(o, id))
		return true;
	if (o->own_known)
		return false;
	free(o->own);
	o->own = NULL;
	o->nown = 0;
	o->own_known = true;
	o->no_memory |= o->host->own(&o->own, &o->nown) != 0;
	return is_listed(o, id);
}

/* Adds a program. Returns NULL if it is the recorder's own, or if there is no room. */
static struct program *add(struct others *o, uint32_t id, const struct bpf_program_info *info)
{
	struct program *p;
	char number[32];

	if (is_own(o, id))
		return NULL;
	if (o->n == OTHERS_PROGRAMS) {
		o->left_out++;
		return NULL;
	}
	if (array_reserve(&o->program, &o->room, o->n + 1, sizeof(*p))) {
		o->no_memory = true;
		return NULL;
	}
	if (id > o->highest)
		o->highest = id;
	p = &o->program[o->n++];
	*p = (struct program){ .id = id, .type = info->type, .loaded_ns = info->loaded_ns };
	snprintf(p->name, sizeof(p->name), "%s", info->name);
	snprintf(p->kind, sizeof(p->kind), "%s", bpf_type_name(info->type, number, sizeof(number)));
	return p;
}

static bool has_place(const struct program *p, const char *place)
{
	size_t n = strlen(place);

	for (const char *at = p->place; (at = strstr(at, place)); at++)
		if ((at == p->place || at[-1] == ' ') && (at[n] == ',' || !at[n]))
			return true;
	return false;
}

static void take_place(void *ctx, uint32_t id, const char *place)
{
	struct others *o = ctx;

	for (size_t i = o->placed; i < o->n; i++)
		if (o->program[i].id == id && !has_place(&o->program[i], place))
			text_append(o->program[i].place, sizeof(o->program[i].place), ", ", "%s",
				    place);
}

/*
 * Finds the attach points of new programs. Cgroups are queried only if a new program has a cgroup type and no other
 * source reports its attach point.
 */
static void find_places(struct others *o)
{
	uint64_t types = 0;

	if (o->n == o->placed)
		return;
	o->host->places(o->admin, take_place, o);
	for (size_t i = o->placed; i < o->n; i++)
		if (!o->program[i].place[0] && o->program[i].type < 64)
			types |= 1ull << o->program[i].type;
	if (types)
		o->host->cgroups(types, take_place, o);
	o->placed = o->n;
}

/* ---- counting runs ----------------------------------------------------------------------- */

/*
 * Adds the runs of a program since the last reading, or all its runs if the program was loaded after the last reading.
 */
static void count(struct others *o, struct program *p, bool was_seen,
		  const struct bpf_program_info *info, uint64_t passed_ns)
{
	size_t i = (size_t)(p - o->program);

	if (!was_seen && info->loaded_ns < o->since_boot_ns) {
		/* the program existed at the last reading, but was not listed */
		o->unseen_ns[i] += passed_ns;
		return;
	}
	if (info->runs < p->before_runs || info->run_ns < p->before_ns)
		return;
	o->runs[i] += info->runs - p->before_runs;
	o->run_ns[i] += info->run_ns - p->before_ns;
}

static void look_at(struct others *o, const struct bpf_program_info *info, bool counted,
		    uint64_t passed_ns)
{
	struct program *p;
	bool was_seen;

	if (!info->counts) {
		o->refused = -EOPNOTSUPP;
		return;
	}
	p = find(o, info->id, info->loaded_ns);
	was_seen = p && !p->gone;
	if (!p)
		p = add(o, info->id, info);
	if (!p)
		return;
	if (counted)
		count(o, p, was_seen, info, passed_ns);
	p->before_runs = info->runs;
	p->before_ns = info->run_ns;
	p->look = o->look;
	p->gone = false;
}

/* Notes the programs that have ended since the last reading. Their last runs are unknown. */
static void miss_ended(struct others *o, bool counted, uint64_t passed_ns)
{
	for (size_t i = 0; i < o->n; i++) {
		struct program *p = &o->program[i];

		if (p->gone || p->look == o->look)
			continue;
		p->gone = true;
		if (counted)
			o->unseen_ns[i] += passed_ns;
	}
}

/* Keeps the totals of this reading. If there is no room, they replace the totals of the last kept reading. */
static void keep(struct others *o)
{
	uint64_t *column = malloc((3 * o->n + 1) * sizeof(*column));
	struct kept *k;

	if (!column) {
		o->no_memory = true;
		return;
	}
	memcpy(column, o->runs, o->n * sizeof(*column));
	memcpy(column + o->n, o->run_ns, o->n * sizeof(*column));
	memcpy(column + 2 * o->n, o->unseen_ns, o->n * sizeof(*column));
	if (o->nkept == KEPT_MOST)
		free(o->kept[--o->nkept].column);
	k = &o->kept[o->nkept++];
	*k = (struct kept){ column, o->counted_ns, o->left_out, o->n };
}

void others_look(struct others *o, bool counted)
{
	uint64_t now_ns = o->host->now_ns(), boot_ns = o->host->boot_ns();
	uint64_t passed_ns = now_ns - o->since_ns;
	struct bpf_program_info info[ADMIN_MOST];
	uint32_t id = 0;
	unsigned int n = 0;
	int got;

	if (o->refused)
		return;
	o->look++;
	o->at = 0;
	o->left_out = 0;
	o->own_known = false;
	while (n < LIST_MOST && (got = o->host->list(o->admin, id, info, ADMIN_MOST)) > 0)
		for (int i = 0; i < got; i++, n++) {
			id = info[i].id;
			if (n < LOOK_MOST)
				look_at(o, &info[i], counted, passed_ns);
			else
				o->left_out++;
		}
	o->listed = n;
	miss_ended(o, counted, passed_ns);
	find_places(o);
	if (counted)
		o->counted_ns += passed_ns;
	/* also keep the reading when counting begins, so that a part of a trace has a reading at both of its ends */
	keep(o);
	o->since_ns = now_ns;
	o->since_boot_ns = boot_ns;
}

void others_find(struct others *o)
{
	others_look(o, false);
	drop_kept(o);
}

void others_look_between(struct others *o)
{
	if (o->listed <= BETWEEN_MOST && o->host->now_ns() - o->since_ns >= BETWEEN_LEAST_NS)
		others_look(o, true);
}

/* ---- records ----------------------------------------------------------------------------- */

static int define(struct others *o, struct trace_writer *w)
{
	size_t n = o->n - o->ndefined;
	const char **text;

	if (!n)
		return 0;
	text = malloc(3 * n * sizeof(*text));
	if (!text)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct program *p = &o->program[o->ndefined + i];

		text[i] = p->name;
		text[n + i] = p->kind;
		text[2 * n + i] = p->place;
	}
	trace_writer_begin(w, TRACE_OTHER_PROGRAMS);
	trace_writer_uint(w, TRACE_OTHER_PROGRAMS_FIRST, o->ndefined + 1);
	trace_writer_strs(w, TRACE_OTHER_PROGRAMS_NAME, text, n);
	trace_writer_strs(w, TRACE_OTHER_PROGRAMS_KIND, text + n, n);
	trace_writer_strs(w, TRACE_OTHER_PROGRAMS_ATTACHED, text + 2 * n, n);
	free(text);
	o->ndefined = o->n;
	return trace_writer_end(w);
}

int others_again(struct others *o, struct trace_writer *w)
{
	size_t n = o->n;
	int err;

	/* programs that were found since the last write are defined by the next tick, in both files */
	o->n = o->ndefined;
	o->ndefined = 0;
	err = define(o, w);
	o->n = n;
	return err;
}

/* Writes a column of a reading. The values of programs that were found after the reading are 0. */
static void write_column(struct others *o, struct trace_writer *w, unsigned int key,
			 const uint64_t *column, size_t n)
{
	memset(o->scratch, 0, o->n * sizeof(*o->scratch));
	memcpy(o->scratch, column, n * sizeof(*column));
	trace_writer_uints(w, key, o->scratch, o->n);
}

static int write_kept(struct others *o, struct trace_writer *w, const struct kept *k)
{
	trace_writer_begin(w, TRACE_OTHER_STATS);
	write_column(o, w, TRACE_OTHER_STATS_RUNS, k->column, k->n);
	write_column(o, w, TRACE_OTHER_STATS_RUN_NS, k->column + k->n, k->n);
	write_column(o, w, TRACE_OTHER_STATS_UNSEEN_NS, k->column + 2 * k->n, k->n);
	trace_writer_uint(w, TRACE_OTHER_STATS_COUNTED_NS, k->counted_ns);
	if (k->left_out)
		trace_writer_uint(w, TRACE_OTHER_STATS_LEFT_OUT, k->left_out);
	return trace_writer_end(w);
}

int others_write(struct others *o, struct trace_writer *w)
{
	int err = o->no_memory ? -ENOMEM : 0;

	if (err || !o->nkept || o->refused)
		return err;
	err = define(o, w);
	for (size_t i = 0; i < o->nkept && !err; i++)
		err = write_kept(o, w, &o->kept[i]);
	drop_kept(o);
	return err;
}
