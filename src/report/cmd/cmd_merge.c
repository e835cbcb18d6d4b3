// SPDX-License-Identifier: BSD-2-Clause
/*
 * netcost-report merge: the traces of several hosts as separate parts of one file. Files of one recording that follow each
 * other become one part.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "joined.h"
#include "report/base/part.h"

struct merge_options {
	struct config common;
	bool quiet;
};

/* New names for the hosts of an input. */
struct naming {
	size_t len; /* of the name, before FILE; 0: the hosts keep their names */
	const char *name;
	unsigned int parts;
	char host[300];	   /* of the part that is copied */
	struct join *join; /* files that are one recording have one; NULL: it is alone */
};

/* If an input has several parts, the second is NAME.2. */
static int name_part(struct naming *n, struct trace_record *rec)
{
	struct trace_field *f;

	if (rec->type != TRACE_HEADER || !n->len)
		return COPY_IT;
	f = copy_field(rec, TRACE_HEADER_HOST);
	if (!f)
		return -EMSGSIZE;
	n->parts++;
	snprintf(n->host, sizeof(n->host), n->parts > 1 ? "%.*s.%u" : "%.*s", (int)n->len, n->name,
		 n->parts);
	*f = (struct trace_field){ .key = TRACE_HEADER_HOST,
				   .kind = TRACE_STR,
				   .n = (uint32_t)strlen(n->host),
				   .p = (const uint8_t *)n->host };
	return COPY_IT;
}

/* A copy_edit_fn. */
static int edit_part(void *ctx, struct trace_record *rec)
{
	struct naming *n = ctx;
	int verdict = name_part(n, rec);

	return verdict == COPY_IT && n->join ? join_edit(n->join, rec) : verdict;
}

/* "web1=a.nct", but not "./x=1/a.nct". */
static const char *split_name(const char *operand, struct naming *n)
{
	size_t len = strcspn(operand, "=/");

	if (operand[len] != '=' || !len)
		return operand;
	n->name = operand;
	n->len = len < 256 ? len : 255;
	return operand + len + 1;
}

/* The last operand may be one more input by mistake: no file is overwritten. */
static bool exists(const char *out)
{
	struct stat st;

	return strcmp(out, "-") && !stat(out, &st) && S_ISREG(st.st_mode);
}

static bool same_name(const struct naming *a, const struct naming *b)
{
	return a->len == b->len && !memcmp(a->name ? a->name : "", b->name ? b->name : "", a->len);
}

static enum exit_status run(const struct config *cfg)
{
	const struct merge_options *o = (const struct merge_options *)cfg;
	size_t n = cfg->noperands - 1;
	const char *out = cfg->operand[n];
	struct copy_input *in = calloc(n, sizeof(*in));
	struct naming *naming = calloc(n, sizeof(*naming));
	struct join **join = calloc(n, sizeof(struct join *));
	bool ok = false;

	for (size_t i = 0; in && naming && join && i < n; i++) {
		in[i].file = split_name(cfg->operand[i], &naming[i]);
		in[i].options = (struct copy_options){ .edit = edit_part,
						       .ctx = &naming[i],
						       .memory = cfg->memory,
						       .goes_on = i && same_name(&naming[i - 1],
										 &naming[i]) };
	}
	if (!in || !naming || !join)
		tell(out, "out of memory");
	else if (exists(out))
		tell(out, "exists; merge takes FILE... OUT: name a file that does not exist last");
	else if (joined_find(in, join, n, cfg->memory))
		tell(out, "out of memory");
	else {
		for (size_t i = 0; i < n; i++)
			naming[i].join = join[i];
		ok = copy_files(in, n, out, o->quiet);
	}
	joined_free(join, n);
	free(naming);
	free(in);
	return ok ? EXIT_DONE : EXIT_FAILED;
}

static const struct opt_desc opts[] = {
	OPT_MEMORY,
	OPT_QUIET(struct merge_options, "do not report what was merged"),
};

const struct command command_merge = {
	.name = "merge",
	.help = "traces of several hosts in one file, each as a separate part",
	.run = run,
	COMMAND_OPTIONS(struct merge_options, opts),
	.operands = "[NAME=]FILE... OUT",
	.min = 2,
};
