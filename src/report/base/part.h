/* SPDX-License-Identifier: BSD-2-Clause */
/* part.h: which trace of a file a report is about, and how netcost-report reports what went wrong with it. */
#ifndef NETCOST_REPORT_PART_H
#define NETCOST_REPORT_PART_H

#include <stdbool.h>
#include <stddef.h>

struct part {
	const char *file;
	unsigned int number; /* from 1 on; 0: the file holds one trace */
	char name[256];	     /* the host's, as HEADER has it; else "part N" */
	bool alone;	     /* it is the only one that is reported on */
	bool first;	     /* that is reported on */
};

/* "all.nct: web1 (part 2)", safe for a terminal but for the file's own name. Returns dst. */
char *part_title(const struct part *p, char *dst, size_t size);

/* For arguments of printf(): the buffer lives as long as the block around it. */
#define PART_TITLE_SIZE 512
#define PART_TITLE(p) part_title(p, (char[PART_TITLE_SIZE]){ 0 }, PART_TITLE_SIZE)

/* One line on stderr: FILE: text. Both are made safe for terminals. */
__attribute__((format(printf, 2, 3))) void tell(const char *file, const char *fmt, ...);

#endif
