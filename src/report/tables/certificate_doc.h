/* SPDX-License-Identifier: BSD-2-Clause */
/* certificate_doc.h: what the recorder counted of a known load of its own (netcost-record --certify). */
#ifndef NETCOST_REPORT_CERTIFICATE_DOC_H
#define NETCOST_REPORT_CERTIFICATE_DOC_H

#include "report/base/doc.h"
#include "report/model/model.h"

/* A line for each, and for programs a table, if there are any. */
void certificate_doc(struct doc *d, const struct model *m);

/* What was found, and whether that is right: "injected 10.00 ms, found …: passed". Returns dst. */
char *certificate_text(const struct model *m, const struct model_certificate *c, char *dst,
		       size_t size);
/* passed, failed or impossible */
bool certificate_is(const struct model *m, const struct model_certificate *c, const char *state);
/* The trace is a part of what they are about. */
bool certificate_is_of_more(const struct model *m);
#define CERTIFICATE_OF_MORE "of the whole recording, of which this is a part"

#endif
