// SPDX-License-Identifier: BSD-2-Clause
/* Moves samples from the sampler into the batches, with ids for their stacks, tasks and cgroups. */
#include "session_impl.h"

#include <errno.h>

#include <netcost/trace.h>

#include "record/intern/batch.h"
#include "record/intern/cgroups.h"
#include "record/intern/stacks.h"
#include "record/intern/symbols.h"
#include "record/intern/tasks.h"
#include "record/intern/user_code.h"
#include "record/sample/sampler.h"

_Static_assert(SAMPLER_AT_ONCE <= STACKS_AT_ONCE, "they are taken together");

static bool has_user_stack(const struct session *s, const struct sample *smp)
{
	return s->user_code && smp->nuser_ips && (smp->user || smp->nips);
}

/*
 * Finds the id of a stack together with its part in user space. If the stack is longer than the limit, its outer
 * functions are left out. All addresses except the innermost one are return addresses.
 */
static int take_user_stack(struct session *s, const struct sample *smp, uint32_t *stack)
{
	uint64_t ips[TRACE_MAX_STACK];
	struct chain chain = { ips, 0 };

	for (size_t k = 0; k < smp->nips; k++)
		ips[chain.n++] = smp->ips[k];
	for (size_t k = 0; k < smp->nuser_ips && chain.n < TRACE_MAX_STACK; k++) {
		uint64_t ip = smp->user_ips[k] - (k > 0);
		bool mapped = false;
		uint32_t id = user_code_symbol(s->user_code, smp->tgid, ip, &mapped);

		if (!id)
			return -ENOMEM;
		/*
		 * no code is mapped at this address, so the value is not a return address, and was not read from a
		 * stack frame
		 */
		if (k && !mapped)
			break;
		ips[chain.n++] = symbols_user_address(id);
	}
	stacks_ids(s->stacks, &chain, 1, stack);
	return *stack ? 0 : -ENOMEM;
}

/* Finds the ids of the samples' stacks. The id of user code without a stack is 0. */
static int take_stacks(struct session *s, const struct sample *smp, size_t n, uint32_t *stack)
{
	static const uint64_t unknown = 0; /* kernel code without a chain is one unnamed function */
	struct chain chain[SAMPLER_AT_ONCE] = { 0 };
	uint32_t id[SAMPLER_AT_ONCE];
	size_t nchains = 0;

	for (size_t k = 0; k < n; k++)
		if (!smp[k].user && !has_user_stack(s, &smp[k]))
			chain[nchains++] = smp[k].nips ? (struct chain){ smp[k].ips, smp[k].nips } :
							 (struct chain){ &unknown, 1 };
	stacks_ids(s->stacks, chain, nchains, id);
	for (size_t k = n; k--;) {
		if (has_user_stack(s, &smp[k])) {
			if (take_user_stack(s, &smp[k], &stack[k]))
				return -ENOMEM;
			continue;
		}
		stack[k] = smp[k].user ? 0 : id[--nchains];
		if (!smp[k].user && !stack[k])
			return -ENOMEM;
	}
	return 0;
}

static int take_sample(struct session *s, const struct sample *smp, uint32_t stack, uint32_t task,
		       uint32_t cgroup)
{
	int err;

	if (!task || (s->cgroups && sampler_cgroups(s->sampler) && !cgroup))
		return -ENOMEM;
	err = batch_add(&s->batch[smp->i], smp->time_ns, stack, task, cgroup);
	if (err == -EOVERFLOW) {
		err = session_write_data(s);
		if (!err)
			err = batch_add(&s->batch[smp->i], smp->time_ns, stack, task, cgroup);
	}
	s->samples++;
	s->written[smp->i]++;
	s->cut[smp->i] += smp->cut;
	return err;
}

/* Usually several samples in a row have the same task, and no record about tasks and cgroups comes between them. */
int session_take_samples(void *ctx, const struct sample *smp, size_t n)
{
	struct session *s = ctx;
	uint32_t stack[SAMPLER_AT_ONCE], task = 0, cgroup = 0;
	bool cgroups = s->cgroups && sampler_cgroups(s->sampler);
	int err;

	if (session_waiting(s) > SESSION_BEHIND) {
		for (size_t k = 0; k < n; k++)
			s->dropped[smp[k].i]++;
		return 0;
	}
	err = take_stacks(s, smp, n, stack);
	for (size_t k = 0; k < n && !err; k++) {
		if (!k || smp[k].tid != smp[k - 1].tid || smp[k].tgid != smp[k - 1].tgid)
			task = tasks_id(s->tasks, smp[k].tgid, smp[k].tid);
		if (cgroups && (!k || smp[k].cgroup != smp[k - 1].cgroup))
			cgroup = cgroups_id(s->cgroups, smp[k].cgroup);
		err = take_sample(s, &smp[k], stack[k], task, cgroup);
	}
	return err;
}
