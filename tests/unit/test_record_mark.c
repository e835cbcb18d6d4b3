// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "record/mark/mark.h"
#include "record/mark/mark_wire.h"
#include "unit.h"

/* ---- messages ---------------------------------------------------------------------------- */

#define HEAD offsetof(struct mark_request, text)

static void test_request(void)
{
	struct mark_request r = { .text = "garbage after" };
	int n = mark_request_make(&r, "deploy 42", 7);

	CU_ASSERT_EQUAL(n, HEAD + 9);
	CU_ASSERT_EQUAL(mark_request_check(&r, (size_t)n), n);
	CU_ASSERT_STRING_EQUAL(r.text, "deploy 42");
	CU_ASSERT_EQUAL(r.at_ns, 7);
	CU_ASSERT_EQUAL(r.timens, mark_timens());
}

static void test_request_text(void)
{
	struct mark_request r;
	char text[MARK_TEXT_MAX + 2];

	memset(text, 'x', sizeof(text));
	text[MARK_TEXT_MAX + 1] = '\0';
	CU_ASSERT_EQUAL(mark_request_make(&r, text, 0), -EINVAL);
	text[MARK_TEXT_MAX] = '\0';
	CU_ASSERT_EQUAL(mark_request_make(&r, text, 0), HEAD + MARK_TEXT_MAX);
	CU_ASSERT_EQUAL(mark_request_check(&r, HEAD + MARK_TEXT_MAX), HEAD + MARK_TEXT_MAX);
	CU_ASSERT_STRING_EQUAL(r.text, text);
	CU_ASSERT_EQUAL(mark_request_make(&r, "", 0), -EINVAL);
	CU_ASSERT_EQUAL(mark_request_make(&r, "\xff", 0), -EINVAL);
	/* the last character is incomplete */
	CU_ASSERT_EQUAL(mark_request_make(&r, "a\xc3", 0), -EINVAL);
	CU_ASSERT_EQUAL(mark_request_make(&r, "a\xc3\xa4", 0), HEAD + 3);
}

/* Tests requests of every length and with every byte changed: a changed request is only valid if the change is in
 * its text. */
static void test_hostile_request(void)
{
	struct mark_request good, r;
	int n = mark_request_make(&good, "abc", 1);

	for (int len = 0; len < (int)sizeof(r) + 2; len++) {
		memset(&r, 'z', sizeof(r));
		memcpy(&r, &good, (size_t)n);
		CU_ASSERT_EQUAL(mark_request_check(&r, (size_t)len) > 0,
				len > (int)HEAD && len <= (int)(HEAD + MARK_TEXT_MAX));
	}
	for (size_t at = 0; at < sizeof(r.magic); at++) {
		r = good;
		r.magic[at] ^= 1;
		CU_ASSERT_EQUAL(mark_request_check(&r, (size_t)n), -EBADMSG);
	}
	r = good;
	r.text[1] = '\0';
	CU_ASSERT_EQUAL(mark_request_check(&r, (size_t)n), -EBADMSG);
	r = good;
	r.text[2] = '\xc3';
	r.text[3] = '\xa4'; /* this byte is after the end */
	CU_ASSERT_EQUAL(mark_request_check(&r, (size_t)n), -EBADMSG);
}

static void test_answer(void)
{
	struct mark_answer a;
	int n = mark_answer_make(&a, MARK_TAKEN, "/a/b\x1b[2J\n");

	CU_ASSERT_EQUAL(mark_answer_check(&a, (size_t)n), n);
	CU_ASSERT_STRING_EQUAL(a.file, "/a/b?[2J?");
	CU_ASSERT_EQUAL(mark_answer_check(&a, 3), -EBADMSG);
	CU_ASSERT_EQUAL(mark_answer_check(&a, sizeof(a)), -EBADMSG);
	a.status = MARK_WRONG + 1;
	CU_ASSERT_EQUAL(mark_answer_check(&a, (size_t)n), -EBADMSG);
	a.status = MARK_BUSY;
	a.magic[0] = 'x';
	CU_ASSERT_EQUAL(mark_answer_check(&a, (size_t)n), -EBADMSG);
}

static void test_time(void)
{
	static const struct {
		uint64_t at, timens, want;
	} cases[] = {
		{ 150, 1, 150 }, { 100, 1, 100 }, { 200, 1, 200 },	  { 99, 1, 200 },
		{ 201, 1, 200 }, { 0, 1, 200 },	  { UINT64_MAX, 1, 200 }, { 150, 2, 200 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mark_request r = { .at_ns = cases[i].at, .timens = cases[i].timens };

		CU_ASSERT_EQUAL(mark_time(&r, 1, 100, 200), cases[i].want);
	}
}

/* ---- the socket -------------------------------------------------------------------------- */

struct heard {
	struct marks *marks;
	struct marks_sink sink;
	int epoll_fd;
	unsigned int n;
	uint64_t at_ns;
	char text[MARK_TEXT_MAX + 1];
	int err; /* result that the sink returns */
};

static int hear(void *ctx, uint64_t at_ns, const char *text)
{
	struct heard *h = ctx;

	h->n++;
	h->at_ns = at_ns;
	snprintf(h->text, sizeof(h->text), "%s", text);
	return h->err;
}

static void begin(struct heard *h)
{
	*h = (struct heard){ .sink = { h, 0, hear } };
	h->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	CU_ASSERT_EQUAL_FATAL(marks_new(&h->marks), 0);
	CU_ASSERT_STRING_EQUAL_FATAL(marks_why(h->marks), "");
	CU_ASSERT_EQUAL_FATAL(marks_poll_add(h->marks, h->epoll_fd, 1), 0);
	marks_set_file(h->marks, "-");
}

static void end(struct heard *h)
{
	marks_free(h->marks);
	close(h->epoll_fd);
}

/* Returns whether the loop would be woken. */
static bool wakes(const struct heard *h)
{
	struct epoll_event ev;

	return epoll_wait(h->epoll_fd, &ev, 1, 0) == 1 && ev.data.u64 == 1;
}

static int call(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int n = snprintf(addr.sun_path + 1, sizeof(addr.sun_path) - 1, MARK_NAME "%d",
			 (int)getpid());
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd >= 0 && connect(fd, (struct sockaddr *)&addr,
			       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + n))) {
		close(fd);
		return -1;
	}
	return fd;
}

static int call_with(const void *p, size_t n)
{
	int fd = call();

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL(send(fd, p, n, MSG_NOSIGNAL), (ssize_t)n);
	return fd;
}

static int call_to_mark(const char *text, uint64_t at_ns)
{
	struct mark_request r;

	return call_with(&r, (size_t)mark_request_make(&r, text, at_ns));
}

/* Returns the answer to the caller, -1 if there is no answer. Closes fd. */
static int told(int fd)
{
	struct mark_answer a;
	ssize_t n = recv(fd, &a, sizeof(a), MSG_DONTWAIT);

	close(fd);
	return n > 0 && mark_answer_check(&a, (size_t)n) > 0 ? (int)a.status : -1;
}

static void test_mark_arrives(void)
{
	struct heard h;
	int fd;

	begin(&h);
	CU_ASSERT_FALSE(wakes(&h));
	fd = call_to_mark("deploy 42", 5);
	CU_ASSERT(wakes(&h));
	CU_ASSERT_EQUAL(marks_take(h.marks, &h.sink), 0);
	CU_ASSERT_EQUAL(told(fd), MARK_TAKEN);
	CU_ASSERT_EQUAL(h.n, 1);
	CU_ASSERT_EQUAL(h.at_ns, 5);
	CU_ASSERT_STRING_EQUAL(h.text, "deploy 42");
	CU_ASSERT_FALSE(wakes(&h));
	end(&h);
}

static void test_request_comes_late(void)
{
	struct mark_request r;
	struct heard h;
	int fd, n = mark_request_make(&r, "late", 1);

	begin(&h);
	fd = call();
	marks_take(h.marks, &h.sink);
	CU_ASSERT_EQUAL(h.n, 0);
	CU_ASSERT_FALSE(wakes(&h));
	CU_ASSERT_EQUAL(send(fd, &r, (size_t)n, 0), n);
	CU_ASSERT(wakes(&h));
	marks_take(h.marks, &h.sink);
	CU_ASSERT_EQUAL(told(fd), MARK_TAKEN);
	CU_ASSERT_STRING_EQUAL(h.text, "late");
	end(&h);
}

/* Tests that a caller that sends nothing neither blocks other callers nor keeps the loop awake. */
static void test_silent_callers(void)
{
	struct heard h;
	int silent[12], fd;

	begin(&h);
	for (int i = 0; i < 12; i++)
		CU_ASSERT((silent[i] = call()) >= 0);
	marks_take(h.marks, &h.sink);
	CU_ASSERT_FALSE(wakes(&h));
	fd = call_to_mark("x", 1);
	marks_take(h.marks, &h.sink);
	CU_ASSERT_EQUAL(told(fd), MARK_TAKEN);
	for (int i = 0; i < 12; i++)
		close(silent[i]);
	marks_take(h.marks, &h.sink);
	CU_ASSERT_FALSE(wakes(&h));
	CU_ASSERT_EQUAL(h.n, 1);
	end(&h);
}

static void test_hostile_callers(void)
{
	static char big[100000];
	struct mark_request r;
	struct heard h;
	char refused[100];
	int n, fd;

	begin(&h);
	fd = call_with(big, sizeof(big));
	marks_take(h.marks, &h.sink);
	CU_ASSERT_EQUAL(told(fd), MARK_WRONG);
	fd = call_with("x", 1);
	marks_take(h.marks, &h.sink);
	CU_ASSERT_EQUAL(told(fd), MARK_WRONG);
	n = mark_request_make(&r, "a b", 1);
	r.text[1] = '\0';
	fd = call_with(&r, (size_t)n);
	close(fd); /* the caller does not wait for the answer */
	marks_take(h.marks, &h.sink);
	CU_ASSERT_EQUAL(h.n, 0);
	CU_ASSERT_FALSE(wakes(&h));
	CU_ASSERT_STRING_EQUAL(unit_sentence(marks_refused(h.marks, refused, sizeof(refused))),
			       "3 marks refused: not a valid request");
	end(&h);
}

/* Tests many requests at once: a limited number per second is accepted. After that, requests do not wake the loop
 * until the next second. */
static void test_flood(void)
{
	struct heard h;
	char refused[100];
	unsigned int taken = 0, busy = 0;
	int fd;

	begin(&h);
	for (int i = 0; i < 1000 && (fd = call()) >= 0; i++) {
		struct mark_request r;
		int n = mark_request_make(&r, "x", 1), status;

		send(fd, &r, (size_t)n, MSG_NOSIGNAL);
		if (wakes(&h))
			marks_take(h.marks, &h.sink);
		status = told(fd);
		taken += status == MARK_TAKEN;
		busy += status == MARK_BUSY;
	}
	CU_ASSERT_EQUAL(taken, MARKS_A_SECOND);
	CU_ASSERT_EQUAL(h.n, MARKS_A_SECOND);
	CU_ASSERT_EQUAL(busy, 100);
	CU_ASSERT_FALSE(wakes(&h));
	CU_ASSERT_STRING_EQUAL(unit_sentence(marks_refused(h.marks, refused, sizeof(refused))),
			       "100 marks refused: too many marks per second");
	marks_refill(h.marks, 500000000); /* less than a second has passed */
	CU_ASSERT_FALSE(wakes(&h));
	marks_refill(h.marks, 1000000000);
	CU_ASSERT(wakes(&h));
	marks_take(h.marks, &h.sink);
	CU_ASSERT(h.n > MARKS_A_SECOND);
	end(&h);
}

static void test_signals_count_too(void)
{
	struct heard h;
	int fd;

	begin(&h);
	for (int i = 0; i < MARKS_A_SECOND; i++)
		CU_ASSERT(marks_allow(h.marks));
	CU_ASSERT_FALSE(marks_allow(h.marks));
	fd = call_to_mark("x", 1);
	marks_take(h.marks, &h.sink);
	CU_ASSERT_EQUAL(told(fd), MARK_BUSY);
	marks_refill(h.marks, 1000000000);
	CU_ASSERT(marks_allow(h.marks));
	end(&h);
}

/* Tests a trace that cannot be written: the recording gets the error, and the caller does not get the answer
 * "marked". */
static void test_sink_fails(void)
{
	struct heard h;
	int fd;

	begin(&h);
	h.err = -ENOSPC;
	fd = call_to_mark("x", 1);
	CU_ASSERT_EQUAL(marks_take(h.marks, &h.sink), -ENOSPC);
	CU_ASSERT_EQUAL(told(fd), -1);
	end(&h);
}

static void test_name_is_taken(void)
{
	struct heard h;
	struct marks *second;

	begin(&h);
	CU_ASSERT_EQUAL(marks_new(&second), 0);
	CU_ASSERT_STRING_EQUAL(
		unit_sentence(marks_why(second)),
		"cannot listen for --mark: Address already in use; SIGUSR1 still marks");
	CU_ASSERT_EQUAL(marks_poll_add(second, h.epoll_fd, 2), 0);
	CU_ASSERT(marks_allow(second));
	marks_refill(second, 1000000000);
	marks_free(second);
	end(&h);
}

static const struct unit_test tests[] = {
	{ "request", test_request },
	{ "request_text", test_request_text },
	{ "hostile_request", test_hostile_request },
	{ "answer", test_answer },
	{ "time", test_time },
	{ "mark_arrives", test_mark_arrives },
	{ "request_comes_late", test_request_comes_late },
	{ "silent_callers", test_silent_callers },
	{ "hostile_callers", test_hostile_callers },
	{ "flood", test_flood },
	{ "signals_count_too", test_signals_count_too },
	{ "sink_fails", test_sink_fails },
	{ "name_is_taken", test_name_is_taken },
};

int main(void)
{
	return unit_main("record_mark", tests, sizeof(tests) / sizeof(tests[0]));
}
