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

/* Room for n samples, and for the tasks that there are so far. */
static int reserve(struct socket_families *f, const struct model *m, size_t n)
{
	size_t had = f->ntasks;
	int err = array_reserve(&f->class, &f->nclass, n, sizeof(*f->class));

	if (!err)
		err = array_reserve(&f->last, &f->ntasks, m->ntasks + (size_t)1, sizeof(*f->last));
	if (!err && f->ntasks > had)
		memset(f->last + had, SOCKET_NONE, f->ntasks - had);
	return err;
}

static uint16_t decide(struct socket_families *f, const struct stack_classes *c, uint16_t class,
		       uint64_t task)
{
	uint8_t family = c->family[class], *last = &f->last[task];

	if (family == SOCKET_NONE)
		return class;
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
	struct trace_column tasks = trace_record_column(rec, TRACE_SAMPLES_TASK);
	struct trace_column stacks = trace_record_column(rec, TRACE_SAMPLES_STACK);
	uint64_t stack, task;

	*class = NULL;
	if (!m->classes || !m->classes->any_undecided)
		return 0;
	if (reserve(f, m, stacks.n))
		return -ENOMEM;
	for (size_t i = 0; trace_column_uint(&stacks, &stack); i++) {
		if (!trace_column_uint(&tasks, &task) || task > m->ntasks)
			task = 0;
		/* The model reports a stack that is not defined when it takes the record. */
		f->class[i] = decide(f, m->classes, stack > m->nstacks ? 0 : m->class[stack], task);
	}
	*class = f->class;
	return 0;
}
