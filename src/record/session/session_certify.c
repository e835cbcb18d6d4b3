// SPDX-License-Identifier: BSD-2-Clause
/* Makes certificates (--certify) at the start and at the end of a recording. */
#include "session_impl.h"

#include <stdio.h>
#include <string.h>

#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "record/base/msg.h"

/* Returns NULL if nothing is attached. */
static struct certifier *session_certifier(struct session *s)
{
	if (s->exact && !s->certifier)
		/* if out of memory, the certificate says that nothing is attached */
		(void)certifier_new(&s->certifier, s->exact, &s->ladder, &s->selftest);
	return s->certifier;
}

void session_certify(struct session *s, const char *when)
{
	struct certificate *c = &s->certificate;
	char text[2 * CERTIFY_WHY];

	if (!s->cfg->certify)
		return;
	certify(c, session_certifier(s), s->exact_why);
	if (!s->cfg->quiet || c->state == CERTIFY_FAILED)
		msg("certificate: %s: %s", when, certify_text(c, text, sizeof(text)));
}

void session_print_certificate(struct session *s)
{
	struct certificate c;
	char found[CERTIFY_WHY], why[2 * CERTIFY_WHY];

	if (!s->cfg->certify)
		return;
	certify(&c, session_certifier(s), s->exact_why);
	certify_found(&c, found, sizeof(found));
	printf("%-13s %-11s %s%s%s\n", "certificate", certify_state_name(c.state), found,
	       *found && *c.why ? ": " : "", reason_text(c.why, why, sizeof(why)));
}

int session_write_certificate(struct session *s, const char *when)
{
	const struct certificate *c = &s->certificate;

	if (!s->cfg->certify)
		return 0;
	trace_writer_begin(s->w, TRACE_CERTIFICATE);
	trace_writer_uint(s->w, TRACE_CERTIFICATE_AT_NS, c->at_ns);
	trace_writer_str(s->w, TRACE_CERTIFICATE_WHEN, when);
	trace_writer_str(s->w, TRACE_CERTIFICATE_STATE, certify_state_name(c->state));
	trace_writer_str(s->w, TRACE_CERTIFICATE_WHY, c->why);
	if (c->cpu_ns)
		trace_writer_uint(s->w, TRACE_CERTIFICATE_CPU, c->cpu);
	if (c->injected_ns) {
		trace_writer_uint(s->w, TRACE_CERTIFICATE_INJECTED_NS, c->injected_ns);
		trace_writer_int(s->w, TRACE_CERTIFICATE_FOUND_NS, c->found_ns);
		trace_writer_uint(s->w, TRACE_CERTIFICATE_ERROR_NS, c->error_ns);
	}
	if (c->packets) {
		trace_writer_uint(s->w, TRACE_CERTIFICATE_PACKETS, c->packets);
		trace_writer_uint(s->w, TRACE_CERTIFICATE_PACKETS_COUNTED, c->packets_counted);
		trace_writer_uint(s->w, TRACE_CERTIFICATE_BYTES, c->bytes);
		trace_writer_uint(s->w, TRACE_CERTIFICATE_BYTES_COUNTED, c->bytes_counted);
	}
	if (c->tested) {
		trace_writer_uint(s->w, TRACE_CERTIFICATE_TESTED, c->tested);
		trace_writer_uint(s->w, TRACE_CERTIFICATE_SEEN, c->seen);
	}
	trace_writer_uint(s->w, TRACE_CERTIFICATE_TOOK_NS, c->took_ns);
	if (c->cpu_ns)
		trace_writer_uint(s->w, TRACE_CERTIFICATE_CPU_NS, c->cpu_ns);
	return trace_writer_end(s->w);
}
