// SPDX-License-Identifier: BSD-2-Clause
#include "filter_options.h"

#include <errno.h>
#include <stdio.h>

static bool parse_time(const char *option, const char *text, struct time_arg *t)
{
	*t = (struct time_arg){ .anchor = TIME_OPEN };
	if (!text || time_arg_parse(text, t))
		return true;
	fprintf(stderr,
		"netcost-report: %s: '%s' is no time: 2.5, 500ms, 1m30s since the start, -10s before "
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
			err == -ENOMEM ? "out of memory" : "is no list of CPUs such as 0-3,8");
	return !err;
}

bool filter_parse(struct filter *f, const struct config *cfg)
{
	*f = (struct filter){ .window = cfg->from || cfg->to,
			      .tasks = cfg->tasks,
			      .cgroup = cfg->cgroup };
	return parse_time("--from", cfg->from, &f->from) && parse_time("--to", cfg->to, &f->to) &&
	       parse_cpus(f, cfg->cpus);
}
