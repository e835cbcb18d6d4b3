// SPDX-License-Identifier: BSD-2-Clause
#include "models.h"

#include <errno.h>
#include <stdio.h>

#include "report/base/tell.h"

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

bool filter_parse(struct filter *f, const struct trace_options *o)
{
	*f = (struct filter){ .window = o->from || o->to, .tasks = o->tasks, .cgroup = o->cgroup };
	return parse_time("--from", o->from, &f->from) && parse_time("--to", o->to, &f->to) &&
	       parse_cpus(f, o->cpus);
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

bool models_is_first(unsigned int *seen, const struct part *part, const char *verb)
{
	if (++*seen == 2)
		tell(part->file, "holds several traces: --part says which one to %s", verb);
	return *seen == 1;
}
