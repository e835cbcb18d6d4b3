/* SPDX-License-Identifier: BSD-2-Clause */
/* scrub_class.h: the kinds of what is private in a trace. */
#ifndef NETCOST_REPORT_SCRUB_CLASS_H
#define NETCOST_REPORT_SCRUB_CLASS_H

#include <stdbool.h>
#include <stddef.h>

enum scrub_class {
	SCRUB_PUBLIC,
	SCRUB_TASKS,
	SCRUB_CGROUPS,
	SCRUB_PIDS,
	SCRUB_NETDEVS,
	SCRUB_HOST,
	SCRUB_COMMAND,
	SCRUB_MARKS,
	SCRUB_PROGRAMS, /* of BPF */
	SCRUB_TEXTS,	/* in sentences of the recorder: words that it does not know by itself */
	SCRUB_TIME,
	SCRUB_CLASSES,
};

struct scrub_class_desc {
	const char *name;   /* what --keep calls it; NULL: it is not kept */
	const char *prefix; /* of pseudonyms */
	const char *what;   /* for people */
};

extern const struct scrub_class_desc scrub_class_desc[SCRUB_CLASSES];

/* A set of classes from "tasks,time": 1u << class. NULL: *unknown, of *len bytes, is none. */
bool scrub_parse_keep(const char *list, unsigned int *keep, const char **unknown, size_t *len);

#endif
