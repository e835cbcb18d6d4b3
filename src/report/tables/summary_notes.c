// SPDX-License-Identifier: BSD-2-Clause
/* Notes on the numbers of a summary, in sentences: the same in the text and on the page. */
#include <inttypes.h>
#include <math.h>

#include "report/base/text.h"
#include "report/model/filter.h"
#include "summary_notes.h"

/* Why the leaves are not the whole wall time. Empty: they are. */
static void note_sum(char *dst, size_t size, const struct summary *s)
{
	const struct split_cpu *all = &s->split.all;

	*dst = '\0';
	if (filter_has_tasks(s->m->filter))
		snprintf(
			dst, size,
			"By samples of these tasks alone, which had %s %% of the CPUs' time; exact times are per CPU.",
			PERCENT(all->sum_ns / all->wall_ns, 2));
	else if (summary_samples_of(s->m) == SPLIT_OF_CYCLES &&
		 all->leaf[LEAF_IDLE].how != SPLIT_EXACT)
		snprintf(
			dst, size,
			"Samples are of cycles, which are no time where idle time was not measured; see top.");
	else if (fabs(all->sum_ns / all->wall_ns - 1) > 0.01)
		snprintf(
			dst, size,
			"These are %s %% of the wall time; the rest has no samples: idle CPUs, as a rule, or the kernel left some out.",
			PERCENT(all->sum_ns / all->wall_ns, 1));
}

static void note_samples(char *dst, size_t size, const struct summary *s)
{
	const struct split_cpu *all = &s->split.all;

	*dst = '\0';
	if (!(all->samples > 0))
		return;
	if (summary_samples_of(s->m) == SPLIT_OF_NETWORK)
		snprintf(
			dst, size,
			"Samples stand for the exact time inside the network; CPUs outside of it were not sampled.");
	else if (all->leaf[LEAF_IDLE].how == SPLIT_EXACT)
		snprintf(dst, size,
			 "Samples stand for the time that was not idle, which is known exactly.");
}

size_t summary_notes(char note[SUMMARY_NOTES][SUMMARY_NOTE_SIZE], const struct summary *s)
{
	size_t n = 0;

	note_sum(note[n], SUMMARY_NOTE_SIZE, s);
	n += *note[n] != '\0';
	note_samples(note[n], SUMMARY_NOTE_SIZE, s);
	return n + (*note[n] != '\0');
}

char *summary_samples_text(char *dst, size_t size, const struct summary *s)
{
	const struct model *m = s->m;
	double expected = s->recording.samples_expected;

	if (summary_samples_of(m) == SPLIT_OF_CYCLES)
		snprintf(dst, size,
			 "%" PRIu64 " of %" PRIu64
			 " cycles each; how many there should be is not known",
			 m->samples, m->header.sample_period);
	else
		snprintf(dst, size, "%" PRIu64 " of %s expected%s (%s %%)", m->samples,
			 NUM(expected, 0),
			 summary_samples_of(m) == SPLIT_OF_NETWORK ? " inside the network" : "",
			 PERCENT((double)m->samples / expected, 1));
	return dst;
}
