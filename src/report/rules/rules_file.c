// SPDX-License-Identifier: BSD-2-Clause
/* Where rules come from: a file, or this program. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/part.h"
#include "rules.h"

static const char default_rules[] =
#include "default_rules.h"
	;

#define DEFAULT_NAME "the built-in rules"

const char *rules_default(size_t *len)
{
	*len = sizeof(default_rules) - 1;
	return default_rules;
}

/* One byte more than is allowed, so that rules_parse() sees that it is too much. */
char *rules_read(const char *file, size_t *len)
{
	size_t size = RULES_MAX_BYTES + 1;
	char *text = malloc(size);
	FILE *f = NULL;
	bool ok = false;

	*len = 0;
	if (!text) {
		tell(file ? file : DEFAULT_NAME, "out of memory");
		return NULL;
	}
	if (!file) {
		const char *from = rules_default(len);

		memcpy(text, from, *len);
		return text;
	}
	f = fopen(file, "re");
	errno = f ? 0 : errno;
	if (f) {
		*len = fread(text, 1, size, f);
		ok = !ferror(f);
		fclose(f);
	}
	if (ok)
		return text;
	tell(file, "%s; give --rules a file as `netcost-report rules` prints it",
	     strerror(errno ? errno : EIO));
	free(text);
	return NULL;
}

struct rules *rules_load(const char *file)
{
	struct rules_error err = { 0 };
	struct rules *rules = NULL;
	size_t len;
	char *text = rules_read(file, &len);
	char where[600];

	if (!text)
		return NULL;
	if (!rules_parse(&rules, text, len, &err)) {
		rules->file = file;
	} else {
		snprintf(where, sizeof(where), err.line ? "%s:%u" : "%s",
			 file ? file : DEFAULT_NAME, err.line);
		tell(where, "%s", *err.what ? err.what : "out of memory");
	}
	free(text);
	return rules;
}
