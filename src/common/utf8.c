// SPDX-License-Identifier: BSD-2-Clause
#include <netcost/utf8.h>

/*
 * Sets *len to the length of the sequence that begins with s[0], or to 0 if no sequence begins with s[0]. Returns the
 * number of valid bytes of the sequence.
 */
static size_t begins(const unsigned char *s, size_t n, size_t *len)
{
	unsigned char lo = 0x80, hi = 0xbf;
	size_t i = 1;

	*len = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if ((s[0] >= 0x80 && s[0] < 0xc2) || s[0] > 0xf4)
		return *len = 0;
	if (s[0] == 0xe0)
		lo = 0xa0; /* rejects overlong sequences */
	else if (s[0] == 0xed)
		hi = 0x9f; /* rejects surrogates */
	else if (s[0] == 0xf0)
		lo = 0x90; /* rejects overlong sequences */
	else if (s[0] == 0xf4)
		hi = 0x8f; /* rejects values beyond U+10FFFF */
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

unsigned int utf8_code(const unsigned char *s, size_t len)
{
	unsigned int code = len == 1 ? s[0] : s[0] & (0x7fu >> len);

	for (size_t i = 1; i < len; i++)
		code = code << 6 | (s[i] & 0x3f);
	return code;
}

bool utf8_is_control(const unsigned char *s, size_t len)
{
	unsigned int code = utf8_code(s, len);

	return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x202a && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069);
}
