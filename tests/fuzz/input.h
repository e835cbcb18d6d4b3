/* SPDX-License-Identifier: BSD-2-Clause */
/* input.h: a fuzzer's bytes as a trace. */
#ifndef NETCOST_TESTS_FUZZ_INPUT_H
#define NETCOST_TESTS_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

#define OPTION_BYTES 8 /* before a payload: further input of a target */

typedef void input_fn(int fd, const uint8_t *data, size_t n);

/* They are the file. */
input_fn input_file;

/*
 * They are what is in the frames after a HEADER of ours, packed properly: so the fuzzer need not guess
 * checksums. 0xc1, which begins no msgpack value, ends a frame; the byte after it says how the next one
 * begins: bits 0 to 2, how many frames are missing between the two; bit 3, that four bytes follow: its
 * first_ns, last_ns and lost; bit 4, that it is the first of another part.
 */
input_fn input_payload;

/* A copy of a good trace in which a byte of END's frame, INDEX and all, has another value. */
void input_with_other_end(int from, int to, const uint8_t *options);

#endif
