/* SPDX-License-Identifier: BSD-2-Clause */
/* kallsyms.h: reads /proc/kallsyms into a sorted table of functions. */
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
	uint32_t id;	    /* the caller's id; initially 0 */
};

int kallsyms_read(struct kallsyms **kp, const char *path);
void kallsyms_free(struct kallsyms *k); /* NULL is allowed */
void kallsyms_forget_ids(struct kallsyms *k);

/* Returns true if all addresses are 0, because of kptr_restrict or because CAP_SYSLOG is missing. */
bool kallsyms_hidden(const struct kallsyms *k);

/* Returns the function that contains ip, or the last function before ip. Returns NULL if ip is before all functions. */
struct kallsym *kallsyms_find(const struct kallsyms *k, uint64_t ip);

/*
 * Returns the function of this name in a module ("": the kernel itself). If the module has no such function, returns a
 * variant of it that the compiler made. A variant may have fewer arguments (.isra) or be specialised for one value of
 * an argument (.constprop). Returns NULL if there is no variant either.
 */
const struct kallsym *kallsyms_named(const struct kallsyms *k, const char *name,
				     const char *module);

/*
 * Returns the base of a symbol's offset: _stext (or the lowest symbol if there is no _stext) or, in a module, the
 * module's lowest symbol.
 */
uint64_t kallsyms_base(const struct kallsyms *k, const struct kallsym *sym);

/*
 * Returns the number of rows with addresses up to and including `addr`. The array has n rows, sorted by address. Each
 * row has `size` bytes and begins with its address.
 */
size_t addresses_up_to(const void *row, size_t n, size_t size, uint64_t addr);

#endif
