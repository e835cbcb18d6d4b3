// SPDX-License-Identifier: BSD-2-Clause
/*
 * libFuzzer: hostile bytes into the reader and into the report's model, which is all that stands between
 * a file and a table.
 *
 * Built twice: FUZZ_PAYLOAD takes the input for what is in a frame, behind a HEADER of ours, and packs it
 * properly, so that the fuzzer does not have to guess checksums; without it the input is the file.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <zstd.h>

#include <netcost/trace.h>

#include "src/report/classify.h"
#include "src/report/model.h"

#ifdef FUZZ_PAYLOAD
/* [HEADER, {major: 1, minor: 0, cpus: [0, 1], sample_hz: 999}], [FRAME, {seq: 1}] */
static const uint8_t header[] = { 0x92, 1, 0x84, 1, 1, 2, 0, 8, 0x92, 0, 1, 10, 0xcd, 0x03, 0xe7 };
static const uint8_t frame[] = { 0x92, 2, 0x81, 1, 1 };

static void put_frame(int fd, const uint8_t *head, size_t nhead, const uint8_t *data, size_t n)
{
	size_t bound = ZSTD_compressBound(nhead + n), c;
	uint8_t *raw = malloc(nhead + n + 1), *out = malloc(bound);
	ZSTD_CCtx *ctx = ZSTD_createCCtx();

	memcpy(raw, head, nhead);
	if (n)
		memcpy(raw + nhead, data, n);
	ZSTD_CCtx_setParameter(ctx, ZSTD_c_checksumFlag, 1);
	c = ZSTD_compress2(ctx, out, bound, raw, nhead + n);
	if (write(fd, out, c) != (ssize_t)c)
		abort();
	ZSTD_freeCCtx(ctx);
	free(raw);
	free(out);
}

static void put_file(int fd, const uint8_t *data, size_t n)
{
	put_frame(fd, header, sizeof(header), data, 0);
	put_frame(fd, frame, sizeof(frame), data, n);
}
#else
static void put_file(int fd, const uint8_t *data, size_t n)
{
	if (write(fd, data, n) != (ssize_t)n)
		abort();
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct classifier *classifier = classifier_new(builtin_rules, builtin_nrules);
	struct model *m = model_new(MODEL_TASKS | MODEL_CPU_STACKS, classifier);
	struct trace_reader *r;

	put_file(fd, data, n);
	lseek(fd, 0, SEEK_SET);
	if (!trace_reader_new(&r, fd))
		model_read(m, r);
	trace_reader_free(r);
	model_free(m);
	classifier_free(classifier);
	close(fd);
	return 0;
}
