/* SPDX-License-Identifier: BSD-2-Clause */
/* strings.h: texts with numbers, each once: tables of strings, as profiles have them. Number 0 is "". */
#ifndef NETCOST_REPORT_STRINGS_H
#define NETCOST_REPORT_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/idmap.h>

struct strings {
	char **text;
	uint32_t *next; /* of the same hash; 0: none */
	size_t n, cap_text, cap_next;
	struct idmap by_hash;
	bool no_memory; /* then all texts are number 0 */
};

void strings_init(struct strings *s);
void strings_free(struct strings *s);
/* The number of a text, made safe by clean.h. */
uint32_t strings_id(struct strings *s, const char *text);

#endif
