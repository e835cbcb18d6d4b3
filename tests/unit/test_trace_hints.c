// SPDX-License-Identifier: BSD-2-Clause
/* Tests recovery of an intact trace in which a skippable frame has a wrong length: no record is lost when the trace
 * is read from a file or a pipe. */
#include "unit.h"

#include <sys/wait.h>

#include "trace_file.h"

#define TRACE "examples/stability.nct" /* larger than the data that a reader buffers at once */

static struct bytes trace(void)
{
	int fd = open(TRACE, O_RDONLY | O_CLOEXEC);
	struct bytes b = contents(fd);

	close(fd);
	return b;
}

/* Returns the number of records that recovery finds. */
static uint64_t records(int fd)
{
	struct trace_reader *r;
	struct trace_record rec;
	uint64_t n = 0;

	if (trace_reader_new(&r, fd))
		abort();
	trace_reader_set_recover(r, true);
	while (trace_reader_next(r, &rec) > 0)
		n++;
	trace_reader_free(r);
	return n;
}

static uint64_t records_of_file(const struct bytes *b)
{
	int fd = file_of(b->p, b->n);
	uint64_t n = records(fd);

	close(fd);
	return n;
}

static uint64_t records_of_pipe(const struct bytes *b)
{
	int fd[2];
	uint64_t n;
	pid_t pid;

	if (pipe(fd) || (pid = fork()) < 0)
		abort();
	if (!pid) {
		close(fd[0]);
		for (size_t at = 0; at < b->n;) {
			ssize_t done = write(fd[1], b->p + at, b->n - at);

			if (done < 0)
				_exit(1);
			at += (size_t)done;
		}
		_exit(0);
	}
	close(fd[1]);
	n = records(fd[0]);
	close(fd[0]);
	waitpid(pid, NULL, 0);
	return n;
}

static void test_length_of_magic(void)
{
	struct bytes b = trace();
	uint64_t all = records_of_file(&b);

	CU_ASSERT_TRUE(all > 300);
	for (int bit = 0; bit < 32; bit++) {
		b.p[4 + bit / 8] ^= (uint8_t)(1 << bit % 8);
		CU_ASSERT_EQUAL(records_of_file(&b), all);
		CU_ASSERT_EQUAL(records_of_pipe(&b), all);
		b.p[4 + bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	free_bytes(&b);
}

/* Tests a hint between two frames with a length that leads beyond the end of the file, into another frame, or over 4
 * GiB. */
static void test_length_in_the_middle(void)
{
	static const uint32_t lengths[] = { 100000, 0x00400000, 0x40000000, 0xffffffff };
	struct bytes b = trace();
	struct extent e[MAX_FRAMES];
	size_t n = split_frames(&b, e);
	uint64_t all = records_of_file(&b);

	CU_ASSERT_TRUE_FATAL(n > 10);
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		uint32_t hint[2] = { 0x184d2a50, lengths[i] };
		struct bytes c = { 0 };

		add_bytes(&c, b.p, e[n / 2].start);
		add_bytes(&c, hint, sizeof(hint));
		add_bytes(&c, b.p + e[n / 2].start, b.n - e[n / 2].start);
		CU_ASSERT_EQUAL(records_of_file(&c), all);
		CU_ASSERT_EQUAL(records_of_pipe(&c), all);
		free_bytes(&c);
	}
	free_bytes(&b);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "length_of_magic", test_length_of_magic },
		{ "length_in_the_middle", test_length_in_the_middle },
	};

	return unit_main("trace_hints", tests, ARRAY_SIZE(tests));
}
