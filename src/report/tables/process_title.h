/* SPDX-License-Identifier: BSD-2-Clause */
/* process_title.h: what a row of processes.h is called where there is little room. */
#ifndef NETCOST_REPORT_PROCESS_TITLE_H
#define NETCOST_REPORT_PROCESS_TITLE_H

#include "report/analysis/processes.h"

/* "user 1000", by its id, "" where that is not known; kernel: instead all threads of the kernel. */
void process_user_title(char *dst, size_t size, const char *id, bool kernel);

/*
 * "nginx 200", "[ksoftirqd/0] 7", the end of a cgroup's path, the container in it, or as a user above: at most size - 1 characters, that
 * do no harm anywhere. Returns dst.
 */
char *process_title(char *dst, size_t size, const struct processes *p,
		    const struct processes_row *r);

/* The end of a path, which tells more than its beginning, likewise. Returns dst. */
char *process_path(char *dst, size_t size, const char *path);

#endif
