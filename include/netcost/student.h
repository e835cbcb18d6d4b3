/* SPDX-License-Identifier: BSD-2-Clause */
/* student.h: Student's distribution, for confidence intervals of means of few values. */
#ifndef NETCOST_STUDENT_H
#define NETCOST_STUDENT_H

/*
 * Returns the 97.5 % quantile of Student's distribution, or NaN below 2 degrees of freedom. The error is at most 3 %,
 * and at most 0.01 % from 9 degrees of freedom on.
 */
double student_t95(double degrees);

#endif
