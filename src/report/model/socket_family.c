// SPDX-License-Identifier: BSD-2-Clause
#include "socket_family.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "model.h"
#include "report/rules/stack_class.h"

struct socket_families {
	uint16_t *class; /* of each sample of the record */
	size_t nclass;
	struct trace_column tasks; /* of the record's samples, from the one at `at` on */
	uint32_t at;
	uint8_t *last; /* enum socket_family of the last decided sample of each task; 0: none yet */
	size_t ntasks;
	uint8_t last_of_all; /* what is likely for a task that has none yet */
};

struct socket_families *socket_families_new(void)
{
	return calloc(1, sizeof(struct socket_families));
}

void socket_families_free(struct socket_families *f)
{
	if (!f)
		return;
	free(f->class);
	free(f->last);
	free(f);
}

/* Room for the tasks that there are so far. */
static int reserve_tasks(struct socket_families *f, const struct model *m)
{
	size_t had = f->ntasks;
	int err = array_reserve(&f->last, &f->ntasks, m->ntasks + (size_t)1, sizeof(*f->last));

	if (!err && f->ntasks > had)
		memset(f->last + had, SOCKET_NONE, f->ntasks - had);
	return err;
}

int socket_families_begin(struct socket_families *f, const struct model *m,
			  const struct trace_record *rec)
{
	f->tasks = trace_record_column(rec, TRACE_SAMPLES_TASK);
	f->at = 0;
	return reserve_tasks(f, m);
}

/* Of the i-th sample; 0: not known. */
static uint64_t task_of(struct socket_families *f, uint32_t i)
{
	uint64_t task = 0;
	bool known = true;

	for (; known && f->at <= i; f->at++)
		known = trace_column_uint(&f->tasks, &task);
	return known ? task : 0;
}

unsigned int socket_families_decide(struct socket_families *f, const struct model *m, uint32_t i,
				    unsigned int class)
{
	uint64_t task = task_of(f, i);
	uint8_t family = m->classes->family[class], *last = &f->last[task > m->ntasks ? 0 : task];

	if (family != SOCKET_UNDECIDED) {
		f->last_of_all = *last = family;
		return class;
	}
	family = *last == SOCKET_NONE ? f->last_of_all : *last;
	return family == SOCKET_LOCAL ? LEAF_SOCK_LOCAL : class;
}

int socket_families_see(struct socket_families *f, const struct model *m,
			const struct trace_record *rec, const uint16_t **class)
{
	struct trace_column stacks = trace_record_column(rec, TRACE_SAMPLES_STACK);
	uint64_t stack;

	*class = NULL;
	if (!m->classes || !m->classes->any_undecided)
		return 0;
	if (socket_families_begin(f, m, rec) ||
	    array_reserve(&f->class, &f->nclass, stacks.n, sizeof(*f->class)))
		return -ENOMEM;
	for (uint32_t i = 0; trace_column_uint(&stacks, &stack); i++) {
		/* The model reports a stack that is not defined when it takes the record. */
		unsigned int of = stack > m->nstacks ? 0 : m->class[stack];

		if (m->classes->family[of])
			of = socket_families_decide(f, m, i, of);
		f->class[i] = (uint16_t)of;
	}
	*class = f->class;
	return 0;
}
