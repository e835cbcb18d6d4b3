// SPDX-License-Identifier: BSD-2-Clause
#include "family.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "model.h"
#include "report/rules/classes.h"

struct family {
	uint16_t *class; /* of each sample of the record */
	size_t nclass;
	uint8_t *last; /* enum class_family of each task's last decided sample; 0: none yet */
	size_t ntasks;
	uint8_t last_of_all; /* what is likely for a task that has none yet */
};

struct family *family_new(void)
{
	return calloc(1, sizeof(struct family));
}

void family_free(struct family *f)
{
	if (!f)
		return;
	free(f->class);
	free(f->last);
	free(f);
}

/* Room for n samples, and for the tasks that there are by now. */
static int reserve(struct family *f, const struct model *m, size_t n)
{
	size_t had = f->ntasks;

	if (array_reserve(&f->class, &f->nclass, n, sizeof(*f->class)) ||
	    array_reserve(&f->last, &f->ntasks, m->ntasks + 1u, sizeof(*f->last)))
		return -ENOMEM;
	memset(f->last + had, CLASS_NO_SOCKET, f->ntasks - had);
	return 0;
}

static uint16_t decide(struct family *f, const struct classes *c, uint16_t class, uint64_t task)
{
	uint8_t family = c->family[class], *last = &f->last[task];

	if (family == CLASS_NO_SOCKET)
		return class;
	if (family != CLASS_UNDECIDED) {
		f->last_of_all = *last = family;
		return class;
	}
	family = *last == CLASS_NO_SOCKET ? f->last_of_all : *last;
	return family == CLASS_LOCAL ? LEAF_SOCK_LOCAL : class;
}

int family_see(struct family *f, const struct model *m, const struct trace_record *rec,
	       const uint16_t **class)
{
	struct trace_column tasks = trace_record_column(rec, TRACE_SAMPLES_TASK);
	struct trace_stacks stacks;
	uint64_t stack, task;

	*class = NULL;
	if (!m->classes || !m->classes->any_undecided)
		return 0;
	trace_record_stacks(rec, &stacks);
	if (reserve(f, m, trace_record_column(rec, TRACE_SAMPLES_STACK).n))
		return -ENOMEM;
	for (size_t i = 0; trace_stacks_next(&stacks, &stack); i++) {
		if (!trace_column_uint(&tasks, &task) || task > m->ntasks)
			task = 0;
		/* What is not defined the model tells of, when it is fed with the record. */
		f->class[i] = decide(f, m->classes, stack > m->nstacks ? 0 : m->class[stack], task);
	}
	*class = f->class;
	return 0;
}
