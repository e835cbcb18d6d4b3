// SPDX-License-Identifier: BSD-2-Clause
#include "clean.h"

#include <stdbool.h>
#include <string.h>

#include <netcost/utf8.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

char *clean_utf8(char *dst, size_t size, const char *s)
{
	const unsigned char *p = (const unsigned char *)s, *end = p + strlen(s);
	size_t at = 0;

	while (p < end) {
		size_t len = utf8_len(p, (size_t)(end - p));
		bool bad = !len || utf8_is_control(p, len);
		size_t n = bad ? strlen(REPLACEMENT) : len;

		if (at + n >= size)
			break;
		memcpy(dst + at, bad ? REPLACEMENT : (const char *)p, n);
		at += n;
		p += len ? len : utf8_bad_len(p, (size_t)(end - p));
	}
	dst[at] = '\0';
	return dst;
}
