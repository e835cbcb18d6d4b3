// SPDX-License-Identifier: BSD-2-Clause
/* Tests random stacks of the functions in the rules: the sums of the tree are always right. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "model_maker.h"
#include "report/rules/rules.h"
#include "report/analysis/functions.h"

#define SYMBOLS 1500
#define STACKS 5000
#define SAMPLES 20000

static struct rules *rules;
static struct classifier *classifier;
static char name[SYMBOLS + 1][64];

static unsigned int random_below(unsigned int n)
{
	return (unsigned int)rand() % n;
}

/*
 * Makes names: functions of the rules, names that begin like them, callers that the rules name, and functions outside
 * of the rules.
 */
static void make_names(void)
{
	for (unsigned int i = 1; i <= SYMBOLS; i++) {
		const struct rules_function *f =
			&rules->function[random_below((unsigned int)rules->nfunctions)];
		bool caller = f->caller && random_below(2);

		snprintf(name[i], sizeof(name[i]), "%.50s%s", caller ? f->caller : f->name,
			 random_below(9) ? "" :
			 random_below(2) ? ".isra.0" :
					   "_x");
	}
}

static void put_symbols(struct maker *k)
{
	const char *some[50];

	for (unsigned int i = 1; i <= SYMBOLS; i += 50) {
		for (unsigned int j = 0; j < 50; j++)
			some[j] = name[i + j];
		maker_symbols(k, i, some, 50);
	}
}

/* Distance to the caller's stack and function of each stack; number of samples of each stack on each CPU */
static uint64_t up[STACKS], symbol[STACKS], samples[2][STACKS + 1];

static void make_stacks(void)
{
	uint8_t depth[STACKS + 1] = { 0 };

	for (uint64_t id = 1; id <= STACKS; id++) {
		uint64_t parent;

		do
			parent = random_below(5) ? random_below((unsigned int)id) : 0;
		while (depth[parent] >= 100);
		if (random_below(3) && id > 1 && depth[id - 1] < 100)
			parent = id - 1;
		up[id - 1] = id - parent;
		symbol[id - 1] = 1 + random_below(SYMBOLS);
		depth[id] = depth[parent] + 1;
	}
}

static void put_samples(struct maker *k)
{
	memset(samples, 0, sizeof(samples));
	for (unsigned int i = 0; i < SAMPLES; i += 50) {
		unsigned int cpu = random_below(4) ? 0 : 1;
		uint64_t some[50];

		for (unsigned int j = 0; j < 50; j++) {
			some[j] = random_below(STACKS + 1);
			samples[cpu][some[j]]++;
		}
		maker_samples(k, cpu, some, 50);
	}
}

static struct model *make_model(const struct classifier *c)
{
	struct maker k = maker_new();
	struct model *m = model_new(0, c);

	put_symbols(&k);
	maker_stacks(&k, 1, up, STACKS, symbol, STACKS);
	put_samples(&k);
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	return m;
}

/* Counts the samples again, stack by stack and function by function. */
static void count_again(struct inside *want, unsigned int cpu)
{
	for (unsigned int id = 0; id <= STACKS; id++) {
		unsigned int path[128], n = 0, category = id ? LEAF_OTHER_KERNEL : LEAF_USER, leaf;
		bool in[RULES_MAX_CATEGORIES] = { false };
		const char *caller = NULL;

		for (unsigned int s = id; s; s -= (unsigned int)up[s - 1])
			path[n++] = (unsigned int)symbol[s - 1];
		leaf = category;
		in[leaf] = true;
		while (n--) {
			const char *function = name[path[n]];

			category = classify_step(classifier, category,
						 classifier_mark(classifier, function), caller);
			if (rules->category[category].leaf != leaf)
				memset(in, 0, sizeof(in));
			leaf = rules->category[category].leaf;
			in[leaf] = in[category] = true;
			caller = function;
		}
		want->row[category].self.samples += samples[cpu][id];
		for (unsigned int i = 0; i < rules->ncategories; i++) {
			if (rules_is_below(rules, category, i))
				want->row[i].exclusive.samples += samples[cpu][id];
			if (in[i])
				want->row[i].inclusive.samples += samples[cpu][id];
		}
	}
}

static void check_identities(const struct inside *in, uint64_t all)
{
	uint64_t selves = 0;

	for (unsigned int i = 0; i < rules->ncategories; i++) {
		const struct inside_row *r = &in->row[i];
		uint64_t sum = r->self.samples;

		for (unsigned int c = LEAF_COUNT; c < rules->ncategories; c++)
			if (rules->category[c].parent == i)
				sum += in->row[c].exclusive.samples;
		CU_ASSERT_EQUAL(r->exclusive.samples, sum);
		CU_ASSERT(r->inclusive.samples >= r->exclusive.samples);
		CU_ASSERT(r->inclusive.samples <=
			  in->row[rules->category[i].leaf].exclusive.samples);
		if (i < LEAF_COUNT)
			CU_ASSERT_EQUAL(r->inclusive.samples, r->exclusive.samples);
		selves += r->self.samples;
	}
	CU_ASSERT_EQUAL(selves, all);
}

static void check_same(const struct inside *got, const struct inside *want)
{
	for (unsigned int i = 0; i < rules->ncategories; i++) {
		const struct inside_row *a = &got->row[i], *b = &want->row[i];

		CU_ASSERT_EQUAL(a->self.samples, b->self.samples);
		CU_ASSERT_EQUAL(a->exclusive.samples, b->exclusive.samples);
		CU_ASSERT_EQUAL(a->inclusive.samples, b->inclusive.samples);
	}
}

/* Checks that the shares sum to the CPU time, and that the share of each leaf equals that of the split. */
static void check_shares(const struct inside *in, const struct split_cpu *c)
{
	double sum = 0;

	for (unsigned int i = 0; i < rules->ncategories; i++)
		if (!isnan(in->row[i].self.share))
			sum += in->row[i].self.share;
	CU_ASSERT_DOUBLE_EQUAL(sum, c->basis, 1e-9);
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		if (!leaf_is_sampled(l))
			continue;
		CU_ASSERT_DOUBLE_EQUAL(in->row[l].exclusive.share, c->leaf[l].sampled, 1e-12);
		CU_ASSERT_DOUBLE_EQUAL(in->row[l].exclusive.ci95, c->leaf[l].sampled_ci95, 1e-12);
	}
}

static struct split split_of(const struct model *m)
{
	struct split_input in[2];
	struct split s;

	for (unsigned int cpu = 0; cpu < 2; cpu++) {
		in[cpu] = (struct split_input){ .cpu = cpu,
						.wall_ns = 1e9 * (1 + cpu),
						.samples_expected = NAN };
		for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
			in[cpu].exact_ns[e] = NAN;
		model_leaves(m, m->cpu[cpu], in[cpu].samples);
	}
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, in, 2), 0);
	return s;
}

/*
 * Categories that are undecided in the rules. With them the order of samples matters, so most tests here disable them.
 */
static bool undecided[RULES_MAX_CATEGORIES];

static void leave_undecided(bool on)
{
	for (unsigned int i = 0; i < rules->ncategories; i++) {
		undecided[i] |= rules->category[i].undecided;
		rules->category[i].undecided = on && undecided[i];
	}
}

static void test_undecided_stacks(void)
{
	struct inside *in = calloc(1, sizeof(*in));
	uint64_t local = 0;

	for (unsigned int round = 0; round < 10; round++) {
		struct model *m;
		struct split s;

		srand(round);
		leave_undecided(round % 2);
		make_names();
		make_stacks();
		m = make_model(classifier);
		s = split_of(m);
		CU_ASSERT_EQUAL(inside_make(in, m, &s), 0);
		check_identities(in, SAMPLES);
		check_shares(in, &s.all);
		/* Rounds with undecided categories have more samples on local sockets. */
		local += (round % 2 ? 1 : -1) * in->row[LEAF_SOCK_LOCAL].self.samples;
		split_free(&s);
		model_free(m);
	}
	CU_ASSERT((int64_t)local > 0);
	leave_undecided(false);
	free(in);
}

static void test_random_stacks(void)
{
	leave_undecided(false);
	for (unsigned int round = 0; round < 5; round++) {
		struct inside *one = calloc(4, sizeof(*one)), *all = one + 1, *want = one + 2;
		struct model *m;
		struct split s;

		srand(round);
		make_names();
		make_stacks();
		m = make_model(classifier);
		s = split_of(m);
		CU_ASSERT_FALSE(m->classes->full);
		count_again(&want[0], 0);
		count_again(&want[1], 1);
		inside_cpu(one, m, &s, 1);
		check_same(one, &want[1]);
		check_shares(one, &s.cpu[1]);
		inside_cpu(one, m, &s, 0);
		check_same(one, &want[0]);
		check_shares(one, &s.cpu[0]);
		check_identities(one, m->cpu[0]->samples);
		CU_ASSERT_EQUAL(inside_make(all, m, &s), 0);
		check_identities(all, SAMPLES);
		check_shares(all, &s.all);
		split_free(&s);
		model_free(m);
		free(one);
	}
}

/* Checks more kinds of stacks than are kept separately: inclusive figures are missing, and all others are right. */
static void test_too_many_kinds(void)
{
	struct rules_error err;
	struct rules *old = rules, *many = NULL;
	struct inside *in = calloc(1, sizeof(*in));
	struct model *m;
	struct split s;
	char text[8000];
	size_t len = (size_t)snprintf(text, sizeof(text), "leaf idle\n");

	for (int i = 0; i < 150; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"category c%d in other_kernel\nfunctions f%d\n", i, i);
	CU_ASSERT_EQUAL_FATAL(rules_parse(&many, text, len, &err), 0);
	rules = many;
	make_names();
	make_stacks();
	{
		struct classifier *c = classifier_new(many);

		m = make_model(c);
		s = split_of(m);
		CU_ASSERT(m->classes->full && m->classes->n == STACK_CLASSES_MAX);
		inside_cpu(in, m, &s, 0);
		CU_ASSERT(isnan(in->row[LEAF_OTHER_KERNEL].inclusive.share));
		CU_ASSERT_DOUBLE_EQUAL(in->row[LEAF_OTHER_KERNEL].exclusive.share,
				       s.cpu[0].leaf[LEAF_OTHER_KERNEL].sampled, 1e-12);
		check_identities(in, m->cpu[0]->samples);
		split_free(&s);
		model_free(m);
		classifier_free(c);
	}
	rules = old;
	rules_free(many);
	free(in);
}

/* Checks the required speed: 5 000 stacks in less than 50 ms. */
static void test_speed(void)
{
	unsigned int class[STACKS + 1] = { LEAF_OTHER_KERNEL };
	uint16_t mark[SYMBOLS + 1];
	double best_ms = INFINITY;

	srand(7);
	make_names();
	make_stacks();
	for (unsigned int round = 0; round < 5; round++) {
		clock_t begin = clock();
		struct stack_classes *c = stack_classes_new(classifier);

		for (unsigned int i = 1; i <= SYMBOLS; i++)
			mark[i] = classifier_mark(classifier, name[i]);
		for (unsigned int id = 1; id <= STACKS; id++) {
			unsigned int parent = id - (unsigned int)up[id - 1];
			const char *caller = parent ? name[symbol[parent - 1]] : NULL;

			class[id] =
				stack_classes_step(c, class[parent], mark[symbol[id - 1]], caller);
		}
		free(c);
		best_ms = fmin(best_ms, 1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC);
	}
	printf("5000 stacks of %d functions: %.2f ms\n", SYMBOLS, best_ms);
	CU_ASSERT(best_ms < 50);
}

static const struct unit_test tests[] = {
	{ "undecided_stacks", test_undecided_stacks },
	{ "random_stacks", test_random_stacks },
	{ "too_many_kinds", test_too_many_kinds },
	{ "speed", test_speed },
};

int main(void)
{
	int status;

	rules = rules_load(NULL);
	classifier = rules ? classifier_new(rules) : NULL;
	status = unit_main("inside", tests, sizeof(tests) / sizeof(tests[0]));
	classifier_free(classifier);
	rules_free(rules);
	return status;
}
