// SPDX-License-Identifier: BSD-2-Clause
#include "models.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/part.h"
#include "report/base/text.h"
#include "report/rules/classify.h"
#include "report/rules/rules.h"

static bool parse_time(const char *option, const char *text, struct time_arg *t)
{
	*t = (struct time_arg){ .anchor = TIME_OPEN };
	if (!text || time_arg_parse(text, t))
		return true;
	fprintf(stderr,
		"netcost-report: %s: '%s' is not a time: 2.5, 500ms, 1m30s since the start, -10s before "
		"the end, or mark:TEXT\n",
		option, text);
	return false;
}

static bool parse_cpus(struct filter *f, const char *text)
{
	int err = text ? cpuset_parse(&f->cpus, text) : 0;

	f->cpu_list = text;
	if (err)
		fprintf(stderr, "netcost-report: --cpu: '%s': %s\n", text,
			err == -ENOMEM ? "out of memory" : "is not a list of CPUs such as 0-3,8");
	return !err;
}

static bool parse_watts(struct filter *f, const char *text)
{
	char *end;

	if (!text)
		return true;
	f->idle_watts = strtod(text, &end);
	if (end != text && !*end && f->idle_watts > 0 && f->idle_watts <= 1e6)
		return true;
	fprintf(stderr, "netcost-report: --idle-watts: '%s' is not a power in W such as 35.5\n",
		text);
	return false;
}

/* "requests=12345" */
static bool parse_per(struct filter *f, const char *text)
{
	const char *count = text ? strchr(text, '=') : NULL;
	char *end;

	if (!text)
		return true;
	f->per = text;
	if (count && count > text) {
		f->per_count = strtod(count + 1, &end);
		if (end != count + 1 && !*end && f->per_count > 0 && f->per_count <= 1e18)
			return true;
	}
	fprintf(stderr,
		"netcost-report: --per: '%s' is not a name and a number such as requests=12345\n",
		text);
	return false;
}

bool filter_parse(struct filter *f, const struct trace_options *o)
{
	*f = (struct filter){ .window = o->from || o->to,
			      .tasks = o->tasks,
			      .cgroup = o->cgroup,
			      .with_own_cost = o->with_own_cost };
	return parse_time("--from", o->from, &f->from) && parse_time("--to", o->to, &f->to) &&
	       parse_watts(f, o->idle_watts) && parse_per(f, o->per) && parse_cpus(f, o->cpus);
}

enum exit_status models_each(const struct trace_options *o, const char *file, unsigned int keep,
			     struct intervals *intervals, input_model_fn *fn, void *ctx)
{
	struct filter filter;
	const struct input_wanted wanted = { .file = file,
					     .memory = o->common.memory,
					     .select = o->part,
					     .rules = o->rules,
					     .keep = keep,
					     .filter = &filter,
					     .intervals = intervals };
	bool ok;

	if (!filter_parse(&filter, o))
		return EXIT_USAGE;
	ok = input_each_model(&wanted, fn, ctx);
	filter_free(&filter);
	return ok ? EXIT_DONE : EXIT_FAILED;
}

enum exit_status models_empty(enum exit_status (*fn)(void *ctx, const struct model *empty),
			      void *ctx)
{
	struct rules *rules = rules_load(NULL);
	struct classifier *classifier = rules ? classifier_new(rules) : NULL;
	struct model *empty = classifier ? model_new(0, classifier) : NULL;
	enum exit_status status = EXIT_FAILED;

	if (empty)
		status = fn(ctx, empty);
	else
		tell("netcost-report", "out of memory");
	model_free(empty);
	classifier_free(classifier);
	rules_free(rules);
	return status;
}

bool models_is_first(unsigned int *seen, const struct part *part, const char *verb)
{
	if (++*seen == 2)
		tell(part->file, "holds several traces: --part says which one to %s", verb);
	return *seen == 1;
}

/* ---- pieces of time ---------------------------------------------------------------------- */

bool interval_parse(const char *text, uint64_t *every_ns)
{
	struct time_arg t = { .anchor = TIME_SINCE_START };
	bool ok = !text || (time_arg_parse(text, &t) && t.anchor == TIME_SINCE_START && t.ns);

	*every_ns = t.ns;
	if (!ok)
		fprintf(stderr,
			"netcost-report: --every: '%s' is not a time such as 1s, 500ms, 1m30s\n",
			text);
	return ok;
}

void intervals_tell_too_many(const char *title)
{
	tell(title, "has too many ticks for a row each; ask for longer rows with --every");
}

bool intervals_fit(const struct intervals *iv, const char *title)
{
	if (iv->too_many)
		intervals_tell_too_many(title);
	else if (!iv->n)
		tell(title, "has fewer than two ticks: there is nothing to make rows of");
	else
		return true;
	return false;
}
