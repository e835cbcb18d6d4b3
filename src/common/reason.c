// SPDX-License-Identifier: BSD-2-Clause
#include <netcost/reasons.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/trace.h>

#define CODE_DIGITS 5
#define ERRNO_DIGITS 4

static const struct {
	unsigned int number;
	const char *sentence;
} rows[] = {
#define X(number, name, arguments, sentence) { number, sentence },
	NETCOST_REASONS(X)
#undef X
};

static const char *find_sentence(unsigned int number)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].number == number)
			return rows[i].sentence;
	return NULL;
}

/* ---- reading reasons one at a time ------------------------------------------------------- */

static bool is_digits(const char *s, size_t n, size_t most)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] < '0' || s[i] > '9')
			return false;
	return n && n <= most;
}

static bool is_fraction(const char *s, size_t n)
{
	const char *dot = memchr(s, '.', n);
	size_t whole = dot ? (size_t)(dot - s) : n;

	return is_digits(s, whole, n) && (!dot || is_digits(dot + 1, n - whole - 1, n));
}

/* Parses digits. The text has a length and no terminating NUL, because it is a part of a trace's text. */
static unsigned int number_of(const char *digits, size_t n)
{
	unsigned int v = 0;

	for (size_t i = 0; i < n; i++)
		v = 10 * v + (unsigned int)(digits[i] - '0');
	return v;
}

/* Returns the next token between spaces. */
static bool next_token(const char **s, size_t *n, const char **token, size_t *len)
{
	const char *p = *s, *end = p + *n;

	while (p < end && *p == ' ')
		p++;
	*token = p;
	while (p < end && *p != ' ')
		p++;
	*len = (size_t)(p - *token);
	*s = p;
	*n = (size_t)(end - p);
	return *len > 0;
}

static bool is_code(const char *s, size_t n)
{
	return n > 1 && *s == '#' && is_digits(s + 1, n - 1, CODE_DIGITS);
}

static bool suits(char class, const char *s, size_t n)
{
	switch (class) {
	case 'u':
		return is_digits(s, n, n);
	case 'e':
		return is_digits(s, n, ERRNO_DIGITS);
	case 'f':
		return is_fraction(s, n);
	default:
		return true;
	}
}

/* Returns the class of the next conversion in the sentence, or 0 at its end. */
static char next_class(const char **sentence)
{
	const char *p = strchr(*sentence, '%');

	if (!p || p[1] == 'r')
		return 0;
	*sentence = p + 2;
	return p[1];
}

static bool suits_all(const struct reason *r)
{
	const char *s = r->s, *sentence = r->sentence, *token;
	size_t n = r->n, len;
	char class;

	while ((class = next_class(&sentence)))
		if (!next_token(&s, &n, &token, &len) || !suits(class, token, len))
			return false;
	return !next_token(&s, &n, &token, &len);
}

bool reason_next(const char **s, size_t *n, struct reason *r)
{
	const char *token;
	size_t len;

	if (!next_token(s, n, &token, &len) || !is_code(token, len))
		return false;
	*r = (struct reason){ .number = number_of(token + 1, len - 1), .s = *s };
	r->sentence = find_sentence(r->number);
	while (next_token(s, n, &token, &len))
		if (is_code(token, len)) {
			*n += (size_t)(*s - token);
			*s = token;
			break;
		}
	r->n = (size_t)(*s - r->s);
	if (r->sentence && !suits_all(r))
		r->sentence = NULL;
	return true;
}

bool reason_next_argument(struct reason *r, struct reason_argument *a)
{
	if (!next_token(&r->s, &r->n, &a->s, &a->n))
		return false;
	a->class = r->sentence ? next_class(&r->sentence) : '?';
	return true;
}

bool reason_is(const char *s, size_t n)
{
	struct reason r;

	return reason_next(&s, &n, &r);
}

/* ---- arguments --------------------------------------------------------------------------- */

char *reason_escape(const char *s, char *dst, size_t size)
{
	size_t at = 0;

	for (; *s && at + 3 < size; s++)
		if ((unsigned char)*s > ' ' && *s != '%' && *s != '#')
			dst[at++] = *s;
		else
			at += (size_t)snprintf(dst + at, size - at, "%%%02x",
					       (unsigned int)(unsigned char)*s);
	dst[at] = '\0';
	return dst;
}

static int hex(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *p = c ? strchr(digits, c) : NULL;

	return p ? (int)(p - digits) : -1;
}

size_t reason_unescape(const char *s, size_t n, char *dst, size_t size)
{
	size_t at = 0;

	for (size_t i = 0; i < n && at < size; i++) {
		int high = s[i] == '%' && i + 2 < n ? hex(s[i + 1]) : -1;
		int low = high < 0 ? -1 : hex(s[i + 2]);

		dst[at++] = low < 0 ? s[i] : (char)(16 * high + low);
		i += low < 0 ? 0 : 2;
	}
	return at;
}

/* ---- sentences --------------------------------------------------------------------------- */

struct text {
	char *s;
	size_t n, size;
};

static void append(struct text *t, const char *s, size_t n)
{
	size_t room = t->size - t->n - 1;

	memcpy(t->s + t->n, s, n < room ? n : room);
	t->n += n < room ? n : room;
}

static void append_list(struct text *t, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		append(t, s[i] == ',' ? ", " : s + i, s[i] == ',' ? 2 : 1);
}

#define ENOTSUPP 524 /* an errno of the kernel for which C libraries have no text */

static void append_argument(struct text *t, const struct reason_argument *a)
{
	char text[TRACE_MAX_STR];

	if (a->class == 'e') {
		int number = (int)number_of(a->s, a->n);
		const char *error = number == ENOTSUPP ? "not supported" : strerror(number);

		append(t, error, strlen(error));
	} else if (a->class == 'l') {
		append_list(t, a->s, a->n);
	} else {
		append(t, text, reason_unescape(a->s, a->n, text, sizeof(text)));
	}
}

static void append_unknown(struct text *t, struct reason *r)
{
	struct reason_argument a;
	const char *before = " (";
	char number[32];

	append(t, number, (size_t)snprintf(number, sizeof(number), "unknown reason %u", r->number));
	for (; reason_next_argument(r, &a); before = " ") {
		append(t, before, strlen(before));
		append_argument(t, &a);
	}
	if (before[1] != '(')
		append(t, ")", 1);
}

/* Appends the sentence of a reason. Returns the separator to put before the next sentence. */
static const char *append_sentence(struct text *t, struct reason *r)
{
	const char *p = r->sentence;
	struct reason_argument a;

	for (; *p; p += 2) {
		size_t n = strcspn(p, "%");

		append(t, p, n);
		p += n;
		if (!*p)
			break;
		if (p[1] == 'r')
			return "";
		if (reason_next_argument(r, &a))
			append_argument(t, &a);
	}
	return "; ";
}

size_t reason_sentences(const char *s, size_t n, char *dst, size_t size)
{
	struct text t = { .s = dst, .size = size };
	const char *before = "";
	struct reason r;

	if (!reason_is(s, n))
		append(&t, s, n);
	while (reason_next(&s, &n, &r)) {
		append(&t, before, strlen(before));
		before = "; ";
		if (r.sentence)
			before = append_sentence(&t, &r);
		else
			append_unknown(&t, &r);
	}
	dst[t.n] = '\0';
	return t.n;
}

char *reason_text(const char *s, char *dst, size_t size)
{
	reason_sentences(s, strlen(s), dst, size);
	return dst;
}
