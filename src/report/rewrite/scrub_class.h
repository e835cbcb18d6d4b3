/* SPDX-License-Identifier: BSD-2-Clause */
/* scrub_class.h: the classes of what is private in a trace: TRACE_PRIVATE of the registry. */
#ifndef NETCOST_REPORT_SCRUB_CLASS_H
#define NETCOST_REPORT_SCRUB_CLASS_H

#include <stdbool.h>
#include <stddef.h>

#include <netcost/registry.h>

struct scrub_class_desc {
	const char *name;   /* what --keep calls it; NULL: it is not kept */
	const char *prefix; /* of pseudonyms */
};

extern const struct scrub_class_desc scrub_class_desc[TRACE_PRIVACIES];

/* A set of classes from "tasks,time": 1u << class. NULL: *unknown, of *len bytes, is none. */
bool scrub_parse_keep(const char *list, unsigned int *keep, const char **unknown, size_t *len);

#endif
