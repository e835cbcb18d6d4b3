// SPDX-License-Identifier: BSD-2-Clause
/* What was set otherwise in two recordings. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "diff_impl.h"
#include "diff_side.h"

/* The settings of a side, by subject and name. */
struct sorted {
	const struct model *m;
	const struct model_setting **at;
	size_t n;
};

static int by_name(const void *pa, const void *pb, void *m)
{
	return model_setting_compare(m, *(const struct model_setting *const *)pa, m,
				     *(const struct model_setting *const *)pb);
}

static int sort(struct sorted *s, const struct model *m)
{
	*s = (struct sorted){ .m = m, .n = m->nsettings };
	if (array_resize(&s->at, s->n, sizeof(*s->at)))
		return -ENOMEM;
	for (size_t i = 0; i < s->n; i++)
		s->at[i] = &m->setting[i];
	qsort_r(s->at, s->n, sizeof(*s->at), by_name, (void *)m);
	return 0;
}

static bool same_text(const struct sorted *a, model_str sa, const struct sorted *b, model_str sb)
{
	return !strcmp(model_string(a->m, sa), model_string(b->m, sb));
}

/* What could not be read is not known to be set otherwise. */
static bool is_other(const struct sorted *a, const struct model_setting *sa, const struct sorted *b,
		     const struct model_setting *sb)
{
	if (!model_setting_known(a->m, sa) || !model_setting_known(b->m, sb))
		return false;
	return !same_text(a, sa->first, b, sb->first) || !same_text(a, sa->value, b, sb->value) ||
	       !same_text(a, sa->why, b, sb->why);
}

/* The first two words of a subject: "interface eth0", of which "interface eth0 rx-0" is a part. */
static size_t whole_length(const char *subject)
{
	size_t first = strcspn(subject, " ");

	return subject[first] ? first + 1 + strcspn(subject + first + 1, " ") : first;
}

static bool same_whole(const struct sorted *a, size_t i, const struct sorted *b, size_t k)
{
	const char *sa = model_string(a->m, a->at[i]->subject);
	const char *sb = model_string(b->m, b->at[k]->subject);
	size_t n = whole_length(sa);

	return n == whole_length(sb) && !memcmp(sa, sb, n);
}

static bool is_interface(const struct sorted *s, size_t i)
{
	static const char word[] = "interface ";

	return !strncmp(model_string(s->m, s->at[i]->subject), word, strlen(word));
}

static void add(struct diff *d, const struct model_setting *before,
		const struct model_setting *after, bool all)
{
	d->setting[d->nsettings++] =
		(struct diff_setting){ .before = before, .after = after, .all = all };
}

/*
 * The row i of one side. The other side does not have it: its row k is the first that comes later. An interface that is
 * on one side only is one difference, however many settings it has.
 */
static void only_in(struct diff *d, const struct sorted *s, size_t i, const struct sorted *other,
		    size_t k, bool before)
{
	const struct model_setting *setting = s->at[i];
	bool all = is_interface(s, i) && !(k < other->n && same_whole(s, i, other, k)) &&
		   !(k && same_whole(s, i, other, k - 1));

	if (!model_setting_known(s->m, setting) && !all)
		return;
	if (all && i && same_whole(s, i, s, i - 1))
		return;
	add(d, before ? setting : NULL, before ? NULL : setting, all);
}

static void compare(struct diff *d, const struct sorted *a, const struct sorted *b)
{
	size_t i = 0, k = 0;

	while (i < a->n || k < b->n) {
		int order = i == a->n ? 1 :
			    k == b->n ? -1 :
					model_setting_compare(a->m, a->at[i], b->m, b->at[k]);

		if (order < 0)
			only_in(d, a, i, b, k, true);
		else if (order > 0)
			only_in(d, b, k, a, i, false);
		else if (is_other(a, a->at[i], b, b->at[k]))
			add(d, a->at[i], b->at[k], false);
		i += order <= 0;
		k += order >= 0;
	}
}

int diff_take_settings(struct diff *d)
{
	const struct model *before = d->before->m, *after = d->after->m;
	struct sorted a = { 0 }, b = { 0 };
	int err = 0;

	if (!before->nsettings || !after->nsettings)
		return 0;
	err = sort(&a, before);
	if (!err)
		err = sort(&b, after);
	if (!err)
		err = array_resize(&d->setting, a.n + b.n, sizeof(*d->setting));
	if (!err)
		compare(d, &a, &b);
	free(a.at);
	free(b.at);
	return err;
}
