/* SPDX-License-Identifier: BSD-2-Clause */
/* probes_doc.h: how everything is measured, and what each source of data gave. */
#ifndef NETCOST_REPORT_PROBES_DOC_H
#define NETCOST_REPORT_PROBES_DOC_H

#include "report/base/doc.h"
#include "report/model/model.h"

/* The columns for which probe_cells() has the cells. */
#define PROBE_COLUMNS                                                                              \
	{ .key = "rung", .kind = DOC_STRING, .about = "off: not measured" },                       \
		{ .key = "hooks", .kind = DOC_LIST },                                              \
	{                                                                                          \
		.key = "why", .kind = DOC_STRING, .about = "why not, or what is weak"              \
	}
void probe_cells(struct doc *d, const struct model *m, const struct model_probe *p);
/* For people: why it is not measured, or what is weak, if the trace says that. */
void probe_note(struct doc *d, const struct model *m, enum netcost_of of, uint64_t number,
		const char *name);
/* Events, and parts of the RX softirq. */
void probes_doc(struct doc *d, const struct model *m);
/* For people: why no better method was taken. */
void probes_refused(struct doc *d, const struct model *m);
void sources_doc(struct doc *d, const struct model *m);

#endif
