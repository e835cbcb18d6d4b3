// SPDX-License-Identifier: BSD-2-Clause
/* What the recorder counted of a known load of its own. */
#include <math.h>

#include "model_impl.h"

/* NaN: not known. */
static double number(const struct trace_record *rec, unsigned int key)
{
	const struct trace_field *f = trace_record_field(rec, key);

	if (!f)
		return NAN;
	return f->kind == TRACE_INT ? (double)(int64_t)f->v : (double)f->v;
}

/* A recording has two. */
int model_certificate(struct model *m, const struct trace_record *rec)
{
	struct model_certificate c = {
		.cpu = number(rec, TRACE_CERTIFICATE_CPU),
		.injected_ns = number(rec, TRACE_CERTIFICATE_INJECTED_NS),
		.found_ns = number(rec, TRACE_CERTIFICATE_FOUND_NS),
		.error_ns = number(rec, TRACE_CERTIFICATE_ERROR_NS),
		.packets = number(rec, TRACE_CERTIFICATE_PACKETS),
		.packets_counted = number(rec, TRACE_CERTIFICATE_PACKETS_COUNTED),
		.bytes = number(rec, TRACE_CERTIFICATE_BYTES),
		.bytes_counted = number(rec, TRACE_CERTIFICATE_BYTES_COUNTED),
		.tested = number(rec, TRACE_CERTIFICATE_TESTED),
		.seen = number(rec, TRACE_CERTIFICATE_SEEN),
		.took_ns = number(rec, TRACE_CERTIFICATE_TOOK_NS),
		.cpu_ns = number(rec, TRACE_CERTIFICATE_CPU_NS),
	};
	int err;

	if (m->ncertificates == MODEL_CERTIFICATES)
		return 0;
	if ((err = model_keep_field(m, rec, TRACE_CERTIFICATE_WHEN, &c.when)) ||
	    (err = model_keep_field(m, rec, TRACE_CERTIFICATE_STATE, &c.state)) ||
	    (err = model_keep_field(m, rec, TRACE_CERTIFICATE_WHY, &c.why)))
		return err;
	m->certificate[m->ncertificates++] = c;
	return 0;
}
