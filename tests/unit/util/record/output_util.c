// SPDX-License-Identifier: BSD-2-Clause
#include "output_util.h"

void output_setup(struct output_setup *s)
{
	*s = (struct output_setup){ .out = OUTPUT_NONE };
	tmp_make(&s->tmp);
	s->path = strdup(tmp_path(&s->tmp, "t.nct"));
	s->old = strdup(tmp_path(&s->tmp, "t.nct.old"));
}

void output_teardown(struct output_setup *s)
{
	output_close(&s->out);
	tmp_remove(&s->tmp);
	free((char *)s->path);
	free((char *)s->old);
}

void open_and_write(struct output_setup *s, const char *text)
{
	CU_ASSERT_EQUAL_FATAL(output_open(&s->out, s->path, s->why, sizeof(s->why)), 0);
	CU_ASSERT_STRING_EQUAL(s->why, "");
	CU_ASSERT_EQUAL(write(s->out.fd, text, strlen(text)), (ssize_t)strlen(text));
}

void link_and_write(struct output_setup *s, const char *target)
{
	CU_ASSERT_EQUAL(symlink(target, s->path), 0);
	open_and_write(s, "new");
}

void check_refused(struct output_setup *s, int err)
{
	CU_ASSERT_EQUAL(output_open(&s->out, s->path, s->why, sizeof(s->why)), err);
	CU_ASSERT_EQUAL(s->out.fd, -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(s->why, s->path));
	CU_ASSERT_PTR_NOT_NULL(strstr(s->why, strerror(-err)));
	CU_ASSERT_PTR_NULL(strchr(s->why, '\n'));
}
