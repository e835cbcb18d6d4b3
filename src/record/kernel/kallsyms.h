/* SPDX-License-Identifier: BSD-2-Clause */
/* kallsyms.h: /proc/kallsyms as a sorted table of functions. */
#ifndef NETCOST_KALLSYMS_H
#define NETCOST_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kallsyms;

struct kallsym {
	uint64_t addr;
	const char *name;
	const char *module; /* "" for the kernel itself */
	uint32_t id;	    /* set by the caller; initially 0 */
};

int kallsyms_read(struct kallsyms **kp, const char *path);
void kallsyms_free(struct kallsyms *k); /* NULL is allowed */
void kallsyms_forget_ids(struct kallsyms *k);

/* All addresses are 0: kptr_restrict, or no CAP_SYSLOG. */
bool kallsyms_hidden(const struct kallsyms *k);

/* Returns the function that contains ip, or the last one before it; NULL: none. */
struct kallsym *kallsyms_find(const struct kallsyms *k, uint64_t ip);

/*
 * Returns the function of this name in a module ("": the kernel itself), or else a variant made by the compiler, which
 * may have fewer arguments (.isra) or be for one value of them (.constprop). NULL: none.
 */
const struct kallsym *kallsyms_named(const struct kallsyms *k, const char *name,
				     const char *module);

/* The base of a symbol's offset: _stext (or the lowest symbol without it), or its module's lowest symbol. */
uint64_t kallsyms_base(const struct kallsyms *k, const struct kallsym *sym);

/*
 * In an array of rows of that size that begin with an address and are sorted by it: returns the
 * number of rows at or below `addr`.
 */
size_t addresses_up_to(const void *row, size_t n, size_t size, uint64_t addr);

#endif
