/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * own.h: what of a CPU's times is the recorder's own: probes and samples, by how often they ran, during which event, and
 * what a run was measured to cost.
 */
#ifndef NETCOST_REPORT_OWN_H
#define NETCOST_REPORT_OWN_H

#include "report/model/model.h"
#include "split.h"

/* Up to now. Nothing where the trace does not say what runs cost, or where the filter wants times as measured. */
void own_make(struct split_own *own, const struct model *m, const struct model_cpu *c);
/* Which samples are own, of the CPU. */
void own_make_samples(struct split_own_samples *own, const struct model *m,
		      const struct model_cpu *c);

#endif
