/* SPDX-License-Identifier: BSD-2-Clause */
/* input.h: makes a trace from a fuzzer's bytes. */
#ifndef NETCOST_TESTS_FUZZ_INPUT_H
#define NETCOST_TESTS_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

#define OPTION_BYTES 8 /* bytes before a payload that select options of a target */

typedef void input_fn(int fd, const uint8_t *data, size_t n);

/* Makes the file of the bytes as they are. */
input_fn input_file;

/*
 * Makes a file of a fixed HEADER and frames that contain the bytes. The frames are packed properly,
 * so the fuzzer need not guess checksums. 0xc1, which starts no msgpack value, ends a frame. The
 * byte after it describes the next frame: bits 0 to 2, number of missing frames between the two;
 * bit 3, four bytes with its first_ns, last_ns and lost follow; bit 4, the frame is the first of
 * another part.
 */
input_fn input_payload;

/* Copies a good trace and changes a byte of the last frames, which contain INDEX and END. */
void input_with_other_end(int from, int to, const uint8_t *options);

#endif
