// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report scrub: a trace for a bug report, without private names. */
#include <stdio.h>

#include <netcost/reasons.h>
#include <netcost/text_append.h>

#include "command.h"
#include "copy_files.h"
#include "report/base/tell.h"
#include "report/base/text.h"
#include "report/input/input.h"
#include "report/rewrite/scrub.h"

struct scrub_options {
	struct config common;
	const char *keep;
	bool quiet;
};

#define LIST_SIZE 160

/* The classes of a set, or all: "tasks, pids". */
static const char *list(unsigned int set, const char *between, char *dst, size_t size)
{
	*dst = '\0';
	for (unsigned int c = TRACE_PUBLIC + 1; c < TRACE_PRIVACIES; c++)
		if (set & 1u << c)
			text_append(dst, size, between, "%s", scrub_class_desc[c].name);
	return dst;
}

static bool parse_keep(const char *keep, unsigned int *set)
{
	const char *unknown;
	char all[LIST_SIZE];
	size_t len;

	*set = 0;
	if (!keep || scrub_parse_keep(keep, set, &unknown, &len))
		return true;
	fprintf(stderr, "netcost-report: --keep: '%.*s' is not one of %s\n", (int)len, unknown,
		list(~0u, ", ", all, sizeof(all)));
	return false;
}

static enum exit_status run(const struct config *cfg)
{
	const struct scrub_options *o = (const struct scrub_options *)cfg;
	char derived[LIST_SIZE + 16], kept[LIST_SIZE];
	struct copy_input in = {
		cfg->operand[0], { .edit = scrub_edit, .memory = cfg->memory, .derived = derived }
	};
	unsigned int keep;
	bool ok;

	if (!parse_keep(o->keep, &keep))
		return EXIT_USAGE;
	snprintf(derived, sizeof(derived), keep ? reason_scrub_kept : reason_scrub,
		 list(keep, ",", kept, sizeof(kept)));
	in.options.ctx = scrub_new(keep, cfg->memory);
	if (!in.options.ctx) {
		tell(input_name(cfg->operand[0]), "out of memory");
		return EXIT_FAILED;
	}
	ok = copy_files(&in, 1, cfg->operand[1], o->quiet);
	scrub_free(in.options.ctx);
	return ok ? EXIT_DONE : EXIT_FAILED;
}

static const struct opt_desc opts[] = {
	OPT_TEXT(
		struct scrub_options, keep, "keep", "LIST",
		"keep what is in LIST, separated by commas: tasks, cgroups, pids, users, netdevs, host, "
		"command, marks, programs (names of BPF programs), settings (words in them that are "
		"not the kernel's own), texts (what a reason or an interrupt names), addresses, ports, "
		"time (of day)"),
	OPT_MEMORY,
	OPT_QUIET(struct scrub_options, "do not report what was written"),
};

const struct command command_scrub = {
	.name = "scrub",
	.help = "a copy for a bug report: private names, ids and times replaced",
	.run = run,
	COMMAND_OPTIONS(struct scrub_options, opts),
	.operands = "IN OUT",
	.min = 2,
	.max = 2,
};
