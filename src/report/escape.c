// SPDX-License-Identifier: BSD-2-Clause
#include "escape.h"

#include <stdint.h>

/* Length of the UTF-8 sequence at s (n bytes left), 0 if there is none: RFC 3629, table 3-7. */
static size_t utf8_len(const unsigned char *s, size_t n)
{
	unsigned char lo = 0x80, hi = 0xbf;
	size_t len;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	len = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (s[0] == 0xe0)
		lo = 0xa0; /* overlong */
	else if (s[0] == 0xed)
		hi = 0x9f; /* surrogates */
	else if (s[0] == 0xf0)
		lo = 0x90; /* overlong */
	else if (s[0] == 0xf4)
		hi = 0x8f; /* beyond U+10FFFF */
	if (n < len || s[1] < lo || s[1] > hi)
		return 0;
	for (size_t i = 2; i < len; i++)
		if (s[i] < 0x80 || s[i] > 0xbf)
			return 0;
	return len;
}

static void json_ascii(FILE *out, unsigned char c)
{
	static const char shorts[] = { ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f',
				       ['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\' };

	if (c < sizeof(shorts) && shorts[c]) {
		fputc('\\', out);
		fputc(shorts[c], out);
	} else if (c < 0x20 || c == 0x7f) {
		fprintf(out, "\\u%04x", c);
	} else {
		fputc(c, out);
	}
}

void escape_json(FILE *out, const char *s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s, *end = p + n;

	fputc('"', out);
	while (p < end) {
		size_t len = utf8_len(p, (size_t)(end - p));

		if (len == 0)
			fputs("\\ufffd", out);
		else if (len == 1)
			json_ascii(out, *p);
		else
			fwrite(p, 1, len, out);
		p += len ? len : 1;
	}
	fputc('"', out);
}

char *escape_text(char *dst, size_t size, const char *s)
{
	size_t i = 0;

	for (; s[i] && i + 1 < size; i++)
		dst[i] = s[i] < 0x20 || s[i] > 0x7e ? '?' : s[i];
	dst[i] = '\0';
	return dst;
}

void escape_folded(char *s)
{
	for (; *s; s++)
		if (*s <= 0x20 || *s > 0x7e || *s == ';')
			*s = '_';
}
