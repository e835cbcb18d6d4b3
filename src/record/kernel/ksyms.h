/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ksyms.h: names of kernel functions, resolved one by one through the kernel when they are needed: a recording meets a
 * hundredth of /proc/kallsyms. Needs BPF, and Linux 5.14 (programs of type "syscall").
 */
#ifndef NETCOST_KSYMS_H
#define NETCOST_KSYMS_H

#include <stddef.h>
#include <stdint.h>

#include "kallsyms.h"

struct ksyms;

/*
 * kallsyms: /proc/kallsyms, which is read only up to the line with the start of the kernel's text. -EPERM: addresses
 * are hidden there, so names must not be revealed either. Other errors: no BPF, or the kernel is too old.
 */
int ksyms_new(struct ksyms **kp, const char *kallsyms);
void ksyms_free(struct ksyms *k); /* NULL is allowed */
void ksyms_forget_ids(struct ksyms *k);

/* Returns the function that contains ip; NULL: unknown to the kernel. Its strings live as long as k. */
struct kallsym *ksyms_find(struct ksyms *k, uint64_t ip);
/* The base of a symbol's offset: _stext, or the first function of its module that was requested. */
uint64_t ksyms_base(const struct ksyms *k, const struct kallsym *sym);

/*
 * Parses "name+0x1/0x20 [module]", the kernel's %pS of address ip, into its function and that one's size. False: none.
 */
bool ksyms_parse(char *text, uint64_t ip, struct kallsym *sym, uint64_t *size);

#endif
