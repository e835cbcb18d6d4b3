// SPDX-License-Identifier: BSD-2-Clause
#include "rules_doc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model_doc.h"
#include "report/base/text.h"
#include "report/rules/stack_class.h"
#include "split_columns.h"

#define COLUMNS 96
#define WORD (2 * RULES_MAX_NAME + 4)

/* A function as a rules file has it: "tcp_v4_rcv>tcp_check_req", "gcm_*". */
static const char *word(const struct rules_function *f, char dst[WORD])
{
	snprintf(dst, WORD, "%s%s%s%s%s", f->caller ? f->caller : "",
		 f->caller && f->caller_prefix ? "*" : "", f->caller ? ">" : "", f->name,
		 f->prefix ? "*" : "");
	return dst;
}

/* ---- a rules file, for people ------------------------------------------------------------ */

/* Lines of one category's functions: those that are there, or those that are not. */
static void functions(struct doc *d, const struct rules *r, unsigned int category,
		      const bool *there, bool wanted)
{
	const char *begin = wanted ? "\tfunctions" : "\t# not in this trace:";
	char line[COLUMNS + WORD] = "", name[WORD];

	for (size_t i = 0; i < r->nfunctions; i++) {
		if (r->function[i].category != category || there[i] != wanted)
			continue;
		word(&r->function[i], name);
		/* the tab is 8 columns wide */
		if (*line && strlen(line) + 7 + 1 + strlen(name) > COLUMNS) {
			doc_note(d, "%s", line);
			*line = '\0';
		}
		snprintf(line + strlen(line), sizeof(line) - strlen(line), "%s %s",
			 *line ? "" : begin, name);
	}
	if (*line)
		doc_note(d, "%s", line);
}

static void category(struct doc *d, const struct rules *r, unsigned int i, const bool *there)
{
	const struct rules_category *c = &r->category[i];

	if (!c->line) /* the file does not mention this leaf */
		return;
	doc_title(d, "");
	if (i < LEAF_COUNT) {
		doc_note(d, "leaf %s", c->key);
	} else {
		doc_note(d, "category %s in %s%s", c->key, r->category[c->parent].key,
			 c->tracing   ? " tracing" :
			 c->whole     ? " whole" :
			 c->undecided ? " undecided" :
					"");
		doc_note(d, "\ttitle %s", c->title);
	}
	functions(d, r, i, there, true);
	functions(d, r, i, there, false);
}

/* ---- for programs ------------------------------------------------------------------------ */

static void table(struct doc *d, const struct rules *r, const bool *there)
{
	static const struct doc_column column[] = {
		{ .key = "category", .kind = DOC_STRING, .known = true },
		{ .key = "leaf", .kind = DOC_STRING, .known = true, .choices = leaf_keys },
		{ .key = "function",
		  .kind = DOC_STRING,
		  .known = true,
		  .about = "CALLER>NAME: where that calls it; NAME*: all that begin so" },
		{ .key = "in_trace", .kind = DOC_BOOL },
	};
	static const struct doc_table table = { .key = "functions",
						DOC_COLUMNS_OF(column),
						.only = DOC_PROGRAMS };
	char name[WORD];

	doc_table(d, &table);
	for (size_t i = 0; i < r->nfunctions; i++) {
		const struct rules_category *c = &r->category[r->function[i].category];

		doc_row(d, 0, DOC_PROGRAMS);
		doc_string(d, c->key);
		doc_string(d, leaf_desc[c->leaf].key);
		doc_string(d, word(&r->function[i], name));
		doc_bool(d, there[i]);
		doc_row_end(d);
	}
	doc_table_end(d);
}

int rules_doc(struct doc *d, const struct model *m)
{
	const struct classifier *classifier = m->classes->classifier;
	const struct rules *r = classifier_rules(classifier);
	bool *there = calloc(r->nfunctions + 1, sizeof(*there));
	size_t n = 0;

	if (!there)
		return -ENOMEM;
	for (uint32_t i = 1; i <= m->nsymbols; i++)
		classifier_note(classifier, m->mark[i], there);
	for (size_t i = 0; i < r->nfunctions; i++)
		n += there[i];
	doc_note(
		d,
		"# %s: of these %zu functions it has %zu. A trace has the symbols that were sampled.",
		SAFE(PART_TITLE(d->part)), r->nfunctions, n);
	for (unsigned int i = 0; i < r->ncategories; i++)
		category(d, r, i, there);
	doc_object(d, NULL);
	doc_trace(d, m);
	doc_about(d, "the file; null: the built-in ones");
	doc_field_string(d, "rules", r->file);
	doc_field_uint(d, "functions_in_all", r->nfunctions);
	doc_field_uint(d, "functions_in_trace", n);
	table(d, r, there);
	doc_object_end(d);
	free(there);
	return 0;
}
