/* SPDX-License-Identifier: BSD-2-Clause */
/* split_impl.h: what the parts of split.h use of each other. */
#ifndef NETCOST_REPORT_SPLIT_IMPL_H
#define NETCOST_REPORT_SPLIT_IMPL_H

#include "split.h"

/* Leaves whose time is part of the TASK event when they have no exact event of their own. */
#define INSIDE_TASK (LEAF_BUSY & ~LEAF_BIT(TASK) & ~LEAF_BIT(OTHER_KERNEL))

#define SPLIT_ENOUGH 0.9 /* of the samples due: a sampler's timers are not exact */

/* The half-width of v->sampled: by samples, and of the part that was taken out. */
double split_sampled_ci95(const struct split_cpu *c, const struct split_value *v);

/* The time in which exact counting was not paused. */
void split_part(struct split_cpu *c, const struct split_input *in);
/* Idle time where it was not counted exactly, by /proc/stat and samples; in->stat is there. error_ns: standard error. */
double split_idle_ns(const struct split_input *in, double *error_ns);
/* Was the CPU idle all the time? No sample found it busy, and /proc/stat agrees within its error; in->stat is there. */
bool split_is_idle(const struct split_input *in);
/* Takes the recorder's own part out of the other leaves. */
void split_take_own(struct split_cpu *c, const struct split_input *in);

/* The time of the pauses, as samples have it; counted: the rest of that CPU's time. */
void split_pauses(struct split_cpu *c, const struct split_input *in,
		  const struct split_cpu *counted);
/* Of pauses: what samples say, by what they say in the time counted. NULL: as they say. */
void split_correct(struct split_cpu *c, const struct split_calibration *calibration);
/* The time counted, and that of the pauses. */
void split_join_parts(struct split_cpu *c, const struct split_cpu part[2]);

#endif
