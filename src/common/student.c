// SPDX-License-Identifier: BSD-2-Clause
#include <netcost/student.h>

#include <math.h>

#define Z95 1.959963984540054 /* 97.5 % quantile of the normal distribution */

/* Abramowitz and Stegun 26.7.5: a series in powers of 1 / degrees */
double student_t95(double degrees)
{
	const double z = Z95, z2 = z * z;
	double sum = z;

	sum += z * (z2 + 1) / (4 * degrees);
	sum += z * (5 * z2 * z2 + 16 * z2 + 3) / (96 * degrees * degrees);
	sum += z * (3 * z2 * z2 * z2 + 19 * z2 * z2 + 17 * z2 - 15) / (384 * pow(degrees, 3));
	return degrees >= 2 ? sum : NAN;
}
