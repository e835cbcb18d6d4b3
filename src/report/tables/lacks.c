// SPDX-License-Identifier: BSD-2-Clause
#include "lacks.h"

#include <stdio.h>
#include <string.h>

#include "packets.h"

/* why: the recorder's reason, which may be empty; otherwise the option that records it is named. */
static const char *lacks(char *buf, const char *what, const char *why, const char *option)
{
	if (*why)
		snprintf(buf, LACKS_SIZE, "has no %s: %s", what, why);
	else
		snprintf(buf, LACKS_SIZE, "has no %s: record with netcost-record %s", what, option);
	return buf;
}

/* Why that source has nothing. */
static const char *why_not(const struct model *m, const char *source)
{
	const struct model_source *s = model_find_source(m, source);

	return s && strcmp(model_string(m, s->state), "measured") ? model_string(m, s->why) : "";
}

const char *lacks_latency(const struct model *m, char *buf)
{
	if (model_has_probes(m, NETCOST_OF_LATENCY))
		return NULL;
	return lacks(buf, "latencies", why_not(m, "latency"), "--latency");
}

const char *lacks_latency_by(const struct model *m, enum netcost_latency_by by, char *buf)
{
	char what[64], option[64];

	if (latency_by_rows(m, by))
		return NULL;
	snprintf(what, sizeof(what), "latencies by %s", latency_by_keys[by]);
	snprintf(option, sizeof(option), "--latency-by=%s", latency_by_keys[by]);
	return lacks(buf, what, why_not(m, "latency"), option);
}

const char *lacks_tail(const struct model *m, char *buf)
{
	const struct model_probe *p = model_find_probe(m, NETCOST_OF_TAIL, 0);

	if (model_is_measured(m, NETCOST_OF_TAIL, 0))
		return NULL;
	return lacks(buf, "record of what delayed the slowest packets",
		     p ? model_string(m, p->reason) : "", "--tail");
}

const char *lacks_stages(const struct model *m, char *buf)
{
	return m->stages ? NULL : lacks(buf, "packet paths", why_not(m, "stages"), "--stages");
}

const char *lacks_processes(const struct model *m, char *buf)
{
	if (m->records[TRACE_PROCESS_STATS])
		return NULL;
	return lacks(buf, "counters by process", why_not(m, "processes"), "--processes");
}

const char *lacks_samples(const struct model *m, char *buf)
{
	if (m->header.sample_hz || m->samples)
		return NULL;
	return lacks(buf, "samples", "", "-F 999");
}
