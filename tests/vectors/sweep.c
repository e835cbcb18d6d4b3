// SPDX-License-Identifier: BSD-2-Clause
/*
 * Truncates a complete trace at every byte, flips every bit of it, and removes each of its frames.
 * Each time, the records that netcost's reader returns are compared with the records that zstd and
 * msgpack-c, which are independent of that reader, find in the whole trace.
 *
 *   sweep [-s STEP] FILE...
 *   STEP: tests only one flip in STEP, but all flips in frame headers
 */
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <msgpack.h> /* for msgpack_unpack_next */
#include <zstd.h>    /* for ZSTD_findFrameCompressedSize and ZSTD_decompress */

#include "format/layout.h"
#include "report/rewrite/rewrite.h"
#include "sweep_hash.h"
#include "tests/verified.h"

#define MAX_FRAMES 4096
#define HEAD_BYTES 24 /* bytes of a frame's header and of the header of its first block */
#define MAX_TOLD 20   /* largest number of offences that are described */

struct frame {
	size_t start, end;
	bool hint;
	size_t data; /* number of frames of data before this frame */
};

struct sweep {
	const char *name;
	int fd; /* the file, and a description of how it was changed */
	uint8_t *p;
	size_t n;
	struct frame frame[MAX_FRAMES];
	size_t nframes, ndata;
	uint64_t hash[MAX_FRAMES]; /* hash of the records in each frame of data */
	uint64_t samples[MAX_FRAMES];
	unsigned int offences;
};

/* The records that a reader returns. */
struct found {
	size_t n; /* number of frames of data */
	uint64_t hash[MAX_FRAMES];
	int err;
	struct trace_status st;
};

__attribute__((format(printf, 2, 3))) static void offence(struct sweep *s, const char *fmt, ...)
{
	va_list ap;

	if (s->offences++ >= MAX_TOLD)
		return;
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

/* ---- the whole trace, as zstd and msgpack-c see it --------------------------------------- */

static bool take_content(struct sweep *s, const char *content, size_t size)
{
	msgpack_unpacked object;
	size_t at = 0;

	msgpack_unpacked_init(&object);
	while (msgpack_unpack_next(&object, content, size, &at) == MSGPACK_UNPACK_SUCCESS) {
		mix_object(&s->hash[s->ndata], &object.data);
		s->samples[s->ndata] += samples_in(&object.data);
	}
	msgpack_unpacked_destroy(&object);
	s->ndata++;
	return at == size;
}

static bool take_frame(struct sweep *s, struct frame *f)
{
	char *content = malloc(TRACE_MAX_FRAME);
	size_t size = ZSTD_decompress(content, TRACE_MAX_FRAME, s->p + f->start, f->end - f->start);
	bool ok = !ZSTD_isError(size) && take_content(s, content, size);

	free(content);
	return ok;
}

static bool take_apart(struct sweep *s)
{
	bool ok = true;

	for (size_t at = 0; ok && at < s->n; s->nframes++) {
		size_t size = ZSTD_findFrameCompressedSize(s->p + at, s->n - at);
		struct frame *f = &s->frame[s->nframes];

		if (ZSTD_isError(size) || s->nframes == MAX_FRAMES - 1)
			return false;
		*f = (struct frame){ at, at + size, le32(s->p + at) != ZSTD_FRAME_MAGIC, s->ndata };
		ok = f->hint || take_frame(s, f);
		at += size;
	}
	return ok && s->nframes > 2;
}

/* ---- a changed one, as our reader sees it ------------------------------------------------ */

static void read_found(int fd, bool recover, struct found *found)
{
	struct trace_reader *r;
	struct trace_record rec;

	found->n = 0;
	lseek(fd, 0, SEEK_SET);
	if (trace_reader_new(&r, fd))
		abort();
	trace_reader_set_recover(r, recover);
	if (trace_reader_set_described(r)) /* SCHEMA is returned, too */
		abort();
	while ((found->err = trace_reader_next(r, &rec)) > 0) {
		if (rec.type == TRACE_HEADER || rec.type == TRACE_FRAME)
			found->hash[found->n++] = 0;
		mix_record(&found->hash[found->n - 1], &rec);
	}
	found->st = *trace_reader_status(r);
	trace_reader_free(r);
}

/* Returns true if the reader found the first n frames unchanged, and no other frame. */
static bool has_first(const struct sweep *s, const struct found *found, size_t n)
{
	return found->n == n && !memcmp(found->hash, s->hash, n * sizeof(*s->hash));
}

/* Returns true if the reader found all frames but one unchanged, and no other frame. */
static bool has_all_but(const struct sweep *s, const struct found *found, size_t lost)
{
	return found->n == s->ndata - 1 && !memcmp(found->hash, s->hash, lost * sizeof(*s->hash)) &&
	       !memcmp(found->hash + lost, s->hash + lost + 1,
		       (s->ndata - 1 - lost) * sizeof(*s->hash));
}

/* ---- cut at every byte ------------------------------------------------------------------- */

static void check_cut(struct sweep *s, size_t len, size_t whole, bool at_end)
{
	for (int recover = 0; recover < 2; recover++) {
		static struct found found;
		enum trace_problem problem = !whole ? TRACE_EMPTY : at_end ? TRACE_OK : TRACE_CUT;

		read_found(s->fd, recover, &found);
		if (!has_first(s, &found, whole) || found.st.problem != problem ||
		    found.err != (whole ? 0 : -EMEDIUMTYPE) || found.st.damages ||
		    found.st.ended != (whole == s->ndata))
			offence(s, "cut at %zu%s: %zu frames instead of %zu, ended with %d: %s",
				len, recover ? ", recover" : "", found.n, whole, found.err,
				found.st.what);
	}
}

static void sweep_cuts(struct sweep *s)
{
	for (size_t len = s->n; len-- > 0;) {
		size_t whole = 0;
		bool at_end = false;

		for (size_t i = 0; i < s->nframes; i++) {
			whole += !s->frame[i].hint && s->frame[i].end <= len;
			at_end |= whole == s->ndata && s->frame[i].end == len;
		}
		if (ftruncate(s->fd, (off_t)len))
			abort();
		check_cut(s, len, whole, at_end);
	}
	if (pwrite(s->fd, s->p, s->n, 0) != (ssize_t)s->n)
		abort();
	printf("%s sweep-cut-%s: %zu cuts, %u offences\n", s->offences ? "not ok" : "ok", s->name,
	       s->n, s->offences);
}

/* ---- every bit flipped ------------------------------------------------------------------- */

enum outcome {
	DAMAGED,
	CUT, /* reported as a cut: the frame seems to extend past the file's end */
	REFUSED,
	SAME, /* the bit means nothing to zstd, and all records were found */
	HINT, /* the same, for a bit in a skippable frame */
	OUTCOMES,
};

static const char *const outcome_name[OUTCOMES] = {
	[DAMAGED] = "damaged",	   [CUT] = "cut",	[REFUSED] = "refused",
	[SAME] = "without effect", [HINT] = "in hints",
};

static enum outcome outcome_of(const struct found *found)
{
	static const enum outcome of[] = {
		[TRACE_OK] = SAME,     [TRACE_NOT_A_TRACE] = REFUSED, [TRACE_EMPTY] = REFUSED,
		[TRACE_CUT] = CUT,     [TRACE_DAMAGED] = DAMAGED,     [TRACE_VERSION] = REFUSED,
		[TRACE_IO] = OUTCOMES,
	};

	return of[found->st.problem];
}

/*
 * Returns true if the change was reported or had no effect, and the reader found all frames before
 * the change, and nothing that the trace did not have.
 */
static bool is_found_out(const struct sweep *s, const struct frame *f, const struct found *found)
{
	enum outcome outcome = outcome_of(found);

	if (outcome == SAME)
		return has_first(s, found, s->ndata) && !found->err;
	if (f->hint && outcome == CUT && has_first(s, found, s->ndata))
		return !found->err;
	return has_first(s, found, f->data) && (found->err < 0) == (outcome != CUT);
}

/*
 * Returns true if the reader also found the frames after the change. A trace without its HEADER is
 * not a trace.
 */
static bool is_recovered(const struct sweep *s, const struct frame *f, const struct found *found,
			 enum outcome strict)
{
	bool last = f->data == s->ndata - 1;

	if (f->hint || strict == SAME)
		return has_first(s, found, s->ndata) && !found->err;
	if (!f->data)
		return found->err < 0 && !found->n;
	return has_all_but(s, found, f->data) && !found->err && outcome_of(found) != SAME &&
	       found->st.frames_missing == !last && found->st.ended == !last;
}

static enum outcome check_flip(struct sweep *s, const struct frame *f, size_t bit)
{
	static struct found strict, recovered;
	const char *how = NULL;

	read_found(s->fd, false, &strict);
	read_found(s->fd, true, &recovered);
	if (!is_found_out(s, f, &strict))
		how = "";
	else if (!is_recovered(s, f, &recovered, outcome_of(&strict)))
		how = ", recover";
	if (how)
		offence(s, "bit %zu of byte %zu flipped%s: %zu and %zu frames, ended with %d: %s",
			bit % 8, bit / 8, how, strict.n, recovered.n, strict.err, strict.st.what);
	return f->hint && has_first(s, &strict, s->ndata) ? HINT : outcome_of(&strict);
}

static void flip(struct sweep *s, size_t bit)
{
	uint8_t flipped = s->p[bit / 8] ^ (uint8_t)(1 << bit % 8);

	if (pwrite(s->fd, &flipped, 1, (off_t)(bit / 8)) != 1)
		abort();
}

static void mend(struct sweep *s, size_t bit)
{
	if (pwrite(s->fd, s->p + bit / 8, 1, (off_t)(bit / 8)) != 1)
		abort();
}

static void sweep_flips(struct sweep *s, size_t step)
{
	size_t count[OUTCOMES + 1] = { 0 }, n = 0;

	for (size_t i = 0; i < s->nframes; i++) {
		const struct frame *f = &s->frame[i];

		for (size_t bit = 8 * f->start; bit < 8 * f->end; bit++) {
			if (!f->hint && bit / 8 >= f->start + HEAD_BYTES && bit % step)
				continue;
			flip(s, bit);
			count[check_flip(s, f, bit)]++;
			mend(s, bit);
			n++;
		}
	}
	printf("%s sweep-flip-%s: %zu of %zu bits", s->offences ? "not ok" : "ok", s->name, n,
	       8 * s->n);
	for (size_t i = 0; i < OUTCOMES; i++)
		printf(", %zu %s", count[i], outcome_name[i]);
	printf(", %u offences\n", s->offences);
}

/* ---- every frame lost -------------------------------------------------------------------- */

/* Checks that the saved part is well-formed, and has the samples of all other frames. */
static void check_lost(struct sweep *s, const struct frame *f, uint64_t all)
{
	struct sound_result result = { 0 };
	struct trace_reader *r;
	char why[200] = "";
	int out = memfd_create("out", MFD_CLOEXEC), err;

	lseek(s->fd, 0, SEEK_SET);
	if (out < 0 || trace_reader_new(&r, s->fd))
		abort();
	trace_reader_set_recover(r, true);
	err = copy_trace(r, out, &(struct copy_options){ 0 }, &result);
	trace_reader_free(r);
	if (err || !verified(out, why, sizeof(why)) || result.broken ||
	    result.samples != all - s->samples[f->data])
		offence(s,
			"frame %zu lost: %d, %" PRIu64 " samples, %" PRIu64 " records broken: %s%s",
			f->data, err, result.samples, result.broken, result.first_broken, why);
	close(out);
}

static void sweep_frames(struct sweep *s)
{
	uint64_t all = 0;

	for (size_t i = 0; i < s->ndata; i++)
		all += s->samples[i];
	for (size_t i = 0; i < s->nframes; i++) {
		const struct frame *f = &s->frame[i];

		if (f->hint || !f->data)
			continue;
		flip(s, 8 * (f->end - 1));
		check_lost(s, f, all);
		mend(s, 8 * (f->end - 1));
	}
	printf("%s sweep-lost-%s: %zu frames, %" PRIu64 " samples, %u offences\n",
	       s->offences ? "not ok" : "ok", s->name, s->ndata - 1, all, s->offences);
}

/* ---- all of it --------------------------------------------------------------------------- */

static bool load(struct sweep *s, const char *path)
{
	FILE *f = fopen(path, "rb");
	long n = -1;

	if (f && !fseek(f, 0, SEEK_END))
		n = ftell(f);
	if (n > 0) {
		rewind(f);
		s->p = malloc((size_t)n);
		s->n = fread(s->p, 1, (size_t)n, f);
	}
	if (f)
		fclose(f);
	s->fd = memfd_create("sweep", MFD_CLOEXEC);
	return s->n && s->n == (size_t)n && s->fd >= 0 &&
	       pwrite(s->fd, s->p, s->n, 0) == (ssize_t)s->n && take_apart(s);
}

static bool sweep_file(const char *path, size_t step)
{
	struct sweep *s = calloc(1, sizeof(*s));
	char *copy = strdup(path);
	unsigned int offences = 0;
	bool ok = false;

	s->name = basename(copy);
	if (!load(s, path)) {
		printf("not ok sweep-%s: no complete trace\n", s->name);
	} else {
		sweep_cuts(s);
		offences += s->offences;
		s->offences = 0;
		sweep_frames(s);
		offences += s->offences;
		s->offences = 0;
		sweep_flips(s, step);
		ok = !(offences + s->offences);
	}
	close(s->fd);
	free(s->p);
	free(s);
	free(copy);
	return ok;
}

int main(int argc, char **argv)
{
	size_t step = 1;
	bool ok = true;
	int i = 1;

	if (argc > 3 && !strcmp(argv[1], "-s")) {
		step = strtoull(argv[2], NULL, 10);
		i = 3;
	}
	if (i >= argc || !step) {
		fprintf(stderr, "usage: sweep [-s STEP] FILE...\n");
		return 2;
	}
	for (; i < argc; i++)
		ok &= sweep_file(argv[i], step);
	return !ok;
}
