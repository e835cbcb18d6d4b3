// SPDX-License-Identifier: BSD-2-Clause
#include "scrub_said.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <netcost/messages.h>

#define X(name, format, arguments) { format, arguments },
const struct said_row said_rows[] = { NETCOST_MESSAGES(X) };
#undef X
const size_t said_nrows = sizeof(said_rows) / sizeof(*said_rows);

/* A format against a sentence: what is left of both, and what has been found. */
struct match {
	const char *format, *arguments, *s;
	size_t n;
	struct said_piece *piece;
	size_t npieces, literal; /* literal: bytes of the format that are in the sentence */
	bool letters;		 /* some of them say something */
};

static void take(struct match *m, size_t n, bool own)
{
	m->piece[m->npieces++] = (struct said_piece){ m->s, n, own };
	m->s += n;
	m->n -= n;
}

static bool take_literal(struct match *m)
{
	size_t n = strcspn(m->format, "%");

	if (n > m->n || memcmp(m->s, m->format, n))
		return false;
	for (size_t i = 0; i < n; i++)
		m->letters |= isalpha((unsigned char)m->format[i]) != 0;
	m->literal += n;
	m->format += n;
	take(m, n, true);
	return true;
}

static size_t number_length(const struct match *m, bool fraction)
{
	size_t n = 0;

	while (n < m->n && (isdigit((unsigned char)m->s[n]) || (fraction && n && m->s[n] == '.')))
		n++;
	return n;
}

/* Up to where the format goes on; at its end, all. 0: it does not go on. */
static size_t string_length(const struct match *m)
{
	size_t next = strcspn(m->format, "%");
	const char *at;

	if (!*m->format)
		return m->n;
	if (!m->format[next])
		return m->n > next ? m->n - next : 0;
	at = m->n ? memmem(m->s + 1, m->n - 1, m->format, next) : NULL;
	return at ? (size_t)(at - m->s) : 0;
}

static bool is_word(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && !memchr("_.,-", s[i], 4))
			return false;
	return true;
}

static bool take_argument(struct match *m)
{
	size_t conversion = strcspn(m->format, "suf") + 1, n;
	char kind = m->format[conversion - 1];
	bool own = kind != 's' || *m->arguments == 'k';

	m->format += conversion;
	n = kind == 's' ? string_length(m) : number_length(m, kind == 'f');
	if (!n || (kind == 's' && own && !is_word(m->s, n)))
		return false;
	m->arguments++;
	take(m, n, own);
	return true;
}

static bool fits(struct match *m, const struct said_row *row)
{
	m->format = row->format;
	m->arguments = row->arguments;
	while (*m->format)
		if (!(*m->format == '%' ? take_argument(m) : take_literal(m)))
			return false;
	return !m->n;
}

/* A format that says nothing by itself joins sentences, or there is no reason to think that it was used. */
static bool joins(struct said *said, const struct match *m)
{
	for (size_t i = 0; i < m->npieces; i++)
		if (!m->piece[i].own && !said_is(said, m->piece[i].s, m->piece[i].n))
			return false;
	return true;
}

size_t said_take_apart(struct said *said, const char *s, size_t n, struct said_piece *piece)
{
	size_t best = 0, literal = 0;

	if (!said->tries)
		return 0;
	said->tries--;
	for (size_t i = 0; i < said_nrows; i++) {
		struct said_piece found[SAID_PIECES];
		struct match m = { .s = s, .n = n, .piece = found };

		if (!fits(&m, &said_rows[i]) || m.literal <= literal ||
		    (!m.letters && !joins(said, &m)))
			continue;
		best = m.npieces;
		literal = m.literal;
		memcpy(piece, found, best * sizeof(*piece));
	}
	return best;
}

bool said_is(struct said *said, const char *s, size_t n)
{
	struct said_piece piece[SAID_PIECES];

	return said->known(said->ctx, s, n) || said_take_apart(said, s, n, piece);
}

/* ---- words ------------------------------------------------------------------------------- */

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
