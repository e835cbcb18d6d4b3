// SPDX-License-Identifier: BSD-2-Clause
/* Samples that were lost, before the recorder and in it. */
#include "session_impl.h"

#include "record/sample/sampler.h"

uint64_t session_samples_lost(const struct session *s, unsigned int i)
{
	return sampler_loss(s->sampler, i).lost + s->dropped[i];
}

uint64_t session_samples_dropped(const struct session *s)
{
	uint64_t n = 0;

	for (unsigned int i = 0; s->dropped && i < s->cpus.n; i++)
		n += s->dropped[i];
	return n;
}
