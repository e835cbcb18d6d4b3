/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scrub_words.h: the words of the recorder's sentences. A word that is not among them may name something of
 * the host. What is known is known beforehand, so that a sentence tells nothing of the names in its trace.
 */
#ifndef NETCOST_REPORT_SCRUB_WORDS_H
#define NETCOST_REPORT_SCRUB_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct scrub_word {
	const char *before; /* what separates it from the word before */
	const char *s;	    /* where to begin: the first call's; then the word */
	size_t n;	    /* 0: only what is behind the last word is left */
};

/* False: nothing is left up to end. */
bool scrub_next_word(struct scrub_word *w, const char *end);

/* Stops at fn's first error, and returns it. Words come more than once. */
int scrub_each_known_word(int (*fn)(void *ctx, const char *s, size_t n), void *ctx);

#endif
