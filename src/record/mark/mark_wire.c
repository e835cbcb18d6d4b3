// SPDX-License-Identifier: BSD-2-Clause
#include "mark_wire.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <netcost/utf8.h>

#include "record/base/procfs.h"

static const char request_magic[8] = "ncmark1";
static const char answer_magic[8] = "ncmarked";

#define REQUEST_HEAD offsetof(struct mark_request, text)
#define ANSWER_HEAD offsetof(struct mark_answer, file)

uint64_t mark_timens(void)
{
	return procfs_inode("/proc/self/ns/time");
}

/* Checks that the text is n bytes of UTF-8, without a NUL and not empty. */
static int check_text(const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text, *end = p + n;

	if (!n)
		return -EINVAL;
	while (p < end) {
		size_t len = *p ? utf8_len(p, (size_t)(end - p)) : 0;

		if (!len)
			return -EINVAL;
		p += len;
	}
	return 0;
}

int mark_request_make(struct mark_request *r, const char *text, uint64_t at_ns)
{
	size_t n = strnlen(text, MARK_TEXT_MAX + 1);

	if (n > MARK_TEXT_MAX || check_text(text, n))
		return -EINVAL;
	memcpy(r->magic, request_magic, sizeof(r->magic));
	r->at_ns = at_ns;
	r->timens = mark_timens();
	memcpy(r->text, text, n);
	return (int)(REQUEST_HEAD + n);
}

int mark_request_check(struct mark_request *r, size_t n)
{
	if (n < REQUEST_HEAD || n > REQUEST_HEAD + MARK_TEXT_MAX ||
	    memcmp(r->magic, request_magic, sizeof(r->magic)) ||
	    check_text(r->text, n - REQUEST_HEAD))
		return -EBADMSG;
	r->text[n - REQUEST_HEAD] = '\0';
	return (int)n;
}

int mark_answer_make(struct mark_answer *a, enum mark_status status, const char *file)
{
	size_t n = strnlen(file, MARK_FILE_MAX);

	memcpy(a->magic, answer_magic, sizeof(a->magic));
	a->status = status;
	memcpy(a->file, file, n);
	return (int)(ANSWER_HEAD + n);
}

/* Checks the text as well, because the file name will be printed on a terminal. */
int mark_answer_check(struct mark_answer *a, size_t n)
{
	if (n < ANSWER_HEAD || n > ANSWER_HEAD + MARK_FILE_MAX ||
	    memcmp(a->magic, answer_magic, sizeof(a->magic)) || a->status > MARK_WRONG)
		return -EBADMSG;
	n -= ANSWER_HEAD;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)a->file[i] < ' ' || a->file[i] == 0x7f)
			a->file[i] = '?';
	a->file[n] = '\0';
	return (int)(ANSWER_HEAD + n);
}

uint64_t mark_time(const struct mark_request *r, uint64_t timens, uint64_t start_ns,
		   uint64_t now_ns)
{
	bool ours = r->timens == timens && r->at_ns >= start_ns && r->at_ns <= now_ns;

	return ours ? r->at_ns : now_ns;
}
