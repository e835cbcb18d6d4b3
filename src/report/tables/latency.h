/* SPDX-License-Identifier: BSD-2-Clause */
/* latency.h: for how long packets waited (record --latency): by hook, by interface, cgroup or process, by piece of time. */
#ifndef NETCOST_REPORT_LATENCY_TABLES_H
#define NETCOST_REPORT_LATENCY_TABLES_H

#include "report/analysis/latency_times.h"
#include "report/base/doc.h"

struct latency_view {
	enum netcost_latency_by by; /* or LATENCY_ALL */
	enum netcost_latency
		histogram; /* also that of this hook, if it is about all packets and all of the time */
	const struct intervals *iv; /* NULL: about all of the time; otherwise with */
	const struct latency_times *times;
};

/* The whole report. The model needs MODEL_LATENCY, and with `by` MODEL_LATENCY_BY. -ENOMEM. */
int latency_doc(struct doc *d, const struct model *m, const struct latency_view *v);
/* Only its rows; of all packets also what is missing, or that nothing was measured. -ENOMEM. */
int latency_table(struct doc *d, const struct model *m, enum netcost_latency_by by);
/* So many rows it has by interface and the like. */
size_t latency_by_rows(const struct model *m, enum netcost_latency_by by);

/* As programs have it: of which packets alone it was measured. */
void latency_only_field(struct doc *d, const struct model *m);
/* The same for people, what is missing, and why; or that nothing was measured. */
void latency_notes(struct doc *d, const struct model *m);

#endif
