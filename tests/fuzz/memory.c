// SPDX-License-Identifier: BSD-2-Clause
/*
 * Reuses large buffers. A reader allocates and frees them for every input, which costs more under
 * AddressSanitizer than the input itself. Unit tests also use this file. It is linked with --wrap
 * for malloc, realloc and free. The beginning of a free buffer is poisoned, which detects a use
 * after free.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <sanitizer/asan_interface.h> /* for __asan_poison_memory_region */

#define LARGE (128u << 10)
#define POISONED (16u << 10)

void *__real_malloc(size_t n);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);

static struct block {
	void *p;
	size_t n;
	bool used;
} blocks[8];

static struct block *block_of(const void *p)
{
	for (size_t i = 0; p && i < sizeof(blocks) / sizeof(*blocks); i++)
		if (blocks[i].p == p)
			return &blocks[i];
	return NULL;
}

/* The leak checker must not report buffers that are kept here. */
static void forget_used(void)
{
	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++)
		if (blocks[i].used)
			blocks[i] = (struct block){ 0 };
}

__attribute__((constructor)) static void begin(void)
{
	atexit(forget_used);
}

void *__wrap_malloc(size_t n)
{
	struct block *b = blocks;

	if (n < LARGE)
		return __real_malloc(n);
	while (b < blocks + 8 && b->p && (b->used || b->n != n))
		b++;
	if (b == blocks + 8)
		return __real_malloc(n);
	if (!b->p)
		*b = (struct block){ .p = __real_malloc(n), .n = n };
	b->used = b->p;
	__asan_unpoison_memory_region(b->p, POISONED);
	return b->p;
}

void __wrap_free(void *p)
{
	struct block *b = block_of(p);

	if (!b) {
		__real_free(p);
		return;
	}
	if (!b->used)
		abort(); /* the buffer is freed twice */
	b->used = false;
	__asan_poison_memory_region(b->p, POISONED);
}

void *__wrap_realloc(void *p, size_t n)
{
	struct block *b = block_of(p);
	void *q;

	if (!b)
		return __real_realloc(p, n);
	q = __wrap_malloc(n);
	if (!q)
		return NULL;
	memcpy(q, p, n < b->n ? n : b->n);
	__wrap_free(p);
	return q;
}
