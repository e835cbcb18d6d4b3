// SPDX-License-Identifier: BSD-2-Clause
#include "firefox_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "firefox_impl.h"
#include "real_time.h"
#include "report/model/filter.h"
#include "report/rules/stack_class.h"

#define VERSION 48 /* of the format */

/* ---- meta -------------------------------------------------------------------------------- */

/* The format has colours by name: the ones nearest to ours in colors.h. The first grey one is what is not known. */
static const char *const category_color[LEAF_COUNT] = {
	[LEAF_IDLE] = "transparent",	   [LEAF_USER] = "blue",
	[LEAF_SOCK_SEND] = "orange",	   [LEAF_SOCK_RECV] = "lightblue",
	[LEAF_RX_SOFTIRQ] = "green",	   [LEAF_TX_SOFTIRQ] = "magenta",
	[LEAF_HARDIRQ_NET] = "lightgreen", [LEAF_OTHER_NETWORK] = "yellow",
	[LEAF_SOCK_LOCAL] = "brown",	   [LEAF_IO_WORKER] = "purple",
	[LEAF_OTHER_KERNEL] = "grey",	   [LEAF_TASK] = "grey",
	[LEAF_OWN] = "darkgrey",
};

/* Subcategories of a leaf: 0 is itself, then the rules' categories in it in their order. */
static void subcategories(struct json *j, const struct model *m, enum leaf leaf)
{
	const struct rules *r = m->classes ? classifier_rules(m->classes->classifier) : NULL;

	json_array(j, "subcategories");
	json_str(j, NULL, "Other");
	for (unsigned int i = LEAF_COUNT; r && i < r->ncategories; i++)
		if (r->category[i].leaf == leaf)
			json_str(j, NULL, r->category[i].title);
	json_array_end(j);
}

static void categories(struct json *j, const struct model *m)
{
	json_array(j, "categories");
	for (enum leaf l = 0; l < LEAF_COUNT; l++) {
		json_object(j, NULL);
		json_str(j, "name", leaf_desc[l].title);
		json_str(j, "color", category_color[l]);
		subcategories(j, m, l);
		json_object_end(j);
	}
	json_array_end(j);
}

static void extensions(struct json *j)
{
	json_object(j, "extensions");
	json_uint(j, "length", 0);
	firefox_nulls(j, "baseURL", 0);
	firefox_nulls(j, "id", 0);
	firefox_nulls(j, "name", 0);
	json_object_end(j);
}

static void meta(struct json *j, const struct firefox_profile *p)
{
	const struct model *m = p->m;
	uint64_t real_ns;

	if (!real_time_ns(m, p->apart->origin_ns, &real_ns))
		real_ns = 0;
	json_object(j, "meta");
	json_uint(j, "preprocessedProfileVersion", VERSION);
	json_uint(j, "version", 24); /* of another format; nobody reads it */
	json_str(j, "product", "netcost");
	json_strn(j, "oscpu", model_string(m, m->header.kernel),
		  strlen(model_string(m, m->header.kernel)));
	json_num(j, "interval", (double)p->apart->each_ns * 1e-6, 6);
	json_num(j, "startTime", (double)(real_ns / 1000) * 1e-3, 3);
	json_uint(j, "processType", 0);
	json_uint(j, "stackwalk", 1);
	json_bool(j, "debug", false);
	json_bool(j, "symbolicated", true);
	json_bool(j, "usesOnlyOneStackType", true);
	json_bool(j, "doesNotUseFrameImplementation", true);
	json_bool(j, "sourceCodeIsNotOnSearchfox", true);
	firefox_nulls(j, "pausedRanges", 0);
	json_object(j, "sampleUnits");
	json_str(j, "time", "ms");
	json_str(j, "eventDelay", "ms");
	json_str(j, "threadCPUDelta", "\xc2\xb5s");
	json_object_end(j);
	extensions(j);
	categories(j, m);
	firefox_marker_schema(j);
	json_object_end(j);
}

/* ---- threads ----------------------------------------------------------------------------- */

static void begin_thread(struct json *j, const char *name, uint64_t tid, bool main)
{
	json_object(j, NULL);
	json_str(j, "name", name);
	json_bool(j, "isMainThread", main);
	json_bool(j, "showMarkersInTimeline", true);
	json_str(j, "processType", "default");
	json_str(j, "processName", "netcost");
	json_str(j, "pid", "0");
	json_uint(j, "tid", tid);
	json_uint(j, "processStartupTime", 0);
	json_null(j, "processShutdownTime");
	json_uint(j, "registerTime", 0);
	json_null(j, "unregisterTime");
	firefox_nulls(j, "pausedRanges", 0);
}

static void end_thread(struct json *j, const struct strings *s)
{
	json_array(j, "stringArray");
	for (size_t i = 0; i < s->n; i++)
		json_str(j, NULL, s->text[i]);
	json_array_end(j);
	json_object_end(j);
}

/* slot: SIZE_MAX: the thread of the host, without samples. */
static int thread(struct json *j, const struct firefox_profile *p, const struct model_cpu *c,
		  const struct sample_count *count, size_t n)
{
	size_t slot = c && p->iv->slot[c->cpu] && p->iv->n ? p->iv->slot[c->cpu] - 1u : SIZE_MAX;
	struct strings s;
	char name[24] = "host";
	int err;

	strings_init(&s);
	if (c)
		snprintf(name, sizeof(name), "CPU %u", c->cpu);
	begin_thread(j, name, c ? c->cpu + UINT64_C(1) : 0, !c);
	err = firefox_stacks(j, &s, p, count, n);
	if (c)
		firefox_cpu_markers(j, &s, p, slot);
	else
		firefox_host_markers(j, &s, p);
	end_thread(j, &s);
	if (s.no_memory)
		err = -ENOMEM;
	strings_free(&s);
	return err;
}

static int threads(struct json *j, const struct firefox_profile *p)
{
	const struct sample_counts *counts = p->counts;
	const struct model_cpu *c;
	size_t first = 1, end;
	int err;

	json_array(j, "threads");
	err = thread(j, p, NULL, NULL, 0);
	model_for_each_cpu(p->m, c)
	{
		if (err || !filter_takes_cpu(p->m->filter, c->cpu))
			continue;
		while (first <= counts->n && counts->at[first].cpu < c->cpu)
			first++;
		for (end = first; end <= counts->n && counts->at[end].cpu == c->cpu;)
			end++;
		err = thread(j, p, c, end > first ? &counts->at[first] : NULL, end - first);
		first = end;
	}
	json_array_end(j);
	return err;
}

int firefox_write(FILE *out, const struct firefox_profile *p)
{
	struct json j = { .out = out, .compact = true };
	int err;

	json_object(&j, NULL);
	meta(&j, p);
	firefox_nulls(&j, "libs", 0);
	firefox_nulls(&j, "pages", 0);
	firefox_counters(&j, p);
	err = threads(&j, p);
	json_object_end(&j);
	json_end(&j);
	return err;
}
