/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ksyms.h: names of the kernel's functions, asked of the kernel one by one as they turn up: a recording
 * meets a hundredth of what /proc/kallsyms prints. Needs BPF, and Linux 5.14 (programs of type "syscall").
 */
#ifndef NETCOST_KSYMS_H
#define NETCOST_KSYMS_H

#include <stddef.h>
#include <stdint.h>

#include "kallsyms.h"

struct ksyms;

/*
 * kallsyms: /proc/kallsyms, which is read only up to the line that says where the kernel's text begins.
 * -EPERM: addresses are hidden there, so we may not know names either. Other errors: no BPF, or too old.
 */
int ksyms_new(struct ksyms **kp, const char *kallsyms);
void ksyms_free(struct ksyms *k); /* takes NULL */
void ksyms_forget_ids(struct ksyms *k);

/* The function that ip is in; NULL: the kernel knows of none. Its strings live as long as k. */
struct kallsym *ksyms_find(struct ksyms *k, uint64_t ip);
/* What a symbol is written relative to: _stext, or the first function of its module that was asked for. */
uint64_t ksyms_base(const struct ksyms *k, const struct kallsym *sym);

/* "name+0x1/0x20 [module]", as %pS has it, of the address ip: its function, and its size. False: none. */
bool ksyms_parse(char *text, uint64_t ip, struct kallsym *sym, uint64_t *size);

#endif
