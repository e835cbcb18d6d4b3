/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * folded.h: stacks as flamegraph.pl, inferno and speedscope read them: "outermost;…;innermost count".
 * Stacks of the same names are one line, whatever their ids; the order of lines depends on names alone.
 */
#ifndef NETCOST_REPORT_FOLDED_H
#define NETCOST_REPORT_FOLDED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/model/model.h"

/*
 * root: below which all stacks stand, or NULL. drop: a set of leaves whose stacks are left out. per_cpu needs a
 * model with MODEL_CPU_STACKS. sum: what all samples weigh together, each as much as another, in whole numbers; 0: lines
 * have counts of samples. 0 or -ENOMEM; errors of out stay with out.
 */
int folded_write(FILE *out, const struct model *m, const char *root, unsigned int drop,
		 bool per_cpu, double sum);

/* One stack, without a count. */
void folded_stack(FILE *out, const struct model *m, uint32_t stack);

#endif
