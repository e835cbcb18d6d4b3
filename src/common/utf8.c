// SPDX-License-Identifier: BSD-2-Clause
#include <netcost/utf8.h>

/* *len: of the sequence that s[0] begins, 0: none. How many of its bytes are there and right. */
static size_t begins(const unsigned char *s, size_t n, size_t *len)
{
	unsigned char lo = 0x80, hi = 0xbf;
	size_t i = 1;

	*len = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if ((s[0] >= 0x80 && s[0] < 0xc2) || s[0] > 0xf4)
		return *len = 0;
	if (s[0] == 0xe0)
		lo = 0xa0; /* overlong */
	else if (s[0] == 0xed)
		hi = 0x9f; /* surrogates */
	else if (s[0] == 0xf0)
		lo = 0x90; /* overlong */
	else if (s[0] == 0xf4)
		hi = 0x8f; /* beyond U+10FFFF */
	for (; i < *len && i < n && s[i] >= lo && s[i] <= hi; i++) {
		lo = 0x80;
		hi = 0xbf;
	}
	return i;
}

size_t utf8_len(const unsigned char *s, size_t n)
{
	size_t len, there = begins(s, n, &len);

	return there == len ? len : 0;
}

size_t utf8_bad_len(const unsigned char *s, size_t n)
{
	size_t len, there = begins(s, n, &len);

	return there ? there : 1;
}
