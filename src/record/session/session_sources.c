// SPDX-License-Identifier: BSD-2-Clause
/* Writes the SOURCE records, which say where a trace's data come from. */
#include "session_impl.h"

#include <stdio.h>
#include <string.h>

#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "record/base/procfs.h"
#include "record/exact/pmu.h"
#include "record/exact/programs.h"
#include "record/intern/cgroups.h"
#include "record/intern/symbols.h"
#include "record/mark/mark.h"
#include "record/sample/sampler.h"
#include "record/source/online.h"
#include "record/source/source.h"

/* ---- lost samples ------------------------------------------------------------------------- */

uint64_t session_samples_lost(const struct session *s, unsigned int i)
{
	return sampler_loss(s->sampler, i).lost + s->dropped[i];
}

uint64_t session_all_lost(const struct session *s)
{
	uint64_t lost = 0;

	for (unsigned int i = 0; s->sampler && i < s->cpus.n; i++)
		lost += session_samples_lost(s, i);
	return lost;
}

uint64_t session_samples_dropped(const struct session *s)
{
	uint64_t n = 0;

	for (unsigned int i = 0; s->dropped && i < s->cpus.n; i++)
		n += s->dropped[i];
	return n;
}

/* ---- the records -------------------------------------------------------------------------- */

/*
 * Returns why thread ids may be missing. perf gives thread ids of the recorder's pid namespace, and 0 for tasks outside
 * of it.
 */
static const char *pid_namespace_why(void)
{
	if (procfs_initial_pids())
		return "";
	return reason_pid_namespace;
}

/* This record is written when the recording begins, and again at its end, when more is known. */
int session_write_marks_source(struct session *s)
{
	const char *why = marks_why(s->marks);
	char refused[160];

	if (*why)
		return source_put(s->w, "marks", "refused", reason_sigusr1, why);
	marks_refused(s->marks, refused, sizeof(refused));
	return source_put(s->w, "marks", "measured", reason_marks_via, refused);
}

/* Appends a sentence to why. */
static void and_then(char *why, size_t size, const char *sentence)
{
	char before[240];

	snprintf(before, sizeof(before), "%.239s", why);
	if (*before)
		snprintf(why, size, "%s %s", before, sentence);
	else
		snprintf(why, size, "%s", sentence);
}

/*
 * This record is also written again later. If the kernel does not run a BPF program inside another one, samples are
 * missing without being counted.
 */
int session_write_samples_source(struct session *s)
{
	char why[360] = "", via[64], one[160];
	unsigned int holes = 0;
	uint64_t ns = 0, dropped;

	snprintf(via, sizeof(via), s->cfg->net_only ? reason_sampler_inside : reason_sampler,
		 sampler_name(s->sampler), s->cfg->event);
	if (!s->sampler)
		return source_put(s->w, "samples", "off", via, reason_no_samples);
	for (unsigned int i = 0; i < s->cpus.n; i++) {
		uint64_t hole = sampler_loss(s->sampler, i).unsampled_ns - s->unsampled_before[i];

		ns += hole;
		holes += hole > 0;
	}
	if (holes) {
		snprintf(one, sizeof(one), holes == 1 ? reason_cpu_gone : reason_cpus_gone,
			 (double)ns / 1e9, holes);
		and_then(why, sizeof(why), one);
	}
	if (s->cfg->net_only)
		and_then(why, sizeof(why), reason_bpf_hidden);
	dropped = session_samples_dropped(s);
	if (dropped) {
		snprintf(one, sizeof(one), reason_slow_reader, (unsigned long long)dropped);
		and_then(why, sizeof(why), one);
	}
	return source_put(s->w, "samples", "measured", via, why);
}

/* Writes the source of CPUs. CPUs that -C excludes are not listed. */
int session_write_cpus_source(struct session *s)
{
	const char *late = s->cfg->cpus.n ? "" : online_late(s->online_now);
	char why[200] = "";

	if (*late)
		snprintf(why, sizeof(why), reason_cpus_late, late);
	return source_put(s->w, "cpus", "measured", ONLINE_CPUS, why);
}

static int write_programs_sources(struct session *s)
{
	struct source_status own, others;
	int err;

	programs_status(s->programs, &own);
	programs_others_status(s->programs, &others);
	err = source_put(s->w, "programs", own.state, own.via, own.why);
	return err ? err : source_put(s->w, "others", others.state, others.via, others.why);
}

/* Fills in the sources of --processes that not every host has. */
void session_process_sources(const struct session *s, struct source_status *pmu,
			     struct source_status *pages)
{
	const struct ladder_pages *p = &s->ladder.pages;

	pmu_status(s->pmu, pmu);
	*pages = (struct source_status){ .state = "absent", .via = reason_page_cache };
	if (p->rung != RUNG_SAMPLES) {
		pages->state = "measured";
		snprintf(pages->why, sizeof(pages->why), reason_page_by, rung_name(p->rung),
			 p->function);
	} else {
		snprintf(pages->why, sizeof(pages->why), "%.*s", SOURCE_WHY - 1, p->why);
	}
}

static int write_process_sources(struct session *s)
{
	struct source_status pmu, pages;
	int err;

	session_process_sources(s, &pmu, &pages);
	err = source_put(s->w, "pmu", pmu.state, pmu.via, pmu.why);
	return err ? err : source_put(s->w, "page-cache", pages.state, pages.via, pages.why);
}

const char *session_exact_why(const struct session *s)
{
	if (s->exact)
		return s->ladder.calls ? reason_calls_why : "";
	return s->exact_why[0] ? s->exact_why : reason_exact_off;
}

/* Describes the cgroups of samples. If there are no samples, describes the cgroups of processes. */
struct source_told session_cgroups_source(const struct session *s)
{
	struct source_told absent = { "absent", "", CGROUPS_ABSENT };
	struct source_told sampled = { "measured", "", "" }, tasks = sampled;

	if (!s->cgroups)
		return absent;
	sampled.via = cgroups_via(s->cgroups);
	sampled.why = cgroups_why(s->cgroups);
	tasks.via = cgroups_tasks_via(s->cgroups);
	tasks.why = cgroups_tasks_why(s->cgroups);
	return s->sampler ? sampled : tasks;
}

int session_write_sources(struct session *s)
{
	struct source_told cgroups = session_cgroups_source(s);
	bool sampled = s->sampler, hidden = sampled && symbols_hidden(s->symbols);
	const char *exact = s->exact ? "measured" : s->exact_why[0] ? "refused" : "off";
	const struct {
		bool there;
		const char *name, *state, *via, *why;
	} own[] = {
		{ sampled, "tasks", "measured", reason_tasks_via, pid_namespace_why() },
		{ sampled || s->cgroups, "cgroups", cgroups.state, cgroups.via, cgroups.why },
		{ sampled, "symbols", hidden ? "refused" : "measured",
		  sampled ? symbols_via(s->symbols) : "", hidden ? reason_hidden : "" },
		{ true, "exact", exact, reason_bpf, session_exact_why(s) },
		{ s->exact, "self-test", s->selftest.why[0] ? "refused" : "measured",
		  reason_own_calls, s->selftest.why },
		{ s->exact, "witness", s->ladder.witness ? "measured" : "absent", reason_witnesses,
		  s->ladder.witness_why },
		{ s->exact && s->cfg->owners_every, "owners",
		  s->ladder.owners_every ? "measured" : "absent", ladder_owners_via(&s->ladder),
		  ladder_owners_why(&s->ladder) },
		{ !s->programs, "others", s->exact_why[0] ? "refused" : "off", reason_stats_via,
		  session_exact_why(s) },
	};
	int err = session_write_cpus_source(s);

	if (!err)
		err = session_write_samples_source(s);

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]) && !err; i++)
		if (own[i].there)
			err = source_put(s->w, own[i].name, own[i].state, own[i].via, own[i].why);
	if (!err)
		err = session_write_marks_source(s);
	if (!err && s->programs)
		err = write_programs_sources(s);
	if (!err && s->exact && s->cfg->processes)
		err = write_process_sources(s);
	return err ? err : sources_write(s->sources, s->w);
}
