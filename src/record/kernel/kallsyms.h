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
	uint32_t id;	    /* its reader's to set; 0 at first */
};

int kallsyms_read(struct kallsyms **kp, const char *path);
void kallsyms_free(struct kallsyms *k); /* takes NULL */
void kallsyms_forget_ids(struct kallsyms *k);

/* All addresses are 0: kptr_restrict, or no CAP_SYSLOG. */
bool kallsyms_hidden(const struct kallsyms *k);

/* The function that ip is in, or the last one before it; NULL: there is none. */
struct kallsym *kallsyms_find(const struct kallsyms *k, uint64_t ip);

/*
 * The function of this name in a module ("": the kernel itself); otherwise the one that the compiler has made of it,
 * which may have fewer arguments (.isra) or be for one value of them (.constprop). NULL: there is none.
 */
const struct kallsym *kallsyms_named(const struct kallsyms *k, const char *name,
				     const char *module);

/* What a symbol is written relative to: _stext (or the lowest, if there is none), or its module's lowest. */
uint64_t kallsyms_base(const struct kallsyms *k, const struct kallsym *sym);

/* In an array of rows of that size which begin with an address, and rise by it: how many are at `addr` or below. */
size_t addresses_up_to(const void *row, size_t n, size_t size, uint64_t addr);

#endif
