/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * user_code.h: maps addresses of user space to symbol ids, by the mappings of each process. The trace holds the file's
 * build-id and the offset in the file, so the trace does not reveal where ASLR put the file.
 */
#ifndef NETCOST_USER_CODE_H
#define NETCOST_USER_CODE_H

#include <stdbool.h>
#include <stdint.h>

struct symbols;
struct user_code;

int user_code_new(struct user_code **up,
		  struct symbols *symbols); /* symbols belongs to the caller */
void user_code_free(struct user_code *u);   /* NULL is allowed */

/*
 * Returns the symbol id of an address in the process. For a return address pass ip - 1. Code gets an unnamed symbol if
 * it is in no file, or if the process ended before its mappings were read. *mapped: set if the address is in a mapping
 * of code. Returns 0 only if out of memory.
 */
uint32_t user_code_symbol(struct user_code *u, uint32_t tgid, uint64_t ip, bool *mapped);
/*
 * Forgets the mappings of a process, because it executes another program. If the process has ended, its mappings are
 * used until another process has its id. u: NULL is allowed.
 */
void user_code_forget(struct user_code *u, uint32_t tgid, bool ended);

#endif
