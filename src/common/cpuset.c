// SPDX-License-Identifier: BSD-2-Clause
#include <netcost/cpuset.h>

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/trace.h> /* for TRACE_MAX_CPU */

static int parse_number(const char **p, unsigned long *v)
{
	char *end;

	if (!isdigit((unsigned char)**p))
		return -EINVAL;
	errno = 0;
	*v = strtoul(*p, &end, 10);
	*p = end;
	return errno || *v >= TRACE_MAX_CPU ? -ERANGE : 0;
}

/* Parses "3" or "3-5", and marks the CPUs in `has`. */
static int parse_range(const char **p, bool *has)
{
	unsigned long from, to;
	int err = parse_number(p, &from);

	to = from;
	if (!err && **p == '-') {
		(*p)++;
		err = parse_number(p, &to);
	}
	if (err)
		return err;
	if (to < from)
		return -EINVAL;
	for (unsigned long i = from; i <= to; i++)
		has[i] = true;
	return 0;
}

static int parse_list(const char *p, bool *has)
{
	for (;;) {
		int err = parse_range(&p, has);

		if (err)
			return err;
		if (*p != ',')
			break;
		p++;
	}
	return *p == '\0' || !strcmp(p, "\n") ? 0 : -EINVAL;
}

int cpuset_parse(struct cpuset *set, const char *text)
{
	bool *has = calloc(TRACE_MAX_CPU, sizeof(*has));
	int err = has ? parse_list(text, has) : -ENOMEM;

	*set = (struct cpuset){ 0 };
	if (!err) {
		set->cpu = malloc(TRACE_MAX_CPU * sizeof(*set->cpu));
		err = set->cpu ? 0 : -ENOMEM;
	}
	for (uint32_t i = 0; !err && i < TRACE_MAX_CPU; i++)
		if (has[i])
			set->cpu[set->n++] = i;
	free(has);
	return err;
}

void cpuset_free(struct cpuset *set)
{
	free(set->cpu);
	*set = (struct cpuset){ 0 };
}

bool cpuset_has(const struct cpuset *set, uint32_t cpu)
{
	for (unsigned int i = 0; i < set->n; i++)
		if (set->cpu[i] == cpu)
			return true;
	return false;
}
