// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report rules: what stacks are sorted by, and what of that a trace has. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "report/base/escape.h"
#include "report/base/tell.h"
#include "report/base/text.h"
#include "report/input/input.h"
#include "report/rules/stack_class.h"

#define COLUMNS 96

/* ---- the file ---------------------------------------------------------------------------- */

static bool print_text(const char *file)
{
	struct rules *rules = rules_load(file); /* so that what is wrong with it is told */
	size_t len = 0;
	char *text = rules ? rules_read(file, &len) : NULL;

	if (text)
		fwrite(text, 1, len, stdout);
	rules_free(rules);
	free(text);
	return text != NULL;
}

/* ---- a trace's part of it ---------------------------------------------------------------- */

struct line {
	const char *begin; /* of each line */
	size_t at;	   /* 0: nothing yet */
};

static void put(struct line *l, const struct rules_function *f)
{
	char word[2 * RULES_MAX_NAME + 4];
	size_t n = (size_t)snprintf(word, sizeof(word), "%s%s%s%s%s", f->caller ? f->caller : "",
				    f->caller && f->caller_prefix ? "*" : "", f->caller ? ">" : "",
				    f->name, f->prefix ? "*" : "");

	if (!l->at || l->at + 1 + n > COLUMNS)
		l->at = (size_t)printf("%s\t%s", l->at ? "\n" : "", l->begin) + 7;
	l->at += (size_t)printf(" %s", word);
}

static void put_functions(const struct rules *r, unsigned int category, const bool *there,
			  bool wanted, const char *begin)
{
	struct line l = { .begin = begin };

	for (size_t i = 0; i < r->nfunctions; i++)
		if (r->function[i].category == category && there[i] == wanted)
			put(&l, &r->function[i]);
	if (l.at)
		putchar('\n');
}

static void print_category(const struct rules *r, unsigned int i, const bool *there)
{
	const struct rules_category *c = &r->category[i];

	if (!c->line) /* the file says nothing of this leaf */
		return;
	if (i < LEAF_COUNT)
		printf("\nleaf %s\n", c->key);
	else
		printf("\ncategory %s in %s%s\n\ttitle %s\n", c->key, r->category[c->parent].key,
		       c->whole	    ? " whole" :
		       c->undecided ? " undecided" :
				      "",
		       c->title);
	put_functions(r, i, there, true, "functions");
	put_functions(r, i, there, false, "# not in this trace:");
}

static bool print_part(void *ctx, const struct model *m, const struct part *part)
{
	const struct classifier *classifier = m->classes->classifier;
	const struct rules *r = classifier_rules(classifier);
	bool *there = calloc(r->nfunctions + 1, sizeof(*there));
	size_t n = 0;

	(void)ctx;
	if (!there) {
		tell(PART_TITLE(part), "out of memory");
		return false;
	}
	for (uint32_t i = 1; i <= m->nsymbols; i++)
		classifier_note(classifier, m->mark[i], there);
	for (size_t i = 0; i < r->nfunctions; i++)
		n += there[i];
	printf("# %s: of these %zu functions it has %zu. A trace has the symbols that were sampled,\n"
	       "# unless it was recorded with --symbols=all.\n",
	       SAFE(PART_TITLE(part)), r->nfunctions, n);
	for (unsigned int i = 0; i < r->ncategories; i++)
		print_category(r, i, there);
	free(there);
	return true;
}

static enum exit_status run(const struct config *cfg)
{
	const struct input_wanted wanted = {
		.file = cfg->file, .memory = cfg->memory, .select = cfg->part, .rules = cfg->rules
	};
	bool ok = cfg->noperands ? input_each_model(&wanted, print_part, NULL) :
				   print_text(cfg->rules);

	return command_close(stdout, NULL) || !ok ? EXIT_FAILED : EXIT_DONE;
}

static const struct opt_desc opts[] = { OPT_RULES, OPT_PART, OPT_MEMORY };

const struct command command_rules = {
	.name = "rules",
	.help = "the rules that stacks are sorted by; of a trace: which of their functions it has",
	.run = run,
	.opts = opts,
	.nopts = sizeof(opts) / sizeof(*opts),
};
