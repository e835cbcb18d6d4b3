// SPDX-License-Identifier: BSD-2-Clause
/* What to know of two recordings before their numbers are compared, and how their hosts were set otherwise. */
#include "diff.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "report/base/text.h"

#define FEW_PIECES 8 /* with fewer, little is known about how much a load varies */

/* ---- settings ---------------------------------------------------------------------------- */

/* The settings of a side, by subject and name. */
struct sorted {
	const struct model *m;
	const struct model_setting **at;
	size_t n;
};

static int by_name(const void *pa, const void *pb, void *m)
{
	return model_setting_compare(m, *(const struct model_setting *const *)pa, m,
				     *(const struct model_setting *const *)pb);
}

static int sort(struct sorted *s, const struct model *m)
{
	*s = (struct sorted){ .m = m, .n = m->nsettings };
	if (array_resize(&s->at, s->n, sizeof(*s->at)))
		return -ENOMEM;
	for (size_t i = 0; i < s->n; i++)
		s->at[i] = &m->setting[i];
	qsort_r(s->at, s->n, sizeof(*s->at), by_name, (void *)m);
	return 0;
}

static bool same_text(const struct sorted *a, model_str sa, const struct sorted *b, model_str sb)
{
	return !strcmp(model_string(a->m, sa), model_string(b->m, sb));
}

/* What could not be read is not known to be set otherwise. */
static bool is_other(const struct sorted *a, const struct model_setting *sa, const struct sorted *b,
		     const struct model_setting *sb)
{
	if (!model_setting_known(a->m, sa) || !model_setting_known(b->m, sb))
		return false;
	return !same_text(a, sa->first, b, sb->first) || !same_text(a, sa->value, b, sb->value) ||
	       !same_text(a, sa->why, b, sb->why);
}

/* The first two words of a subject: "interface eth0", of which "interface eth0 rx-0" is a part. */
static size_t whole_length(const char *subject)
{
	size_t first = strcspn(subject, " ");

	return subject[first] ? first + 1 + strcspn(subject + first + 1, " ") : first;
}

static bool same_whole(const struct sorted *a, size_t i, const struct sorted *b, size_t k)
{
	const char *sa = model_string(a->m, a->at[i]->subject);
	const char *sb = model_string(b->m, b->at[k]->subject);
	size_t n = whole_length(sa);

	return n == whole_length(sb) && !memcmp(sa, sb, n);
}

static bool is_interface(const struct sorted *s, size_t i)
{
	static const char word[] = "interface ";

	return !strncmp(model_string(s->m, s->at[i]->subject), word, strlen(word));
}

static void add(struct diff *d, const struct model_setting *before,
		const struct model_setting *after, bool all)
{
	d->setting[d->nsettings++] = (struct diff_setting){ .side = { before, after }, .all = all };
}

/*
 * The row i of one side. The other side does not have it: its row k is the first that comes later. An interface that is
 * on one side only is one difference, however many settings it has.
 */
static void only_in(struct diff *d, const struct sorted *s, size_t i, const struct sorted *other,
		    size_t k, bool before)
{
	const struct model_setting *setting = s->at[i];
	bool all = is_interface(s, i) && !(k < other->n && same_whole(s, i, other, k)) &&
		   !(k && same_whole(s, i, other, k - 1));

	if (!model_setting_known(s->m, setting) && !all)
		return;
	if (all && i && same_whole(s, i, s, i - 1))
		return;
	add(d, before ? setting : NULL, before ? NULL : setting, all);
}

static void compare(struct diff *d, const struct sorted *a, const struct sorted *b)
{
	size_t i = 0, k = 0;

	while (i < a->n || k < b->n) {
		int order = i == a->n ? 1 :
			    k == b->n ? -1 :
					model_setting_compare(a->m, a->at[i], b->m, b->at[k]);

		if (order < 0)
			only_in(d, a, i, b, k, true);
		else if (order > 0)
			only_in(d, b, k, a, i, false);
		else if (is_other(a, a->at[i], b, b->at[k]))
			add(d, a->at[i], b->at[k], false);
		i += order <= 0;
		k += order >= 0;
	}
}

int diff_take_settings(struct diff *d)
{
	const struct model *before = d->side[DIFF_BEFORE]->m, *after = d->side[DIFF_AFTER]->m;
	struct sorted a = { 0 }, b = { 0 };
	int err = 0;

	if (!before->nsettings || !after->nsettings)
		return 0;
	err = sort(&a, before);
	if (!err)
		err = sort(&b, after);
	if (!err)
		err = array_resize(&d->setting, a.n + b.n, sizeof(*d->setting));
	if (!err)
		compare(d, &a, &b);
	free(a.at);
	free(b.at);
	return err;
}

/* ---- notes ------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void note(struct diff *d, const char *fmt, ...)
{
	va_list ap;

	if (d->nnotes == DIFF_NOTES)
		return;
	va_start(ap, fmt);
	vsnprintf(d->note[d->nnotes++], sizeof(d->note[0]), fmt, ap);
	va_end(ap);
}

static const char *or_unknown(const char *s)
{
	return *s ? s : "not known";
}

/* What a header says in words. */
static void header_note(struct diff *d, const char *what, model_str before, model_str after)
{
	const char *a = model_string(d->side[DIFF_BEFORE]->m, before),
		   *b = model_string(d->side[DIFF_AFTER]->m, after);

	if (strcmp(a, b))
		note(d, "%s: %.60s before, %.60s after", what, SAFE(or_unknown(a)),
		     SAFE(or_unknown(b)));
}

/* Probes of different kinds have different costs, and may not see the same. */
static void probe_notes(struct diff *d)
{
	const struct model *a = d->side[DIFF_BEFORE]->m, *b = d->side[DIFF_AFTER]->m;

	if (strcmp(model_string(a, a->header.exact), model_string(b, b->header.exact)))
		return; /* there is a note on that */

	for (size_t i = 0; i < a->nprobes; i++) {
		const struct model_probe *p = &a->probe[i];
		const struct model_probe *q = model_find_probe(b, p->of, p->number);
		const char *title = model_probe_of(p);

		if (q && title && strcmp(model_string(a, p->method), model_string(b, q->method)))
			note(d, "%s is counted by %.40s before, by %.40s after", title,
			     SAFE(model_string(a, p->method)), SAFE(model_string(b, q->method)));
	}
}

static void piece_note(struct diff *d, const char *which, const struct diff_side *s)
{
	if (s->npieces < 2)
		note(d,
		     "%s has fewer than 3 ticks: how much its load varies is not known, so nothing is told apart",
		     which);
	else if (s->npieces < FEW_PIECES)
		note(d,
		     "%s has %zu ticks only: little is known of how much its load varies; record for longer",
		     which, s->npieces + 1);
}

void diff_take_notes(struct diff *d)
{
	const struct model_header *a = &d->side[DIFF_BEFORE]->m->header,
				  *b = &d->side[DIFF_AFTER]->m->header;

	header_note(d, "kernel", a->kernel, b->kernel);
	header_note(d, "machine", a->machine, b->machine);
	header_note(d, "CPU model", a->cpu_model, b->cpu_model);
	header_note(d, "samples by", a->sampler, b->sampler);
	header_note(d, "samples of", a->sample_event, b->sample_event);
	header_note(d, "exact counters", a->exact, b->exact);
	if (a->ncpus != b->ncpus)
		note(d, "CPUs: %" PRIu64 " before, %" PRIu64 " after", a->ncpus, b->ncpus);
	if (diff_side_has_samples(d->side[DIFF_BEFORE]) !=
	    diff_side_has_samples(d->side[DIFF_AFTER]))
		note(d, "only one of the two has samples: functions are not compared");
	if (!d->side[DIFF_BEFORE]->m->nsettings != !d->side[DIFF_AFTER]->m->nsettings)
		note(d, "only one of the two says how its host was set");
	if (!d->side[DIFF_BEFORE]->m->records[TRACE_PROCESS_STATS] !=
	    !d->side[DIFF_AFTER]->m->records[TRACE_PROCESS_STATS])
		note(d, "only one of the two has counted by process: processes are not compared");
	probe_notes(d);
	piece_note(d, "before", d->side[DIFF_BEFORE]);
	piece_note(d, "after", d->side[DIFF_AFTER]);
	if (d->per == DIFF_PER_PACKET &&
	    (isnan(d->side[DIFF_BEFORE]->base) || isnan(d->side[DIFF_AFTER]->base)))
		note(d, "no packets were counted %s: a cost a packet is not known",
		     !isnan(d->side[DIFF_BEFORE]->base) ? "after" :
		     isnan(d->side[DIFF_AFTER]->base)	? "in both" :
							  "before");
}
