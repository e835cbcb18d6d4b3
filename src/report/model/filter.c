// SPDX-License-Identifier: BSD-2-Clause
#include "filter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/cmd/command.h"

static bool parse_time(const char *option, const char *text, struct cut_time *t)
{
	*t = (struct cut_time){ .when = CUT_OPEN };
	if (!text || cut_parse_time(text, t))
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

void filter_free(struct filter *f)
{
	cpuset_free(&f->cpus);
}

bool filter_has_cpus(const struct filter *f)
{
	return f && f->cpus.n;
}

bool filter_has_tasks(const struct filter *f)
{
	return f && (f->tasks || f->cgroup);
}

bool filter_takes_cpu(const struct filter *f, uint64_t cpu)
{
	return !filter_has_cpus(f) || (cpu <= UINT32_MAX && cpuset_has(&f->cpus, (uint32_t)cpu));
}

/* Digits are a thread id, whatever tasks are called. */
bool filter_takes_task(const struct filter *f, uint64_t tid, const char *comm, size_t n)
{
	const char *s = f->tasks;

	for (;; s++) {
		size_t len = strcspn(s, ",");

		if (len && strspn(s, "0123456789") >= len ? strtoull(s, NULL, 10) == tid :
							    len == n && !memcmp(s, comm, n))
			return true;
		s += len;
		if (!*s)
			return false;
	}
}

bool filter_takes_cgroup(const struct filter *f, const char *path, size_t n)
{
	size_t len = strlen(f->cgroup);

	while (len && f->cgroup[len - 1] == '/')
		len--; /* the root is above all */
	return n >= len && !memcmp(path, f->cgroup, len) && (n == len || path[len] == '/');
}
