// SPDX-License-Identifier: BSD-2-Clause
/* Tests output to pipes and input from pipes, and the data that remains when a file system fills up or a reader
 * ends. */
#include "unit.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "trace_file.h"

static const struct trace_totals no_totals = { .why = "" };

static struct trace_writer *new_writer(int fd)
{
	struct trace_writer *w;

	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, fd, 2), 0);
	return w;
}

static void put_noise(struct trace_writer *w)
{
	static uint32_t x = 1;
	uint32_t v[4000];

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		v[i] = x = x * 1664525u + 1013904223u;
	trace_writer_begin(w, TRACE_SAMPLES);
	trace_writer_u32s(w, TRACE_SAMPLES_STACK, v, ARRAY_SIZE(v));
	trace_writer_end(w);
}

/* ---- pipes ------------------------------------------------------------------------------- */

/* Returns a trace that is so large that it is read in several pieces. */
static struct bytes large_trace(void)
{
	int fd = empty_file();
	struct trace_writer *w = new_writer(fd);
	struct bytes b;

	CU_ASSERT_EQUAL(put_header(w), 0);
	for (int frame = 0; frame < 40; frame++) {
		put_noise(w);
		CU_ASSERT_EQUAL(trace_writer_flush(w), 0);
	}
	CU_ASSERT_EQUAL(trace_writer_finish(w, &no_totals), 0);
	trace_writer_free(w);
	b = contents(fd);
	close(fd);
	return b;
}

/* Reads b from a pipe that returns at most `piece` bytes at a time. */
static struct dump read_piped(const struct bytes *b, size_t piece)
{
	struct dump d;
	int fd[2];

	/* With O_DIRECT, one read returns exactly the data of one write. */
	CU_ASSERT_EQUAL_FATAL(pipe2(fd, O_CLOEXEC | O_DIRECT), 0);
	CU_ASSERT_FATAL(fcntl(fd[1], F_SETPIPE_SZ, 1 << 20) >= 1 << 20);
	for (size_t at = 0; at < b->n; at += piece) {
		size_t n = b->n - at < piece ? b->n - at : piece;

		CU_ASSERT_EQUAL(write(fd[1], b->p + at, n), (ssize_t)n);
	}
	close(fd[1]);
	d = read_all(fd[0]);
	close(fd[0]);
	return d;
}

static void check_piped(const struct bytes *b, size_t piece)
{
	struct dump file = read_bytes(b), piped = read_piped(b, piece);

	CU_ASSERT_EQUAL(file.st.problem, TRACE_OK);
	CU_ASSERT_EQUAL(piped.st.problem, TRACE_OK);
	CU_ASSERT_EQUAL(piped.err, 0);
	CU_ASSERT_TRUE(piped.st.ended);
	CU_ASSERT_EQUAL(piped.st.bytes, b->n);
	CU_ASSERT_EQUAL(piped.st.frames, file.st.frames);
	CU_ASSERT_EQUAL(piped.st.records, file.st.records);
	CU_ASSERT(same_records(&piped, &file));
	free(file.text);
	free(piped.text);
}

static void test_pipe_is_like_file(void)
{
	struct bytes small = small_trace(), large = large_trace();

	check_piped(&small, small.n);
	check_piped(&small, small.n / 200);
	CU_ASSERT(large.n > 600000 && large.n < 1 << 20);
	check_piped(&large, 4096);
	free_bytes(&small);
	free_bytes(&large);
}

static void test_written_to_pipe(void)
{
	struct bytes want = small_trace();
	uint8_t got[16384];
	int fd[2];

	CU_ASSERT_EQUAL_FATAL(pipe(fd), 0);
	write_small_trace(fd[1]);
	CU_ASSERT_EQUAL(read(fd[0], got, sizeof(got)), (ssize_t)want.n);
	CU_ASSERT_EQUAL(memcmp(got, want.p, want.n), 0);
	free_bytes(&want);
	close(fd[0]);
	close(fd[1]);
}

/* Ends a frame. If `flush`, writes it and the pending frames before it. */
static int end_frame(struct trace_writer *w, bool flush)
{
	return flush ? trace_writer_flush(w) : trace_writer_end_frame(w);
}

/* Writes frames of about 16 KiB, several at once, until one fails. Returns the error, which persists. */
static int fill(struct trace_writer *w, int at_once)
{
	int err = put_header(w);

	for (int i = 1; i <= 100 && !err; i++) {
		put_noise(w);
		err = end_frame(w, i % at_once == 0);
	}
	put_noise(w);
	CU_ASSERT_EQUAL(trace_writer_end_frame(w), err);
	CU_ASSERT_EQUAL(trace_writer_flush(w), err);
	CU_ASSERT_EQUAL(trace_writer_finish(w, &no_totals), err);
	return err;
}

/* ---- several frames in one write --------------------------------------------------------- */

static uint64_t size_of(int fd)
{
	struct stat st;

	CU_ASSERT_EQUAL_FATAL(fstat(fd, &st), 0);
	return (uint64_t)st.st_size;
}

/* Returns a trace of HEADER's frame and 20 other frames, of which several are written at once. */
static struct bytes marks_at_once(int at_once)
{
	int fd = empty_file();
	struct trace_writer *w = new_writer(fd);
	uint64_t written, bytes = 0;
	struct bytes b;

	for (int i = 0; i <= 20; i++) {
		bool flush = i % at_once == 0;

		CU_ASSERT_EQUAL(i ? put_mark(w, 100 * (uint64_t)i, "m") : put_header(w), 0);
		written = size_of(fd);
		CU_ASSERT_EQUAL(end_frame(w, flush), 0);
		CU_ASSERT_EQUAL(trace_writer_pending(w), 0);
		CU_ASSERT(trace_writer_bytes(w) > bytes);
		bytes = trace_writer_bytes(w);
		CU_ASSERT_EQUAL(size_of(fd), flush ? bytes : written);
	}
	CU_ASSERT_EQUAL(trace_writer_finish(w, &no_totals), 0);
	CU_ASSERT_EQUAL(size_of(fd), trace_writer_bytes(w));
	trace_writer_free(w);
	b = contents(fd);
	close(fd);
	return b;
}

/* Tests that the bytes are the same, including INDEX and the seek table, however many frames are written at once. */
static void test_frames_at_once(void)
{
	static const int at_once[] = { 2, 3, 7, 20, 21 };
	struct bytes each = marks_at_once(1);
	struct dump d = read_bytes(&each);

	CU_ASSERT_EQUAL(d.st.problem, TRACE_OK);
	CU_ASSERT_EQUAL(d.st.frames, 22); /* the last write contains INDEX and END */
	for (size_t i = 0; i < ARRAY_SIZE(at_once); i++) {
		struct bytes b = marks_at_once(at_once[i]);

		CU_ASSERT_EQUAL(b.n, each.n);
		CU_ASSERT(b.n == each.n && !memcmp(b.p, each.p, b.n));
		free_bytes(&b);
	}
	free(d.text);
	free_bytes(&each);
}

/* Tests that frames are written by one call. With O_DIRECT, one read returns the data of one write up to PIPE_BUF,
 * which HEADER and SCHEMA exceed. */
static void test_one_write(void)
{
	struct trace_writer *w;
	uint8_t got[4096];
	uint64_t bytes;
	int fd[2];

	CU_ASSERT_EQUAL_FATAL(pipe2(fd, O_CLOEXEC | O_DIRECT | O_NONBLOCK), 0);
	w = new_writer(fd[1]);
	CU_ASSERT_EQUAL(put_header(w), 0);
	CU_ASSERT_EQUAL(trace_writer_flush(w), 0);
	while (read(fd[0], got, sizeof(got)) > 0)
		;
	bytes = trace_writer_bytes(w);
	for (uint64_t i = 1; i <= 5; i++) {
		CU_ASSERT_EQUAL(put_mark(w, i, "m"), 0);
		CU_ASSERT_EQUAL(trace_writer_end_frame(w), 0);
	}
	/* nothing is pending, so no frame is written */
	CU_ASSERT_EQUAL(trace_writer_end_frame(w), 0);
	CU_ASSERT_EQUAL(read(fd[0], got, sizeof(got)), -1);
	CU_ASSERT_EQUAL(trace_writer_flush(w), 0);
	CU_ASSERT_EQUAL(read(fd[0], got, sizeof(got)), (ssize_t)(trace_writer_bytes(w) - bytes));
	bytes = trace_writer_bytes(w);
	CU_ASSERT_EQUAL(trace_writer_flush(w), 0); /* nothing is pending */
	CU_ASSERT_EQUAL(trace_writer_finish(w, &no_totals), 0);
	CU_ASSERT_EQUAL(read(fd[0], got, sizeof(got)), (ssize_t)(trace_writer_bytes(w) - bytes));
	CU_ASSERT_EQUAL(read(fd[0], got, sizeof(got)), -1);
	trace_writer_free(w);
	close(fd[0]);
	close(fd[1]);
}

/* ---- readers that stop reading ----------------------------------------------------------- */

static void put_frames(struct trace_writer *w, int n)
{
	for (int frame = 0; frame < n; frame++) {
		put_noise(w);
		CU_ASSERT_EQUAL(trace_writer_flush(w), 0);
	}
}

/* Makes a writer to a blocking pipe of one page. If the writer waited, it would block until the alarm. */
static struct trace_writer *queued_writer(int fd[2], size_t limit)
{
	struct trace_writer *w;

	CU_ASSERT_EQUAL_FATAL(pipe(fd), 0);
	CU_ASSERT_FATAL(fcntl(fd[1], F_SETPIPE_SZ, 4096) >= 4096);
	w = new_writer(fd[1]);
	trace_writer_queue(w, limit);
	alarm(60);
	return w;
}

/* Reads up to `most` bytes, and lets the writer continue. */
static struct bytes take(int fd, struct trace_writer *w, size_t most)
{
	struct bytes b = { malloc(most), 0 };
	size_t left = trace_writer_waiting(w);
	ssize_t n = 1;

	fcntl(fd, F_SETFL, O_NONBLOCK);
	while (b.n < most && n > 0) {
		n = read(fd, b.p + b.n, most - b.n);
		b.n += n > 0 ? (size_t)n : 0;
		CU_ASSERT_EQUAL(trace_writer_push(w), 0);
		CU_ASSERT(trace_writer_waiting(w) <= left);
		left = trace_writer_waiting(w);
	}
	return b;
}

/* Tests that a reader that continues gets all data, as if it had never stopped. */
static void test_reader_stands_still(void)
{
	struct trace_writer *w;
	struct bytes a, b;
	struct dump d;
	int fd[2];

	w = queued_writer(fd, 8 << 20);
	CU_ASSERT_EQUAL(put_header(w), 0);
	put_frames(w, 20);
	CU_ASSERT(trace_writer_waiting(w) > 200000);
	a = take(fd[0], w, 100000);
	put_frames(w, 20);
	CU_ASSERT_EQUAL(trace_writer_finish(w, &no_totals), 0);
	b = take(fd[0], w, 1 << 20);
	CU_ASSERT_EQUAL(trace_writer_waiting(w), 0);
	CU_ASSERT_EQUAL(a.n + b.n, trace_writer_bytes(w));
	a.p = realloc(a.p, a.n + b.n);
	memcpy(a.p + a.n, b.p, b.n);
	a.n += b.n;
	d = read_bytes(&a);
	CU_ASSERT_EQUAL(d.st.problem, TRACE_OK);
	CU_ASSERT_TRUE(d.st.ended);
	CU_ASSERT_EQUAL(d.st.frames, 41); /* the last frame contains the end */
	alarm(0);
	free(d.text);
	free_bytes(&a);
	free_bytes(&b);
	trace_writer_free(w);
	close(fd[0]);
	close(fd[1]);
}

/* Tests a reader that never continues: the buffer is limited, and the buffered data is still written, in whole
 * frames. */
static void test_reader_never_goes_on(void)
{
	struct trace_writer *w;
	uint64_t kept;
	struct bytes b;
	struct dump d;
	int fd[2];

	w = queued_writer(fd, 100000);
	CU_ASSERT_EQUAL(fill(w, 1), -ENOBUFS);
	kept = trace_writer_bytes(w);
	CU_ASSERT(trace_writer_waiting(w) > 50000 && trace_writer_waiting(w) <= 100000);
	b = take(fd[0], w, 1 << 20);
	CU_ASSERT_EQUAL(b.n, kept);
	d = read_bytes(&b);
	CU_ASSERT_EQUAL(d.st.problem, TRACE_CUT);
	CU_ASSERT_EQUAL(d.st.bytes, kept);
	CU_ASSERT(d.st.frames > 3);
	alarm(0);
	free(d.text);
	free_bytes(&b);
	trace_writer_free(w);
	close(fd[0]);
	close(fd[1]);
}

/* ---- full file systems, readers that end ------------------------------------------------- */

/* Checks that the file has its earlier content, and then the whole frames that fitted. */
static void check_filled(int fd, size_t before, uint64_t bytes)
{
	struct bytes b = contents(fd), trace = { b.p + before, b.n - before };
	struct extent e[MAX_FRAMES];
	struct dump d;

	CU_ASSERT_EQUAL(b.n, before + bytes);
	d = read_bytes(&trace);
	CU_ASSERT_EQUAL(d.st.problem, TRACE_CUT);
	CU_ASSERT(d.st.frames > 1);
	CU_ASSERT_EQUAL(split_frames(&trace, e), d.st.frames + 1);
	free(d.text);
	free_bytes(&b);
}

static void test_dev_full(void)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	for (int at_once = 1; at_once <= 3; at_once++) {
		struct trace_writer *w = new_writer(fd);

		CU_ASSERT_EQUAL(fill(w, at_once), -ENOSPC);
		CU_ASSERT_EQUAL(trace_writer_bytes(w), 0);
		trace_writer_free(w);
	}
	close(fd);
}

/* Fills a file with a size limit. Like a full disk, it accepts a part of a frame before a write fails. */
static int fill_limited(struct trace_writer *w, int at_once)
{
	struct rlimit old, limit;
	int err;

	getrlimit(RLIMIT_FSIZE, &old);
	limit = (struct rlimit){ 100000, old.rlim_max };
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	err = fill(w, at_once);
	setrlimit(RLIMIT_FSIZE, &old);
	return err;
}

static void test_file_limit(void)
{
	for (int at_once = 1; at_once <= 3; at_once++) {
		FILE *f = tmpfile();
		struct trace_writer *w = new_writer(fileno(f));

		CU_ASSERT_EQUAL(fill_limited(w, at_once), -EFBIG);
		check_filled(fileno(f), 0, trace_writer_bytes(w));
		trace_writer_free(w);
		fclose(f);
	}
}

/* Checks `netcost-record -o - >>file`: the earlier content of the file must not be truncated. */
static void check_appending(int at_once)
{
	static const char before[] = "of somebody else";
	FILE *f = tmpfile();
	struct trace_writer *w = new_writer(fileno(f));
	char back[sizeof(before)];

	CU_ASSERT_EQUAL(write(fileno(f), before, sizeof(before)), sizeof(before));
	lseek(fileno(f), 0, SEEK_SET);
	fcntl(fileno(f), F_SETFL, O_APPEND);
	CU_ASSERT_EQUAL(fill_limited(w, at_once), -EFBIG);
	check_filled(fileno(f), sizeof(before), trace_writer_bytes(w));
	CU_ASSERT_EQUAL(pread(fileno(f), back, sizeof(back), 0), sizeof(back));
	CU_ASSERT_EQUAL(memcmp(back, before, sizeof(before)), 0);
	trace_writer_free(w);
	fclose(f);
}

static void test_file_limit_appending(void)
{
	check_appending(1);
	check_appending(2);
}

/* Opens a file on a private mount, which is removed when this process ends. */
static int open_on_tmpfs(const char *dir)
{
	char path[64];
	int fd;

	if (unshare(CLONE_NEWNS) || mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) ||
	    mount("tmpfs", dir, "tmpfs", 0, "size=96k"))
		return -1;
	snprintf(path, sizeof(path), "%s/t.nct", dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	umount2(dir, MNT_DETACH);
	return fd;
}

static void test_disk_full(void)
{
	char dir[] = "/tmp/netcost-unit-XXXXXX";
	struct trace_writer *w;
	int fd = mkdtemp(dir) ? open_on_tmpfs(dir) : -1;

	rmdir(dir);
	if (fd < 0) {
		puts("skip trace_output.disk_full: needs full privileges");
		return;
	}
	w = new_writer(fd);
	CU_ASSERT_EQUAL(fill(w, 1), -ENOSPC);
	check_filled(fd, 0, trace_writer_bytes(w));
	trace_writer_free(w);
	close(fd);
}

static void test_closed_pipe(void)
{
	struct trace_writer *w;
	int fd[2];

	signal(SIGPIPE, SIG_IGN);
	CU_ASSERT_EQUAL_FATAL(pipe(fd), 0);
	close(fd[0]);
	w = new_writer(fd[1]);
	CU_ASSERT_EQUAL(fill(w, 1), -EPIPE);
	trace_writer_free(w);
	close(fd[1]);
}

static const struct unit_test tests[] = {
	{ "pipe_is_like_file", test_pipe_is_like_file },
	{ "written_to_pipe", test_written_to_pipe },
	{ "frames_at_once", test_frames_at_once },
	{ "one_write", test_one_write },
	{ "reader_stands_still", test_reader_stands_still },
	{ "reader_never_goes_on", test_reader_never_goes_on },
	{ "dev_full", test_dev_full },
	{ "file_limit", test_file_limit },
	{ "file_limit_appending", test_file_limit_appending },
	{ "disk_full", test_disk_full },
	{ "closed_pipe", test_closed_pipe },
};

int main(void)
{
	return unit_main("trace_output", tests, ARRAY_SIZE(tests));
}
