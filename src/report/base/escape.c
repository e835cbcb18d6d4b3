// SPDX-License-Identifier: BSD-2-Clause
#include "escape.h"

#include <stdint.h>

#include <netcost/utf8.h>

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
		else if (utf8_is_control(p, len))
			fprintf(out, "\\u%04x", utf8_code(p, len));
		else
			fwrite(p, 1, len, out);
		p += len ? len : utf8_bad_len(p, (size_t)(end - p));
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

void escape_xml(FILE *out, const char *s, size_t n)
{
	static const struct {
		char c;
		const char *entity;
	} markup[] = {
		{ '<', "&lt;" },   { '>', "&gt;" },   { '&', "&amp;" },
		{ '"', "&quot;" }, { '\'', "&#39;" },
	};

	for (size_t i = 0; i < n && s[i]; i++) {
		size_t k = 0;

		while (k < sizeof(markup) / sizeof(*markup) && markup[k].c != s[i])
			k++;
		if (k < sizeof(markup) / sizeof(*markup))
			fputs(markup[k].entity, out);
		else
			fputc(s[i] < 0x20 || s[i] > 0x7e ? '?' : s[i], out);
	}
}

void escape_folded(char *s)
{
	for (; *s; s++)
		if (*s <= 0x20 || *s > 0x7e || *s == ';')
			*s = '_';
}
