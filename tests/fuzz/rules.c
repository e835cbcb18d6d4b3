// SPDX-License-Identifier: BSD-2-Clause
/*
 * Loads a rules file of arbitrary bytes. It is either refused with a reason, or it can classify
 * stacks.
 */
#include "tests/fuzz/rules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "report/rules/rules.h"

/*
 * Classifies stacks of the functions in the rules. Each step leads to an existing category below
 * the stack's leaf.
 */
static void step_through(const struct rules *r, struct stack_classes *c)
{
	unsigned int class = LEAF_OTHER_KERNEL;
	const char *caller = NULL;

	for (size_t i = 0; i < r->nfunctions; i++) {
		const char *name = r->function[i].name;
		uint16_t mark = classifier_mark(c->classifier, name);

		class = stack_classes_step(c, class, mark, caller);
		if (class >= c->n || c->at[class].category >= r->ncategories ||
		    !stack_class_is_in(&c->at[class], c->at[class].category))
			abort();
		caller = i % 3 ? name : r->function[i].caller;
	}
}

void fuzz_rules(int fd)
{
	struct rules_error err = { 0 };
	struct classifier *classifier;
	struct rules *r = NULL;
	struct stack_classes *c;
	char text[1 << 14];
	ssize_t n = pread(fd, text, sizeof(text), 0);

	if (n < 0 || rules_parse(&r, text, (size_t)n, &err)) {
		if (!*err.what)
			abort();
		return;
	}
	classifier = classifier_new(r);
	c = stack_classes_new(classifier);
	step_through(r, c);
	free(c);
	classifier_free(classifier);
	rules_free(r);
}
