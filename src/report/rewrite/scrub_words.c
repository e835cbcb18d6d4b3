// SPDX-License-Identifier: BSD-2-Clause
#include "scrub_words.h"

#include <stdio.h>
#include <string.h>

#include "scrub_said.h"

#define ERRNOS 134 /* Linux has names for the errors below */

static bool separates(char c)
{
	return c && strchr(" \t\n,;()'\"", c);
}

/* Belongs to a word, but not at its ends. */
static bool stops(char c)
{
	return c == '.' || c == ':';
}

bool scrub_next_word(struct scrub_word *w, const char *end)
{
	const char *p = w->s + w->n;

	w->before = p;
	while (p < end && (separates(*p) || stops(*p)))
		p++;
	w->s = p;
	while (p < end && !separates(*p))
		p++;
	while (p > w->s && stops(p[-1]))
		p--;
	w->n = (size_t)(p - w->s);
	return w->before < end;
}

static int each_word(const char *sentence, int (*fn)(void *ctx, const char *s, size_t n), void *ctx)
{
	struct scrub_word w = { .s = sentence };
	int err = 0;

	while (!err && scrub_next_word(&w, sentence + strlen(sentence)))
		if (w.n && !memchr(w.s, '%', w.n))
			err = fn(ctx, w.s, w.n);
	return err;
}

int scrub_each_known_word(int (*fn)(void *ctx, const char *s, size_t n), void *ctx)
{
	int err = 0;

	for (size_t i = 0; !err && i < said_nrows; i++)
		err = each_word(said_rows[i].format, fn, ctx);
	for (int e = 1; !err && e < ERRNOS; e++) {
		char text[128]; /* strerror() may free what it gave before */

		snprintf(text, sizeof(text), "%s", strerror(e));
		err = each_word(text, fn, ctx);
		if (!err) /* as a whole, too */
			err = fn(ctx, text, strlen(text));
	}
	return err;
}
