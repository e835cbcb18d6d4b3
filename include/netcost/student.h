/* SPDX-License-Identifier: BSD-2-Clause */
/* student.h: Student's distribution, for confidence intervals of means of few values. */
#ifndef NETCOST_STUDENT_H
#define NETCOST_STUDENT_H

/*
 * Returns the 97.5 % quantile of Student's distribution, within 3 % (0.01 % from 9 degrees of freedom on), or NaN below
 * 2 degrees of freedom.
 */
double student_t95(double degrees);

#endif
