// SPDX-License-Identifier: BSD-2-Clause
#include "clean.h"

#include <stdbool.h>
#include <string.h>

#include <netcost/utf8.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* Of ASCII, and U+0080 to U+009F. */
static bool is_control(const unsigned char *p, size_t len)
{
	return len == 1 ? *p < 0x20 || *p == 0x7f : len == 2 && p[0] == 0xc2 && p[1] < 0xa0;
}

char *clean_utf8(char *dst, size_t size, const char *s)
{
	const unsigned char *p = (const unsigned char *)s, *end = p + strlen(s);
	size_t at = 0;

	while (p < end) {
		size_t len = utf8_len(p, (size_t)(end - p));
		bool bad = !len || is_control(p, len);
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
