// SPDX-License-Identifier: BSD-2-Clause
#include "filter.h"

#include <stdlib.h>
#include <string.h>

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

/*
 * Returns true if the filter selects a task. A string of digits in the filter is always a thread id, even if a task has
 * that name.
 */
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
		len--; /* the root becomes the empty string, because every path is below it */
	return n >= len && !memcmp(path, f->cgroup, len) && (n == len || path[len] == '/');
}
