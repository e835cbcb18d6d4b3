// SPDX-License-Identifier: BSD-2-Clause
/* What to know of two recordings before their numbers are compared. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "diff_impl.h"
#include "diff_side.h"
#include "report/base/text.h"

#define FEW_PIECES 8 /* with fewer, little is known about how much a load varies */

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
	const char *a = model_string(d->before->m, before), *b = model_string(d->after->m, after);

	if (strcmp(a, b))
		note(d, "%s: %.60s before, %.60s after", what, SAFE(or_unknown(a)),
		     SAFE(or_unknown(b)));
}

static const struct model_probe *find_probe(const struct model *m, uint64_t event, uint64_t part)
{
	for (size_t i = 0; i < m->nprobes; i++)
		if (m->probe[i].event == event && m->probe[i].part == part)
			return &m->probe[i];
	return NULL;
}

/* Probes of different kinds have different costs, and may not see the same. */
static void probe_notes(struct diff *d)
{
	const struct model *a = d->before->m, *b = d->after->m;

	if (strcmp(model_string(a, a->header.exact), model_string(b, b->header.exact)))
		return; /* there is a note on that */

	for (size_t i = 0; i < a->nprobes; i++) {
		const struct model_probe *p = &a->probe[i];
		const struct model_probe *q = find_probe(b, p->event, p->part);
		const char *title = p->part == TRACE_NIL ? model_event_title(p->event) :
							   model_part_title(p->part);

		if (q && title && strcmp(model_string(a, p->rung), model_string(b, q->rung)))
			note(d, "%s is counted by %.40s before, by %.40s after", title,
			     SAFE(model_string(a, p->rung)), SAFE(model_string(b, q->rung)));
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
	const struct model_header *a = &d->before->m->header, *b = &d->after->m->header;

	header_note(d, "kernel", a->kernel, b->kernel);
	header_note(d, "machine", a->machine, b->machine);
	header_note(d, "CPU model", a->cpu_model, b->cpu_model);
	header_note(d, "samples by", a->sampler, b->sampler);
	header_note(d, "samples of", a->sample_event, b->sample_event);
	header_note(d, "exact counters", a->exact, b->exact);
	if (a->ncpus != b->ncpus)
		note(d, "CPUs: %" PRIu64 " before, %" PRIu64 " after", a->ncpus, b->ncpus);
	if (diff_side_has_samples(d->before) != diff_side_has_samples(d->after))
		note(d, "only one of the two has samples: functions are not compared");
	if (!d->before->m->nsettings != !d->after->m->nsettings)
		note(d, "only one of the two says how its host was set");
	if (!d->before->m->records[TRACE_PROCESS_STATS] !=
	    !d->after->m->records[TRACE_PROCESS_STATS])
		note(d, "only one of the two has counted by process: processes are not compared");
	probe_notes(d);
	piece_note(d, "before", d->before);
	piece_note(d, "after", d->after);
	if (d->per == DIFF_PER_PACKET && (isnan(d->before->base) || isnan(d->after->base)))
		note(d, "no packets were counted %s: a cost a packet is not known",
		     !isnan(d->before->base) ? "after" :
		     isnan(d->after->base)   ? "in both" :
					       "before");
}
