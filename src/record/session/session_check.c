// SPDX-License-Identifier: BSD-2-Clause
/* Prints the abilities of this host, and the programs that would be attached (--check). */
#include "session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/reasons.h>
#include <netcost/text_append.h>

#include "record/base/msg.h"
#include "record/exact/programs.h"
#include "record/intern/cgroups.h"
#include "record/intern/symbols.h"
#include "record/mark/mark.h"
#include "record/sample/sampler.h"
#include "record/source/source.h"
#include "session_impl.h"

static const char *const event_keys[] = {
#define X(id, name, key, title, doc) [id] = key,
	NETCOST_EVENTS(X)
#undef X
};

static const char *const stage_keys[] = {
#define X(id, name, key, title, doc) [id] = key,
	NETCOST_PARTS(X)
#undef X
};

/* ---- wrapped rows ------------------------------------------------------------------------- */

#define REASONS_COLUMN 26

static FILE *line; /* collects the text of the current row */
static char *line_text;
static size_t line_len;

static void begin_row(const char *name, const char *state)
{
	line = open_memstream(&line_text, &line_len);
	if (!line)
		line = stdout; /* out of memory: print the text without wrapping it */
	fprintf(line, "%-13s %-11s ", name, state);
}

static void end_row(void)
{
	unsigned int columns = text_columns(STDOUT_FILENO);

	if (line == stdout) {
		putchar('\n');
		return;
	}
	fclose(line);
	printf("%.*s", REASONS_COLUMN, line_text);
	if (line_len > REASONS_COLUMN)
		text_wrap(stdout, REASONS_COLUMN, REASONS_COLUMN,
			  columns ? (int)columns : TEXT_COLUMNS, line_text + REASONS_COLUMN);
	putchar('\n');
	free(line_text);
}

/* ---- contents of rows --------------------------------------------------------------------- */

static const char *print_tested(const struct selftest_event *t, const char *sep)
{
	if (!t->tested)
		return sep;
	fprintf(line, "%s%u of %u kinds seen", sep, t->seen, t->tested);
	for (unsigned int i = 0; i < t->tested - t->seen; i++)
		fprintf(line, "%s%s", i ? ", " : ", not: ", t->unseen[i]);
	return "; ";
}

/* Prints the sentences of reasons; other text is printed unchanged. */
static void print_reasons(const char *before, const char *why)
{
	char text[4096];

	fprintf(line, "%s%s", before, reason_text(why, text, sizeof(text)));
}

static void print_row(const char *name, const char *state, const char *why)
{
	begin_row(name, state);
	print_reasons("", why);
	end_row();
}

/* Prints the hooks of a method, without a line feed. */
static void print_hooks(const char *name, const char *method, const char *const *hook, size_t n)
{
	begin_row(name, method);
	for (size_t i = 0; i < n; i++)
		fprintf(line, "%s%s", i ? ", " : "", hook[i]);
}

#define REFUSED_SIZE 4096

/* Stores in text the reasons why better methods are not used. Returns text, which has REFUSED_SIZE bytes. */
static const char *refused_text(const struct session *s, int event, char *text)
{
	const struct ladder_choice *c = &s->ladder.event[event];
	char why[REFUSED_SIZE / 4];

	*text = '\0';
	for (enum rung r = 0; r < RUNG_COUNT; r++)
		if (c->refused[r][0])
			text_append(text, REFUSED_SIZE, "; ", "no %s%s: %s",
				    r == c->rung ? "times by " : "", rung_name(r),
				    reason_text(c->refused[r], why, sizeof(why)));
	return text;
}

static void print_event(const struct session *s, int event)
{
	const char *hook[LADDER_HOOKS], *sep = "";
	char refused[REFUSED_SIZE], earlier[REFUSED_SIZE] = "";
	int same = 0;
	size_t n = ladder_hooks(&s->ladder, event, hook);

	print_hooks(event_keys[event], rung_name(ladder_rung(&s->ladder, event)), hook, n);
	if (n)
		sep = "; ";
	sep = print_tested(&s->selftest.event[event], sep);
	if (*refused_text(s, event, refused)) {
		while (same < event && strcmp(refused_text(s, same, earlier), refused))
			same++;
		if (same < event)
			fprintf(line, "%sa better method was refused for the same reason as for %s",
				sep, event_keys[same]);
		else
			fprintf(line, "%s%s", sep, refused);
	}
	end_row();
}

static void print_stage(const struct session *s, enum netcost_part stage)
{
	const char *hook[LADDER_HOOKS];
	size_t n = ladder_stage_hooks(&s->ladder, stage, hook);

	print_hooks(stage_keys[stage], rung_name(ladder_stage_rung(&s->ladder, stage)), hook, n);
	end_row();
}

static void print_source(void *ctx, const char *name, const struct source_status *st)
{
	(void)ctx;
	print_row(name, st->state, st->why[0] ? st->why : st->via);
}

static int print_point(void *ctx, const struct source_point *p)
{
	(void)ctx;
	print_hooks(p->name, p->method, p->hook, p->n);
	print_reasons(p->n && p->why[0] ? "; " : "", p->why);
	end_row();
	return 0;
}

static void print_cpus(const struct cpuset *set)
{
	for (unsigned int i = 0; i < set->n; i++) {
		unsigned int from = i;

		while (i + 1 < set->n && set->cpu[i + 1] == set->cpu[i] + 1)
			i++;
		fprintf(line, i > from ? "%s%u-%u" : "%s%u", from ? "," : "", set->cpu[from],
			set->cpu[i]);
	}
}

static void print_samples(const struct session *s)
{
	struct source_told cgroups = session_cgroups_source(s);

	if (s->sampler) {
		begin_row("samples", sampler_name(s->sampler));
		fprintf(line, "%s at %lu Hz on CPU ", s->cfg->event, s->hz);
		print_cpus(&s->cpus);
		end_row();
		print_row("symbols", symbols_hidden(s->symbols) ? "hidden" : "measured",
			  symbols_via(s->symbols));
	} else {
		print_row("samples", s->cfg->hz ? "refused" : "off",
			  s->cfg->hz ? s->samples_why : reason_no_samples);
	}
	if (s->sampler || s->cgroups)
		print_row("cgroups", cgroups.state, *cgroups.why ? cgroups.why : cgroups.via);
}

static void print_all(struct session *s)
{
	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		print_event(s, e);
	for (enum netcost_part p = 0; s->ladder.full && p < NETCOST_PART_COUNT; p++)
		print_stage(s, p);
	if (*session_exact_why(s))
		print_row("exact", s->exact ? ladder_mode(&s->ladder) : "off",
			  session_exact_why(s));
	if (s->selftest.why[0])
		print_row("self-test", "refused", s->selftest.why);
	print_row("witness", s->ladder.witness ? "tracepoint" : "absent",
		  s->ladder.witness ? reason_witnesses : s->ladder.witness_why);
	if (s->exact && s->cfg->owners_every) {
		begin_row("owners", s->ladder.owners_every ? "measured" : "absent");
		print_reasons("", ladder_owners_via(&s->ladder));
		print_reasons(*ladder_owners_why(&s->ladder) ? "; " : "",
			      ladder_owners_why(&s->ladder));
		end_row();
	}
	print_samples(s);
	if (s->programs) {
		struct source_status st;

		programs_status(s->programs, &st);
		print_source(NULL, "programs", &st);
		programs_others_status(s->programs, &st);
		print_source(NULL, "others", &st);
	}
	if (s->exact && s->cfg->processes) {
		struct source_status pmu, pages;

		session_process_sources(s, &pmu, &pages);
		print_source(NULL, "pmu", &pmu);
		print_source(NULL, "page-cache", &pages);
	}
	print_row("marks", *marks_why(s->marks) ? "SIGUSR1" : "--mark",
		  *marks_why(s->marks) ? marks_why(s->marks) : "and SIGUSR1");
	sources_each(s->sources, print_source, NULL);
	sources_points(s->sources, print_point, NULL);
	session_print_certificate(s);
}

int session_report_check(struct session *s)
{
	const char *why = s->exact_why[0] ? s->exact_why : s->samples_why;

	if (!s->cfg->quiet)
		print_all(s);
	if (!why[0])
		return 0;
	msg_reasons(why, "");
	return -EPERM;
}
