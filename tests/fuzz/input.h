/* SPDX-License-Identifier: BSD-2-Clause */
/* input.h: makes a trace from a fuzzer's bytes. */
#ifndef NETCOST_TESTS_FUZZ_INPUT_H
#define NETCOST_TESTS_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

#define OPTION_BYTES 8 /* before a payload: other input of a target */

typedef void input_fn(int fd, const uint8_t *data, size_t n);

/* The bytes are the file. */
input_fn input_file;

/*
 * The bytes are the content of the frames after a fixed HEADER, packed properly, so the fuzzer need not guess
 * checksums. 0xc1, which starts no msgpack value, ends a frame; the byte after it describes the next frame: bits 0 to
 * 2, number of missing frames between the two; bit 3, four bytes follow: its first_ns, last_ns and lost; bit 4, it is
 * the first frame of another part.
 */
input_fn input_payload;

/* Copies a good trace, with another value for a byte of the last frames, which contain INDEX and END. */
void input_with_other_end(int from, int to, const uint8_t *options);

#endif
