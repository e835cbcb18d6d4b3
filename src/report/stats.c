// SPDX-License-Identifier: BSD-2-Clause
#include "stats.h"

#include <math.h>

#define Z95 1.959963984540054

double stats_share_ci95(double share, double n)
{
	double z2 = Z95 * Z95, middle, half;

	if (!(n > 0) || !(share >= 0) || !(share <= 1))
		return NAN;
	middle = (share + z2 / (2 * n)) / (1 + z2 / n);
	half = Z95 / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n * n));
	return fmax(middle + half - share, share - (middle - half));
}
