/* SPDX-License-Identifier: BSD-2-Clause */
/* scrub_said.h: sentences, taken apart by the formats that they were made by: messages.h. */
#ifndef NETCOST_REPORT_SCRUB_SAID_H
#define NETCOST_REPORT_SCRUB_SAID_H

#include <stdbool.h>
#include <stddef.h>

struct said_row {
	const char *format, *arguments;
};

extern const struct said_row said_rows[];
extern const size_t said_nrows;

#define SAID_PIECES 12

struct said_piece {
	const char *s;
	size_t n;
	bool own; /* words of ours, a number; otherwise an argument that is a sentence or private */
};

/* Hostile sentences can be understood in very many ways: the list is searched this often, no more. */
#define SAID_TRIES 64
#define SAID_TRIES_IN_ALL 100000 /* in a file, where a recorder writes some hundred sentences */

/* What makes no sentence is one all the same: a number, the text of an errno. */
typedef bool said_known_fn(void *ctx, const char *s, size_t n);

struct said {
	said_known_fn *known;
	void *ctx;
	unsigned int tries; /* left */
};

/* The pieces of a sentence, by the format that fits it best; 0: by none. */
size_t said_take_apart(struct said *said, const char *s, size_t n, struct said_piece *piece);
/* Is it one, or known? */
bool said_is(struct said *said, const char *s, size_t n);

/* ---- words ------------------------------------------------------------------------------- */

/*
 * The words of all those formats, and of the texts of errnos, for sentences that none of them made: those of an
 * older or a newer recorder. Any other word may name something of the host. The words do not come from the trace, so that what a
 * sentence keeps says nothing about the names in it.
 */
struct scrub_word {
	const char *before; /* what separates it from the word before */
	const char *s;	    /* where to begin: the first call's; then the word */
	size_t n;	    /* 0: only what comes after the last word is left */
};

/* False: nothing is left up to end. */
bool scrub_next_word(struct scrub_word *w, const char *end);

/* Stops at fn's first error, and returns it. Words come more than once; the texts of errnos as a whole, too. */
int scrub_each_known_word(int (*fn)(void *ctx, const char *s, size_t n), void *ctx);

#endif
