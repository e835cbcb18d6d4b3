// SPDX-License-Identifier: BSD-2-Clause
/* What tables are written with. */
#include "firefox_impl.h"

double firefox_ms(const struct firefox_profile *p, uint64_t at_ns)
{
	return (double)(int64_t)(at_ns - p->apart->origin_ns) * 1e-6;
}

void firefox_nulls(struct json *j, const char *key, size_t n)
{
	json_array(j, key);
	while (n--)
		json_null(j, NULL);
	json_array_end(j);
}

void firefox_ints(struct json *j, const char *key, size_t n, int64_t v)
{
	json_array(j, key);
	while (n--)
		json_int(j, NULL, v);
	json_array_end(j);
}

void firefox_falses(struct json *j, const char *key, size_t n)
{
	json_array(j, key);
	while (n--)
		json_bool(j, NULL, false);
	json_array_end(j);
}

void firefox_column(struct json *j, const char *key, const uint32_t *v, size_t n)
{
	json_array(j, key);
	for (size_t i = 0; i < n; i++)
		if (v[i] == FIREFOX_NONE)
			json_null(j, NULL);
		else
			json_uint(j, NULL, v[i]);
	json_array_end(j);
}
