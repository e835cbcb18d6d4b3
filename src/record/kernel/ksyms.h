/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ksyms.h: asks the kernel for the names of its functions, one by one, when the names are needed. A recording needs
 * only a hundredth of /proc/kallsyms. Requires BPF, and Linux 5.14 (programs of type "syscall").
 */
#ifndef NETCOST_KSYMS_H
#define NETCOST_KSYMS_H

#include <stddef.h>
#include <stdint.h>

#include "kallsyms.h"

struct ksyms;

/*
 * Loads the program that resolves names. kallsyms is /proc/kallsyms, which is read only up to the line with the start
 * of the kernel's text. Returns -EPERM if addresses are hidden in that file, because then names must not be revealed
 * either. Returns another error if there is no BPF or the kernel is too old.
 */
int ksyms_new(struct ksyms **kp, const char *kallsyms);
void ksyms_free(struct ksyms *k); /* NULL is allowed */
void ksyms_forget_ids(struct ksyms *k);

/*
 * Returns the function that contains ip. Returns NULL if the kernel knows no function there. The function's strings
 * live as long as k.
 */
struct kallsym *ksyms_find(struct ksyms *k, uint64_t ip);
/*
 * Returns the base of a symbol's offset: _stext or, in a module, the function of this module that was looked up first.
 */
uint64_t ksyms_base(const struct ksyms *k, const struct kallsym *sym);

/*
 * Parses "name+0x1/0x20 [module]", which the kernel prints for %pS of address ip. Stores the function and its size.
 * Returns false if the text does not name a function.
 */
bool ksyms_parse(char *text, uint64_t ip, struct kallsym *sym, uint64_t *size);

#endif
